"""Robots at tables: who adds them, when they work, when they get up. A robot's seat is a fact of
the log; whether it is at work follows from that and from who is there, after a restart, too."""

import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex

from msgspec import Struct

from companion.robots.player import NAMES, TEMPERS
from companion.rules import families
from companion.rules.core import names
from companion.rules.core.commands import LendSeat, SeatRobot
from companion.rules.core.events import Event
from companion.rules.core.model import Table
from companion.rules.core.table_events import SeatTaken
from companion.rules.core.variant import Variant
from companion.service.clock import Timers
from companion.service.errors import Damaged, Fault
from companion.service.live_table import LiveTable
from companion.service.live_tables import LiveTables
from companion.service.logs import log_bugs
from companion.service.peers import Peers
from companion.service.requests import KeyedRequest, Lent, Robot
from companion.service.workers import Posts, Reservation
from companion.storage import statements
from companion.storage.database import Busy
from companion.storage.statements import Statement
from companion.storage.statements import StoredRobot as Key
from companion.storage.store import Store

IDLE_MS = 30 * 60 * 1000  # for so long robots play on at a table where no person is
ABSENT_MS = 60 * 1000  # so long without a person, they may be called to another table
QUIET_MS = 60 * 1000  # after so long without a word, too
PEERS_MS = 4000  # for so long a peer may bring the robots that are missing at a table
LOOK_SECONDS = 3  # how often it is looked whether robots have to get up, or can sit down after all
TEMPER_NAMES = tuple(temper.name for temper in TEMPERS)
BRISK = tuple(temper.name for temper in TEMPERS if not temper.hesitation)  # holds no window


class Attendance(Struct):
    """What was looked at of a table lately: its seats, and who was here. ``people``: whether there
    are any; ``met``: when there were last, in ms, if there were since it was loaded; ``came``: when
    somebody came to where nobody was. ``lacking``: since when robots are missing that a peer may
    bring."""

    seats: object = None
    here: object = None
    people: bool = False
    met: int | None = None
    came: int = 0
    lacking: int | None = None


