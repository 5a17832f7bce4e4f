"""What any card game at a table has: seats, turns, windows, Nopes, undo, rulings, texts."""
