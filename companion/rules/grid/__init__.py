"""The draw grid: each player has a deck of their own, and another chooses the card they draw."""
