"""Names, sentences and rulings as texts."""
