"""One table in memory, and everything that changes it.

A command passes through these steps: the rules decide which events it causes, the log stores
them in the database, and once they are committed every subscriber is called in turn (the
deadlines, the publisher, and the messages to other processes).

Hold ``LiveTable.lock`` while calling any method but the constructor.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from secrets import token_bytes

import msgspec
from msgspec import Struct, structs

from companion.rules.core import lobby
from companion.rules.core.commands import Command, DecisionInputs, Resume, ReturnSeat, Tick
from companion.rules.core.referee import decide, next_deadline
from companion.rules.core.state import Table
from companion.rules.core.types import Event
from companion.rules.text.rulings import Refused
from companion.service import codec, errors
from companion.service.clock import Alarms, Clock
from companion.service.errors import Answer, Damaged, Error, Fault
from companion.service.logs import line
from companion.service.peers.messages import Peers
from companion.service.table.deadlines import Deadlines
from companion.service.table.history import Span
from companion.service.table.log import Commit, Projection, TableLog
from companion.service.table.peer_sync import TableSync
from companion.service.table.presence import Presence, Viewer
from companion.service.table.publisher import Audience, Publisher
from companion.storage import statements
from companion.storage.database import Busy, Conflict
from companion.storage.statements import Statement
from companion.storage.store import Store

KNOCK_MS = 30_000  # minimum time between two notices about the same seat
TRIES = 20  # attempts to decide and store a command, because other processes may store events first

ExtraStatements = Callable[[tuple[Event, ...]], tuple[Statement, ...]]
"""Takes events, and returns the statements to store in the same commit."""


class TableServices(Struct, frozen=True):
    """The services that all live tables of one process share."""

    store: Store
    clock: Clock
    alarms: Alarms  # one alarm for each table: its next deadline
    presence_alarms: Alarms  # one alarm for each table: the time when it may send presence again
    peers: Peers
    limit: int  # maximum number of events in a table's log


class LiveTable:
    """A table in memory: the only place where its state changes."""

    def __init__(self, code: str, services: TableServices, audience: Audience) -> None:
        clock = services.clock
        peers = services.peers
        self.code = code
        self.lock = threading.Lock()
        # True once this object is out of use, because the table was evicted from memory
        self.closed = False
        self._clock = clock
        self._alarms = services.alarms
        # the clock's ``suspensions`` when this table's window last got time again
        self.suspensions = clock.suspensions
        self._peers = peers
        # maps a seat to the time at which the host was last notified that somebody wants to join
        # under the seat's name
        self._knocked: dict[str, int] = {}
        self.log = TableLog(code, services.store, services.limit)
        self.presence = Presence(clock)
        schedule_presence = partial(services.presence_alarms.schedule, code)
        self.publisher = Publisher(self.log, self.presence, audience, clock, schedule_presence)
        self.sync = TableSync(self.log, self.presence, self.publisher, audience, peers)
        self.deadlines = Deadlines(self.log, self.presence, self.sync, audience, services.alarms)
        peer_subscribers = (self.sync.on_commit,) if peers.any else ()
        self.subscribers = (*peer_subscribers, self.deadlines.set_alarm, self.publisher.publish)

    @property
    def table(self) -> Table:
        return self.log.table

    @property
    def version(self) -> int:
        """The version of the newest state. Safe to read without the lock."""
        return self.log.version

    def current_seat(self, seat: str | None) -> str | None:
        """Return the seat if it is still at this table, else None."""
        return next((s.seat for s in self.log.table.seats if s.seat == seat), None)

    def seat_or_waiting(self, seat: str | None) -> str | None:
        """Return the seat if it is at this table or waits for the next game, else None."""
        return seat if self.log.table.find_waiting(seat) else self.current_seat(seat)

    def commanding_seat(self, seat: str | None) -> str | None:
        """Return the seat if it may still send commands, else None.

        A seat that has left the table may still reveal the deck that its device kept.
        """
        return (
            seat if seat in self.log.table.seats_with_closed_decks else self.seat_or_waiting(seat)
        )

    def finished_game(self, number: int) -> Span:
        """Return the finished game with this number. Raise ``Fault`` (not_found)."""
        span = self.log.projection.games.spans.get(number)
        if span is None:
            raise Fault("not_found", what="game", game=number)
        return span

    def error(self, problem: Fault | Refused) -> Error:
        return errors.error(self.log.table, problem)

    def refusal(self, problem: Fault | Refused) -> Answer:
        return Answer(ok=False, version=self.log.version, error=self.error(problem))

    def ensure_loaded(self) -> bool:
        """Load the table from its log unless the table is in memory. Return True if it was loaded
        now.

        Raise ``Fault`` (not_found, or ``Damaged``) or ``Busy``.
        """
        if self.log.loaded:
            return False
        self.load(self.log.load())
        return True

    def load(self, projection: Projection) -> None:
        """Replace the state with one that is read from the log, and set the alarm for the next
        deadline.

        Raise ``Busy`` if this fails. The table then keeps its previous state.
        """
        before = self.log.projection if self.log.loaded else None
        self.log.set_projection(projection)
        self.sync.last_event_from_peer = self.sync.shared
        self.publisher.forget()
        try:
            if not self.sync.handled_by_peer(next_deadline(self.log.table), self._clock.now()):
                self.apply_internal(Resume(), None)
        except Busy:
            self.log.set_projection(before)
            raise
        self.deadlines.set_alarm()
        self.publisher.publish()

    def catch_up(self) -> bool:
        """Read the events that peers have committed since the last read. Return True if there are
        any.

        An event that was read before may be missing from the database now, because an older copy
        was restored. In that case, reload the whole log under a new epoch. Raise ``Busy``.
        """
        commit = self.sync.catch_up()
        if commit is not None:
            return self._notify(commit)
        version_before = self.log.version
        self.log.draw_epoch()
        self.load(self.log.load())
        line("lost", table=self.code, known=version_before, version=self.log.version)
        return True

    def resume_after_suspension(self) -> None:
        """Give an open window time again, as after a restart, because the machine was suspended.

        Raise ``Busy`` or ``Damaged``. In this case, the next decision calls this method again.
        """
        suspensions = self._clock.suspensions
        if self.sync.shared:
            self.catch_up()
        self.apply_internal(Resume(), None)
        self.suspensions = suspensions
        self._alarms.read_clock_again()

    def take_messages(self) -> None:
        """Apply the messages from peers, and send viewers the changes."""
        if not self._notify(self.sync.take_messages()):
            self.publisher.send_presence()

    def _notify(self, commit: Commit) -> bool:
        """Pass a commit with events to all subscribers. Return False if it has no events."""
        if commit.events:
            for subscriber in self.subscribers:
                subscriber(commit)
        return bool(commit.events)

    def append(self, events: tuple[Event, ...], at: int, *more: Statement) -> None:
        """Store events together with other statements, then apply them and notify subscribers.

        Raise ``Conflict`` if a peer has committed since the last read, or ``Busy`` if the database
        is unavailable. Nothing is stored in either case.
        """
        if not events and not more:
            return
        try:
            self._notify(self.log.append(events, at, more))
        except Conflict:
            self._peers.conflicts += 1
            raise

    def enter(self, viewer: Viewer, *, robot: bool = False) -> None:
        """Add a connection, or close it if its seat has a newer connection.

        A player who had lent the seat to a robot gets the seat back. Only a connection that yields
        (see ``presence``) doesn't get the seat back from a robot. It is closed.
        """
        seats = self.log.table.seats
        lent = not robot and any(seat.lent for seat in seats if seat.seat == viewer.seat)
        if self.presence.has_newer(viewer) or (lent and viewer.yields):
            return self.publisher.send_away((viewer.sid,))
        if lent:
            with suppress(Refused):  # a full log must not keep a player out
                self.apply_internal(ReturnSeat(seat=viewer.seat), viewer.seat)
        self.publisher.enter(viewer)

    def sign(self, seat: str | None, name: str, to: str | None = None) -> None:
        """Send a gesture from a seat to everyone at the table, or only to the seat ``to``.

        Gestures are not stored. Raise ``Fault`` (forbidden).
        """
        table = self.log.table
        if not (lobby.may_sign(table) if to is None else lobby.may_check(table, seat, to)):
            raise Fault("forbidden")
        self.publisher.sign(seat, name, to)
        self.sync.sign(seat, name, to)

    def knock(self, seat: str) -> None:
        """Notify the host that somebody wants to join under the name of this disconnected player.

        If the host isn't connected, notify all connected players, because each of them can become
        the host. This sends at most one notice for each seat every ``KNOCK_MS``.
        """
        now = self._clock.now()
        if now < self._knocked.get(seat, 0) + KNOCK_MS:
            return
        self._knocked[seat] = now
        here, host = self.presence.here, self.log.table.host
        for to in sorted(here) if host is None or host not in here else (host,):
            self.publisher.sign(seat, "door", to)
            self.sync.sign(seat, "door", to)

    def answer_command(self, sid: str, sender: str | None, command: Command) -> tuple[Answer, bool]:
        """Handle a command. Return its answer, and True if this is the answer to an earlier sending
        of the command.

        A command that is sent again with the same id isn't decided again: the client gets the first
        answer. A command with the same id but other content is refused (id_reused).
        """
        if sender is None:
            return self._decide(sid, command, None)[0], False
        with_seat = structs.replace(command, seat=command.seat or sender)
        id = str(command.id)
        fingerprint = codec.fingerprint(sender, with_seat)
        earlier = self.log.remembered_answer(id)
        try:
            if earlier is None:
                return self._decide_and_store(sid, command, id, sender, fingerprint), False
        except Conflict:
            earlier = self.log.stored_answer(id)
        except Busy:
            pass
        if earlier is None:
            return self.refusal(Fault("busy")), False
        if earlier.fingerprint != fingerprint:
            return self.refusal(Fault("id_reused", id=id)), False
        try:
            return msgspec.json.decode(earlier.answer, type=Answer), True
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise Damaged(self.code, "answer", error) from error

    def _decide_and_store(
        self, sid: str, command: Command, id: str, seat: str, fingerprint: str
    ) -> Answer:
        """Decide a command, and store its events with its answer. Retry on a conflict.

        A refusal isn't stored, but kept in memory for a while. If a command with this id was
        accepted before, its answer is in the database: raise ``Conflict``. Raise ``Busy`` after
        ``TRIES`` conflicts, or if the database is unavailable.
        """
        for _ in range(TRIES):
            answer, events, at = self._decide(sid, command, self.commanding_seat(seat))
            if self.suspensions != self._clock.suspensions:
                # without the suspension, the command might not have come too late
                self.resume_after_suspension()
                continue
            if not events and self.sync.shared and self.catch_up():
                continue  # before a command is refused, the newest state has to be read
            row = statements.StoredAnswer(self.code, id, fingerprint, codec.encode(answer).decode())
            try:
                if events:
                    self.append(events, at, statements.insert(row))
                elif self.log.stored_answer(id):
                    raise Conflict("accepted before")
            except Conflict:
                if not self.catch_up() or self.log.stored_answer(id):
                    raise
                continue
            self.log.remember(row)
            return answer
        raise Busy("others are always faster")

    def _decide(
        self, sid: str, command: Command, sender: str | None
    ) -> tuple[Answer, tuple[Event, ...], int]:
        """Return the answer to a command, the events it causes, and their time (ms)."""
        inputs = self._decision_inputs(sid)
        try:
            if sender is not None:
                codec.check_seats(command, sender, self.current_seat, self.seat_or_waiting)
            events = decide(self.log.table, command, sender=sender, inputs=inputs)
        except (Fault, Refused) as problem:
            return self.refusal(problem), (), inputs.now
        return Answer(ok=True, version=self.log.version + len(events)), events, inputs.now

    def apply_internal(
        self, command: Command, sender: str | None, more: ExtraStatements = lambda _events: ()
    ) -> tuple[Event, ...]:
        """Decide and store a command that comes from the server itself or from an HTTP request.

        Return the events. ``more`` returns statements to store in the same commit. Raise
        ``Refused`` or ``Busy``, or ``Conflict`` if one of these statements inserts a key that is
        stored already.
        """
        for _ in range(TRIES):
            inputs = self._decision_inputs()
            if self.suspensions != self._clock.suspensions and not isinstance(command, Resume):
                self.resume_after_suspension()
                continue
            try:
                events = decide(self.log.table, command, sender=sender, inputs=inputs)
            except Refused:
                if self.sync.shared and self.catch_up():
                    continue
                raise
            try:
                self.append(events, inputs.now, *more(events))
            except Conflict:
                if not self.catch_up():
                    raise
                continue
            return events
        raise Busy("others are always faster")

    def tick(self) -> None:
        """Close a Nope window if its time is up, or restart its clock if a hold has lasted too
        long.

        Raise ``Busy``.
        """
        if not self.apply_internal(Tick(), None):
            self.deadlines.set_alarm()

    def _decision_inputs(self, sid: str | None = None) -> DecisionInputs:
        random_bytes = token_bytes(36)
        return DecisionInputs(
            now=self._clock.now(),
            lot=int.from_bytes(random_bytes[:4]),
            salt=random_bytes[4:].hex(),
            grace_ms=self.deadlines.grace_ms(sid),
            host_away_ms=self.presence.away_ms(self.log.table.host),
            here=self.presence.here,
            room=self.log.room,
        )
