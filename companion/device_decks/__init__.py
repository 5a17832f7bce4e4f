"""Fair decks kept by devices, which anyone can check after the game (docs/fair.md).

``cards`` deals and shuffles a device's deck. ``check`` replays a finished game and reports any
mismatch. Both are free of input and output, so devices, robots, the command line and the server can
all use them.
"""
