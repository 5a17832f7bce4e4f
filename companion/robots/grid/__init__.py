"""Robots for the draw grid, where each player has a deck, a hand and a grid of their own."""
