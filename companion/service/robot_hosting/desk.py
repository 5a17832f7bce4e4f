"""Adds, starts and stops the robots at tables.

A robot's seat is recorded by an event in the log. But no event records which robots are running.
Which robots have to run is decided from the table's seats and the connected people, and this works
even after a restart.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex

from msgspec import Struct

from companion.robots.player import NAMES, TEMPERS
from companion.rules import families
from companion.rules.core.commands import LendSeat, SeatRobot
from companion.rules.core.state import Table
from companion.rules.core.table_events import SeatTaken
from companion.rules.core.types import Event
from companion.rules.text import names
from companion.rules.variants.variant import Variant
from companion.service.addresses import OWN_MACHINE
from companion.service.clock import Timers
from companion.service.errors import Damaged, Fault
from companion.service.live_tables import LiveTables
from companion.service.logs import log_bugs
from companion.service.peers.messages import Peers
from companion.service.requests import KeyedRequest, LentSeat, Robot
from companion.service.robot_hosting.worker_process import Posts, Reservation
from companion.service.table.live_table import LiveTable
from companion.storage import statements
from companion.storage.database import Busy
from companion.storage.statements import Statement
from companion.storage.statements import StoredRobot as Key
from companion.storage.store import Store

IDLE_MS = 30 * 60 * 1000  # a table's robots stop after this time without people
# If a table has only one person, its robots stop after that person has been away for this time. The
# time is long enough to reload the page.
LEFT_MS = 10 * 1000
# after this time without people, a table's robots can be stopped to start those of another table
ABSENT_MS = 60 * 1000
# after this time without an event, a table's robots can be stopped even if people are connected
QUIET_MS = 60 * 1000
PEERS_MS = 4000  # time to wait before starting missing robots, which a peer may be starting
LOOK_SECONDS = 3  # interval of the regular check
TEMPER_NAMES = tuple(temper.name for temper in TEMPERS)
BRISK = tuple(temper.name for temper in TEMPERS if not temper.hesitation)
"""The tempers (styles of play) of robots that never prolong the time for playing a Nope."""


class Attendance(Struct):
    """When people were last at a table with robots. Times are in ms."""

    seats: object = None  # the table's seats when its robots were last checked
    here: object = None  # the connected seats at that time
    people: bool = False  # True if a person is connected
    visited: bool = False  # True if a person was connected since the robots were last requested
    # when people were last connected; None if never since the table was loaded
    last_people_at: int | None = None
    people_since: int = 0  # when the first person connected after a time without people
    # the time at which this process first noticed that robots are missing (a peer may be starting
    # them); None if no robots are missing
    missing_since: int | None = None


class RobotDesk:
    """Starts and stops the robots at the tables of one process."""

    def __init__(
        self, live: LiveTables, store: Store, posts: Posts, peers: Peers, timers: Timers
    ) -> None:
        self._live = live
        self._store = store
        self.posts = posts  # the robots that are running
        self._peers = peers
        self._timers = timers
        self._clock = timers.clock
        self._attendance: dict[str, Attendance] = {}

    def open(self) -> None:
        """Start the regular check of which robots have to run."""
        if self.posts.limit:
            self._timers.every(LOOK_SECONDS, "robots", self._check_all_tables)

    def add(
        self, request: KeyedRequest, code: str, caller: str, name: str | None, temper: str | None,
        address: str = "",
    ) -> Robot:  # fmt: skip
        """Add a seat with a robot in the lobby.

        ``caller`` is the host's seat, and ``address`` is the host's network address. If ``name`` or
        ``temper`` is None, it is chosen at random.
        """
        with self.reservation(address, 1, code) as reservation, self._live.at(code) as live:
            check_robots_can_play(live.table.variant)
            self._note_attendance(code)
            name = name or _free_name(live.table)
            temper = temper or random.choice(TEMPER_NAMES)
            command = SeatRobot(name=name, robot=temper)

            def result_of(events: tuple[Event, ...]) -> Robot:
                seat = next(e.seat for e in events if isinstance(e, SeatTaken))
                return Robot(seat, command.name)

            def more(events: tuple[Event, ...]) -> tuple[Statement, ...]:
                self.reserve(reservation)
                robot = result_of(events)
                live.presence.asked_from[robot.seat] = address
                key = insert_robot_key(code, robot.seat)
                return key, *request.statements(robot, self._clock.now())

            return result_of(live.apply_internal(command, caller, more))

    def lend(
        self, request: KeyedRequest, code: str, seat: str, secret: str, temper: str | None,
        address: str = "",
    ) -> LentSeat:  # fmt: skip
        """Let a robot take over a player's seat.

        ``secret`` is the secret of the deck on the player's device.
        """
        with self.reservation(address, 1, code) as reservation, self._live.at(code) as live:
            check_robots_can_play(live.table.variant)
            command = LendSeat(seat=seat, robot=temper or random.choice(BRISK), secret=secret)
            self._note_attendance(code)

            def more(events: tuple[Event, ...]) -> tuple[Statement, ...]:
                if events:
                    self.reserve(reservation)
                    live.presence.asked_from[seat] = address
                key = Key(code, seat, token_hex(32), secret.lower())
                lent = LentSeat(live.table.seat(seat).robot or command.robot)
                replace_key = statements.delete(Key, code=code, seat=seat), statements.insert(key)
                return *replace_key, *request.statements(lent, self._clock.now())

            live.apply_internal(command, seat, more)
            return LentSeat(str(live.table.seat(seat).robot))

    def _note_attendance(self, code: str) -> None:
        """Record that a person is at the table, so that this process starts the table's robots."""
        attendance = self._attendance.setdefault(code, Attendance())
        attendance.last_people_at = attendance.people_since = self._clock.own()
        attendance.missing_since = 0
        attendance.visited = False

    @contextmanager
    def reservation(self, address: str, robots: int, code: str = "") -> Iterator[Reservation]:
        """Yield a reservation of robots, to be passed to ``reserve``.

        The reservation ends with the block, so the reserved robots have to be started inside the
        block.
        """
        reservation = Reservation(address, robots, code)
        try:
            yield reservation
        finally:
            self.posts.release(reservation)

    def reserve(self, reservation: Reservation) -> None:
        """Make sure that the reserved robots can be started once their seats are stored.

        Can be called repeatedly for one reservation. Raise ``Fault`` if this address can't have
        that many robots now.
        """
        self.posts.release(reservation)
        self._make_room(reservation.address, reservation.robots)
        self.posts.reserve(reservation)

    def start_at_new_table(self, live: LiveTable, address: str) -> None:
        """Let the robots of a new table start now, because the player at this address will connect
        soon."""
        self._note_attendance(live.code)
        for seat in live.table.seats:
            if seat.robot:
                live.presence.asked_from[seat.seat] = address

    def update_robots(self, live: LiveTable) -> None:
        """Start or stop a table's robots if its seats or the connected seats have changed."""
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
        had_people = attendance.people
        attendance.people = bool(live.presence.here - wanted.keys())
        if had_people or attendance.people:
            attendance.last_people_at = self._clock.own()
        if attendance.people and not had_people:
            attendance.people_since = self._clock.own()
        attendance.visited |= attendance.people
        stays_ms = LEFT_MS if attendance.visited and is_practice(live.table) else IDLE_MS
        if (
            attendance.last_people_at is None
            or self._clock.own() - attendance.last_people_at >= stays_ms
        ):
            wanted = {}
        at_work = self.posts.seats_with_robots(live.code)
        wanted = {s: wanted[s] for s in wanted if not self._plays_elsewhere(live, s, at_work)}
        to_open = at_work & (unopened - {s.seat for s in seats})
        self.posts.stop_robots(live.code, at_work - wanted.keys() - to_open)
        missing = {seat: str(wanted[seat]) for seat in wanted if seat not in at_work}
        ours = self._should_start(live, attendance, bool(missing))
        if ours and not self._is_abandoned(attendance):
            with suppress(Busy):  # retried at the next regular check
                self._start_missing(live, attendance, missing)

    def _start_missing(
        self, live: LiveTable, attendance: Attendance, missing: dict[str, str]
    ) -> None:
        """Start the missing robots while the limit allows it.

        ``missing`` maps seats to tempers (styles of play).
        """
        people = live.presence.here - {seat.seat for seat in live.table.seats if seat.robot}
        for seat, temper in missing.items():
            asked = live.presence.asked_from.get(seat)
            present = live.presence
            seated = OWN_MACHINE if present.is_local(*people) else present.address_of(*people)
            address = asked or seated
            if not self._is_quiet(live.code, attendance):
                self._make_room(address, 1)
            row = self._store.one(Key, code=live.code, seat=seat)
            if row is None:
                continue
            try:
                self.posts.start_robot(live.code, seat, temper, row.key, row.secret, address)
            except ValueError as error:
                self._live.damages.note(Damaged(live.code, "robot", error))

    def _plays_elsewhere(self, live: LiveTable, seat: str, at_work: set[str]) -> bool:
        """Return True if a peer runs this seat's robot.

        If this process and the peer both run the robot, the process whose name sorts first keeps
        it.
        """
        processes = [there.by for there in live.presence.others if seat in there.robots]
        return bool(processes) and (seat not in at_work or min(processes) < self._peers.me)

    def _should_start(self, live: LiveTable, attendance: Attendance, missing: bool) -> bool:
        """Return True if this process should start the missing robots now.

        If there are other processes, this process first waits for ``PEERS_MS``, because a peer may
        be running the robots already.
        """
        if not missing or not self._peers.any:
            attendance.missing_since = None
        elif attendance.missing_since is None:
            attendance.missing_since = self._clock.own()
        if attendance.missing_since and not live.sync.attended:
            # while this process isn't subscribed, a peer could start them unnoticed
            return False
        return (
            attendance.missing_since is None
            or self._clock.own() - attendance.missing_since >= PEERS_MS
        )

    def _make_room(self, address: str, wanted: int) -> None:
        """Stop robots at unused tables until this address can have ``wanted`` more robots.

        A table is unused if it is abandoned or quiet. The robots of this address are stopped first,
        beginning with those at the table that was abandoned first. Robots of other addresses are
        stopped only if the ``wanted`` robots don't exceed this address' share.
        """
        idle = [(not self.posts.count_held(address, code), attendance.last_people_at or 0, code)
                for code, attendance in self._attendance.items()
                if self._is_abandoned(attendance) or self._is_quiet(code, attendance)
                or self._has_left(code, attendance, address)]  # fmt: skip
        for of_others, _, code in sorted(idle):
            within_share = self.posts.may_have_more(address, wanted)
            if (within_share and self.posts.free >= wanted) or (of_others and not within_share):
                return
            self.posts.stop_robots_without_player(code)

    def _is_abandoned(self, attendance: Attendance) -> bool:
        """Return True if nobody has been at the table for ``ABSENT_MS``."""
        return (
            not attendance.people
            and self._clock.own() - (attendance.last_people_at or 0) >= ABSENT_MS
        )

    def _has_left(self, code: str, attendance: Attendance, address: str) -> bool:
        """Return True if the robots are this address' own and nobody is at the practice table."""
        live = self._live.get(code)
        return bool(
            live
            and live.log.loaded
            and is_practice(live.table)
            and attendance.visited
            and not attendance.people
            and self.posts.count_held(address, code)
        )

    def _is_quiet(self, code: str, attendance: Attendance) -> bool:
        """Return True if no event happened and no person arrived within ``QUIET_MS``."""
        live = self._live.get(code)
        last_event_at = live.log.projection.last_event_at if live and live.log.loaded else 0
        since = min(self._clock.own() - attendance.people_since, self._clock.now() - last_event_at)
        return since >= QUIET_MS

    def _check_all_tables(self) -> None:
        """Start and stop robots at all tables. Called every ``LOOK_SECONDS`` seconds."""
        for code in sorted(self.posts.tables_with_robots() | self._attendance.keys()):
            with log_bugs("robots"), suppress(Busy):
                self._check_table(code)

    def _check_table(self, code: str) -> None:
        if self._live.get(code) is None and code not in self.posts.tables_with_robots():
            self._attendance.pop(code, None)
            return
        try:
            with self._live.at(code, fresh=False) as live:
                self._update_posts(live, self._attendance.setdefault(code, Attendance()))
        except Fault:
            self.dismiss(code)

    def dismiss(self, code: str) -> None:
        """Stop all robots of a table."""
        self._attendance.pop(code, None)
        self.posts.stop_robots(code, self.posts.seats_with_robots(code))


def check_robots_can_play(variant: Variant) -> None:
    """Raise ``Fault`` if robots can't play this variant."""
    if not families.find_family(variant).devices:
        raise Fault("refused", what="robots")


def is_practice(table: Table) -> bool:
    """Return True if one person plays with robots, and no robot plays in that person's place."""
    return sum(seat.robot is None for seat in table.seats) == 1


def brisk_tempers(count: int) -> list[str]:
    """Return ``count`` different tempers (styles of play) with which robots keep nobody waiting."""
    return random.sample(BRISK, count)


def seat_robot(table: Table, temper: str) -> SeatRobot:
    """Return the command that seats a robot with this temper and an unused name."""
    return SeatRobot(name=_free_name(table), robot=temper)


def insert_robot_key(code: str, seat: str) -> Statement:
    """Return the statement that stores a new key for the decks of the robot at this seat."""
    return statements.insert(Key(code, seat, token_hex(32), None))


def _free_name(table: Table) -> str:
    """Return a random name for a robot that can't be confused with another name at the table."""
    taken = [seat.name for seat in table.seats] + [waiting.name for waiting in table.waiting]
    free = [name for name in NAMES if not any(names.look_alike(name, other) for other in taken)]
    return random.choice(free)
