"""Views and patches: what each viewer of a table may see, and how that has changed.

**Views.** A view is one JSON object: everything that a viewer may see of the table at one version.
Most of the view is public and the same for everyone (``turn``, ``window``, ``seats``, ``log`` …).
Only the part ``you`` is the viewer's own. It contains the hand or notes of the viewer's seat, and
``may``, the commands that the viewer could send now. Spectators get ``"you": null``.

**Private notes.** A player may note what lies under a card of their grid. The event (``NoteMade``)
is stored in the table's log like any other, but nobody else ever receives it:

- The state keeps the note with its player. Only the family's ``own`` part of a view contains the
  note, and this part goes only into the ``you`` of the player's seat. No public part reads notes.
- The event's class says ``private = True``. ``only_viewer`` (``rules/core/view.py``) returns the
  seat whose log may show the event. ``Lines`` (``log.py``) leaves the event out of the public
  lines, and includes it only if that seat fetches the whole log.
- A game's file leaves the event out (``replays/file.py``).

Other viewers receive an empty patch for the event's version, because their version has to increase,
too.

**Patches.** A viewer that asked for patches gets a whole view once and then only changes.
Suppose that a player draws a card, and the view changes from

    {"version": 57, "turn": {"seat": "s2", "step": "tell"}, "window": null,
     "seats": [{"seat": "s1", "hand": 3}, {"seat": "s2", "hand": 3}], "you": {…}, …}

to version 58, in which the turn's step is "act" and s2 has 4 cards. A plain patch (``patches:
true``) sends each part that changed as a whole:

    {"from": 57, "version": 58, "set": {"turn": {"seat": "s2", "step": "act"}},
     "seats": {"s2": {"seat": "s2", "hand": 4}}, "log": [the new lines]}

A patch by keys (``patches: "keys"``) goes one level deeper. For each object that lost no key, it
sends only the keys with a new value:

    {"from": 57, "version": 58, "log": [the new lines],
     "keys": {"turn": {"step": "act"}, "seats": {"s2": {"hand": 4}}}}

If seats were added, removed or reordered, ``set`` holds the whole list of seats. ``you`` is handled
for each viewer separately: it is sent if it differs from the ``you`` that this viewer was sent
last. A client that isn't at version ``from`` of the same epoch doesn't apply the patch, and
requests the view.

**Speed.** States are frozen, and share everything that did not change. A part (``Part``) lists the
values from which it is rendered. While these values stay equal, new views use the part as it was
rendered for the previous views. The public part of a view or patch is encoded once for all viewers.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from msgspec import Raw

from companion.rules.core.family import Part, Parts
from companion.rules.core.referee import allowed_commands, legal_commands
from companion.rules.core.state import Table
from companion.rules.core.types import Json
from companion.rules.core.view import public_parts, undo_rights
from companion.service.codec import encode
from companion.service.table.log import Projection

# maps a part's name to the part and the JSON rendered from it
RenderedParts = Mapping[str, tuple[Part, Json]]


class Views:
    """The views of all viewers of a table, at one version and time."""

    def __init__(
        self, projection: Projection, epoch: str, now: int, before: "Views | None" = None, *,
        room: int | None = None, here: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        """``before`` are the previous views, whose unchanged parts are reused.

        If the host should be warned that the log is nearly full, ``room`` is the number of events
        that the log can still take. Otherwise it is None. ``here`` are the connected seats: the
        host can't act for a connected seat whose device keeps its deck.
        """
        table = self._table = projection.table
        family_views = table.family.views
        self.version = table.version
        self.head = {"epoch": epoch, "version": table.version, "now": now}
        self.lines = tuple(projection.lines.newest)
        self.written = projection.lines.public
        self._room = room
        self.here = seats_keeping_decks(table, here)
        self._public: RenderedParts = _render_parts(
            public_parts(table, now), before._public if before else {}
        )
        self._seats: RenderedParts = _render_parts(
            family_views.seats(table), before._seats if before else {}
        )
        self._own: RenderedParts = _render_parts(
            family_views.own(table), before._own if before else {}
        )
        self.parts: Json = {}
        for _, members in self._public.values():
            self.parts |= members
        self.seats = {seat: rendered for seat, (_, rendered) in self._seats.items()}
        # Maps a seat to the ``you`` that was rendered for it so far. The value for a spectator is
        # None.
        self.yours: dict[str | None, Json | None] = {None: None}

    def view_of(self, seat: str | None) -> bytes:
        """Return this seat's whole view as JSON, or a spectator's if there is no such seat."""
        return b'%b,"you":%b}' % (self._shared_json, encode(self.own_part(seat)))

    def own_part(self, seat: str | None) -> Json | None:
        """Return the part of the view that only this seat may see, or None for a spectator."""
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
        may = self._host_commands() if host else self._may.get(seat, b"")
        you = {"seat": seat, "host": host, **self._own[seat][1], "may": Raw(b"[%b]" % may)}
        you |= self._take_back.get(seat, {})
        if host and self._room is not None:
            you["log_room"] = max(0, self._room)
        return you

    @cached_property
    def _take_back(self) -> Mapping[str | None, Json]:
        return undo_rights(self._table)

    @cached_property
    def _legal(self) -> dict[str, list[Any]]:
        """The game commands that the rules would accept now, by the seat that can send them."""
        by_seat = defaultdict[str, list[Any]](list)
        for command in legal_commands(self._table, 1 if self._room is None else self._room):
            by_seat[str(command.seat)].append(command)
        return by_seat

    @cached_property
    def _may(self) -> dict[str, bytes]:
        """The commands of ``_legal``, by seat. Each value is a JSON list without its brackets, so
        that several can be joined."""
        return {seat: encode(commands)[1:-1] for seat, commands in self._legal.items()}

    def _host_commands(self) -> bytes:
        """Return the commands that the host may send for all seats, as JSON without brackets.

        Leave out commands that only a connected player's own device may send.
        """
        table = self._table
        by_seat = {**self._may}
        for seat in self.here & by_seat.keys():
            allowed = allowed_commands(table, self._legal[seat], str(table.host), self.here)
            by_seat[seat] = encode(allowed)[1:-1]
        return b",".join(filter(None, by_seat.values()))

    def refresh_presence(self, here: frozenset[str]) -> bool:
        """Set the connected seats. Return True if this changes which commands the host may send."""
        keeping_decks = seats_keeping_decks(self._table, here)
        if keeping_decks == self.here:
            return False
        self.here = keeping_decks
        self.yours.pop(self._table.host, None)
        return True

    def patch_own_part(self, seat: str | None, now: int) -> bytes:
        """Return a patch that contains nothing but the viewer's ``you``, at the same version."""
        patch = {**self.head, "now": now, "from": self.version, "log": []}
        return encode({**patch, "you": self.own_part(seat)})


