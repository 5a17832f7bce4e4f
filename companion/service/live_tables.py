"""The tables in memory.

A table is loaded from its log when it is first needed, and evicted when the limit is reached and
nobody is connected to it. This module also runs the timed work at tables: deadlines, delayed
presence, and the ``head`` event, which regularly sends viewers the table's epoch and version.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from companion.rules.text.rulings import Refused
from companion.service.clock import Timers
from companion.service.errors import Damaged, Denied, Fault, Share
from companion.service.logs import log_bugs
from companion.service.peers.messages import Peers
from companion.service.table.live_table import LiveTable, TableServices
from companion.service.table.log import DamagedTables
from companion.service.table.publisher import Audience
from companion.storage.database import Busy
from companion.storage.store import Store

HEAD_SECONDS = 5  # interval at which viewers are sent the table's epoch and version
# maximum number of tables with house rules in memory, for each address
HOUSE_RULES_SHARE = Share("house_rules", 50)
AGAIN_MS = 500  # delay before a deadline is retried if the store was busy


class LiveTables:
    """The most recently used tables of one store. About ``limit`` tables are kept at most."""

    def __init__(
        self, store: Store, timers: Timers, peers: Peers, limit: int, events_limit: int
    ) -> None:
        self._timers = timers
        self._peers = peers
        self._limit = limit
        self.alarms = timers.alarms(self._handle_deadline)
        self._services = TableServices(
            store, timers.clock, self.alarms, timers.alarms(self._send_presence), peers,
            events_limit,
        )  # fmt: skip
        self.after_access: list[Callable[[LiveTable], None]] = []
        """Functions called after each use of a table, while its lock is still held."""
        self.after_release: list[Callable[[LiveTable], None]] = []
        """Functions called after each use of a table, once its lock is free."""
        self.damages = DamagedTables(timers.clock)
        self._lock = threading.Lock()
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._audience: Audience

    def open(self, audience: Audience) -> None:
        """Start the alarms. From now on, send changes at the tables to ``audience``."""
        self._audience = audience
        self.alarms.start()
        self._services.presence_alarms.start()
        self._timers.every(HEAD_SECONDS, "heads", self._send_heads)

    def __len__(self) -> int:
        return len(self._live)

    def __iter__(self) -> Iterator[LiveTable]:
        return iter(list(self._live.values()))

    def get(self, code: str) -> LiveTable | None:
        return self._live.get(code)

    def check_house_rules_limit(self, address: str, code: str = "") -> None:
        """Raise ``Fault`` if hosts at this address have too many tables with house rules.

        Each such table keeps its own variant in memory. The table with this ``code`` isn't counted.
        """
        others = [live for live in self if live.code != code and live.log.loaded]
        addresses = [
            live.presence.address_of(str(live.table.host)) for live in others if live.table.house
        ]
        HOUSE_RULES_SHARE.check_address(address, addresses)

    @contextmanager
    def at(self, code: str, *, fresh: bool = True) -> Iterator[LiveTable]:
        """Yield the table, locked and loaded, and clean up after the block.

        If ``fresh`` is True, first read the events that other processes have committed. A command
        doesn't need this, because a conflict makes the table read those events anyway. Raise
        ``Fault`` if there is no such table, and ``Denied`` if the block raises ``Refused`` (the
        rules forbid something).
        """
        while True:
            live = self.get_or_create(code)
            dismissed: list[str] = []
            try:
                with live.lock:
                    if live.closed:
                        continue
                    try:
                        self._load_or_catch_up(live, fresh)
                        yield live
                    except Refused as refused:
                        raise Denied(live.error(refused)) from None
                    except Damaged as damaged:
                        self.damages.note(damaged)
                        raise
                    self.run_after_access(live)
                    dismissed = live.publisher.take_dismissed()
            finally:
                for callback in self.after_release:
                    callback(live)
            break
        for sid in dismissed:
            self._audience.close(sid)

    def run_after_access(self, live: LiveTable) -> None:
        """Call every ``after_access`` function for a table whose lock is held."""
        for callback in self.after_access:
            callback(live)

    def _load_or_catch_up(self, live: LiveTable, fresh: bool) -> None:
        try:
            if not live.log.loaded:
                self.damages.check(live.code)
            if live.ensure_loaded():
                self.damages.clear(live.code)
            elif fresh and (self._peers.any or live.sync.behind):
                with suppress(Busy):  # if the database is busy, use the state in memory
                    live.catch_up()
        except Fault:
            self._evict_unreadable(live)
            raise

    def get_or_create(self, code: str) -> LiveTable:
        """Return the table with this code. It may not be loaded yet."""
        try:  # each of these operations is atomic, so no lock is needed
            self._live.move_to_end(code)
            return self._live[code]
        except KeyError:
            pass
        with self._lock:
            if code not in self._live:
                self._evict_idle()
                self._live[code] = LiveTable(code, self._services, self._audience)
            self._live.move_to_end(code)
            return self._live[code]

    def forget(self, live: LiveTable) -> None:
        """Evict a table whose lock is held. The table is loaded again when it is next needed."""
        live.sync.unsubscribe()
        live.closed = True
        self._live.pop(live.code, None)

    def _evict_unreadable(self, live: LiveTable) -> None:
        """Evict a table that can't be read, and close its connections.

        The clients get the reason when they reconnect.
        """
        self.forget(live)
        for sid in live.presence.sids:
            self._audience.close(sid)

    def _evict_idle(self) -> None:
        """Evict the least recently used tables over the limit, if nobody is connected to them."""
        excess = len(self._live) - self._limit
        for live in list(self._live.values())[: max(0, excess)]:
            idle = not live.presence.sids and live.code not in self.alarms
            if idle and live.lock.acquire(blocking=False):
                self.forget(live)
                live.lock.release()

    def _handle_deadline(self, code: str) -> None:
        # If the table is gone or can't be read, its alarm is set again when it is next loaded.
        with log_bugs("alarm"), suppress(Fault):
            try:
                with self.at(code, fresh=False) as live:
                    live.tick()
            except Busy:
                self.alarms.schedule(code, self._timers.clock.now() + AGAIN_MS)

    def _send_presence(self, code: str) -> None:
        if live := self._live.get(code):
            with live.lock, log_bugs("presence"):
                live.publisher.send_presence()

    def _send_heads(self) -> None:
        for live in self:
            with log_bugs("head"):
                live.publisher.send_head()
