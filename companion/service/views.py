"""What each viewer of a table is sent: whole views, and patches of what changed. States are frozen
and share what did not change: while what a part is made of is as it was, it is not made again. What
all are shown is encoded once for all, ``you`` for each."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from msgspec import Raw

from companion.rules.core.family import Json, Part, Parts
from companion.rules.core.model import Table
from companion.rules.core.referee import is_allowed, legal_commands
from companion.rules.core.view import may_take_back, public
from companion.service.codec import encode
from companion.service.log import Projection

RenderedParts = Mapping[str, tuple[Part, Json]]  # parts by name, each with what is shown of it


class Views:
    """All views of a table at one version and time; what is as in the views ``before`` is not made
    again. ``room``: how many events its log still takes, once there are few; the host is told.
    ``here``: the seats that are connected, on which it rests what the host may say for others.
    ``yours``: the viewers' own parts, of those that were asked for; a spectator has none."""

    def __init__(
        self, projection: Projection, epoch: str, now: int, before: "Views | None" = None, *,
        room: int | None = None, here: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        table = self._table = projection.table
        shown = table.family.views
        self.version = table.version
        self.head = {"epoch": epoch, "version": table.version, "now": now}
        self.lines = tuple(projection.lines.newest)
        self.written = projection.lines.public
        self._room = room
        self.here = keeping(table, here)
        self._public: RenderedParts = _render_parts(
            public(table, now), before._public if before else {}
        )
        self._seats: RenderedParts = _render_parts(
            shown.seats(table), before._seats if before else {}
        )
        self._own: RenderedParts = _render_parts(shown.own(table), before._own if before else {})
        self.parts: Json = {}
        for _, members in self._public.values():
            self.parts |= members
        self.seats = {seat: shown for seat, (_, shown) in self._seats.items()}
        self.yours: dict[str | None, Json | None] = {None: None}

    def of(self, seat: str | None) -> bytes:
        """The whole view of this seat; ``None``, or one that is none: a spectator's."""
        return b'%b,"you":%b}' % (self._shared_json, encode(self.you(seat)))

    def you(self, seat: str | None) -> Json | None:
        if seat not in self.yours:
            self.yours[seat] = self._you(str(seat)) if seat in self._own else None
        return self.yours[seat]

    @cached_property
    def _shared_json(self) -> bytes:
        log = Raw(b"[%b]" % b",".join(self.lines))
        seats = [*self.seats.values()]
        shared = {**self.head, "table": self._table.code, **self.parts, "seats": seats, "log": log}
        return encode(shared)[:-1]

    def _you(self, seat: str) -> Json:
        host = seat == self._table.host
        may = self._hosts() if host else self._may.get(seat, b"")
        you = {"seat": seat, "host": host, **self._own[seat][1], "may": Raw(b"[%b]" % may)}
        you |= self._take_back.get(seat, {})
        if host and self._room is not None:
            you["log_room"] = max(0, self._room)
        return you

    @cached_property
    def _take_back(self) -> Mapping[str | None, Json]:
        return may_take_back(self._table)

    @cached_property
    def _legal(self) -> dict[str, list[Any]]:
        found = defaultdict[str, list[Any]](list)
        for command in legal_commands(self._table, 1 if self._room is None else self._room):
            found[str(command.seat)].append(command)
        return found

    @cached_property
    def _may(self) -> dict[str, bytes]:
        """Seat → the game commands that would be accepted from it now, as a list's inside."""
        return {seat: encode(commands)[1:-1] for seat, commands in self._legal.items()}

    def _hosts(self) -> bytes:
        """What the host may say, for everybody: not what their devices say themselves."""
        table = self._table
        said = {**self._may}
        for seat in self.here & said.keys():
            found = is_allowed(table, self._legal[seat], str(table.host), self.here)
            said[seat] = encode(found)[1:-1]
        return b",".join(filter(None, said.values()))

    def refresh_presence(self, here: frozenset[str]) -> bool:
        """Whether somebody may say something else because these seats are here now."""
        kept = keeping(self._table, here)
        if kept == self.here:
            return False
        self.here = kept
        self.yours.pop(self._table.host, None)
        return True

    def refresh_own(self, seat: str | None, now: int) -> bytes:
        """A patch from this version to itself, of a viewer's own part alone."""
        patch = {**self.head, "now": now, "from": self.version, "log": []}
        return encode({**patch, "you": self.you(seat)})


def _render_parts(parts: Parts, before: RenderedParts) -> RenderedParts:
    made = {}
    for name, part in parts.items():
        known = before.get(name)
        made[name] = known if known and known[0] == part else (part, part.show(*part.inputs))
    return made


def keeping(table: Table, here: frozenset[str]) -> frozenset[str]:
    """The seats that are here with a device that keeps their deck, while a game is on."""
    game = table.game
    if game is None or game.winner is not None:
        return frozenset()
    return here & {deck.seat for deck in table.dealt}


class Patches:
    """What leads each viewer from one version to another. ``by_keys``: of what is an object only
    the keys that changed, for whoever asked for that."""

    def __init__(self, before: Views, after: Views) -> None:
        self._before = before
        self._after = after
        new = after.written - before.written
        log = Raw(b"[%b]" % b",".join(after.lines[-new:] if new else ()))
        self._head = {**after.head, "from": before.version, "log": log}
        self._parts = _unlike(before.parts, after.parts)
        self._seats = {}
        if [*before.seats] == [*after.seats]:
            self._seats = _unlike(before.seats, after.seats)
        else:  # seats came, went or changed their order
            self._parts["seats"] = [*after.seats.values()]
        self._alike: dict[bool, tuple[bytes, bytes]] = {}

    def of(self, seat: str | None, *, by_keys: bool = False) -> bytes:
        """What this seat's viewer lacks; ``None``: a spectator."""
        if by_keys not in self._alike:
            self._alike[by_keys] = self._for_all(by_keys)
        start, keys = self._alike[by_keys]
        you = self._after.you(seat)
        told = self._before.yours
        if seat not in told or told[seat] != you:
            new = _new_keys(told.get(seat), you) if by_keys else None
            if new is None:
                start += b',"you":' + encode(you)
            else:
                keys += b'%b"you":%b' % (keys and b",", encode(new))
        return b'%b,"keys":{%b}}' % (start, keys) if keys else start + b"}"

    def _for_all(self, by_keys: bool) -> tuple[bytes, bytes]:
        """The patch without its ``you``: what is told whole, and the inside of its ``keys``."""
        parts = self._parts
        seats = self._seats
        keys = b""
        if by_keys:
            parts, new = _by_keys(self._before.parts, parts)
            seats, of_seats = _by_keys(self._before.seats, seats)
            keys = encode({**new, "seats": of_seats} if of_seats else new)[1:-1]
        whole = {"set": parts} if parts else {}
        if seats:
            whole["seats"] = seats
        return encode({**self._head, **whole})[:-1], keys


def _unlike(before: Json, after: Json) -> Json:
    return {
        key: new
        for key, new in after.items()
        if key not in before or (before[key] is not new and before[key] != new)
    }


def _new_keys(before: object, after: object) -> Json | None:
    """Those of an object's members that changed; ``None`` where one is gone, or it is none."""
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() <= after.keys():
        return _unlike(before, after)
    return None


def _by_keys(before: Json, after: Json) -> tuple[Json, Json]:
    """Those to be told whole; and of the others what of their keys changed."""
    new = {key: _new_keys(before.get(key), part) for key, part in after.items()}
    whole = {key: after[key] for key, keys in new.items() if keys is None}
    return whole, {key: keys for key, keys in new.items() if keys is not None}
