"""Fair decks kept by devices, which anyone can check after the game (docs/fair.md).

``cards`` deals and shuffles a device's deck, ``check`` replays a finished game and reports what
does not match. Neither does any input or output, so devices, robots, the command line and the
server can all use them."""
