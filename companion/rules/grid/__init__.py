"""The draw grid: everybody has cards of their own, and is told which of them to draw."""
