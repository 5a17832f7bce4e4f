"""Robot players. Each has cards of its own and connects to a table like any other client.

The modules here serve every game; the packages ``grid`` and ``pile`` hold one family of games each.
Nothing in this package imports the rules. A robot reads in ``you.may`` which commands are legal,
and in its own cards which of them are true."""
