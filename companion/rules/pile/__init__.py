"""The classic games: all players draw from one pile, and each player has a hand of cards."""
