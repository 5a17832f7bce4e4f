"""One table in memory: its state, its lock and the connections that watch it.

load → decide → append → (committed) → evolve → publish. Every method but the constructor
is called with ``lock`` held. This module must not know how anything is sent.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from secrets import randbelow, token_hex
from typing import Any

from msgspec import Raw, structs

from companion.rules.core.commands import Moment, Resume, Said, Tick
from companion.rules.core.events import Happened
from companion.rules.core.model import Table
from companion.rules.core.referee import decide
from companion.rules.core.rulings import Refused
from companion.rules.core.windows import could_nope, due
from companion.service import answers, clock, codec, mentions
from companion.service.answers import Answer, Error
from companion.service.clock import Alarms
from companion.service.errors import Fault
from companion.service.journal import Journal
from companion.service.logs import bug
from companion.service.presence import Audience, Presence, Wants
from companion.service.views import Memory, Patches, Views
from companion.storage import statements
from companion.storage.database import Busy, Conflict
from companion.storage.statements import Statement
from companion.storage.store import Store

MOST_EVENTS = 100_000
"""Where a table's log ends unless the settings say otherwise (ruling log-full)."""

REMEMBERED = 500
"""How many of a table's answers are in memory; the store has them all."""

MOST_GRACE_MS = 500
"""How late a slow connection may make a Nope (ruling in-time)."""

AGAIN_MS = 500
"""After this the clock tries again what the store did not take."""


