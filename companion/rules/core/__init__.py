"""The parts that all families of games share, such as seats, turns, Nope windows and undo."""
