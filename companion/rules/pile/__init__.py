"""The classic games: one pile that all draw from, and a hand for each."""
