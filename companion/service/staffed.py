"""Tables at which robots sit: who adds them, when they are at work, and when they get up.

A robot's seat is a fact of the table's log; whether a robot is at work there follows from it and
from whether people are: nobody has to remember it over a restart. This module must not know how a
robot plays.
"""

import random
import threading
from collections.abc import Collection
from secrets import token_hex

from msgspec import Struct

from companion.robots.names import NAMES
from companion.robots.wire.temper import TEMPERS
from companion.rules import families
from companion.rules.core import chain
from companion.rules.core.commands import LendSeat, SeatRobot
from companion.rules.core.events import Happened
from companion.rules.core.model import Table
from companion.rules.core.table_events import SeatTaken
from companion.rules.core.variant import Variant
from companion.service import clock
from companion.service.beside import Beside
from companion.service.bus import Fellows
from companion.service.crew import Crew
from companion.service.errors import Fault
from companion.service.live_table import LiveTable
from companion.service.logs import bug
from companion.service.once import Errand, Robot
from companion.storage import statements
from companion.storage.database import Busy
from companion.storage.statements import Statement
from companion.storage.store import Store

IDLE_MS = 30 * 60 * 1000
"""For so long robots play on at a table where no person is."""

ABSENT_MS = 60 * 1000
"""After so long without a person they may be called to another table, if no others are free."""

OTHERS_MS = 4000
"""For so long another process may bring the robots that are missing at a table."""

LOOK_SECONDS = 3
"""How often it is looked whether robots have to get up, or can sit down after all."""

TEMPER_NAMES = tuple(temper.name for temper in TEMPERS)

BRISK = tuple(temper.name for temper in TEMPERS if not temper.hesitation)
"""The tempers that hold no window."""


class Manned(Struct):
    """What was looked at of a table lately: its seats, and who was here.

    ``people``: whether there are any; ``met``: when there were last, in ms, if there were since it
    was loaded. ``lacking``: since when robots are missing that another process may bring.
    """

    seats: object = None
    here: object = None
    people: bool = False
    met: int | None = None
    lacking: int | None = None


