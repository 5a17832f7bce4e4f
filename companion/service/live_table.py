"""One table in memory, and everything that changes it.

load → decide → append → (committed) → evolve → publish. Every method but the constructor
is called with ``lock`` held. This module must not know how anything is sent.
"""

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from secrets import token_bytes
from typing import Any

from msgspec import Raw, structs

from companion.rules.core.commands import Moment, Resume, ReturnSeat, Said, Tick
from companion.rules.core.events import Happened
from companion.rules.core.referee import decide, due
from companion.rules.core.rulings import Refused
from companion.rules.core.windows import could_nope
from companion.service import answers, clock, codec, mentions
from companion.service.answers import Answer, Error
from companion.service.bus import Fellows, News
from companion.service.clock import Alarms
from companion.service.errors import Fault
from companion.service.journal import Journal
from companion.service.presence import Audience, Wants
from companion.service.remarks import Remark, made, shown
from companion.service.shared_table import SharedTable
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

TRIES = 20
"""So often something is decided again because another process was faster."""

LATE_MS = 300
"""So much later the clock does what another process is to do on time."""

UNTENDED_MS = 2000
"""A window that is open so long after its end was in no process's hands."""

More = Callable[[tuple[Happened, ...]], tuple[Statement, ...]]
"""What is stored together with events."""


