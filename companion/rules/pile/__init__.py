"""The classic games: all draw from one pile, and hold their cards in their hands."""
