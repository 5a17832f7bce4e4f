"""One table as it is watched: its state, the connections that see it, what each is sent.

Every method but the constructor is called with ``lock`` held. This module must not know how a
table changes, nor how anything is sent.
"""

import threading
from collections.abc import Iterator
from typing import Any

from msgspec import Raw

from companion.rules.core import lobby
from companion.rules.core.model import Table
from companion.service import clock, codec
from companion.service.clock import Alarms
from companion.service.errors import Fault
from companion.service.finished import Span
from companion.service.journal import Journal
from companion.service.presence import Audience, Presence, Wants
from companion.service.views import Memory, Patches, Views
from companion.storage.store import Store


class WatchedTable:
    """A table that shows itself; its newest state is its journal's."""

    def __init__(self, code: str, kept: Store, audience: Audience, news: Alarms, most: int) -> None:
        self.lock = threading.Lock()
        self.code, self._most = code, most
        self.presence = Presence()
        self._store, self._audience, self._news = kept, audience, news
        self._journal: Journal | None = None
        self._dismissed: list[str] = []
        self._told_of: tuple[int, Any] = (0, ())
        self._encoded = Memory()
        self._shown: Views | None = None

    @property
    def table(self) -> Table:
        """The newest state."""
        assert self._journal is not None
        return self._journal.table

    @property
    def version(self) -> int:
        """The newest state's version; readable without the lock."""
        return self._journal.table.version if self._journal else 0

    def seated(self, seat: str | None) -> str | None:
        """The seat, if it is still one of this table's."""
        return next((s.seat for s in self.table.seats if s.seat == seat), None)

    def placed(self, seat: str | None) -> str | None:
        """The seat, if it is one of this table's or will be in the next game."""
        return seat if self.table.waiter(seat) else self.seated(seat)

    def heard(self, seat: str | None) -> str | None:
        """The seat, if it has a place or its device has yet to open the deck of one it had."""
        return seat if seat in self.table.unopened else self.placed(seat)

    def log(self, seat: str | None) -> Iterator[bytes]:
        """Every event that this seat may see, oldest first, as JSON in pieces."""
        assert self._journal is not None
        return self._journal.lines.seen_by(seat)

    def game(self, number: int) -> Span:
        """The finished game with this number; raises ``Fault`` (not_found)."""
        assert self._journal is not None
        span = self._journal.finished.game(number)
        if span is None:
            raise Fault("not_found", what="game", game=number)
        return span

    def evening(self) -> dict[str, Any]:
        """What the table remembers of its finished games."""
        assert self._journal is not None
        return self._journal.evening.shown()

    @property
    def _viewers(self) -> Any:
        return self.presence.viewers.values()

    def views(self) -> Views:
        """Everybody's view as it is now."""
        assert self._journal is not None
        room = self._most - self.version
        near = room if room <= self._most // 10 else None
        here = self.presence.here
        return Views(self._journal, self._store.epoch, self._encoded, clock.now(), near, here)

    def publish(self) -> None:
        """Shows everybody the newest state: whole, or what changed since they were shown it."""
        before, after = self._shown, self.views()
        self._shown = after
        patches = Patches(before, after) if before else None
        for viewer in self._viewers:
            if patches and viewer.patches:
                patch = patches.of(viewer.seat, by_keys=viewer.patches == "keys")
                self._audience.send(viewer.sid, "patch", Raw(patch))
            else:
                self._audience.send(viewer.sid, "view", Raw(after.of(viewer.seat)))
        strangers = [v.sid for v in self._viewers if not lobby.watches(self.table, v.seat)]
        for sid in strangers:
            self.presence.leave(sid)
        self._dismissed += strangers
        self.tell_presence()

    def view(self, seat: str | None) -> Raw:
        """The view of one seat or of a spectator."""
        return Raw(self.views().of(seat))

    def news(self, seat: str | None, known: Any) -> Raw:
        """The view; for whoever knows its epoch and version, as they say, only the head."""
        said = known if isinstance(known, dict) else {}
        head = self._head
        if all(said.get(key) == head[key] for key in ("epoch", "version")):
            return Raw(codec.encode(head))
        return self.view(seat)

    @property
    def _head(self) -> dict[str, Any]:
        version = self.table.version
        return {"epoch": self._store.epoch, "version": version, "now": clock.now()}

    def tell_head(self) -> None:
        """Everybody hears the version, so that who is behind can ask for more."""
        if self._journal is None or not self.presence.viewers:
            return
        head = self._head
        for sid in list(self.presence.viewers):
            self._audience.send(sid, "head", head)

    def enter(self, sid: str, seat: str | None, patches: Wants = False) -> None:
        """A connection comes, sees the table, and takes the place of its seat's older one."""
        self._supersede(self.presence.enter(sid, seat, patches))
        self._audience.send(sid, "view", self.view(seat))
        if not self.tell_presence():
            self._audience.send(sid, "presence", self.presence.first(self._seats))

    def sign(self, seat: str | None, name: str) -> None:
        """Somebody who only watches sends a sign, which all see and nobody keeps."""
        if not lobby.may_sign(self.table, seat):
            raise Fault("forbidden")
        self.show_sign(seat, name)

    def show_sign(self, seat: str | None, name: str) -> None:
        """All who are here see a sign."""
        for viewer in self._viewers:
            self._audience.send(viewer.sid, "sign", {"seat": seat, "sign": name})

    def leave(self, sid: str) -> None:
        """A connection is gone."""
        self.presence.leave(sid)
        self.tell_presence()

    def supersede(self, seat: str) -> None:
        """The seat is opened elsewhere: its connections are told and closed."""
        self._supersede(self.presence.drop(seat))
        self.tell_presence()

    def dismissed(self) -> list[str]:
        """The connections to close once the lock is free."""
        gone, self._dismissed = self._dismissed, []
        return gone

    def _supersede(self, sids: tuple[str, ...]) -> None:
        for sid in sids:
            self._audience.send(sid, "superseded", {})
        self._dismissed += sids

    @property
    def _seats(self) -> list[str]:
        return [seat.seat for seat in self.table.seats]

    def tell_presence(self) -> bool:
        """Everybody hears who is here, at once or when it may be told again; whether at once."""
        rests_on = self.presence.moves, self.table.seats
        if rests_on == self._told_of:
            return False
        self._tell_host()
        if clock.now() < self.presence.next:
            self._news.set(self.code, self.presence.next)
            return False
        self._told_of = rests_on
        news = self.presence.news(self._seats)
        for viewer in self._viewers if news else ():
            self._audience.send(viewer.sid, "presence", news)
        return news is not None

    def _tell_host(self) -> None:
        """The host hears what they may say for others, if that rests on who is here now."""
        views = self._shown
        if views is None or not views.heeds(self.presence.here):
            return
        for viewer in self._viewers:
            if viewer.seat != self.table.host:
                continue
            if viewer.patches:
                patch = views.yours_anew(viewer.seat, clock.now())
                self._audience.send(viewer.sid, "patch", Raw(patch))
            else:
                self._audience.send(viewer.sid, "view", self.view(viewer.seat))