def _render_parts(parts: Parts, before: RenderedParts) -> RenderedParts:
    """Render each part. If its inputs are the same as in ``before``, use the rendered part from
    there."""
    rendered = {}
    for name, part in parts.items():
        earlier = before.get(name)
        if earlier is not None and earlier[0] == part:
            rendered[name] = earlier
        else:
            rendered[name] = (part, part.show(*part.inputs))
    return rendered


def seats_keeping_decks(table: Table, here: frozenset[str]) -> frozenset[str]:
    """Return the connected seats whose devices keep their decks in the current game."""
    game = table.game
    if game is None or game.winner is not None:
        return frozenset()
    return here & {deck.seat for deck in table.dealt}


class Patches:
    """The patches that turn the views ``before`` into the views ``after``, for all viewers."""

    def __init__(self, before: Views, after: Views) -> None:
        self._before = before
        self._after = after
        new = after.written - before.written
        log = Raw(b"[%b]" % b",".join(after.lines[-new:] if new else ()))
        self._head = {**after.head, "from": before.version, "log": log}
        self._parts = _changed_items(before.parts, after.parts)
        self._seats = {}
        if [*before.seats] == [*after.seats]:
            self._seats = _changed_items(before.seats, after.seats)
        else:  # seats were added, removed or reordered
            self._parts["seats"] = [*after.seats.values()]
        # the public part of the patch for each value of ``by_keys``, encoded when it is first
        # needed
        self._shared: dict[bool, tuple[bytes, bytes]] = {}

    def patch_for(self, seat: str | None, *, by_keys: bool = False) -> bytes:
        """Return the patch for this seat as JSON, or a spectator's patch if the seat is None.

        The patch contains each changed object as a whole. If ``by_keys`` is True, the patch
        contains only the changed keys of an object, unless the object has lost a key.
        """
        if by_keys not in self._shared:
            self._shared[by_keys] = self._encode_shared(by_keys)
        start, keys = self._shared[by_keys]
        you = self._after.own_part(seat)
        sent = self._before.yours
        if seat not in sent or sent[seat] != you:
            changed = _changed_keys(sent.get(seat), you) if by_keys else None
            if changed is None:
                start += b',"you":' + encode(you)
            else:
                keys += b'%b"you":%b' % (keys and b",", encode(changed))
        return b'%b,"keys":{%b}}' % (start, keys) if keys else start + b"}"

    def _encode_shared(self, by_keys: bool) -> tuple[bytes, bytes]:
        """Encode the patch without ``you``.

        Return the patch without its closing brace, and the content of its ``keys`` without braces.
        """
        parts = self._parts
        seats = self._seats
        keys = b""
        if by_keys:
            parts, part_keys = _split_by_keys(self._before.parts, parts)
            seats, seat_keys = _split_by_keys(self._before.seats, seats)
            keys = encode({**part_keys, "seats": seat_keys} if seat_keys else part_keys)[1:-1]
        whole = {"set": parts} if parts else {}
        if seats:
            whole["seats"] = seats
        return encode({**self._head, **whole})[:-1], keys


def _changed_items(before: Json, after: Json) -> Json:
    """Return the items of ``after`` that are new or differ from ``before``."""
    return {
        key: new
        for key, new in after.items()
        if key not in before or (before[key] is not new and before[key] != new)
    }


def _changed_keys(before: object, after: object) -> Json | None:
    """Return the changed keys of an object.

    Return None if a key was removed, or if one of the values isn't an object.
    """
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() <= after.keys():
        return _changed_items(before, after)
    return None


def _split_by_keys(before: Json, after: Json) -> tuple[Json, Json]:
    """Return the items that must be sent whole, and for all other items the changed keys."""
    changed = {key: _changed_keys(before.get(key), part) for key, part in after.items()}
    whole = {key: after[key] for key, keys in changed.items() if keys is None}
    return whole, {key: keys for key, keys in changed.items() if keys is not None}
