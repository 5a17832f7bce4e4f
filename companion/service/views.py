"""What each viewer of a table is sent, encoded: whole views, and patches of what changed.

States are frozen and share what did not change, so what a part rests on says whether it is to
be encoded again. The shared part is encoded once for all, ``you`` for each. This module must
not know how it is sent, nor what a viewer may see: the rules' own views say that.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from itertools import chain
from typing import Any

from companion.rules.core.choices import legal_commands
from companion.rules.core.model import Seat
from companion.rules.core.view import you, you_rests_on
from companion.service.codec import encode
from companion.service.journal import Journal

Parts = dict[str, bytes]
"""An object, each of its keys encoded."""

Part = bytes | Parts
"""Something shown."""

NOBODY = b"null"
"""The ``you`` of a spectator."""


class Memory:
    """What was made for a table before: good for as long as what it rests on is the same."""

    def __init__(self) -> None:
        self._known: dict[Any, tuple[Any, Any]] = {}
        self._shown: dict[Any, tuple[dict[str, Any], Parts]] = {}

    def kept(self, key: Any, rests_on: Any, make: Callable[[], Any]) -> Any:
        """What ``make`` gives, made now or before."""
        known = self._known.get(key)
        if known is None or known[0] != rests_on:
            known = self._known[key] = (rests_on, make())
        return known[1]

    def parts(self, owner: Any, shown: dict[str, Any]) -> Parts:
        """An object of this owner's by keys; those which are as they were are encoded already."""
        had, encoded = self._shown.get(owner, ({}, {}))
        now = {
            key: encoded[key] if key in had and had[key] == value else encode(value)
            for key, value in shown.items()
        }
        self._shown[owner] = shown, now
        return now

    def part(self, owner: Any, value: Any) -> Part:
        """Something shown: an object by keys, and all else whole."""
        return self.parts(owner, value) if isinstance(value, dict) else encode(value)


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
        self._yours: dict[str | None, Part] = {None: NOBODY}
        shown = self._shown.but_seats(table, now)
        self.parts = {key: memory.part(("of all", key), value) for key, value in shown.items()}
        self.seats: dict[str, Part] = memory.kept(
            "seats", self._shown.seats_rest_on(table), self._seats
        )

    def of(self, seat: str | None) -> bytes:
        """The whole view of this seat; ``None``, or one that is none: a spectator's."""
        return self._shared + _whole(self.you(seat)) + b"}"

    def you(self, seat: str | None) -> Part:
        """The viewer's own part."""
        if seat is not None and seat not in self._yours:
            self._yours[seat] = self._you(seat) if seat in self._seated else NOBODY
        return self._yours[seat]

    def told(self, seat: str | None) -> Part | None:
        """The viewer's own part, if it was asked for."""
        return self._yours.get(seat)

    @cached_property
    def head(self) -> bytes:
        """The version and the time, as they stand in views and patches."""
        return encode({"epoch": self.epoch, "version": self.version, "now": self.now})[1:-1]

    @cached_property
    def _shared(self) -> bytes:
        return b'{%s,"table":%s,%s,"seats":%s,"log":[%s],"you":' % (
            self.head,
            encode(self._table.code),
            _members((key, _whole(part)) for key, part in self.parts.items()),
            self.all_seats,
            b",".join(self.lines),
        )

    @property
    def all_seats(self) -> bytes:
        """The seats, in order."""
        return b"[" + b",".join(map(_whole, self.seats.values())) + b"]"

    @cached_property
    def _seated(self) -> Any:
        seats = self._table.seats
        return self._memory.kept("seated", seats, lambda: {seat.seat for seat in seats})

    def _seats(self) -> dict[str, Part]:
        return {seat.seat: self._seat(seat) for seat in self._table.in_order}

    def _seat(self, seat: Seat) -> Any:
        rests_on = self._shown.rests_on(self._table, seat)
        return self._memory.kept(
            seat.seat,
            rests_on,
            lambda: self._memory.parts(seat.seat, self._shown.seat(self._table, seat)),
        )

    def _you(self, seat: str) -> Parts:
        table, everyone = self._table, seat == self._table.host
        rests_on = you_rests_on(table, seat)
        owner, memory = ("you", seat), self._memory
        mine = memory.kept(owner, rests_on, lambda: memory.parts(owner, you(table, seat)))
        near = everyone and self._room is not None
        room = {"log_room": encode(max(0, self._room or 0))} if near else {}
        may = chain.from_iterable(self._may.values()) if everyone else self._may.get(seat, ())
        return {**mine, **room, "may": b"[%b]" % b",".join(may)}

    @cached_property
    def _may(self) -> dict[str, list[bytes]]:
        """Seat → the game commands that would be accepted from it now."""
        found = defaultdict(list)
        for command in legal_commands(self._table, 1 if self._room is None else self._room):
            found[command.seat].append(encode(command))
        return found


