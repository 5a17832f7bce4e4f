"""What each viewer of a table is sent, encoded: whole views, and patches of what changed.

States are frozen and share what did not change, so what a part rests on says whether it is to
be encoded again. The shared part is encoded once for all, ``you`` for each. This module must
not know how it is sent, nor what a viewer may see: the rules' own views say that.
"""

from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from itertools import chain
from typing import Any

from companion.rules.core.choices import legal_commands
from companion.rules.core.model import Seat
from companion.rules.core.view import you, you_rests_on
from companion.service.codec import encode
from companion.service.journal import Journal

NOBODY = b"null"
"""The ``you`` of a spectator."""


class Memory:
    """What was made for a table before: good for as long as what it rests on is the same."""

    def __init__(self) -> None:
        self._known: dict[Any, tuple[Any, Any]] = {}

    def kept(self, key: Any, rests_on: Any, make: Callable[[], Any]) -> Any:
        """What ``make`` gives, made now or before."""
        known = self._known.get(key)
        if known is None or known[0] != rests_on:
            known = self._known[key] = (rests_on, make())
        return known[1]


class Views:
    """All views of a table at one version and time.

    ``room``: how many events its log still takes, once there are few; the host is told.
    """

    def __init__(
        self, journal: Journal, epoch: str, memory: Memory, now: int, room: int | None = None
    ) -> None:
        table = self._table = journal.table
        self._shown = table.family.shown
        self.version, self.epoch, self.now = table.version, epoch, now
        self.lines, self.written = tuple(journal.lines.newest), journal.lines.public
        self._memory, self._room = memory, room
        self._yours: dict[str | None, bytes] = {None: NOBODY}
        self.parts = {
            key: encode(value) for key, value in self._shown.but_seats(table, now).items()
        }
        self.seats: dict[str, bytes] = memory.kept(
            "seats", self._shown.seats_rest_on(table), self._seats
        )

    def of(self, seat: str | None) -> bytes:
        """The whole view of this seat; ``None``, or one that is none: a spectator's."""
        return self._shared + self.you(seat) + b"}"

    def you(self, seat: str | None) -> bytes:
        """The viewer's own part."""
        if seat is not None and seat not in self._yours:
            self._yours[seat] = self._you(seat) if seat in self._seated else NOBODY
        return self._yours[seat]

    def told(self, seat: str | None) -> bytes | None:
        """The viewer's own part, if it was asked for."""
        return self._yours.get(seat)

    @cached_property
    def head(self) -> bytes:
        """The version and the time, as they stand in views and patches."""
        return encode({"epoch": self.epoch, "version": self.version, "now": self.now})[1:-1]

    @cached_property
    def _shared(self) -> bytes:
        parts = b",".join(b'"%s":%s' % (key.encode(), part) for key, part in self.parts.items())
        return b'{%s,"table":%s,%s,"seats":[%s],"log":[%s],"you":' % (
            self.head,
            encode(self._table.code),
            parts,
            b",".join(self.seats.values()),
            b",".join(self.lines),
        )

    @cached_property
    def _seated(self) -> frozenset[str]:
        return frozenset(seat.seat for seat in self._table.seats)

    def _seats(self) -> dict[str, bytes]:
        return {seat.seat: self._seat(seat) for seat in self._table.in_order}

    def _seat(self, seat: Seat) -> Any:
        rests_on = self._shown.rests_on(self._table, seat)
        return self._memory.kept(
            seat.seat, rests_on, lambda: encode(self._shown.seat(self._table, seat))
        )

    def _you(self, seat: str) -> Any:
        table, everyone = self._table, seat == self._table.host
        may = chain.from_iterable(self._may.values()) if everyone else self._may.get(seat, ())
        room = self._room if everyone else None
        rests_on = you_rests_on(table, seat), room, b",".join(may)
        return self._memory.kept(("you", seat), rests_on, lambda: self._own(seat, *rests_on[1:]))

    def _own(self, seat: str, room: int | None, may: bytes) -> bytes:
        few = b"" if room is None else b',"log_room":%d' % max(0, room)
        return b'%s%s,"may":[%s]}' % (encode(you(self._table, seat))[:-1], few, may)

    @cached_property
    def _may(self) -> dict[str, list[bytes]]:
        """Seat → the game commands that would be accepted from it now."""
        found = defaultdict(list)
        for command in legal_commands(self._table, 1 if self._room is None else self._room):
            found[command.seat].append(encode(command))
        return found


class Patches:
    """What leads each viewer from one version to another."""

    def __init__(self, before: Views, after: Views) -> None:
        self._before, self._after = before, after
        new = after.written - before.written
        log = b",".join(after.lines[-new:] if new else ())
        self._shared = b'{%s,"from":%d%s,"log":[%s]' % (
            after.head, before.version, self._changed(), log
        )  # fmt: skip

    def of(self, seat: str | None) -> bytes:
        """What this seat's viewer lacks; ``None``: a spectator."""
        told, you = self._before.told(seat), self._after.you(seat)
        return self._shared + (b"}" if you == told else b',"you":' + you + b"}")

    def _changed(self) -> bytes:
        before, after = self._before, self._after
        parts = [(key, part) for key, part in after.parts.items() if part != before.parts[key]]
        seats: list[tuple[str, bytes]] = []
        if before.seats is not after.seats:
            had = before.seats
            seats = [(id, seat) for id, seat in after.seats.items() if seat != had.get(id)]
        if [*before.seats] != [*after.seats]:
            parts.append(("seats", b"[%s]" % b",".join(after.seats.values())))
            seats = []
        return _keyed(b"set", parts) + _keyed(b"seats", seats)


def _keyed(name: bytes, values: list[tuple[str, bytes]]) -> bytes:
    """A member of an object, with values by name; nothing for none."""
    if not values:
        return b""
    inside = b",".join(encode(key) + b":" + value for key, value in values)
    return b',"%s":{%s}' % (name, inside)
