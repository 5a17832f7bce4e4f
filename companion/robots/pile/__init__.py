"""Robots for the classic games: each has a hand, and all share one pile."""
