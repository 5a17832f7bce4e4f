"""Presence: the connections to a table, and which connection owns a seat.

A seat is *here* while a client is connected with the seat's token, to any process, and *away*
otherwise. Connections without a seat are spectators; clients see only their number.

**One connection for each seat.** A player may open the same seat twice: in a second tab, on another
device, or in the same tab again after its network went away without a goodbye. The newest
connection gets the seat. The older connection is sent ``superseded`` and closed. The *newest*
connection is the one that its client requested last (``Viewer.since``), not the one whose handshake
ended last: a slow handshake must not take the seat from a tab that was opened later.

**Connections that yield.** A client that was superseded may connect again with ``yields``. It then
gets the seat only while no other client has it. The field ``since`` stores this, too: a yielding
connection has a negated ``since``. So every other connection counts as newer than a yielding one,
and among yielding connections the earliest counts as the newest. For example, these connections
request the same seat:

    since   connection
      900   phone, opened at 900
     1200   laptop, opened at 1200    takes the seat; the phone is superseded
    -1500   phone, reconnects at 1500 and yields
                                      is sent away: -1500 < 1200
     1600   phone, its player taps "play here"
                                      takes the seat back; the laptop is superseded

**Several processes.** Each process knows its own connections (``viewers``), and sends its peers a
``PeerPresence`` message when they change. The message contains the number of spectators and, for
each connected seat, the time, the round trip and the address of the seat's connection. Only the
last message of each peer counts (``others``). If a peer has a newer connection of a seat than this
process, this process drops its own connection of the seat (``merge_remote``). If both connections
have the same time, the process with the greater name keeps the seat, so that only one of the two
processes drops its connection. All times are in ms on the clock that the processes share.

A message may be lost, or a process killed. Therefore each process repeats its message now and then,
and forgets a peer that has been silent for some seconds (``forget``). Presence is kept only in
memory: it is never written to a log, and after a restart everybody is away until they reconnect.

**What clients receive.** Clients receive the ``presence`` event at most once every ``TELL_MS``,
even if many connections come and go. The event is sent only if it differs from the last one.
"""

from collections.abc import Callable, Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.core.types import Json
from companion.service.clock import Clock
from companion.service.peers.messages import PeerPresence, RemoteSeat

Wants = bool | Literal["keys"]
"""True if a client wants patches, ``"keys"`` if the client wants patches of the changed keys only.
"""


class Viewer(Struct, frozen=True):
    """One connection that watches the table."""

    sid: str  # id of the connection
    seat: str | None  # None for a spectator
    patches: Wants = False
    # when the client asked to connect, in ms on the shared clock; negated if the connection yields
    since: int = 0
    address: str = ""  # the client's network address
    local: bool = False  # True for a client on the server's own machine

    @property
    def yields(self) -> bool:
        """True if this connection gets the seat only while no other connection has it."""
        return self.since < 0


TELL_MS = 500  # minimum time between two presence events


