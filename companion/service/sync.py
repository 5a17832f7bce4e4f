"""Tables kept in step with the store, and with what peers write there: that is heard at once, if it
arrives, and the log is asked each second all the same: it may also have lost its end."""

from collections.abc import Callable, Collection
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.rules.core.commands import Resume
from companion.service.clock import Task, Timers
from companion.service.errors import Fault
from companion.service.logs import bug, line
from companion.service.peers import ALL, Alive, Gone, Message, News, Peers, Signed, There
from companion.service.publisher import Audience
from companion.storage.database import Busy
from companion.storage.statements import Head
from companion.storage.store import Store

if TYPE_CHECKING:
    from companion.service.live_table import LiveTable
    from companion.service.live_tables import LiveTables

ASK_SECONDS = 0.9
"""How often the log is asked for what no message brought: twice within the two seconds of promise
92, since what was found the first time may be on its way."""

LIVE_SECONDS = 1.0  # how often peers hear that this process is there
INTRODUCE_ROUNDS = 5  # every so many rounds peers hear who is here, changed or not
FIRST_ASKS = 3  # so often a process asks for the time before it begins: later answers are quick
CLOCK_ROUNDS = 30
APART_MS = 2000  # so far a process' own clock may be from the database's without a word


class Sync:
    """All tables in memory (``tables``), kept in step with what peers do at them. ``robots_at``
    gives the seats at which this process lets robots play. ``clock_off``: how many ms this
    machine's clock is before the database's."""

    def __init__(
        self, tables: "LiveTables", store: Store, peers: Peers, timers: Timers,
        robots_at: Callable[[str], Collection[str]],
    ) -> None:  # fmt: skip
        self._tables = tables
        self._store = store
        self._peers = peers
        self._timers = timers
        self._clock = timers.clock
        self._robots_at = robots_at
        self.clock_off = 0
        self._heads: dict[str, Head] = {}
        self._known_rounds = self._asked_rounds = 0
        self._knows_the_time = False
        self._asking: Task
        self._audience: Audience

    def open(self, audience: Audience) -> None:
        """From now on the log is asked, and peers are heard and hear of this process."""
        self._audience = audience
        self._asking = self._timers.every(ASK_SECONDS, "sync", self._poll_log)
        if not self._peers.any:
            return
        with suppress(Busy):
            for _ in range(FIRST_ASKS):
                self.follow_the_clock()
        for kind in (News, There, Signed):
            self._peers.on(kind, self._on_message)
        self._peers.on(Gone, self._look_into)
        self._peers.start(self._store.epoch, self._on_subscribed)
        self._timers.every(LIVE_SECONDS, "peers", self._send_alive)

    def close(self) -> None:
        """Peers hear that nobody is here any more."""
        for live in self._tables:
            if live.presence.viewers:
                self._peers.publish(live.code, There(by=self._peers.me, seats={}, watching=0))
        self._peers.close()

    def settle(self, live: "LiveTable") -> None:
        live.sync.attend()
        live.sync.introduce(self._robots_at(live.code))

    def take_in(self, live: "LiveTable") -> None:
        """What was heard while somebody had the table is taken in; never waits."""
        while live.sync.inbox and live.lock.acquire(blocking=False):
            gone: list[str] = []
            try:
                if live.closed or not live.version:
                    live.sync.inbox.clear()  # it is read from the log, if ever
                    continue
                live.take_messages()
                self._tables.settle(live)
                gone = live.publisher.take_dismissed()
            except Fault:  # the log tells why
                live.sync.behind = True
            except Exception:
                live.sync.behind = True
                bug("sync")
            finally:
                live.lock.release()
                if live.sync.behind:
                    self._asking.soon()
            for sid in gone:
                self._audience.close(sid)

    def _on_message(self, code: str, message: Message) -> None:
        if live := self._tables.get(code):
            live.sync.inbox.append(message)
            self.take_in(live)

    def _look_into(self, code: str, _message: Message | None = None) -> None:
        if live := self._tables.get(code):
            live.sync.behind = True
            self._asking.soon()

    def _on_subscribed(self, code: str) -> None:
        """From now on peers are heard at this table; what was missed and who is there is asked."""
        self._audience.on_subscribed(code)
        if live := self._tables.get(code):
            live.sync.introduce(self._robots_at(code), asks=True)
            self._look_into(code)

    def _send_alive(self) -> None:
        self._peers.publish(ALL, Alive(by=self._peers.me))
        for live in self._tables:
            if live.presence.others and live.lock.acquire(blocking=False):
                try:
                    live.presence.forget(self._peers.is_gone)
                    live.publisher.send_presence()
                finally:
                    live.lock.release()
        self._known_rounds += 1
        if self._known_rounds % INTRODUCE_ROUNDS == 0:
            for live in self._tables:
                live.sync.remind(self._robots_at(live.code))
            self._audience.introduce()

    def _poll_log(self) -> None:
        self._asked_rounds += 1
        due = self._asked_rounds % CLOCK_ROUNDS == 0 or not self._knows_the_time
        if self._peers.any and due:
            self.follow_the_clock()
        # Whether the log has what no message brought, or has it no more.
        tables = {live.code: (live, live.log.head) for live in self._tables}
        before = self._heads
        self._heads = self._store.heads([*tables])
        known = before if self._peers.heard_for() else self._heads  # else news may be on its way
        for code, (live, read) in tables.items():
            head = self._heads.get(code)
            if read and (head is None or head.has_lost_events(read)):
                live.sync.behind = True
            elif code in known and known[code].version > live.version:
                live.sync.behind |= bool(live.presence.sids) or code in self._tables.alarms
            if live.sync.behind:
                with suppress(Fault), self._tables.at(code):
                    pass

    def follow_the_clock(self) -> None:
        """All processes have the database's clock; where that is set, no window is lost by it. When
        it was read is known as closely as the answer was quick: a clock that may be right is left
        as it is, as after an answer during which this process was frozen."""
        before = self._clock.now()
        there = self._store.now()
        now = self._clock.now()
        self._knows_the_time = True
        step = there - (before + now) // 2
        if abs(step) <= (now - before) // 2 + 1:
            return
        apart = abs(self.clock_off) > APART_MS
        self.clock_off = self._clock.own() - now - step
        if abs(self.clock_off) > APART_MS and not apart:
            line("clock", off_ms=self.clock_off)
        with self._tables.alarms.pause():
            far = [*self._tables] if abs(step) > APART_MS else []
            self._clock.follow(step)
            for live in far:  # before anybody comes by the new clock
                live.presence.shift(step)
            for live in far:
                with suppress(Busy, Fault), self._tables.at(live.code) as table:
                    table.apply_internal(Resume(), None)
