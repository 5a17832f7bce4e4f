"""Watching a replay together: everybody in a room sees the same moment of the same game.

Anybody may steer: go to a moment, start the playback or stop it. The connection that steered last
is the driver: during the playback, the driver's page reports each moment to the server as it shows
it. The state of a room exists only while somebody watches, and is never stored.

A room can have viewers on several processes. Each process keeps its own copy of the room's state,
publishes a ``ReplayPosition`` message when something changes, and adopts a newer state that it
receives.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from companion.service import codec
from companion.service.clock import Clock
from companion.service.errors import Fault
from companion.service.peers.messages import Peers, ReplayPosition, Speed, Stamp
from companion.web.rate_limits import Rates

STEPS = "100/10 second"
"""Limit for each seat, or each spectator's address. The panel sends at most 7 steps per second."""

SILENT_SECONDS = 12.0
"""Seconds after which the viewers of a silent process are removed. Reports come every 5 s."""

Replay = tuple[str, int]  # a table's code and the number of a game


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """A client's request to go to a moment."""

    at: int  # the version of the table at that moment
    play: Speed | None = None  # the speed of the playback from here on; None stops the playback
    # True if the page reports a moment without a person's help: the next one of its playback, or,
    # in a room without a moment, the one that it shows
    on: bool = False


class _Room(Struct):
    """One replay, its current moment, and its viewers.

    If two processes have different states of a room, the state with the later steering wins. If
    both states come from the same steering, the state with the later step wins. A moment that a
    page only reported never replaces one that a person chose, and of two reported moments the
    earlier one stays. So all processes settle on the same state.
    """

    # the version of the current moment; None until somebody has chosen a moment
    at: int | None = None
    play: Speed | None = None  # speed of the playback; None if the playback is stopped
    steered: Stamp = (0, "")  # when somebody last steered
    step: Stamp = (0, "")  # when the moment last changed
    # True if a person has steered, so viewers see who it was; False if a page reported the moment
    named: bool = False
    by: str | None = None  # the seat that steered last; None for a spectator
    # the connection that steered last, if that connection belongs to this process
    driver: str | None = None
    remarks: int = 0  # number of remarks on this game
    sids: list[str] = field(default_factory=list)  # this process' connections
    others: dict[str, tuple[int, int]] = field(default_factory=dict)
    """The other processes' numbers of viewers, each with the local time of the report."""

    def is_replaced_by(self, message: ReplayPosition, steered: Stamp) -> bool:
        """Return True if this room adopts the state in another process' ``message``.

        ``steered`` is when somebody last steered the other process' room.
        """
        if message.at is None or self.at is None:
            return message.at is not None
        if message.named != self.named:
            return message.named
        if not self.named:
            return message.step < self.step
        return (steered, message.step) > (self.steered, self.step)


