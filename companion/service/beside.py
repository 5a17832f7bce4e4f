"""The tables in memory, as processes beside this one have them in memory, too.

What they say is heard at once, if it arrives; the log is asked each second, whether it does
or not. This module must not know what brings the messages, nor who plays.
"""

import threading
from collections.abc import Collection
from contextlib import suppress

from companion.rules.core.commands import Resume
from companion.service import clock
from companion.service.awake import Awake
from companion.service.bus import Fellows, Gone, Message, News, Signed, There
from companion.service.errors import Fault
from companion.service.live_table import LiveTable
from companion.service.logs import bug, line
from companion.service.presence import Audience
from companion.storage.database import Busy
from companion.storage.store import Store

ASK_SECONDS = 0.9
"""How often the log is asked for what no message brought: twice within the two seconds of promise
92, since what was found the first time may be on its way."""

LIVE_SECONDS = 1.0
"""How often others hear that this process is there."""

INTRODUCE_ROUNDS = 5
"""Every so many rounds all others hear who is here, whether anything changed or not."""

FIRST_ASKS = 3
"""So often a process asks what time it is before it begins: what is slow at first is quick then."""

CLOCK_ROUNDS = 30

APART_MS = 2000
"""So far a process' own clock may be from the database's without a word."""


class Beside(Awake):
    """The tables in memory, kept up with what others do at them."""

    clock_off = 0
    """How many ms this machine's clock is before the database's."""

    def __init__(self, kept: Store, awake: int, most: int, fellows: Fellows) -> None:
        super().__init__(kept, awake, most, fellows)
        self._behind = threading.Event()
        self._newest: dict[str, int] = {}

    def open(self, audience: Audience) -> None:
        """From now on others are heard, too."""
        super().open(audience)
        if not self.fellows.any:
            return
        with suppress(Busy):
            for _ in range(FIRST_ASKS):
                self._follow_the_clock()
        for kind in (News, There, Signed):
            self.fellows.on(kind, self._heard)
        self.fellows.on(Gone, self._gone)
        self.fellows.start(self._store.epoch, self._followed)
        threading.Thread(target=self._keep_known, name="known", daemon=True).start()
        threading.Thread(target=self._keep_up, name="beside", daemon=True).start()

    def close(self) -> None:
        """Others hear that nobody is here any more."""
        super().close()
        for code, live in list(self._live.items()):
            if live.presence.viewers:
                self.fellows.tell(code, There(by=self.fellows.me, seats={}, watching=0))
        self.fellows.close()

    # --- hearing -----------------------------------------------------------------------

    def _heard(self, code: str, message: Message) -> None:
        live = self._live.get(code)
        if live is not None:
            live.inbox.append(message)
            self._afterwards(live)

    def _afterwards(self, live: LiveTable) -> None:
        """What was heard while somebody had the table is taken in; never waits."""
        while live.inbox and live.lock.acquire(blocking=False):
            gone: list[str] = []
            try:
                if live.closed or not live.version:
                    live.inbox.clear()  # it is read from the log, if ever
                    continue
                live.hear()
                self._settle(live)
                gone = live.dismissed()
            except Exception:
                live.behind = True
                bug("heard")
            finally:
                live.lock.release()
                if live.behind:
                    self._behind.set()
            for sid in gone:
                self._audience.close(sid)

    def _gone(self, code: str, _message: Message) -> None:
        live = self._live.get(code)
        if live is not None:
            live.behind = True
            self._behind.set()

    def _leave(self, live: LiveTable) -> None:
        """The table was deleted, and whoever is there is told so when they ask."""
        with live.lock:
            self._forget(live)
        for sid in list(live.presence.viewers):
            self._audience.close(sid)

    # --- being heard -------------------------------------------------------------------

    def _forget(self, live: LiveTable) -> None:
        if live.attended:
            self.fellows.leave(live.code)
        super()._forget(live)

    def _settle(self, live: LiveTable) -> None:
        super()._settle(live)
        if self.fellows.any:
            self._attend(live)
            live.introduce(self._robots(live.code))

    def _attend(self, live: LiveTable) -> None:
        """What happens elsewhere at a table is followed while somebody is here."""
        attended = bool(live.presence.viewers)
        if attended != live.attended:
            live.attended = attended
            (self.fellows.follow if attended else self.fellows.leave)(live.code)
            if not attended:
                live.presence.forget(lambda _by: True)

    def _followed(self, code: str) -> None:
        """From now on others are heard at this table; what was missed and who is there is asked."""
        self._audience.followed(code)
        live = self._live.get(code)
        if live is not None:
            live.introduce(self._robots(code), asks=True)
            live.behind = True
            self._behind.set()

    def _robots(self, code: str) -> Collection[str]:
        """The seats at which this process lets robots play."""
        return ()

    def _keep_known(self) -> None:
        rounds = 0
        while not self._stopped.wait(LIVE_SECONDS):
            rounds += 1
            try:
                self.fellows.live_on()
                self._forget_the_silent()
                if rounds % INTRODUCE_ROUNDS == 0:
                    self._introduce()
            except Exception:
                bug("beside")

    def _forget_the_silent(self) -> None:
        for live in list(self._live.values()):
            if live.presence.others and live.lock.acquire(blocking=False):
                try:
                    live.presence.forget(self.fellows.gone)
                    live.tell_presence()
                finally:
                    live.lock.release()

    def _introduce(self) -> None:
        for live in list(self._live.values()):
            if live.presence.viewers:
                live.introduce(self._robots(live.code), again=True)
        self._audience.introduce()

    # --- asking ------------------------------------------------------------------------

    def _keep_up(self) -> None:
        rounds = 0
        while not self._stopped.is_set():
            rounds += 1
            try:
                if rounds % CLOCK_ROUNDS == 0:
                    self._follow_the_clock()
                self._ask()
            except Busy:
                pass
            except Exception:
                bug("beside")
            self._behind.wait(ASK_SECONDS)
            self._behind.clear()

    def _ask(self) -> None:
        """Whether the log has what no message brought."""
        tables = {
            live.code: live
            for live in list(self._live.values())
            if live.presence.viewers or live.behind or live.code in self._alarms
        }
        before, self._newest = self._newest, self._store.versions([*tables]) if tables else {}
        known = before if self.fellows.heard_for() else self._newest  # else news may be on its way
        for code, live in tables.items():
            if code not in self._newest and live.version:
                self._leave(live)
            elif known.get(code, 0) > live.version or live.behind:
                self._look_into(live)

    def _look_into(self, live: LiveTable) -> None:
        try:
            with self.at(live.code):
                pass
        except Fault:
            return
        except Busy:
            raise
        except Exception:  # a log that can't be read, as of a later version of this program
            bug("beside")
            self._leave(live)

    def _follow_the_clock(self) -> None:
        """All processes have the database's clock; where that is set, no window is lost by it.

        When it was read is known as closely as the answer was quick: a clock that may be right is
        left as it is, as after an answer during which this process was frozen.
        """
        before = clock.now()
        there = self._store.now()
        now = clock.now()
        step = there - (before + now) // 2
        if abs(step) <= (now - before) // 2 + 1:
            return
        apart, self.clock_off = abs(self.clock_off) > APART_MS, clock.own() - now - step
        if abs(self.clock_off) > APART_MS and not apart:
            line("clock", off_ms=self.clock_off)
        with self._alarms.still():
            clock.follow(step)
            for live in list(self._live.values()) if abs(step) > APART_MS else ():
                with suppress(Busy, Fault), self.at(live.code) as table:
                    table.presence.shift(step)
                    table.change(Resume(), None)