class LiveTable(SharedTable):
    """The one place where a table changes."""

    def __init__(
        self,
        code: str,
        kept: Store,
        audience: Audience,
        alarms: Alarms,
        news: Alarms,
        fellows: Fellows,
        most: int = MOST_EVENTS,
    ) -> None:
        super().__init__(code, kept, audience, news, fellows, most)
        self.closed = False
        self._alarms = alarms
        self._answers: OrderedDict[str, tuple[str, str]] = OrderedDict()

    def error(self, problem: Fault | Refused) -> Error:
        """What is wrong, in this table's words."""
        return answers.error(self.table.variant, problem, self.table)

    def refusal(self, problem: Fault | Refused) -> Answer:
        """The acknowledgement which says what is wrong."""
        return Answer(ok=False, version=self.table.version, error=self.error(problem))

    # --- from the log ------------------------------------------------------------------

    def wake(self) -> bool:
        """Loads the state; whether it wasn't there; raises ``Fault`` (not_found) or ``Busy``."""
        if self._journal is not None:
            return False
        journal = Journal.read(self._store, self.code)
        self._journal, self.foreign = journal, self._fellows.any
        try:
            if not self._tended():
                self.change(Resume(), None)
        except Busy:
            self._journal = None
            raise
        self.show()
        return True

    def _tended(self) -> bool:
        """Whether another process may have this table in memory, and closes its window."""
        when = due(self.table)
        return self._fellows.any and (when is None or clock.now() < when + UNTENDED_MS)

    def enter(
        self, sid: str, seat: str | None, patches: Wants = False, *, robot: bool = False
    ) -> None:
        """A connection comes; who lent their seat to a robot and is no robot is back by that."""
        if not robot and any(one.lent for one in self.table.seats if one.seat == seat):
            with suppress(Refused):  # a log that is full keeps nobody out
                self.change(ReturnSeat(seat=seat), seat)
        super().enter(sid, seat, patches)

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
                return self._try(sid, said, id, sender, fingerprint), False
        except Conflict:
            known = self._store.answer(self.code, id)
        except Busy:
            pass
        if known is None:
            return self.refusal(Fault("busy")), False
        if known[0] != fingerprint:
            return self.refusal(Fault("id_reused", id=id)), False
        return codec.answer(known[1]), True

    def _try(self, sid: str, said: Said, id: str, seat: str, fingerprint: str) -> Answer:
        """Decides and stores. What is refused is stored too, to be refused again.

        Raises ``Busy``; ``Conflict`` where a command with this id was answered already: so
        long ago that only the store knows, or by another process.
        """
        for _ in range(TRIES):
            answer, events, at = self._decide(sid, said, self.heard(seat))
            if not events and self._fellows.any and self.catch_up():
                continue  # only the newest state refuses
            if answer.error and answer.error.ruling == "log-full":
                return answer  # will be so for ever, and isn't kept for ever
            body = codec.encode(answer)
            kept = statements.insert_answer(self.code, id, fingerprint, body)
            try:
                self.append(events, at, kept)
            except Conflict:
                if not self.catch_up() or self._store.answer(self.code, id):
                    raise
                continue
            self._answers[id] = (fingerprint, body.decode())
            if len(self._answers) > REMEMBERED:
                self._answers.popitem(last=False)
            return answer
        raise Busy("others are always faster")

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
        return self.settle(heard, sender, lambda _events: more)

    def settle(self, heard: Said, sender: str | None, more: More) -> tuple[Happened, ...]:
        """What is heard happens together with what belongs to it; gives the events.

        Raises ``Refused``, ``Busy``; ``Conflict`` where something of ``more`` is stored already.
        """
        for _ in range(TRIES):
            moment = self._moment()
            try:
                events = decide(self.table, heard, sender=sender, moment=moment)
            except Refused:
                if self._fellows.any and self.catch_up():
                    continue
                raise
            try:
                self.append(events, moment.now, *more(events))
            except Conflict:
                if not self.catch_up():
                    raise
                continue
            return events
        raise Busy("others are always faster")

    def append(self, events: tuple[Happened, ...], at: int, *more: Statement) -> None:
        """Stores events with what belongs to them, and only then evolves and publishes."""
        if not events and not more:
            return
        first = self.version + 1
        bodies = [codec.encode(event) for event in events]
        happened = statements.insert_events(self.code, first, at, bodies)
        try:
            self._store.write(*((happened, *more) if events else more))
        except Conflict:
            self._fellows.conflicts += 1
            raise
        if not events:
            return
        assert self._journal is not None
        for event in events:
            self._journal.add(event, at)
        self.foreign = False
        self._tell_others(first, at, bodies)
        self.show()

    def _tell_others(self, first: int, at: int, bodies: list[bytes]) -> None:
        """The processes that somebody is at hear it; all who follow, where it isn't known which."""
        others = [there.by for there in self.presence.others]
        if others or self._blind:
            raw = tuple(map(Raw, bodies))
            news = News(by=self._fellows.me, table=self.code, first=first, at=at, events=raw)
            for whom in others or [self.code]:
                self._fellows.tell(whom, news)

    def remark(self, game: int, seat: str | None, remark: Remark) -> None:
        """Somebody leaves a line at a moment of a finished game; raises ``Fault``, ``Busy``."""
        place = self.code, game
        for _ in range(TRIES):
            known = [shown(row) for row in self._store.remarks(self.code, game)]
            change = made(remark, place, self.game(game), self.placed(seat), known)
            try:
                return self._store.write(change) if change is not None else None
            except Conflict:  # another process took this number
                continue
        raise Busy("others are always faster")

    def tick(self) -> None:
        """The clock: closes a window whose time is up, lets a held one run again."""
        try:
            events = self.change(Tick(), None)
        except Busy:
            self._alarms.set(self.code, clock.now() + AGAIN_MS)
            return
        if not events:
            self.arm()

    def arm(self) -> None:
        """The clock rings when it has something to do here, a little late if others have, too."""
        when, late = due(self.table), LATE_MS if self.foreign or self._blind else 0
        self._alarms.set(self.code, None if when is None else when + self._grace() + late)

    def _moment(self, sid: str | None = None) -> Moment:
        grace = self._grace() if sid is None else self._grace_of(sid)
        chance = token_bytes(36)
        return Moment(
            now=clock.now(),
            lot=int.from_bytes(chance[:4]),
            salt=chance[4:].hex(),
            grace_ms=grace,
            host_away_ms=self.presence.away_ms(self.table.host),
            here=self.presence.here,
            room=self._most - self.version,
        )

    @property
    def _blind(self) -> bool:
        """Whether others may be here by way of other processes, of which nothing is heard."""
        return self._fellows.any and not self.attended

    def _grace_of(self, sid: str) -> int:
        return min(MOST_GRACE_MS, self._audience.round_trip(sid))

    def _grace(self) -> int:
        """How long the window waits for the slowest connection that may still Nope."""
        if self._blind:
            return MOST_GRACE_MS
        game = self.table.game
        if game is None or game.window is None or game.played is None or game.window.held_by:
            return 0
        waited: set[str | None] = {*could_nope(self.table, game.played.top)}
        waited -= {*game.window.passed}
        waited |= {self.table.host} if waited else set()
        trips = [self._audience.round_trip(v.sid) for v in self._viewers if v.seat in waited]
        trips += [place.trip_ms for place in self.elsewhere(waited)]
        return min(MOST_GRACE_MS, max(trips, default=0))