class RobotDesk:
    """The robots at the tables of one process: ``posts`` has those at work."""

    def __init__(
        self, live: LiveTables, store: Store, posts: Posts, peers: Peers, timers: Timers
    ) -> None:
        self._live = live
        self._store = store
        self.posts = posts
        self._peers = peers
        self._timers = timers
        self._clock = timers.clock
        self._attendance: dict[str, Attendance] = {}

    def open(self) -> None:
        """From now on robots get up where nobody is."""
        if self.posts.limit:
            self._timers.every(LOOK_SECONDS, "robots", self._look)

    def add(
        self, request: KeyedRequest, code: str, caller: str, name: str | None, temper: str | None,
        address: str = "",
    ) -> Robot:  # fmt: skip
        """A seat with a robot, which the host adds in the lobby, calling from an address."""
        with self.reservation(address, 1, code) as wanted, self._live.at(code) as live:
            check_played(live.table.variant)
            self._note_attendance(code)
            name = name or _free_name(live.table)
            temper = temper or random.choice(TEMPER_NAMES)
            said = SeatRobot(name=name, robot=temper)

            def result_of(events: tuple[Event, ...]) -> Robot:
                return Robot(next(e.seat for e in events if isinstance(e, SeatTaken)), said.name)

            def more(events: tuple[Event, ...]) -> tuple[Statement, ...]:
                self.reserve(wanted)
                robot = result_of(events)
                live.presence.asked_from[robot.seat] = address
                return key_of(code, robot.seat), *request.statements(robot, self._clock.now())

            return result_of(live.apply_internal(said, caller, more))

    def lend(
        self, request: KeyedRequest, code: str, seat: str, secret: str, temper: str | None,
        address: str = "",
    ) -> Lent:  # fmt: skip
        """A robot plays on at this seat with the deck of this secret."""
        with self.reservation(address, 1, code) as wanted, self._live.at(code) as live:
            check_played(live.table.variant)
            said = LendSeat(seat=seat, robot=temper or random.choice(BRISK), secret=secret)
            self._note_attendance(code)

            def more(events: tuple[Event, ...]) -> tuple[Statement, ...]:
                if events:
                    self.reserve(wanted)
                    live.presence.asked_from[seat] = address
                key = Key(code, seat, token_hex(32), secret.lower())
                lent = Lent(live.table.seat(seat).robot or said.robot)
                stored = statements.delete(Key, code=code, seat=seat), statements.insert(key)
                return *stored, *request.statements(lent, self._clock.now())

            live.apply_internal(said, seat, more)
            return Lent(str(live.table.seat(seat).robot))

    def _note_attendance(self, code: str) -> None:
        """A person was here just now, whose robots are for this process to bring."""
        attendance = self._attendance.setdefault(code, Attendance())
        attendance.met = attendance.came = self._clock.own()
        attendance.lacking = 0

    @contextmanager
    def reservation(self, address: str, robots: int, code: str = "") -> Iterator[Reservation]:
        """Yields a reservation to ``reserve``, which ends with the block: by then robots sit."""
        one = Reservation(address, robots, code)
        try:
            yield one
        finally:
            self.posts.release(one)

    def reserve(self, reservation: Reservation) -> None:
        """Take the robots' share before anything is stored; again, it takes no more. Raises
        ``Fault`` when so many robots can't be had from this address."""
        self.posts.release(reservation)
        self._make_room(reservation.address, reservation.robots)
        self.posts.reserve(reservation)

    def bring(self, live: LiveTable, address: str) -> None:
        """A table was made with robots for somebody at this address, who is about to connect."""
        self._note_attendance(live.code)
        for seat in live.table.seats:
            if seat.robot:
                live.presence.asked_from[seat.seat] = address

    def settle(self, live: LiveTable) -> None:
        """After whatever happened at a table its robots are where they have to be."""
        if not self.posts.limit:
            return
        attendance = self._attendance.get(live.code)
        seats = live.table.seats
        here = live.presence.here
        if attendance is None:
            if not any(seat.robot for seat in seats):
                return
            attendance = self._attendance[live.code] = Attendance()
        if attendance.seats is not seats or attendance.here is not here:
            attendance.seats = seats
            attendance.here = here
            self._update_posts(live, attendance)

    def _update_posts(self, live: LiveTable, attendance: Attendance) -> None:
        seats = live.table.seats
        unopened = live.table.seats_with_closed_decks
        wanted = {s.seat: s.robot for s in seats if s.robot and (not s.gone or s.seat in unopened)}
        were = attendance.people
        attendance.people = bool(live.presence.here - wanted.keys())
        if were or attendance.people:
            attendance.met = self._clock.own()
        if attendance.people and not were:
            attendance.came = self._clock.own()
        if attendance.met is None or self._clock.own() - attendance.met >= IDLE_MS:
            wanted = {}
        at_work = self.posts.at(live.code)
        wanted = {s: wanted[s] for s in wanted if not self._plays_elsewhere(live, s, at_work)}
        to_open = at_work & (unopened - {s.seat for s in seats})
        self.posts.rise(live.code, at_work - wanted.keys() - to_open)
        missing = {seat: str(wanted[seat]) for seat in wanted if seat not in at_work}
        if self._for_us(live, attendance, bool(missing)) and not self._is_abandoned(attendance):
            with suppress(Busy):  # it is looked again soon
                self._bring(live, attendance, missing)

    def _bring(self, live: LiveTable, attendance: Attendance, missing: dict[str, str]) -> None:
        """Robots of these tempers sit down, as far as there are any."""
        people = live.presence.here - {seat.seat for seat in live.table.seats if seat.robot}
        for seat, temper in missing.items():
            asked = live.presence.asked_from.get(seat)
            address = asked or live.presence.address_of(*people)
            if not self._quiet(live.code, attendance):
                self._make_room(address, 1)
            found = self._store.one(Key, code=live.code, seat=seat)
            if found is None:
                continue
            try:
                self.posts.sit(live.code, seat, temper, found.key, found.secret, address)
            except ValueError as error:
                self._live.damages.note(Damaged(live.code, "robot", error))

    def _plays_elsewhere(self, live: LiveTable, seat: str, at_work: set[str]) -> bool:
        """Whether a peer lets this seat's robot play; of two the first by name does."""
        names = [there.by for there in live.presence.others if seat in there.robots]
        return bool(names) and (seat not in at_work or min(names) < self._peers.me)

    def _for_us(self, live: LiveTable, attendance: Attendance, missing: bool) -> bool:
        """Whether this process is to bring what is missing, or a peer may for a while."""
        if not missing or not self._peers.any:
            attendance.lacking = None
        elif attendance.lacking is None:
            attendance.lacking = self._clock.own()
        if attendance.lacking and not live.sync.attended:
            return False  # who brings them elsewhere isn't heard
        return attendance.lacking is None or self._clock.own() - attendance.lacking >= PEERS_MS

    def _make_room(self, address: str, wanted: int) -> None:
        """Robots get up for this address, if it lacks any, where nobody is or says anything. First
        those that it has itself, and of those the ones left first."""
        idle = [(not self.posts.count_held(address, code), attendance.met or 0, code)
                for code, attendance in self._attendance.items()
                if self._is_abandoned(attendance) or self._quiet(code, attendance)]  # fmt: skip
        for others, _, code in sorted(idle):
            within = self.posts.shares(address, wanted)
            if (within and self.posts.free >= wanted) or (others and not within):
                return
            self.posts.give_way(code)

    def _is_abandoned(self, attendance: Attendance) -> bool:
        """Whether nobody has been at a table for a while."""
        return not attendance.people and self._clock.own() - (attendance.met or 0) >= ABSENT_MS

    def _quiet(self, code: str, attendance: Attendance) -> bool:
        """Whether nobody has said anything at a table for a while, nor come to it."""
        live = self._live.get(code)
        said_at = live.log.projection.said_at if live and live.log.loaded else 0
        since = min(self._clock.own() - attendance.came, self._clock.now() - said_at)
        return since >= QUIET_MS

    def _look(self) -> None:
        for code in sorted(self.posts.stored_tables() | self._attendance.keys()):
            with log_bugs("robots"), suppress(Busy):
                self._look_at(code)

    def _look_at(self, code: str) -> None:
        if self._live.get(code) is None and code not in self.posts.stored_tables():
            self._attendance.pop(code, None)
            return
        try:
            with self._live.at(code, fresh=False) as live:
                self._update_posts(live, self._attendance.setdefault(code, Attendance()))
        except Fault:
            self.dismiss(code)

    def dismiss(self, code: str) -> None:
        self._attendance.pop(code, None)
        self.posts.rise(code, self.posts.at(code))


def check_played(variant: Variant) -> None:
    """Whether robots can play a variant; raises ``Fault``."""
    if not families.of(variant).devices:
        raise Fault("refused", what="robots")


def brisk(count: int) -> list[str]:
    """This many tempers that keep nobody waiting."""
    return random.sample(BRISK, count)


def seat_robot(table: Table, temper: str) -> SeatRobot:
    """The command that seats a robot of this temper under a name that nobody at the table has."""
    return SeatRobot(name=_free_name(table), robot=temper)


def key_of(code: str, seat: str) -> Statement:
    """Stores a new key for the decks of the robot at this seat."""
    return statements.insert(Key(code, seat, token_hex(32), None))


def _free_name(table: Table) -> str:
    taken = [one.name for one in table.seats] + [one.name for one in table.waiting]
    free = [name for name in NAMES if not any(names.alike(name, one) for one in taken)]
    return random.choice(free)
