"""The parts that all families share: seats, turns, Nope windows, undo, rulings, texts."""
