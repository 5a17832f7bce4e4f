"""The rules of the games, as pure functions: they use no clock, no random numbers, no input and no
output.

``core`` is shared by all games. ``grid`` and ``pile`` each hold one family of games, and
``families`` looks a family up by name. There are three entry points: ``decide`` returns the events
that a command causes, ``evolve`` returns the table after an event, and ``legal_commands`` lists the
commands that are legal now.
"""
