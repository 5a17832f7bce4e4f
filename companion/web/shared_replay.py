"""Watching a replay together: one film for all who are there. Anybody may steer it: go to a moment,
start it or stop it. The one who steered last drives: their page says each moment as it goes on.
Where they are is known as long as somebody is there, and never stored."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from companion.service import codec
from companion.service.clock import Clock
from companion.service.errors import Fault
from companion.service.peers import Peers, Speed, Stamp, Stepped
from companion.web.rate_limits import Rates

STEPS = "100/10 second"  # of a seat or a spectator's address: a page says at most 7 a second
UNSAID_SECONDS = 12.0  # whoever a process didn't name for so long is gone: it does every 5 seconds
Replay = tuple[str, int]  # a table's code and the number of a game


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody went to the moment that shows this version."""

    at: int
    play: Speed | None = None  # from here on by itself, at this speed; None: it stands
    on: bool = False  # nobody steered: the film that this connection drives goes on


class _Room(Struct):
    """One film, and who watches it.

    Of two states the one counts that was steered later, and of one steering the later step, so that
    of two at once the same does in all processes."""

    at: int | None = None
    play: Speed | None = None
    steered: Stamp = (0, "")
    step: Stamp = (0, "")
    named: bool = False  # whether it is told who steered
    by: str | None = None  # the seat that steered last; None: a spectator
    driver: str | None = None  # the connection that steered last, if it is one of this process
    remarks: int = 0  # how many lines were left
    sids: list[str] = field(default_factory=list)
    others: dict[str, tuple[int, int]] = field(default_factory=dict)
    """How many watch by way of each other process, and when it said so."""

    @property
    def newest(self) -> tuple[Stamp, Stamp]:
        return self.steered, self.step


class SharedReplays:
    """Who watches which replay; ``send`` brings an event to one connection and never waits."""

    def __init__(
        self, send: Callable[[str, str, object], None], peers: Peers, clock: Clock
    ) -> None:
        self._send = send
        self._rates = Rates(STEPS)
        self._peers = peers
        self._clock = clock
        self._rooms: dict[Replay, _Room] = {}
        peers.on(Stepped, self._on_message)

    def enter(self, replay: Replay, sid: str) -> None:
        """Somebody comes, and goes to where the others are."""
        if replay not in self._rooms:
            self._peers.follow(replay[0])
        room = self._rooms.setdefault(replay, _Room())
        room.sids.append(sid)
        self._publish(replay, room, asks=len(room.sids) == 1)

    def leave(self, replay: Replay, sid: str) -> None:
        room = self._rooms.get(replay)
        if room is None or sid not in room.sids:
            return
        room.sids.remove(sid)
        if room.driver == sid:
            room.driver = None
            if room.play is not None:  # without its driver the film stands
                room.play, room.step = None, self._stamp(room)
        self._publish(replay, room)
        if not room.sids:
            del self._rooms[replay]
            self._peers.follow(replay[0], False)

    def step(
        self, replay: Replay, sid: str, who: str, content: object, seat: str | None = None
    ) -> None:
        """Somebody steps, and all others with them; raises ``Fault``. ``who``: whose rate it is.

        ``stale``: the film that would go on is another's by now, or stands."""
        self._rates.count(who)
        step: Step = codec.convert(content, Step)
        room = self._rooms.get(replay)
        if room is None or sid not in room.sids:
            raise Fault("forbidden")
        if step.on and (room.driver != sid or room.play is None):
            raise Fault("stale")
        stamp = self._stamp(room)
        if not step.on:
            # A page that finds nobody's step says where it is by itself: that is no steering.
            if room.at is not None or step.play is not None:
                room.named = True
                room.by = seat
            room.steered = stamp
            room.driver = sid
        room.at = step.at
        room.play = step.play
        room.step = stamp
        self._publish(replay, room, but=sid)

    def _stamp(self, room: _Room) -> Stamp:
        return max(self._clock.now(), room.step[0] + 1, room.steered[0] + 1), self._peers.me

    def on_remark(self, code: str, game: int, remarks: int) -> None:
        """Somebody left a line by way of this process: whoever watches hears how many there are."""
        room = self._rooms.get((code, game))
        if room is not None:
            room.remarks = max(room.remarks, remarks)
            self._show(room)
        self._introduce((code, game), room or _Room(remarks=remarks))

    def on_subscribed(self, code: str) -> None:
        """Others are heard from now on: where they are was said, if ever, before that."""
        for replay, room in list(self._rooms.items()):
            if replay[0] == code:
                self._introduce(replay, room, asks=True)

    def again(self) -> None:
        """Other processes hear once more who is here; of those that said nothing nobody is left."""
        for replay, room in list(self._rooms.items()):
            self._introduce(replay, room)
            silent = [
                by for by in room.others if self._peers.is_gone(by) or self._send_pending(room, by)
            ]
            for by in silent:
                del room.others[by]
                if by == room.steered[1]:  # the film's driver was there
                    room.play = None
            if silent:
                self._show(room)

    def _send_pending(self, room: _Room, by: str) -> bool:
        """Whether a process goes on, but not to say that somebody watches there."""
        return self._peers.silent(room.others[by][1], UNSAID_SECONDS)

    def _publish(
        self, replay: Replay, room: _Room, but: str | None = None, *, asks: bool = False
    ) -> None:
        self._show(room, but)
        self._introduce(replay, room, asks=asks)

    def _show(self, room: _Room, but: str | None = None) -> None:
        here = len(room.sids) + sum(here for here, _ in room.others.values())
        told: dict[str, Any] = {"at": room.at, "here": here}
        if room.remarks:
            told["remarks"] = room.remarks
        if room.play is not None:
            told["play"] = room.play
        if room.named:
            told["by"] = room.by
        for sid in room.sids:
            if sid != but:
                self._send(sid, "replay", told | {"you": True} if sid == room.driver else told)

    def _introduce(self, replay: Replay, room: _Room, *, asks: bool = False) -> None:
        code, game = replay
        self._peers.publish(code, Stepped(
            by=self._peers.me, game=game, at=room.at, here=len(room.sids), step=room.step,
            asks=asks, remarks=room.remarks, play=room.play, steered=room.steered,
            named=room.named, seat=room.by,
        ))  # fmt: skip

    def _on_message(self, code: str, said: Stepped) -> None:
        """Another process says who watches there, and where they are."""
        replay = code, said.game
        room = self._rooms.get(replay)
        if room is None:
            return
        if said.here:
            room.others[said.by] = said.here, self._clock.own()
        else:
            room.others.pop(said.by, None)
        room.remarks = max(room.remarks, said.remarks)
        # A process of an earlier version says only when somebody stepped.
        steered = said.steered if said.steered[0] else said.step
        if (steered, said.step) > room.newest:
            if steered > room.steered:
                room.driver = None
            room.at = said.at
            room.play = said.play
            room.steered = steered
            room.step = said.step
            room.named = said.named
            room.by = said.seat
        self._show(room)
        if said.asks:
            self._introduce(replay, room)
