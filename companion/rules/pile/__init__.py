"""The classic games: all players draw from one pile, and each has a hand."""
