"""The rules of the draw-grid variant: pure, deterministic, without a clock or chance.

``decide`` says what a command leads to, ``evolve`` what an event changes,
``legal_commands`` what would be accepted now, ``view_for`` what one viewer sees.
Nothing in here may know of sockets, databases, threads or the time of day.
"""
