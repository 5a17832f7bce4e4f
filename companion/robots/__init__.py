"""Robot players. Each has cards of its own and connects to a table like any other client.

The modules here serve every game; the packages ``grid`` and ``pile`` hold one family of games each.
Nothing in this package imports the rules. The view's ``you.may`` lists the legal commands, and the
robot's own cards decide which of them are true.
"""
