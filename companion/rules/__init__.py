"""The rules: pure, deterministic, without a clock or chance. ``core`` has what any card game at a
table needs, ``grid`` and ``pile`` a family of games each, and ``families`` all of them by name.
``decide`` says what a command leads to, ``evolve`` what an event changes, ``legal_commands`` what
would be accepted now."""
