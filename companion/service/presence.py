"""Who is connected to a table: seats that are here or away, and spectators.

This module must not know what a game is.
"""

from collections.abc import Iterable
from typing import Any, Literal, Protocol

from msgspec import Struct

from companion.service import clock


class Audience(Protocol):
    """Whoever brings to the connections what a table has for them."""

    def send(self, sid: str, event: str, payload: Any) -> None:
        """Sends one event to one connection; never waits."""

    def close(self, sid: str) -> None:
        """Closes one connection; called while no table's lock is held."""

    def round_trip(self, sid: str) -> int:
        """The connection's round trip in ms, as the server measured it."""


Wants = bool | Literal["keys"]
"""Whether a connection asked for patches; ``keys``: of objects only the keys that changed."""


class Viewer(Struct, frozen=True):
    """One connection; ``seat`` is ``None`` for a spectator."""

    sid: str
    seat: str | None
    patches: Wants = False


TELL_MS = 500
"""How often it is told who is here, however many come and go."""


class Presence:
    """The connections at one table. A seat has one at most: a later one takes its place.

    ``here``: the seats that are connected. ``moves``: how often somebody came or went. ``next``:
    from when on it may be told again who is here, in ms.
    """

    def __init__(self) -> None:
        self.viewers: dict[str, Viewer] = {}
        self.here: frozenset[str] = frozenset()
        self._since = clock.now()
        self._left: dict[str, int] = {}
        self._told: dict[str, Any] = {}
        self.moves = self.next = 0

    def enter(self, sid: str, seat: str | None, patches: Wants = False) -> tuple[str, ...]:
        """A connection comes; the older ones of its seat, which go, are given."""
        older = self.drop(seat) if seat is not None else ()
        self.viewers[sid] = Viewer(sid, seat, patches)
        self._count()
        return older

    def leave(self, sid: str) -> None:
        """A connection goes, if it was still there."""
        viewer = self.viewers.pop(sid, None)
        self._count()
        if viewer is not None and viewer.seat is not None:
            self._left[viewer.seat] = clock.now()

    def drop(self, seat: str) -> tuple[str, ...]:
        """The connections of this seat go."""
        gone = tuple(viewer.sid for viewer in self.viewers.values() if viewer.seat == seat)
        for sid in gone:
            self.leave(sid)
        return gone

    def _count(self) -> None:
        self.moves += 1
        self.here = frozenset(v.seat for v in self.viewers.values() if v.seat is not None)

    def away_ms(self, seat: str | None) -> int:
        """How long this seat has not been connected; 0 while it is."""
        if seat is None or seat in self.here:
            return 0
        return max(1, clock.now() - self._left.get(seat, self._since))

    def news(self, seats: Iterable[str]) -> dict[str, Any] | None:
        """The wire's ``presence``, if it isn't what was told last."""
        now = self.shown(seats)
        if now == self._told:
            return None
        self._told, self.next = now, clock.now() + TELL_MS
        return now

    def shown(self, seats: Iterable[str]) -> dict[str, Any]:
        """The wire's ``presence`` for these seats of the table."""
        here = self.here
        shown = {seat: "here" if seat in here else "away" for seat in seats}
        spectators = sum(viewer.seat not in shown for viewer in self.viewers.values())
        return {"seats": shown, "spectators": spectators}
