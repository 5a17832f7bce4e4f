"""Finished games, as files and as replays."""
