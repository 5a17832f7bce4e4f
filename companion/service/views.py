"""What each viewer of a table is sent, encoded: whole views, and patches of what changed.

States are frozen and share what did not change, so what a part rests on says whether it is to
be encoded again. The shared part is encoded once for all, ``you`` for each. This module must
not know how it is sent, nor what a viewer may see: the rules' own views say that.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from companion.rules.core.family import Section
from companion.rules.core.model import Seat, Table
from companion.rules.core.referee import legal_commands, sayable
from companion.rules.core.view import may_take_back, own, own_rests_on
from companion.service.codec import encode
from companion.service.log import Journal

Parts = dict[str, bytes]
"""An object: each of its members encoded, by its key."""

Part = bytes | Parts
"""Something shown."""

NOBODY = b"null"
"""The ``you`` of a spectator."""


class Memory:
    """What was made for a table before: good for as long as what it rests on is the same."""

    def __init__(self) -> None:
        self._known: dict[Any, tuple[Any, Any]] = {}
        self._shown: dict[Any, tuple[Any, Part]] = {}

    def kept(self, key: Any, rests_on: Any, make: Callable[..., Any], *of: Any) -> Any:
        """What ``make`` gives of these, made now or before."""
        known = self._known.get(key)
        if known is None or known[0] != rests_on:
            known = self._known[key] = (rests_on, make(*of))
        return known[1]

    def part(self, owner: Any, shown: Any) -> Part:
        """Something shown of this owner's: an object by keys, and all else whole.

        What is as it was is encoded already.
        """
        had, made = self._shown.get(owner, (_NOTHING, b""))
        if had == shown:
            return made
        if isinstance(shown, dict):
            before, encoded = (had, made) if isinstance(made, dict) else ({}, {})
            made = {
                key: encoded[key]
                if key in before and before[key] == value
                else _member(key, encode(value))
                for key, value in shown.items()
            }
        else:
            made = encode(shown)
        self._shown[owner] = shown, made
        return made


_NOTHING = object()


class Views:
    """All views of a table at one version and time, which ``head`` tells as views and patches do.

    ``room``: how many events its log still takes, once there are few; the host is told.
    ``here``: the seats that are connected, on which it rests what the host may say for others.
    """

    def __init__(
        self,
        journal: Journal,
        epoch: str,
        memory: Memory,
        now: int,
        room: int | None = None,
        here: frozenset[str] = frozenset(),
    ) -> None:
        table = self._table = journal.table
        self._shown = table.family.shown
        self.version, self.epoch, self.now = table.version, epoch, now
        self.lines, self.written = tuple(journal.lines.newest), journal.lines.public
        self._memory, self._room = memory, room
        self.here = keeping(table, here)
        self.head = encode({"epoch": epoch, "version": table.version, "now": now})[1:-1]
        self._yours: dict[str | None, Part] = {None: NOBODY}
        self.parts: dict[str, Part] = {}
        for section in self._shown.sections:
            rests_on = section.rests_on(table, now)
            self.parts |= memory.kept(section.show, rests_on, self._section, section)
        rests_on = self._shown.seats_rest_on(table)
        self.seats: dict[str, Part] = memory.kept("seats", rests_on, self._seats)
        self._seated: set[str] = memory.kept("seated", table.seats, self._seated_now)

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
    def _shared(self) -> bytes:
        return b'{%s,"table":%s,%s,"seats":%s,"log":[%s],"you":' % (
            self.head,
            encode(self._table.code),
            _members(self.parts),
            self.all_seats,
            b",".join(self.lines),
        )

    @property
    def all_seats(self) -> bytes:
        """The seats, in order."""
        return b"[" + b",".join(map(_whole, self.seats.values())) + b"]"

    def _section(self, section: Section) -> dict[str, Part]:
        shown = section.show(self._table, self.now)
        return {key: self._memory.part(key, value) for key, value in shown.items()}

    def _seated_now(self) -> set[str]:
        return {seat.seat for seat in self._table.seats}

    def _seats(self) -> dict[str, Part]:
        return {seat.seat: self._seat(seat) for seat in self._table.in_order}

    def _seat(self, seat: Seat) -> Any:
        owner, rests_on = ("seat", seat.seat), self._shown.rests_on(self._table, seat)
        return self._memory.kept(owner, rests_on, self._part, owner, self._shown.seat, seat)

    def _part(self, owner: Any, show: Callable[[Table, Any], Any], seat: Any) -> Part:
        return self._memory.part(owner, show(self._table, seat))

    def _you(self, seat: str) -> Part:
        table, owner = self._table, ("you", seat)
        mine: Parts = self._memory.kept(
            owner, own_rests_on(table, seat), self._part, owner, own, seat
        )
        host = seat == table.host
        may = self._hosts() if host else self.may.get(seat, b"")
        yours = {**mine, "may": b'"may":[%b]' % may}
        for key, number in may_take_back(table, seat).items():
            yours[key] = _member(key, encode(number))
        if host and self._room is not None:
            yours["log_room"] = _member("log_room", encode(max(0, self._room)))
        return yours

    @cached_property
    def _legal(self) -> dict[str, list[Any]]:
        found = defaultdict[str, list[Any]](list)
        for command in legal_commands(self._table, 1 if self._room is None else self._room):
            found[str(command.seat)].append(command)
        return found

    @cached_property
    def may(self) -> dict[str, bytes]:
        """Seat → the game commands that would be accepted from it now, as a list's inside."""
        return {seat: encode(commands)[1:-1] for seat, commands in self._legal.items()}

    def _hosts(self) -> bytes:
        """What the host may say, for everybody: not what their devices say themselves."""
        table, said = self._table, {**self.may}
        for seat in self.here & said.keys():
            found = sayable(table, self._legal[seat], str(table.host), self.here)
            said[seat] = encode(found)[1:-1]
        return b",".join(filter(None, said.values()))

    def heeds(self, here: frozenset[str]) -> bool:
        """Whether somebody may say something else because these seats are here now."""
        kept = keeping(self._table, here)
        if kept == self.here:
            return False
        self.here = kept
        self._yours.pop(self._table.host, None)
        return True

    def yours_anew(self, seat: str | None, now: int) -> bytes:
        """A patch from this version to itself, of a viewer's own part alone."""
        head = encode({"epoch": self.epoch, "version": self.version, "now": now})[1:-1]
        return b'{%b,"from":%d,"log":[],%b}' % (head, self.version, _member("you", self.you(seat)))


