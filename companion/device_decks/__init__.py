"""Fair decks kept by devices, which anyone can check after the game (docs/fair.md).

``dealing`` deals and shuffles a device's deck. ``check`` replays a finished game and reports every
mismatch. Neither module does any input or output, so devices, robots, the command line and the
server can all use them.
"""
