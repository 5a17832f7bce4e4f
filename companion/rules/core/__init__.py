"""The parts that all families of games share: seats, turns, Nope windows, undo, rulings, texts."""
