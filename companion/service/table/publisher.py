"""Sends a table's viewers the table's newest state, and the presence of its players."""

from collections.abc import Callable, Iterable
from typing import Protocol

from msgspec import Raw

from companion.rules.core import lobby
from companion.rules.core.types import Json
from companion.service import codec
from companion.service.clock import Clock
from companion.service.logs import bug
from companion.service.table.log import Commit, TableLog
from companion.service.table.presence import Presence, Viewer
from companion.service.table.views import Patches, Views


class Audience(Protocol):
    """The interface to the clients' connections, which the web side implements."""

    def send(self, sid: str, event: str, payload: object) -> None:
        """Send one event to one connection. Never blocks."""

    def close(self, sid: str) -> None:
        """Close one connection. The caller must not hold a table's lock."""

    def round_trip(self, sid: str) -> int:
        """Return the connection's round trip in ms, as the server measured it."""

    def announce_replays(self) -> None:
        """Notify other processes again of the replays that are watched at this process."""

    def on_subscribed(self, code: str) -> None:
        """Ask other processes how many viewers watch this table's replays there."""


class Publisher:
    """Sends one table's viewers the table's state, as a view or patch, and the presence of its
    players."""

    def __init__(
        self, log: TableLog, presence: Presence, audience: Audience, clock: Clock,
        schedule_presence: Callable[[int], None],
    ) -> None:  # fmt: skip
        """``schedule_presence`` takes the time (ms) at which ``send_presence`` will be called."""
        self._log = log
        self._presence = presence
        self._audience = audience
        self._clock = clock
        self._schedule_presence = schedule_presence
        # the views sent last; the next patches contain the changes to them
        self._shown: Views | None = None
        self._announced_presence: tuple[int, object] = (0, ())
        self._dismissed: list[str] = []  # connections to close once the table's lock is free

    @property
    def _viewers(self) -> Iterable[Viewer]:
        return self._presence.viewers.values()

    def views(self) -> Views:
        """Return the current views of the table."""
        log = self._log
        now = self._clock.now()
        here = self._presence.here
        room = log.nearly_full
        return Views(log.projection, log.epoch, now, self._shown, room=room, here=here)

    def forget(self) -> None:
        """Send whole views next time instead of patches, because the log was loaded again."""
        self._shown = None

    def view(self, seat: str | None) -> Raw:
        """Return the view of one seat, or of a spectator (None). Later patches contain the changes
        to this view."""
        self._send_to_host()
        return Raw(self.views().view_of(seat))

    def view_or_head(self, seat: str | None, known: object) -> Raw:
        """Return the whole view, or only its head if the client already has the newest view.

        The head consists of epoch, version and time. ``known`` is the epoch and version that the
        client sent; it isn't validated yet.
        """
        known = known if isinstance(known, dict) else {}
        head = self._head
        if all(known.get(key) == head[key] for key in ("epoch", "version")):
            return Raw(codec.encode(head))
        return self.view(seat)

    def publish(self, _commit: Commit | None = None) -> None:
        """Send all viewers the newest state, as a view or a patch.

        A patch contains the changes since the view or patch that was sent last. An error is logged
        and not raised, since the events are already committed.
        """
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
                patch = patches.patch_for(viewer.seat, by_keys=viewer.patches == "keys")
                self._audience.send(viewer.sid, "patch", Raw(patch))
            else:
                self._audience.send(viewer.sid, "view", Raw(after.view_of(viewer.seat)))
        if not self._log.table.options.spectators:
            table = self._log.table
            seats = {*self._seats}
            barred = [viewer for viewer in self._viewers if not lobby.may_watch(table, viewer.seat)]
            for sid in [viewer.sid for viewer in barred]:
                self._presence.leave(sid)
                self._dismissed.append(sid)
            self._dismissed += self._presence.leave_replays(lambda seat: seat not in seats)
        self.send_presence()

    @property
    def _head(self) -> Json:
        log = self._log
        return {"epoch": log.epoch, "version": log.version, "now": self._clock.now()}

    def send_head(self) -> None:
        """Send all viewers the table's epoch and version.

        A client that is behind then requests the view.
        """
        if self._log.loaded and self._presence.viewers:
            head = self._head
            for sid in list(self._presence.viewers):
                self._audience.send(sid, "head", head)

    def sign(self, seat: str | None, name: str, to: str | None) -> None:
        """Send a gesture of this seat to all viewers, or only to viewers with the seat ``to``."""
        for viewer in self._viewers:
            if to in (None, viewer.seat):
                self._audience.send(viewer.sid, "sign", {"seat": seat, "sign": name})

    def enter(self, viewer: Viewer) -> None:
        """Add a connection and send the view to it. Close older connections of the same seat."""
        self.send_away(self._presence.enter(viewer))
        self._audience.send(viewer.sid, "view", self.view(viewer.seat))
        if not self.send_presence():
            self._audience.send(viewer.sid, "presence", self._presence.first_event(self._seats))

    def leave(self, sid: str) -> None:
        """Remove a connection."""
        self._presence.leave(sid)
        self.send_presence()

    def supersede(self, seat: str) -> None:
        """Close all connections of a seat that was opened elsewhere."""
        self.send_away(self._presence.remove_seat(seat))
        self._dismissed += self._presence.leave_replays(lambda other: other == seat)
        self.send_presence()

    def send_away(self, sids: Iterable[str]) -> None:
        """Notify these connections that their seat was opened elsewhere, and mark them to be
        closed."""
        for sid in sids:
            self._audience.send(sid, "superseded", {})
            self._dismissed.append(sid)

    def take_dismissed(self) -> list[str]:
        """Return the connections to close once the table's lock is free, and clear the list."""
        dismissed = self._dismissed
        self._dismissed = []
        return dismissed

    @property
    def _seats(self) -> list[str]:
        return [seat.seat for seat in self._log.table.seats]

    def send_presence(self) -> bool:
        """Send presence to all viewers now, or later if presence was sent less than ``TELL_MS``
        ago.

        Return True if presence was sent now. Presence that hasn't changed isn't sent. Neither is
        that of a table that isn't loaded.
        """
        if not self._log.loaded:
            return False
        inputs = self._presence.moves, self._log.table.seats
        if inputs == self._announced_presence:
            return False
        self._send_to_host()
        if self._clock.now() < self._presence.next:
            self._schedule_presence(self._presence.next)
            return False
        self._announced_presence = inputs
        news = self._presence.changed_event(self._seats)
        for viewer in self._viewers if news else ():
            self._audience.send(viewer.sid, "presence", news)
        return news is not None

    def _send_to_host(self) -> None:
        """Send the host the commands that the host may send, if a change of presence affects these
        commands.

        The host can act for other players. But while a device that keeps a player's deck is
        connected, only that device can act for the player.
        """
        views = self._shown
        host = self._log.table.host
        if views is None or not views.refresh_presence(self._presence.here):
            return
        for viewer in [viewer for viewer in self._viewers if viewer.seat == host]:
            if viewer.patches:
                patch = views.patch_own_part(viewer.seat, self._clock.now())
                self._audience.send(viewer.sid, "patch", Raw(patch))
            else:
                self._audience.send(viewer.sid, "view", self.view(viewer.seat))
