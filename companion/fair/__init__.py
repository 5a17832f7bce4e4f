"""What makes a deck that a device keeps fair, and checkable afterwards (docs/fair.md).

Pure: bytes in, bytes out. A device deals by it, anyone can check by it, and the server uses
nothing of it but what a commitment is. It must not know a table, a rule or a wire.
"""
