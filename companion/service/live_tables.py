"""The tables in memory: each loaded from its log when it is asked for, and forgotten when nobody
has been there for long; and what happens at them by itself, by the clock."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from companion.rules.core.rulings import Refused
from companion.service.clock import Timers
from companion.service.errors import Damaged, Denied, Fault, Share
from companion.service.live_table import LiveTable, TableServices
from companion.service.log import DamagedTables
from companion.service.logs import log_bugs
from companion.service.peers import Peers
from companion.service.publisher import Audience
from companion.storage.database import Busy
from companion.storage.store import Store

HEAD_SECONDS = 5
HOUSES = Share("house_rules", 50)  # tables in memory at which an address may have house rules
AGAIN_MS = 500  # after this the clock tries again what the store did not take


class LiveTables:
    """The tables of one store that somebody asked for lately, at most about ``limit`` of them.
    ``settled``: called with a table's lock after what happened. ``released``: once it is free."""

    def __init__(
        self, store: Store, timers: Timers, peers: Peers, limit: int, events_limit: int
    ) -> None:
        self._timers = timers
        self._peers = peers
        self._limit = limit
        self.alarms = timers.alarms(self._ring)
        self._around = TableServices(
            store, timers.clock, self.alarms, timers.alarms(self._send_presence), peers,
            events_limit,
        )  # fmt: skip
        self.after_access: list[Callable[[LiveTable], None]] = []
        self.after_release: list[Callable[[LiveTable], None]] = []
        self.damages = DamagedTables(timers.clock)
        self._lock = threading.Lock()
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._audience: Audience

    def open(self, audience: Audience) -> None:
        """From now on windows close and connections hear what happens."""
        self._audience = audience
        self.alarms.start()
        self._around.presence_alarms.start()
        self._timers.every(HEAD_SECONDS, "heads", self._send_heads)

    def __len__(self) -> int:
        return len(self._live)

    def __iter__(self) -> Iterator[LiveTable]:
        return iter(list(self._live.values()))

    def get(self, code: str) -> LiveTable | None:
        return self._live.get(code)

    def check_house(self, address: str, code: str = "") -> None:
        """Whether one more table of a host at this address may have house rules, for which it has a
        variant of its own in memory; raises ``Fault``."""
        others = [live for live in self if live.code != code and live.log.loaded]
        hosts = [one.presence.address_of(str(one.table.host)) for one in others if one.table.house]
        HOUSES.check(hosts.count(address))

    @contextmanager
    def at(self, code: str, *, fresh: bool = True) -> Iterator[LiveTable]:
        """The table, locked and loaded; raises ``Fault`` when there is none, or ``Denied``.
        ``fresh``: with everything that any process wrote; what is decided need not be."""
        while True:
            live = self.get_or_create(code)
            gone: list[str] = []
            try:
                with live.lock:
                    if live.closed:
                        continue
                    try:
                        self._wake(live, fresh)
                        yield live
                    except Refused as refused:
                        raise Denied(live.error(refused)) from None
                    except Damaged as damaged:
                        self.damages.note(damaged)
                        raise
                    self.settle(live)
                    gone = live.publisher.take_dismissed()
            finally:
                for call in self.after_release:
                    call(live)
            break
        for sid in gone:
            self._audience.close(sid)

    def settle(self, live: LiveTable) -> None:
        """Whatever follows from what happened at a table; its lock is held."""
        for call in self.after_access:
            call(live)

    def _wake(self, live: LiveTable, fresh: bool) -> None:
        try:
            if not live.log.loaded:
                self.damages.check(live.code)
            if live.ensure_loaded():
                self.damages.clear(live.code)
            elif fresh and (self._peers.any or live.sync.behind):
                with suppress(Busy):  # what it knows is shown meanwhile
                    live.catch_up()
        except Fault:
            self._leave(live)
            raise

    def get_or_create(self, code: str) -> LiveTable:
        """The table, which may still have to be loaded."""
        try:  # each of these is done at one stroke
            self._live.move_to_end(code)
            return self._live[code]
        except KeyError:
            pass
        with self._lock:
            if code not in self._live:
                self._evict_idle()
                self._live[code] = LiveTable(code, self._around, self._audience)
            self._live.move_to_end(code)
            return self._live[code]

    def forget(self, live: LiveTable) -> None:
        """It is loaded anew if anybody asks for it; its lock is held."""
        live.sync.leave()
        live.closed = True
        self._live.pop(live.code, None)

    def _leave(self, live: LiveTable) -> None:
        """It can't be shown any more; whoever is there is told why when they come again."""
        self.forget(live)
        for sid in live.presence.sids:
            self._audience.close(sid)

    def _evict_idle(self) -> None:
        """Forgets the tables that were not asked for longest, if nobody is there."""
        over = len(self._live) - self._limit
        for live in list(self._live.values())[: max(0, over)]:
            idle = not live.presence.sids and live.code not in self.alarms
            if idle and live.lock.acquire(blocking=False):
                self.forget(live)
                live.lock.release()

    def _ring(self, code: str) -> None:
        # Of one that is gone, or can't be read, whoever opens it again sets the clock.
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