class Staffed(Beside):
    """The tables of one store, and the robots at them."""

    def __init__(self, kept: Store, awake: int, most: int, crew: Crew, fellows: Fellows) -> None:
        super().__init__(kept, awake, most, fellows)
        self.crew = crew
        self._manned: dict[str, Manned] = {}

    def look_after_robots(self) -> None:
        """From now on robots get up where nobody is."""
        if self.crew.most:
            threading.Thread(target=self._look, name="robots", daemon=True).start()

    # --- robots come -------------------------------------------------------------------

    def add_robot(
        self, errand: Errand, code: str, caller: str, name: str | None, temper: str | None
    ) -> Robot:
        """A seat with a robot, which the host adds in the lobby."""
        with self.at(code) as live:
            check_played(live.table.variant)
            self._meet(code)
            heard = _robot(live.table, name, temper)

            def added(events: tuple[Happened, ...]) -> Robot:
                return Robot(next(e.seat for e in events if isinstance(e, SeatTaken)), heard.name)

            def kept(events: tuple[Happened, ...]) -> tuple[Statement, ...]:
                self._have(1)
                robot = added(events)
                key = statements.insert_robot(code, robot.seat, token_hex(32), None)
                return key, *errand.done(robot)

            return added(live.settle(heard, caller, kept))

    def lend(self, code: str, seat: str, secret: str, temper: str | None) -> str:
        """A robot plays on at this seat with the deck of this secret; gives its temper."""
        with self.at(code) as live:
            check_played(live.table.variant)
            heard = LendSeat(seat=seat, robot=temper or random.choice(BRISK), secret=secret)
            self._meet(code)

            def kept(events: tuple[Happened, ...]) -> tuple[Statement, ...]:
                if events:
                    self._have(1)
                forget = statements.delete_robot(code, seat)
                return forget, statements.insert_robot(code, seat, token_hex(32), secret.lower())

            live.settle(heard, seat, kept)
            return str(live.table.seat(seat).robot)

    def _meet(self, code: str) -> None:
        """A person was here just now, whose robots are for this process to bring."""
        manned = self._manned.setdefault(code, Manned())
        manned.met, manned.lacking = clock.now(), 0

    # --- robots sit down and get up ----------------------------------------------------

    def _settle(self, live: LiveTable) -> None:
        """After whatever happened at a table its robots are where they have to be."""
        self._staff_if_need_be(live)
        super()._settle(live)

    def _staff_if_need_be(self, live: LiveTable) -> None:
        if not self.crew.most:
            return
        manned = self._manned.get(live.code)
        seats, here = live.table.seats, live.presence.here
        if manned is None:
            if not any(seat.robot for seat in seats):
                return
            manned = self._manned[live.code] = Manned()
        if manned.seats is not seats or manned.here is not here:
            manned.seats, manned.here = seats, here
            self._staff(live, manned)

    def _staff(self, live: LiveTable, manned: Manned) -> None:
        seats, unopened = live.table.seats, live.table.unopened
        wanted = {s.seat: s.robot for s in seats if s.robot and (not s.gone or s.seat in unopened)}
        were, manned.people = manned.people, bool(live.presence.here - wanted.keys())
        if were or manned.people:
            manned.met = clock.now()
        if manned.met is None or clock.now() - manned.met >= IDLE_MS:
            wanted = {}
        at_work = self.crew.at(live.code)
        wanted = {s: wanted[s] for s in wanted if not self._elsewhere(live, s, at_work)}
        to_open = at_work & (unopened - {s.seat for s in seats})
        self.crew.rise(live.code, *(at_work - wanted.keys() - to_open))
        missing = wanted.keys() - at_work
        if manned.people:
            self._make_room(len(missing))
        if not self._ours(live, manned, bool(missing)):
            return
        for seat in missing:
            try:
                found = self._store.robot(live.code, seat)
            except Busy:
                return  # it is looked again soon
            if found is not None:
                self.crew.sit(live.code, seat, str(wanted[seat]), *found)

    def _elsewhere(self, live: LiveTable, seat: str, at_work: set[str]) -> bool:
        """Whether another process lets this seat's robot play; of two the first by name does."""
        by = live.presence.robots_elsewhere.get(seat)
        return by is not None and (seat not in at_work or by < self.fellows.me)

    def _ours(self, live: LiveTable, manned: Manned, missing: bool) -> bool:
        """Whether this process is to bring what is missing, or another one may for a while."""
        if not missing or not self.fellows.any:
            manned.lacking = None
        elif manned.lacking is None:
            manned.lacking = clock.now()
        if manned.lacking and not live.attended:
            return False  # who brings them elsewhere isn't heard
        return manned.lacking is None or clock.now() - manned.lacking >= OTHERS_MS

    def _robots(self, code: str) -> Collection[str]:
        return self.crew.at(code)

    def _have(self, wanted: int) -> None:
        """Raises ``Fault`` when so many robots can't be had."""
        self._make_room(wanted)
        self.crew.check(wanted)

    def _make_room(self, wanted: int) -> None:
        """Robots get up at tables where nobody is, those left first, if no others are free."""
        for code, manned in sorted(self._manned.items(), key=lambda item: item[1].met or 0):
            if self.crew.free >= wanted:
                return
            if not manned.people and clock.now() - (manned.met or 0) >= ABSENT_MS:
                manned.met = None
                self.crew.rise(code, *self.crew.at(code))

    def _look(self) -> None:
        while not self._stopped.wait(LOOK_SECONDS):
            for code in self.crew.tables() | self._manned.keys():
                try:
                    self._look_at(code)
                except Busy:
                    continue
                except Exception:
                    bug("robots")

    def _look_at(self, code: str) -> None:
        if code not in self._live and code not in self.crew.tables():
            self._manned.pop(code, None)
            return
        try:
            with self.at(code, fresh=False) as live:
                self._staff(live, self._manned.setdefault(code, Manned()))
        except Fault:
            self._dismiss(code)

    def _dismiss(self, code: str) -> None:
        """The table is gone."""
        self._manned.pop(code, None)
        self.crew.rise(code, *self.crew.at(code))


def check_played(variant: Variant) -> None:
    """Whether robots can play a variant; raises ``Fault``."""
    if not families.of(variant).devices:
        raise Fault("refused", what="robots")


def _robot(table: Table, name: str | None, temper: str | None) -> SeatRobot:
    """A robot of this name and temper, or of those that it brings."""
    return SeatRobot(name=name or _free_name(table), robot=temper or random.choice(TEMPER_NAMES))


def _free_name(table: Table) -> str:
    taken = {chain.same_name(one.name) for one in table.seats}
    taken |= {chain.same_name(one.name) for one in table.waiting}
    return random.choice([name for name in NAMES if chain.same_name(name) not in taken])
