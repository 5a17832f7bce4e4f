"""Robots that play the classic games: a hand for each, and one pile that they share."""
