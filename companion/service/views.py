"""What each viewer of a table is sent, encoded: the shared part once, ``you`` for each.

This module must not know how it is sent, nor what a viewer may see: the rules' own
views say that.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from companion.rules.choices import legal_commands
from companion.rules.model import Table
from companion.rules.view import public_view, you
from companion.service.codec import encode


class Views:
    """All views of a table at one version and time.

    ``room``: how many events its log still takes, once there are few; the host is told.
    """

    def __init__(
        self, table: Table, epoch: str, lines: Iterable[bytes], now: int, room: int | None = None
    ) -> None:
        self._table, self._room = table, room
        shared = encode({"epoch": epoch, **public_view(table, now)})
        self._shared = shared[:-1] + b',"log":[' + b",".join(lines) + b'],"you":'

    def of(self, seat: str | None) -> bytes:
        """The whole view of this seat; ``None``: a spectator's."""
        if seat is None:
            return self._shared + b"null}"
        everyone = seat == self._table.host
        full = {"log_room": max(0, self._room)} if everyone and self._room is not None else {}
        mine = encode({**you(self._table, seat), **full})
        may = self._may if everyone else {seat: self._may.get(seat, [])}
        listed = b",".join(command for of_seat in may.values() for command in of_seat)
        return self._shared + mine[:-1] + b',"may":[' + listed + b"]}}"

    @cached_property
    def _may(self) -> dict[str, list[bytes]]:
        """Seat → the game commands that would be accepted from it now."""
        found = defaultdict(list)
        for command in legal_commands(self._table, 1 if self._room is None else self._room):
            found[command.seat].append(encode(command))
        return found
