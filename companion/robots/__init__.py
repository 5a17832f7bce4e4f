"""Robots: players with real cards of their own who know nothing but the wire contract.

They sit at a table as any client does. This package must not import the rules: what a
robot may say, it reads in ``you.may``; what is true, it reads in its own cards.
"""
