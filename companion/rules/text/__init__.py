"""Rulings, names, permitted characters, and sentences with placeholders."""