class LiveTable:
    """The one place where a table changes."""

    def __init__(
        self,
        code: str,
        kept: Store,
        audience: Audience,
        alarms: Alarms,
        news: Alarms,
        most: int = MOST_EVENTS,
    ) -> None:
        self.lock = threading.Lock()
        self.code, self._most = code, most
        self.closed = False
        self.presence = Presence()
        self._store, self._audience, self._alarms, self._news = kept, audience, alarms, news
        self._journal: Journal | None = None
        self._behind = True
        self._answers: OrderedDict[str, tuple[str, str]] = OrderedDict()
        self._dismissed: list[str] = []
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

    def error(self, problem: Fault | Refused) -> Error:
        """What is wrong, in this table's words."""
        return answers.error(self.table.variant, problem, self.table)

    def refusal(self, problem: Fault | Refused) -> Answer:
        """The acknowledgement which says what is wrong."""
        return Answer(ok=False, version=self.table.version, error=self.error(problem))

    # --- from the log ------------------------------------------------------------------

    def wake(self) -> None:
        """Loads the state if it isn't there; raises ``Fault`` (not_found) or ``Busy``."""
        if not self._behind:
            return
        self._journal, self._behind = Journal.read(self._store, self.code), True
        self.change(Resume(), None)
        self._behind = False
        self._arm()
        self.publish()

    def log(self, seat: str | None) -> Iterator[bytes]:
        """Every event that this seat may see, oldest first, as JSON in pieces."""
        assert self._journal is not None
        return self._journal.lines.seen_by(seat)

    # --- changing ----------------------------------------------------------------------

    def command(self, content: Any) -> Said:
        """What a client said to this table; raises ``Fault`` with what is malformed."""
        return codec.command(content, self.table.family)

    def answer(self, sid: str, sender: str | None, said: Said) -> tuple[Answer, bool]:
        """What a command is acknowledged with, and whether it was answered before."""
        if sender is None:
            return self._decide(sid, said, None)[0], False
        spoken = structs.replace(said, seat=said.seat or sender)
        id, fingerprint = str(said.id), codec.fingerprint(sender, spoken)
        known = self._answers.get(id)
        try:
            if known is None:
                return self._try(sid, said, id, self.placed(sender), fingerprint), False
        except Conflict:
            known = self._store.answer(self.code, id)
        except Busy:
            pass
        if known is None:
            return self.refusal(Fault("busy")), False
        if known[0] != fingerprint:
            return self.refusal(Fault("id_reused", id=id)), False
        return codec.answer(known[1]), True

    def _try(self, sid: str, said: Said, id: str, sender: str | None, fingerprint: str) -> Answer:
        """Decides and stores. What is refused is stored too, to be refused again.

        Raises ``Busy``; ``Conflict`` where a command with this id was answered already, but
        so long ago that only the store knows.
        """
        answer, events, at = self._decide(sid, said, sender)
        if answer.error and answer.error.ruling == "log-full":
            return answer  # will be so for ever, and isn't kept for ever
        body = codec.encode(answer)
        kept = statements.insert_answer(self.code, id, fingerprint, body)
        self.append(events, at, kept)
        self._answers[id] = (fingerprint, body.decode())
        if len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)
        return answer

    def _decide(
        self, sid: str, said: Said, sender: str | None
    ) -> tuple[Answer, tuple[Happened, ...], int]:
        """The answer, the events that it stands for, and when."""
        moment = self._moment(sid)
        try:
            if sender is not None:
                mentions.check(said, sender, self.seated, self.placed)
            events = decide(self.table, said, sender=sender, moment=moment)
        except (Fault, Refused) as problem:
            return self.refusal(problem), (), moment.now
        return Answer(ok=True, version=self.table.version + len(events)), events, moment.now

    def change(self, heard: Said, sender: str | None, *more: Statement) -> tuple[Happened, ...]:
        """What is heard from elsewhere than the wire happens; raises ``Refused``, ``Busy``."""
        events, at = self.decided(heard, sender)
        self.append(events, at, *more)
        return events

    def decided(self, heard: Said, sender: str | None) -> tuple[tuple[Happened, ...], int]:
        """What it leads to, for ``append``, and when, in ms; raises ``Refused``."""
        moment = self._moment()
        return decide(self.table, heard, sender=sender, moment=moment), moment.now

    def append(self, events: tuple[Happened, ...], at: int, *more: Statement) -> None:
        """Stores events with what belongs to them, and only then evolves and publishes."""
        if not events and not more:
            return
        bodies = [codec.encode(event) for event in events]
        happened = statements.insert_events(self.code, self.version + 1, at, bodies)
        try:
            self._store.write(*((happened, *more) if events else more))
        except Conflict:
            # Where the log knows more than this table, it is read anew before anything else.
            self._behind = self._store.version(self.code) != self.version
            raise
        assert self._journal is not None
        for event in events:
            self._journal.add(event, at)
        if events:
            self._arm()
            try:
                self.publish()
            except Exception:  # what is committed has happened, also when it can't be shown
                bug("publish")

    def tick(self) -> None:
        """The clock: closes a window whose time is up, lets a held one run again."""
        try:
            events = self.change(Tick(), None)
        except Busy:
            self._alarms.set(self.code, clock.now() + AGAIN_MS)
            return
        if not events:
            self._arm()

    def _arm(self) -> None:
        when = due(self.table)
        self._alarms.set(self.code, None if when is None else when + self._grace())

    def _moment(self, sid: str | None = None) -> Moment:
        grace = self._grace() if sid is None else self._grace_of(sid)
        return Moment(
            now=clock.now(),
            lot=randbelow(2**31),
            salt=token_hex(32),
            grace_ms=grace,
            host_away_ms=self.presence.away_ms(self.table.host),
            here=self.presence.here,
            room=self._most - self.version,
        )

    def _grace_of(self, sid: str) -> int:
        return min(MOST_GRACE_MS, self._audience.round_trip(sid))

    def _grace(self) -> int:
        """How long the window waits for the slowest connection that may still Nope."""
        game = self.table.game
        if game is None or game.window is None or game.played is None or game.window.held_by:
            return 0
        waited: set[str | None] = {*could_nope(self.table, game.played.top)}
        waited -= {*game.window.passed}
        waited |= {self.table.host} if waited else set()
        return max((self._grace_of(v.sid) for v in self._viewers if v.seat in waited), default=0)

    # --- showing -----------------------------------------------------------------------

    @property
    def _viewers(self) -> Any:
        return self.presence.viewers.values()

    def views(self) -> Views:
        """Everybody's view as it is now."""
        assert self._journal is not None
        room = self._most - self.version
        near = room if room <= self._most // 10 else None
        return Views(self._journal, self._store.epoch, self._encoded, clock.now(), near)

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
        if not self.table.options.spectators:
            strangers = [v.sid for v in self._viewers if self.seated(v.seat) is None]
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
            self._audience.send(sid, "presence", self.presence.shown(self._seats))

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
        if clock.now() < self.presence.next:
            self._news.set(self.code, self.presence.next)
            return False
        news = self.presence.news(self._seats)
        for viewer in self._viewers if news else ():
            self._audience.send(viewer.sid, "presence", news)
        return news is not None
