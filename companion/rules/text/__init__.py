"""Rulings, names, characters, and sentences with placeholders."""
