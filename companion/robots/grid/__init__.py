"""Robots that play the draw grid: each with a deck of its own, hand and grid."""
