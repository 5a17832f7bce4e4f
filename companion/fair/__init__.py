"""What makes a deck that a device keeps fair, and checkable afterwards (docs/fair.md). Pure: a
device deals by it, anyone can check by it, and the server needs what a commitment is."""
