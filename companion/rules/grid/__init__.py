"""The draw grid: each player has a deck of their own, and another player chooses the
card to draw."""