class SharedReplays:
    """The rooms in which replays are watched.

    ``send`` takes a connection's id, an event and its content, and never blocks.
    """

    def __init__(
        self, send: Callable[[str, str, object], None], peers: Peers, clock: Clock
    ) -> None:
        self._send = send
        self._rates = Rates(STEPS)
        self._peers = peers
        self._clock = clock
        self._rooms: dict[Replay, _Room] = {}
        peers.on(ReplayPosition, self._on_message)

    def enter(self, replay: Replay, sid: str) -> None:
        """Add a viewer, and send them the room's current moment."""
        if replay not in self._rooms:
            self._peers.follow(replay[0])
        room = self._rooms.setdefault(replay, _Room())
        room.sids.append(sid)
        self._send_and_publish(replay, room, asks=len(room.sids) == 1)

    def leave(self, replay: Replay, sid: str) -> None:
        room = self._rooms.get(replay)
        if room is None or sid not in room.sids:
            return
        room.sids.remove(sid)
        if room.driver == sid:
            room.driver = None
            if room.play is not None:  # without its driver, the playback stops
                room.play = None
                room.step = self._stamp(room)
        self._send_and_publish(replay, room)
        if not room.sids:
            del self._rooms[replay]
            self._peers.follow(replay[0], False)

    def step(
        self, replay: Replay, sid: str, who: str, content: object, seat: str | None = None
    ) -> None:
        """Move a room to another moment, or to the one that a page shows if the room has none.

        ``who`` is the seat or address that the rate limit counts. Raise ``Fault`` (stale) if
        ``step.on`` is True, but the room has a moment and this connection doesn't drive a playback.
        """
        self._rates.count(who)
        step: Step = codec.convert(content, Step)
        room = self._rooms.get(replay)
        if room is None or sid not in room.sids:
            raise Fault("forbidden")
        is_report = step.on and room.at is None and step.play is None
        if step.on and not is_report and (room.driver != sid or room.play is None):
            raise Fault("stale")
        stamp = self._stamp(room)
        if not step.on:
            room.named = True
            room.by = seat
            room.steered = stamp
            room.driver = sid
        room.at = step.at
        room.play = step.play
        room.step = stamp
        self._send_and_publish(replay, room, but=sid)

    def _stamp(self, room: _Room) -> Stamp:
        return max(self._clock.now(), room.step[0] + 1, room.steered[0] + 1), self._peers.me

    def on_remark(self, code: str, game: int, remarks: int) -> None:
        """Send the new number of remarks to the room's viewers, here and on other processes."""
        room = self._rooms.get((code, game))
        if room is not None:
            room.remarks = max(room.remarks, remarks)
            self._send_to_viewers(room)
        self._publish_to_peers((code, game), room or _Room(remarks=remarks))

    def on_subscribed(self, code: str) -> None:
        """Request the rooms' states from other processes. Called once the channel is subscribed."""
        for replay, room in list(self._rooms.items()):
            if replay[0] == code:
                self._publish_to_peers(replay, room, asks=True)

    def publish_all_rooms(self) -> None:
        """Publish the state of every room, and remove the viewers of silent processes."""
        for replay, room in list(self._rooms.items()):
            self._publish_to_peers(replay, room)
            silent = [
                peer
                for peer in room.others
                if self._peers.is_gone(peer) or self._is_silent(room, peer)
            ]
            for peer in silent:
                del room.others[peer]
                if peer == room.steered[1]:  # the driver was connected to that process
                    room.play = None
            if silent:
                self._send_to_viewers(room)

    def _is_silent(self, room: _Room, peer: str) -> bool:
        """Return True if the process ``peer`` reported no viewers for ``SILENT_SECONDS``."""
        return self._peers.is_silent_since(room.others[peer][1], SILENT_SECONDS)

    def _send_and_publish(
        self, replay: Replay, room: _Room, but: str | None = None, *, asks: bool = False
    ) -> None:
        """Send the room's state to its viewers (except ``but``) and to the other processes."""
        self._send_to_viewers(room, but)
        self._publish_to_peers(replay, room, asks=asks)

    def _send_to_viewers(self, room: _Room, but: str | None = None) -> None:
        """Send the room's state to its viewers on this process, except ``but``."""
        here = len(room.sids) + sum(here for here, _ in room.others.values())
        state: dict[str, Any] = {"at": room.at, "here": here}
        if room.remarks:
            state["remarks"] = room.remarks
        if room.play is not None:
            state["play"] = room.play
        if room.named:
            state["by"] = room.by
        for sid in room.sids:
            if sid != but:
                self._send(sid, "replay", state | {"you": True} if sid == room.driver else state)

    def _publish_to_peers(self, replay: Replay, room: _Room, *, asks: bool = False) -> None:
        """Publish the room's state to other processes. If ``asks`` is True, also request their
        states."""
        code, game = replay
        self._peers.publish(code, ReplayPosition(
            by=self._peers.me, game=game, at=room.at, here=len(room.sids), step=room.step,
            asks=asks, remarks=room.remarks, play=room.play, steered=room.steered,
            named=room.named, seat=room.by,
        ))  # fmt: skip

    def _on_message(self, code: str, message: ReplayPosition) -> None:
        """Store another process' number of viewers, and adopt its state if that state is newer."""
        replay = code, message.game
        room = self._rooms.get(replay)
        if room is None:
            return
        if message.here:
            room.others[message.by] = message.here, self._clock.own()
        else:
            room.others.pop(message.by, None)
        room.remarks = max(room.remarks, message.remarks)
        # Processes of an earlier version don't send ``steered``, only ``step``.
        steered = message.steered if message.steered[0] else message.step
        if room.is_replaced_by(message, steered):
            if steered > room.steered:
                room.driver = None
            room.at = message.at
            room.play = message.play
            room.steered = steered
            room.step = message.step
            room.named = message.named
            room.by = message.seat
        self._send_to_viewers(room)
        if message.asks:
            self._publish_to_peers(replay, room)
