"""A table's log as it is shown: each line encoded once, and kept small.

Whoever asks for the whole log is given it in pieces, so that others have their turn between
them. This module must not know what a line says.
"""

import zlib
from collections import deque
from collections.abc import Iterator

NEWEST = 50
"""How much of the log a view shows."""

PIECE = 200
"""How many lines are packed, and sent, at once."""


class Lines:
    """All lines of one log. A line is everybody's, or of one seat alone.

    ``public``: how many are everybody's.
    """

    def __init__(self) -> None:
        self.newest: deque[bytes] = deque(maxlen=NEWEST)
        self.public = 0
        self._packed: list[bytes] = []
        self._loose: list[bytes] = []

    def add(self, line: bytes, seat: str | None) -> None:
        """The next line, which nobody but this seat may see; ``None``: everybody."""
        if seat is None:
            self.newest.append(line)
            self.public += 1
        self._loose.append(b"%s\t%s" % ((seat or "").encode(), line))
        if len(self._loose) == PIECE:
            self._packed.append(zlib.compress(b"\n".join(self._loose)))
            self._loose = []

    def seen_by(self, seat: str | None) -> Iterator[bytes]:
        """The log as it is now, without what this seat may not see: a JSON list in pieces."""
        return _pieces(tuple(self._packed), tuple(self._loose), (seat or "").encode())


def _pieces(packed: tuple[bytes, ...], loose: tuple[bytes, ...], seat: bytes) -> Iterator[bytes]:
    before = b"["
    for number in range(len(packed) + 1):
        whole = number < len(packed)
        said = zlib.decompress(packed[number]).split(b"\n") if whole else loose
        owned = (line.partition(b"\t") for line in said)
        if mine := [line for owner, _, line in owned if owner in (b"", seat)]:
            yield before + b",".join(mine)
            before = b","
    yield b"[]" if before == b"[" else b"]"
