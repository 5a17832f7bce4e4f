"""The rules: pure and deterministic functions, without clock, randomness or input and output.

``core`` is shared by all games, ``grid`` and ``pile`` are one family of games each, and
``families`` lists them by name. There are three entry points: ``decide`` returns the events of a
command, ``evolve`` returns the table after an event, and ``legal_commands`` lists the commands that
are legal now.
"""