class Patches:
    """What leads each viewer from one version to another.

    ``by_keys``: of what is an object only the keys that changed, for whoever asked for that.
    """

    def __init__(self, before: Views, after: Views) -> None:
        self._before, self._after = before, after
        new = after.written - before.written
        log = b",".join(after.lines[-new:] if new else ())
        self._start = b'{%s,"from":%d,"log":[%s]' % (after.head, before.version, log)

    def of(self, seat: str | None, *, by_keys: bool = False) -> bytes:
        """What this seat's viewer lacks; ``None``: a spectator."""
        told, you = self._before.told(seat), self._after.you(seat)
        shared, keys = self._by_keys if by_keys else (self._by_parts, [])
        if you == told:
            mine = b""
        elif by_keys and (new := _new_keys(told, you)):
            mine, keys = b"", [*keys, ("you", new)]
        else:
            mine = b',"you":' + _whole(you)
        return shared + mine + _keyed(b"keys", keys) + b"}"

    @cached_property
    def _by_parts(self) -> bytes:
        parts, seats = self._changed
        return self._start + _wholly(b"set", parts) + _wholly(b"seats", seats)

    @cached_property
    def _by_keys(self) -> tuple[bytes, list[tuple[str, bytes]]]:
        """What is told whole, and of everything else what its keys are now."""
        parts, seats = self._changed
        keys = {key: _new_keys(self._before.parts.get(key), part) for key, part in parts.items()}
        of_seats = {id: _new_keys(self._before.seats[id], seat) for id, seat in seats.items()}
        if some := [(id, new) for id, new in of_seats.items() if new]:
            keys["seats"] = b"{%b}" % _members(some)
        whole = self._start
        whole += _wholly(b"set", {key: part for key, part in parts.items() if not keys[key]})
        whole += _wholly(b"seats", {id: seat for id, seat in seats.items() if not of_seats[id]})
        return whole, [(key, new) for key, new in keys.items() if new]

    @cached_property
    def _changed(self) -> tuple[dict[str, Part], dict[str, Part]]:
        """Parts and seats; if seats came, went or changed order, they are a part."""
        before, after = self._before, self._after
        parts = {key: part for key, part in after.parts.items() if part != before.parts.get(key)}
        if before.seats is after.seats:
            return parts, {}
        if [*before.seats] == [*after.seats]:
            return parts, {id: s for id, s in after.seats.items() if s != before.seats[id]}
        return {**parts, "seats": after.all_seats}, {}


def _whole(part: Part) -> bytes:
    return b"{%b}" % _members(part.items()) if isinstance(part, dict) else part


def _new_keys(before: Part | None, after: Part) -> bytes | None:
    """Those of an object's keys that changed; ``None`` where one is gone, or it is none."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return None
    if before.keys() - after.keys():
        return None
    return b"{%b}" % _members((key, new) for key, new in after.items() if new != before.get(key))


def _members(parts: Iterable[tuple[str, bytes]]) -> bytes:
    return b",".join(b'"%b":%b' % (key.encode(), part) for key, part in parts)


def _wholly(name: bytes, parts: dict[str, Part]) -> bytes:
    return _keyed(name, [(key, _whole(part)) for key, part in parts.items()])


def _keyed(name: bytes, values: Collection[tuple[str, bytes]]) -> bytes:
    """A member of an object, with values by name; nothing for none."""
    return b',"%b":{%b}' % (name, _members(values)) if values else b""
