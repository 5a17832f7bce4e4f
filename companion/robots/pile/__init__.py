"""Robots for the classic games, in which each player has a hand and all share one pile."""
