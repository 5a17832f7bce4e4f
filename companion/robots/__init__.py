"""Robots: players with real cards of their own who know nothing but the wire contract. They sit at
a table as any client does. What any game needs is here; each family of games has a room beside it.
This package must not import the rules: what a robot may say, it reads in ``you.may``; what is true,
it reads in its own cards."""
