"""Finished games: as files, and moment by moment."""