def keeping(table: Table, here: frozenset[str]) -> frozenset[str]:
    """The seats that are here with a device that keeps their deck, while a game is on."""
    if table.phase not in ("roll_call", "play"):
        return frozenset()
    return frozenset(seat for seat in here if table.deck(seat) is not None)


class Patches:
    """What leads each viewer from one version to another.

    ``by_keys``: of what is an object only the keys that changed, for whoever asked for that.
    """

    def __init__(self, before: Views, after: Views) -> None:
        self._before, self._after = before, after
        new = after.written - before.written
        log = b",".join(after.lines[-new:] if new else ())
        self._start = b'{%s,"from":%d,"log":[%s]' % (after.head, before.version, log)
        self._parts, self._seats = _changed(before, after)
        self._alike: dict[bool, tuple[bytes, bytes]] = {}

    def of(self, seat: str | None, *, by_keys: bool = False) -> bytes:
        """What this seat's viewer lacks; ``None``: a spectator."""
        told, you = self._before.told(seat), self._after.you(seat)
        if by_keys not in self._alike:
            self._alike[by_keys] = self._for_all(by_keys)
        start, keys = self._alike[by_keys]
        if you is not told and you != told:
            new = _new_keys(told, you) if by_keys else None
            if new is None:
                start += b"," + _member("you", you)
            else:
                keys += (keys and b",") + _member("you", new)
        return b'%b,"keys":{%b}}' % (start, keys) if keys else start + b"}"

    def _for_all(self, by_keys: bool) -> tuple[bytes, bytes]:
        """What is told whole; and of everything else what its keys are now, as members."""
        parts, seats, keys = self._parts, self._seats, b""
        if by_keys:
            parts, new = _by_keys(self._before.parts, parts)
            seats, of_seats = _by_keys(self._before.seats, seats)
            if of_seats:
                new["seats"] = b"{%b}" % _members(of_seats)
            keys = _members(new)
        return self._start + _object("set", parts) + _object("seats", seats), keys


def _changed(before: Views, after: Views) -> tuple[dict[str, Part], dict[str, Part]]:
    """Parts and seats; if seats came, went or changed order, they are a part."""
    parts = _unlike(before.parts, after.parts)
    if before.seats is after.seats:
        return parts, {}
    if [*before.seats] == [*after.seats]:
        return parts, _unlike(before.seats, after.seats)
    return {**parts, "seats": after.all_seats}, {}


def _unlike(before: dict[str, Part], after: dict[str, Part]) -> dict[str, Part]:
    """What is not as it was; what is the same thing still need not be compared."""
    return {
        key: part
        for key, part in after.items()
        if part is not (had := before.get(key)) and part != had
    }


def _whole(part: Part) -> bytes:
    return b"{%b}" % b",".join(part.values()) if isinstance(part, dict) else part


def _new_keys(before: Part | None, after: Part) -> bytes | None:
    """Those of an object's members that changed; ``None`` where one is gone, or it is none."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return None
    if not before.keys() <= after.keys():
        return None
    return b"{%b}" % b",".join([new for key, new in after.items() if new != before.get(key)])


def _by_keys(before: dict[str, Part], after: dict[str, Part]) -> tuple[dict[str, Part], Parts]:
    """Those to be told whole; and of the others what of their keys changed."""
    whole, keys = {}, {}
    for key, part in after.items():
        new = _new_keys(before.get(key), part)
        if new is None:
            whole[key] = part
        else:
            keys[key] = new
    return whole, keys


def _member(key: str, part: Part) -> bytes:
    return b'"%b":%b' % (key.encode(), _whole(part))


def _members(parts: Mapping[str, Part]) -> bytes:
    return b",".join([_member(key, part) for key, part in parts.items()])


def _object(key: str, parts: Mapping[str, Part]) -> bytes:
    """A member of an object that is one itself; nothing for none."""
    return b',"%b":{%b}' % (key.encode(), _members(parts)) if parts else b""
