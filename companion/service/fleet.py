"""Keeps all tables in memory in step with the store and with other processes.

Processes send each other the events that they commit. But a message can get lost, and a log can
lose its last events if an older copy of the database is restored. Therefore each process also
queries the newest event of every table in memory about once a second.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.rules.core.commands import Resume
from companion.service.clock import Task, Timers
from companion.service.errors import Fault
from companion.service.logs import bug, line
from companion.service.peers.messages import (
    ALL,
    Alive,
    Message,
    PeerEvents,
    PeerPresence,
    Peers,
    PeerSign,
    TableDeleted,
)
from companion.service.table.publisher import Audience
from companion.storage.database import Busy
from companion.storage.statements import Head
from companion.storage.store import Store

if TYPE_CHECKING:
    from companion.service.live_tables import LiveTables
    from companion.service.table.live_table import LiveTable

ASK_SECONDS = 0.9
"""Seconds between two queries of the newest events.

An event counts as missed only if two queries in a row have found it, because the event may still
arrive as a message after the first query. Both queries fit into the two seconds within which
viewers have to see an event even if its message is lost (promise 92 in docs/promises.md).
"""

LIVE_SECONDS = 1.0  # interval at which this process sends its peers that it is alive
# after this many intervals, this process also sends its peers all its connections again
INTRODUCE_ROUNDS = 5
FIRST_ASKS = 3  # queries for the database's time at the start, since the first answers are slow
CLOCK_ROUNDS = 30  # number of queries of the logs for each query of the database's time
APART_MS = 2000  # a larger difference from the database's clock is logged


class Sync:
    """Keeps all tables in memory in step with peers, and the clock in step with the database's."""

    def __init__(
        self, tables: "LiveTables", store: Store, peers: Peers, timers: Timers,
        robots_at: Callable[[str], Collection[str]],
    ) -> None:  # fmt: skip
        self._tables = tables
        self._store = store
        self._peers = peers
        self._timers = timers
        self._clock = timers.clock
        self._robots_at = robots_at  # returns the seats whose robots this process runs
        # the difference in ms between this machine's clock and the database's; positive if this
        # machine's is ahead
        self.clock_off = 0
        self._heads: dict[str, Head] = {}  # the newest stored event of each table at the last query
        self._alive_rounds = 0
        self._poll_rounds = 0
        self._knows_the_time = False
        self._asking: Task
        self._audience: Audience

    def open(self, audience: Audience) -> None:
        """Start querying the logs and exchanging messages with peers."""
        self._audience = audience
        self._asking = self._timers.every(ASK_SECONDS, "sync", self._poll_log)
        if not self._peers.any:
            return
        with suppress(Busy):
            for _ in range(FIRST_ASKS):
                self.follow_the_clock()
        for kind in (PeerEvents, PeerPresence, PeerSign):
            self._peers.on(kind, self._on_message)
        self._peers.on(TableDeleted, self._read_log_soon)
        self._peers.start(self._store.epoch, self._on_subscribed)
        self._timers.every(LIVE_SECONDS, "peers", self._send_alive)

    def close(self) -> None:
        """Notify peers that all connections to this process have ended, and stop."""
        for live in self._tables:
            if live.presence.viewers:
                self._peers.publish(
                    live.code, PeerPresence(by=self._peers.me, seats={}, watching=0)
                )
        self._peers.close()

    def share_presence(self, live: "LiveTable") -> None:
        """Subscribe to a table while it has connections, and notify peers of the connections."""
        live.sync.update_subscription()
        live.sync.share_presence(self._robots_at(live.code))

    def apply_inbox(self, live: "LiveTable") -> None:
        """Apply the messages in a table's inbox, unless another thread holds the table's lock.
        Never blocks.

        The thread that holds the lock calls this method again after releasing the lock.
        """
        while live.sync.inbox and live.lock.acquire(blocking=False):
            dismissed: list[str] = []
            try:
                if live.closed or not live.version:
                    # The table isn't loaded. Its log has the events of these messages, and is read
                    # when the table is loaded.
                    live.sync.inbox.clear()
                    continue
                live.take_messages()
                self._tables.run_after_access(live)
                dismissed = live.publisher.take_dismissed()
            except Fault:  # the error is reported when the log is read
                live.sync.behind = True
            except Exception:
                live.sync.behind = True
                bug("sync")
            finally:
                live.lock.release()
                if live.sync.behind:
                    self._asking.run_soon()
            for sid in dismissed:
                self._audience.close(sid)

    def _on_message(self, code: str, message: Message) -> None:
        if live := self._tables.get(code):
            live.sync.inbox.append(message)
            self.apply_inbox(live)

    def _read_log_soon(self, code: str, _message: Message | None = None) -> None:
        if live := self._tables.get(code):
            live.sync.behind = True
            self._asking.run_soon()

    def _on_subscribed(self, code: str) -> None:
        """Ask peers for their connections to a table, and read the table's log.

        Called once this process has subscribed to the messages about the table.
        """
        self._audience.on_subscribed(code)
        if live := self._tables.get(code):
            live.sync.share_presence(self._robots_at(code), asks=True)
            self._read_log_soon(code)

    def _send_alive(self) -> None:
        self._peers.publish(ALL, Alive(by=self._peers.me))
        for live in self._tables:
            if live.presence.others and live.lock.acquire(blocking=False):
                try:
                    live.presence.forget(self._peers.is_gone)
                    live.publisher.send_presence()
                finally:
                    live.lock.release()
        self._alive_rounds += 1
        if self._alive_rounds % INTRODUCE_ROUNDS == 0:
            for live in self._tables:
                live.sync.repeat_presence(self._robots_at(live.code))
            self._audience.announce_replays()

    def _poll_log(self) -> None:
        """Query the newest event of each table, and update the tables that are out of step.

        A table is out of step if this process hasn't received its newest events as messages, or if
        the database has lost the table's last events.
        """
        self._resume_after_suspension()
        self._poll_rounds += 1
        clock_is_due = self._poll_rounds % CLOCK_ROUNDS == 0 or not self._knows_the_time
        if self._peers.any and clock_is_due:
            self.follow_the_clock()
        tables = {live.code: (live, live.log.head) for live in self._tables}
        before = self._heads
        self._heads = self._store.heads([*tables])
        # While messages arrive, count an event as missed only if the previous query had found the
        # event, too.
        overdue = before if self._peers.seconds_connected() else self._heads
        for code, (live, read) in tables.items():
            head = self._heads.get(code)
            if read and (head is None or head.has_lost_events(read)):
                live.sync.behind = True
            elif code in overdue and overdue[code].version > live.version:
                live.sync.behind |= bool(live.presence.sids) or code in self._tables.alarms
            if live.sync.behind:
                with suppress(Fault), self._tables.at(code):
                    pass

    def _resume_after_suspension(self) -> None:
        """Give open windows time again soon after this machine was suspended, even if nobody sends
        a command."""
        self._clock.now()
        for live in self._tables:
            if live.suspensions != self._clock.suspensions:
                with suppress(Busy, Fault), self._tables.at(live.code) as table:
                    table.resume_after_suspension()

    def follow_the_clock(self) -> None:
        """Keep this process' clock aligned with the database's.

        The database reads its clock at some time between the query and the answer. Therefore this
        process adjusts its own clock only if the difference is larger than half the time between
        the query and the answer, so a slow answer changes nothing. If the database's clock jumps,
        no Nope window closes early, because the times of the tables in memory are adjusted, too.
        """
        before = self._clock.now()
        database_now = self._store.now()
        now = self._clock.now()
        self._knows_the_time = True
        step = database_now - (before + now) // 2
        if abs(step) <= (now - before) // 2 + 1:
            return
        was_apart = abs(self.clock_off) > APART_MS
        self.clock_off = self._clock.own() - now - step
        if abs(self.clock_off) > APART_MS and not was_apart:
            line("clock", off_ms=self.clock_off)
        with self._tables.alarms.pause():
            affected = [*self._tables] if abs(step) > APART_MS else []
            self._clock.follow(step)
            # Shift the stored times of connections first, before a client can connect and get a
            # time on the adjusted clock.
            for live in affected:
                live.presence.shift_times(step)
            for live in affected:
                with suppress(Busy, Fault), self._tables.at(live.code) as table:
                    table.apply_internal(Resume(), None)
