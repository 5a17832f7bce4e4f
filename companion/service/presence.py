"""Who is connected to a table: seats that are here or away, and spectators."""

from collections.abc import Callable, Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.core.family import Json
from companion.service.clock import Clock
from companion.service.peers import RemoteSeat, There

Wants = bool | Literal["keys"]  # if it asked for patches; keys: only the keys that changed


class Viewer(Struct, frozen=True):
    """One connection; ``seat`` is ``None`` for a spectator. ``since``: when it asked for the seat,
    in ms on all processes' clock: the newest has it. Where it yields the time is below 0, so that
    any that doesn't is newer, and the first that did. ``address``: where it comes from."""

    sid: str
    seat: str | None
    patches: Wants = False
    since: int = 0
    address: str = ""

    @property
    def yields(self) -> bool:
        """Whether any other one of its seat goes before it."""
        return self.since < 0


TELL_MS = 500  # how often it is told who is here, however many come and go


class Presence:
    """The connections at one table. A seat has one at most: a newer one takes its place. ``here``:
    the seats that are connected, be it to another process; ``others``: what these said of who is
    there. ``moves``: how often somebody came or went. ``next``: from when on it may be told again
    who is here, in ms. ``replaying``: the connections that watch a replay in place of the table,
    and their seats. ``asked_from``: by seat the address that asked for it, if it is known."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.viewers: dict[str, Viewer] = {}
        self.replaying: dict[str, str | None] = {}
        self.asked_from: dict[str, str] = {}
        self.here: frozenset[str] = frozenset()
        self._since = self._clock.now()
        self._left: dict[str, int] = {}
        self._told: Json = {}
        self._others: dict[str, There] = {}
        self.others = self._others.values()
        self.moves = self.next = 0

    def has_newer(self, than: Viewer) -> bool:
        """Whether this one's seat has a newer connection, to whatever process."""
        here = [viewer.since for viewer in self.viewers.values() if viewer.seat == than.seat]
        elsewhere = [place.since for place in self.places(than.seat)]
        return than.seat is not None and max(here + elsewhere, default=than.since) > than.since

    def enter(self, viewer: Viewer) -> tuple[str, ...]:
        """A connection comes, and no newer one is here; gives the older ones of its seat, to go."""
        older = self.drop(viewer.seat) if viewer.seat is not None else ()
        self.viewers[viewer.sid] = viewer
        self._count()
        return older

    @property
    def sids(self) -> list[str]:
        return [*self.viewers, *self.replaying]

    def leave(self, sid: str) -> None:
        """A connection goes, if it was still there."""
        if self.replaying.pop(sid, self) is self:
            self.viewers.pop(sid, None)
            self._count()

    def leave_replays(self, seats: Callable[[str | None], bool]) -> list[str]:
        """The connections of such seats to replays go."""
        for sid in (gone := [sid for sid, seat in self.replaying.items() if seats(seat)]):
            del self.replaying[sid]
        return gone

    def drop(self, seat: str) -> tuple[str, ...]:
        gone = tuple(sid for sid, viewer in self.viewers.items() if viewer.seat == seat)
        for sid in gone:
            self.leave(sid)
        return gone

    def _count(self) -> None:
        were = self.here
        self.moves = self.moves + 1
        here = {v.seat for v in self.viewers.values() if v.seat is not None}
        self.here = frozenset(here.union(*(there.seats for there in self.others)))
        for seat in were - self.here:
            self._left[seat] = self._clock.now()

    def shift(self, step: int) -> None:
        """The clock was set on by so many ms; what happened by the old one is no older for it."""
        for sid, viewer in [*self.viewers.items()]:
            moved = replace(viewer, since=viewer.since + (-step if viewer.yields else step))
            if sid in self.viewers:  # else they went meanwhile
                self.viewers[sid] = moved
        self._left = {seat: at + step for seat, at in self._left.items()}
        self._since += step
        self.next += step
        self._count()

    def away_ms(self, seat: str | None) -> int:
        """How long this seat has not been connected; 0 while it is."""
        if seat is None or seat in self.here:
            return 0
        return max(1, self._clock.now() - self._left.get(seat, self._since))

    def news(self, seats: Iterable[str]) -> Json | None:
        """The wire's ``presence``, if it isn't what was told last."""
        now = self.as_json(seats)
        if now == self._told:
            return None
        self._told, self.next = now, self._clock.now() + TELL_MS
        return now

    def first(self, seats: Iterable[str]) -> Json:
        """The wire's ``presence`` for whoever comes just now and is told it alone. Should it turn
        out as it was told to all before, it is news for this one."""
        now = self.as_json(seats)
        if now != self._told:
            self._told = {}
        return now

    def as_json(self, seats: Iterable[str]) -> Json:
        """The wire's ``presence`` for these seats of the table."""
        here = self.here
        shown = {seat: "here" if seat in here else "away" for seat in seats}
        spectators = sum(viewer.seat not in shown for viewer in self.viewers.values())
        return {"seats": shown, "spectators": spectators + self.watching_elsewhere}

    @property
    def watching_elsewhere(self) -> int:
        return sum(there.watching for there in self.others)

    def places(self, seat: str | None) -> list[RemoteSeat]:
        return [there.seats[seat] for there in self.others if seat in there.seats]

    def address_of(self, *seats: str) -> str:
        """From where somebody of these seats is here, or asked for one; empty: it isn't known."""
        asked = [self.asked_from.get(seat, "") for seat in seats]
        near = [viewer.address for viewer in self.viewers.values() if viewer.seat in seats]
        far = [place.address for seat in seats for place in self.places(seat)]
        return next(filter(None, asked + near + far), "")

    def presence_message(
        self, by: str, robots: Iterable[str], trip: Callable[[str], int], *, asks: bool
    ) -> There:
        """Who is here, for other processes; ``trip`` gives a connection's round trip."""
        viewers = list(self.viewers.values())
        seats = {v.seat: RemoteSeat(v.since, trip(v.sid), v.address) for v in viewers if v.seat}
        watching = sum(viewer.seat is None for viewer in viewers)
        return There(by=by, seats=seats, watching=watching, robots=tuple(robots), asks=asks)

    def merge_remote(self, there: There, me: str) -> list[str]:
        """Who is there by way of another process; which of ours are older, and go."""
        self._others.pop(there.by, None)
        if there.seats or there.watching or there.robots:
            self._others[there.by] = there
        older = []
        for sid, viewer in self.viewers.items():
            place = there.seats.get(viewer.seat or "")
            if place and (viewer.since, me) < (place.since, there.by):
                older.append(sid)
        for sid in older:
            del self.viewers[sid]
        self._count()
        return older

    def forget(self, gone: Callable[[str], bool]) -> None:
        """Nobody is there any more by way of processes that are gone."""
        if lost := [by for by in self._others if gone(by)]:
            for by in lost:
                del self._others[by]
            self._count()
