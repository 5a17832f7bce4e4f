"""Who watches a table, and what each of them is sent of it."""

from collections.abc import Callable, Iterable
from typing import Protocol

from msgspec import Raw

from companion.rules.core import lobby
from companion.rules.core.family import Json
from companion.service import codec
from companion.service.clock import Clock
from companion.service.log import Commit, TableLog
from companion.service.logs import bug
from companion.service.presence import Presence, Viewer
from companion.service.views import Patches, Views


class Audience(Protocol):
    """Whoever brings to the connections what a table has for them."""

    def send(self, sid: str, event: str, payload: object) -> None:
        """Sends one event to one connection; never waits."""

    def close(self, sid: str) -> None:
        """Closes one connection; called while no table's lock is held."""

    def round_trip(self, sid: str) -> int:
        """The connection's round trip in ms, as the server measured it."""

    def introduce(self) -> None:
        """Other processes hear once more who is here, at no table in play."""

    def on_subscribed(self, code: str) -> None:
        """Others are heard of this table from now on: they are asked, at no table in play."""


class Publisher:
    """Of one table: sends each viewer its newest state, whole or as a patch, and who is here.
    ``tell_later``: called with the time in ms from which on it may be told again who is here."""

    def __init__(
        self, log: TableLog, presence: Presence, audience: Audience, clock: Clock,
        tell_later: Callable[[int], None],
    ) -> None:  # fmt: skip
        self._log = log
        self._presence = presence
        self._audience = audience
        self._clock = clock
        self._schedule_presence = tell_later
        self._shown: Views | None = None
        self._announced_presence: tuple[int, object] = (0, ())
        self._dismissed: list[str] = []

    @property
    def _viewers(self) -> Iterable[Viewer]:
        return self._presence.viewers.values()

    def views(self) -> Views:
        log = self._log
        now = self._clock.now()
        here = self._presence.here
        room = log.nearly_full
        return Views(log.projection, log.epoch, now, self._shown, room=room, here=here)

    def forget(self) -> None:
        """Whatever was shown is shown anew: it is another log now."""
        self._shown = None

    def view(self, seat: str | None) -> Raw:
        """The view of one seat or of a spectator; patches go on from it."""
        self._send_to_host()
        return Raw(self.views().of(seat))

    def news(self, seat: str | None, known: object) -> Raw:
        """The view; for whoever knows its epoch and version, as they say, only the head."""
        known = known if isinstance(known, dict) else {}
        head = self._head
        if all(known.get(key) == head[key] for key in ("epoch", "version")):
            return Raw(codec.encode(head))
        return self.view(seat)

    def publish(self, _commit: Commit | None = None) -> None:
        """Shows everybody the newest state: whole, or what changed since they were shown it. What
        is committed has happened, also when it can't be shown."""
        try:
            self._publish()
        except Exception:
            bug("publish")

    def _publish(self) -> None:
        before = self._shown
        after = self.views()
        self._shown = after
        patches = Patches(before, after) if before else None
        for viewer in self._viewers:
            if patches and viewer.patches:
                patch = patches.of(viewer.seat, by_keys=viewer.patches == "keys")
                self._audience.send(viewer.sid, "patch", Raw(patch))
            else:
                self._audience.send(viewer.sid, "view", Raw(after.of(viewer.seat)))
        if not self._log.table.options.spectators:
            table = self._log.table
            seats = {*self._seats}
            for sid in [v.sid for v in self._viewers if not lobby.watches(table, v.seat)]:
                self._presence.leave(sid)
                self._dismissed.append(sid)
            self._dismissed += self._presence.leave_replays(lambda seat: seat not in seats)
        self.send_presence()

    @property
    def _head(self) -> Json:
        log = self._log
        return {"epoch": log.epoch, "version": log.version, "now": self._clock.now()}

    def send_head(self) -> None:
        """Everybody hears the version, so that who is behind can ask for more."""
        if self._log.loaded and self._presence.viewers:
            head = self._head
            for sid in list(self._presence.viewers):
                self._audience.send(sid, "head", head)

    def sign(self, seat: str | None, name: str, to: str | None) -> None:
        for viewer in self._viewers:
            if to in (None, viewer.seat):
                self._audience.send(viewer.sid, "sign", {"seat": seat, "sign": name})

    def enter(self, viewer: Viewer) -> None:
        """A connection comes, sees the table, and takes the place of its seat's older one."""
        self.send_away(self._presence.enter(viewer))
        self._audience.send(viewer.sid, "view", self.view(viewer.seat))
        if not self.send_presence():
            self._audience.send(viewer.sid, "presence", self._presence.first(self._seats))

    def leave(self, sid: str) -> None:
        self._presence.leave(sid)
        self.send_presence()

    def supersede(self, seat: str) -> None:
        """The seat is opened elsewhere: its connections are told and closed."""
        self.send_away(self._presence.drop(seat))
        self._dismissed += self._presence.leave_replays(lambda one: one == seat)
        self.send_presence()

    def send_away(self, sids: Iterable[str]) -> None:
        """These connections are told that their seat is opened elsewhere, and closed."""
        for sid in sids:
            self._audience.send(sid, "superseded", {})
            self._dismissed.append(sid)

    def take_dismissed(self) -> list[str]:
        """The connections to close once the lock is free."""
        gone = self._dismissed
        self._dismissed = []
        return gone

    @property
    def _seats(self) -> list[str]:
        return [seat.seat for seat in self._log.table.seats]

    def send_presence(self) -> bool:
        """Everybody hears who is here, at once or when it may be told again; whether at once."""
        rests_on = self._presence.moves, self._log.table.seats
        if rests_on == self._announced_presence:
            return False
        self._send_to_host()
        if self._clock.now() < self._presence.next:
            self._schedule_presence(self._presence.next)
            return False
        self._announced_presence = rests_on
        news = self._presence.news(self._seats)
        for viewer in self._viewers if news else ():
            self._audience.send(viewer.sid, "presence", news)
        return news is not None

    def _send_to_host(self) -> None:
        """The host hears what they may say for others, if that rests on who is here now."""
        views = self._shown
        host = self._log.table.host
        if views is None or not views.refresh_presence(self._presence.here):
            return
        for viewer in [viewer for viewer in self._viewers if viewer.seat == host]:
            if viewer.patches:
                patch = views.refresh_own(viewer.seat, self._clock.now())
                self._audience.send(viewer.sid, "patch", Raw(patch))
            else:
                self._audience.send(viewer.sid, "view", self.view(viewer.seat))