class Presence:
    """The connections at one table: those to this process, and those that peers have reported."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        # the connections to this process, by connection id
        self.viewers: dict[str, Viewer] = {}
        self.replaying: dict[str, str | None] = {}
        """The seats of the connections that watch a replay instead of the table, by connection id.
        """
        self.asked_from: dict[str, str] = {}
        """The network address that requested each seat, if it is known."""
        self.here: frozenset[str] = frozenset()  # the seats that are connected to any process
        self._since = self._clock.now()
        self._left: dict[str, int] = {}  # when the last connection of each seat closed, in ms
        self._sent: Json = {}  # the presence event sent last
        self._others: dict[str, PeerPresence] = {}
        self.others = self._others.values()  # the last message of each peer
        self.moves = 0  # number of times that the connections changed
        self.next = 0  # when the next presence event may be sent, in ms

    def has_newer(self, than: Viewer) -> bool:
        """Return True if the viewer's seat has a newer connection to this or another process."""
        local = [viewer.since for viewer in self.viewers.values() if viewer.seat == than.seat]
        remote = [remote.since for remote in self.remote_seats(than.seat)]
        return than.seat is not None and max(local + remote, default=than.since) > than.since

    def enter(self, viewer: Viewer) -> tuple[str, ...]:
        """Add a connection whose seat has no newer one.

        Return the ids of the seat's older connections, which have to be closed.
        """
        older = self.remove_seat(viewer.seat) if viewer.seat is not None else ()
        self.viewers[viewer.sid] = viewer
        self._update_here()
        return older

    @property
    def sids(self) -> list[str]:
        return [*self.viewers, *self.replaying]

    def leave(self, sid: str) -> None:
        """Remove a connection, if it still exists."""
        if self.replaying.pop(sid, self) is self:
            self.viewers.pop(sid, None)
            self._update_here()

    def leave_replays(self, seats: Callable[[str | None], bool]) -> list[str]:
        """Remove the connections that watch a replay, if ``seats`` returns True for their seat.

        Return the ids of these connections.
        """
        removed = [sid for sid, seat in self.replaying.items() if seats(seat)]
        for sid in removed:
            del self.replaying[sid]
        return removed

    def remove_seat(self, seat: str) -> tuple[str, ...]:
        """Remove all connections of a seat to this process. Return their ids."""
        removed = tuple(sid for sid, viewer in self.viewers.items() if viewer.seat == seat)
        for sid in removed:
            self.leave(sid)
        return removed

    def _update_here(self) -> None:
        """Update the set of connected seats, and record when the other seats left."""
        before = self.here
        self.moves = self.moves + 1
        here = {v.seat for v in self.viewers.values() if v.seat is not None}
        self.here = frozenset(here.union(*(there.seats for there in self.others)))
        for seat in before - self.here:
            self._left[seat] = self._clock.now()

    def shift_times(self, step: int) -> None:
        """Adjust all times after the shared clock was set forward by ``step`` ms.

        Without this, every connection would seem older than it is, or younger if ``step`` is
        negative.
        """
        for sid, viewer in [*self.viewers.items()]:
            shifted = replace(viewer, since=viewer.since + (-step if viewer.yields else step))
            if sid in self.viewers:  # the viewer may have left in another thread
                self.viewers[sid] = shifted
        self._left = {seat: at + step for seat, at in self._left.items()}
        self._since += step
        self.next += step
        self._update_here()

    def away_ms(self, seat: str | None) -> int:
        """Return for how many ms this seat has been away.

        Return 0 if the seat is here, and for a spectator (``seat`` is None).
        """
        if seat is None or seat in self.here:
            return 0
        return max(1, self._clock.now() - self._left.get(seat, self._since))

    def changed_event(self, seats: Iterable[str]) -> Json | None:
        """Return the ``presence`` event to send to all viewers, or None if it hasn't changed."""
        presence = self.as_json(seats)
        if presence == self._sent:
            return None
        self._sent = presence
        self.next = self._clock.now() + TELL_MS
        return presence

    def first_event(self, seats: Iterable[str]) -> Json:
        """Return the ``presence`` event to send to a new viewer only.

        The other viewers may have got a different event last, because changes are sent to them with
        a delay. In that case the next event is sent to everyone, even if it equals the event that
        the other viewers got last.
        """
        presence = self.as_json(seats)
        if presence != self._sent:
            self._sent = {}
        return presence

    def as_json(self, seats: Iterable[str]) -> Json:
        """Return the ``presence`` event with the state of these seats."""
        states = {seat: "here" if seat in self.here else "away" for seat in seats}
        spectators = sum(viewer.seat not in states for viewer in self.viewers.values())
        return {"seats": states, "spectators": spectators + self.watching_elsewhere}

    @property
    def watching_elsewhere(self) -> int:
        """Number of spectators connected to other processes."""
        return sum(there.watching for there in self.others)

    def remote_seats(self, seat: str | None) -> list[RemoteSeat]:
        """Return the connections of this seat to other processes."""
        return [there.seats[seat] for there in self.others if seat in there.seats]

    def address_of(self, *seats: str) -> str:
        """Return a network address that requested one of these seats, or that is connected to one.

        Return an empty string if no address is known.
        """
        asked = [self.asked_from.get(seat, "") for seat in seats]
        local = [viewer.address for viewer in self.viewers.values() if viewer.seat in seats]
        remote = [remote.address for seat in seats for remote in self.remote_seats(seat)]
        return next(filter(None, asked + local + remote), "")

    def is_local(self, *seats: str) -> bool:
        """Return True if one of these seats is connected from the server's own machine."""
        return any(viewer.local for viewer in self.viewers.values() if viewer.seat in seats)

    def presence_message(
        self, by: str, robots: Iterable[str], trip: Callable[[str], int], *, asks: bool
    ) -> PeerPresence:
        """Return the message that informs other processes of the connections to this process.

        ``by`` is this process' name. ``trip`` returns a connection's round trip in ms. If ``asks``
        is True, the receivers should answer with a message about their own connections.
        """
        viewers = list(self.viewers.values())
        seats = {v.seat: RemoteSeat(v.since, trip(v.sid), v.address) for v in viewers if v.seat}
        watching = sum(viewer.seat is None for viewer in viewers)
        return PeerPresence(by=by, seats=seats, watching=watching, robots=tuple(robots), asks=asks)

    def merge_remote(self, there: PeerPresence, me: str) -> list[str]:
        """Replace the last report of a peer's connections with this report.

        Remove each connection to this process (``me``) whose seat has a newer connection to the
        peer. Return the ids of the removed connections.
        """
        self._others.pop(there.by, None)
        if there.seats or there.watching or there.robots:
            self._others[there.by] = there
        older = []
        for sid, viewer in self.viewers.items():
            remote = there.seats.get(viewer.seat or "")
            if remote and (viewer.since, me) < (remote.since, there.by):
                older.append(sid)
        for sid in older:
            del self.viewers[sid]
        self._update_here()
        return older

    def forget(self, gone: Callable[[str], bool]) -> None:
        """Remove the connections to the processes for whose name ``gone`` returns True."""
        if lost := [by for by in self._others if gone(by)]:
            for by in lost:
                del self._others[by]
            self._update_here()
