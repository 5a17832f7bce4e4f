"""Robot players. Each robot knows its real cards, and connects to a table like any other client.

The modules in this folder serve every game; the packages ``grid`` and ``pile`` each serve one
family of games. Nothing in this package imports the rules. A robot picks one of the legal commands
that the view lists in ``you.may``. If a command reports something, the robot's own cards decide
which report is true.
"""
