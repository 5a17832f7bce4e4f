"""The tables in memory: each loaded from its log when it is asked for, and forgotten when nobody
has been there for long; and what happens at them by itself, by the clock.

This module must not know of HTTP or sockets, nor who has a seat.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from companion.rules.core.rulings import Refused
from companion.service import clock
from companion.service.answers import Denied
from companion.service.bus import Fellows
from companion.service.clock import Alarms
from companion.service.damages import Damages
from companion.service.errors import Damaged, Fault
from companion.service.finished import Span
from companion.service.journal import rows
from companion.service.live_table import AGAIN_MS, LiveTable
from companion.service.logs import bug
from companion.service.presence import Audience
from companion.service.remarks import readable
from companion.storage.database import Busy
from companion.storage.statements import Event
from companion.storage.store import Store

HEAD_SECONDS = 5


class Awake:
    """The tables of one store that somebody asked for lately."""

    def __init__(self, kept: Store, awake: int, most: int, fellows: Fellows) -> None:
        self._store, self.fellows = kept, fellows
        self._awake, self._most = awake, most
        self._audience: Audience
        self._alarms, self._news = Alarms(self._ring), Alarms(self._tell_presence)
        self._lock = threading.Lock()
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._stopped = threading.Event()
        self.damages = Damages()

    def open(self, audience: Audience) -> None:
        """From now on windows close and connections hear what happens."""
        self._audience = audience
        self._alarms.start()
        self._news.start()
        threading.Thread(target=self._tell_heads, name="heads", daemon=True).start()

    def close(self) -> None:
        """Nothing happens by itself any more."""
        self._stopped.set()
        self._alarms.stop()
        self._news.stop()

    def __len__(self) -> int:
        return len(self._live)

    def healthy(self) -> bool:
        """Whether windows close and what is said can be written."""
        return self._alarms.running and self._store.running

    def ready(self) -> bool:
        """Whether the store takes what is said."""
        return self._store.ready()

    def stored(self, code: str, span: Span) -> Iterator[Event]:
        """A finished game's events as they are stored."""
        versions = span.versions
        wanted = {*versions}
        for event in rows(self._store, code, span.start.version):
            if event.version in wanted:
                yield event
            if event.version >= versions[-1]:
                return

    def remarks(self, code: str, game: int) -> list[dict[str, Any]]:
        """What was noted at moments of a finished game, oldest first."""
        rows = self._store.remarks(code, game)
        known = readable(rows)
        if len(known) < len(rows):
            self.damages.note(Damaged(code, "remark", f"{len(rows) - len(known)} of game {game}"))
        return known

    def version(self, code: str) -> int:
        """The table's version if it is in memory, for whom the rest doesn't matter."""
        live = self._live.get(code)
        return live.version if live else 0

    def epoch(self, code: str) -> str:
        """What names the table's log, if it is in memory."""
        live = self._live.get(code)
        return live.epoch if live and live.version else ""

    # --- one table ---------------------------------------------------------------------

    @contextmanager
    def at(self, code: str, *, fresh: bool = True) -> Iterator[LiveTable]:
        """The table, locked and loaded; raises ``Fault`` when there is none, or ``Denied``.

        ``fresh``: with everything that any process wrote; what is decided need not be.
        """
        while True:
            live = self._live_table(code)
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
                    self._settle(live)
                    gone = live.dismissed()
            finally:
                self._afterwards(live)
            break
        for sid in gone:
            self._audience.close(sid)

    def _wake(self, live: LiveTable, fresh: bool) -> None:
        try:
            if not live.version:
                self.damages.check(live.code)
            if live.wake():
                self.damages.mended(live.code)
            elif fresh and (self.fellows.any or live.behind):
                with suppress(Busy):  # what it knows is shown meanwhile
                    live.catch_up()
        except Fault:
            self._leave(live)
            raise

    def _settle(self, live: LiveTable) -> None:
        """Whatever follows from what happened at a table; its lock is held."""

    def _afterwards(self, live: LiveTable) -> None:
        """Whatever has to wait until a table's lock is free."""

    def _live_table(self, code: str) -> LiveTable:
        try:  # each of these is done at one stroke
            self._live.move_to_end(code)
            return self._live[code]
        except KeyError:
            pass
        with self._lock:
            if code not in self._live:
                self._rest()
                self._live[code] = LiveTable(
                    code, self._store, self._audience, self._alarms, self._news, self.fellows,
                    self._most,
                )  # fmt: skip
            self._live.move_to_end(code)
            return self._live[code]

    def _forget(self, live: LiveTable) -> None:
        live.closed = True
        self._live.pop(live.code, None)

    def _leave(self, live: LiveTable) -> None:
        """It can't be shown any more; whoever is there is told why when they come again."""
        self._forget(live)
        for sid in list(live.presence.viewers):
            self._audience.close(sid)

    def _rest(self) -> None:
        """Forgets the tables that were not asked for longest, if nobody is there."""
        over = len(self._live) - self._awake
        for live in list(self._live.values())[: max(0, over)]:
            if live.presence.viewers or live.code in self._alarms:
                continue
            if live.lock.acquire(blocking=False):
                self._forget(live)
                live.lock.release()

    def _ring(self, code: str) -> None:
        try:
            with self.at(code, fresh=False) as live:
                live.tick()
        except Busy:
            self._alarms.set(code, clock.now() + AGAIN_MS)
        except Fault:  # it is gone, or can't be read: whoever opens it again sets its clock
            return
        except Exception:  # one table's trouble doesn't stop the others' clock
            bug("alarm")

    def _tell_presence(self, code: str) -> None:
        live = self._live.get(code)
        if live is None:
            return
        with live.lock:
            try:
                live.tell_presence()
            except Exception:
                bug("presence")

    def _tell_heads(self) -> None:
        while not self._stopped.wait(HEAD_SECONDS):
            for live in list(self._live.values()):
                try:
                    live.tell_head()
                except Exception:
                    bug("head")
