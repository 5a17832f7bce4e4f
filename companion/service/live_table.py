"""One table in memory, and everything that changes it. A command: decide → append → (committed) →
each subscriber in turn. Every method but the constructor is called with ``lock`` held."""

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from secrets import token_bytes

import msgspec
from msgspec import Struct, structs

from companion.rules.core import lobby
from companion.rules.core.commands import Command, DecisionInputs, Resume, ReturnSeat, Tick
from companion.rules.core.events import Event
from companion.rules.core.model import Table
from companion.rules.core.referee import decide, due
from companion.rules.core.rulings import Refused
from companion.service import codec, errors
from companion.service.clock import Alarms, Clock
from companion.service.deadlines import Deadlines
from companion.service.errors import Answer, Damaged, Error, Fault
from companion.service.history import Span
from companion.service.log import Commit, Projection, TableLog
from companion.service.logs import line
from companion.service.peers import Peers
from companion.service.presence import Presence, Viewer
from companion.service.publisher import Audience, Publisher
from companion.service.table_sync import TableSync
from companion.storage import statements
from companion.storage.database import Busy, Conflict
from companion.storage.statements import Statement
from companion.storage.store import Store

KNOCK_MS = 30_000  # how often the host is told that somebody asks for the same seat
TRIES = 20  # so often something is decided again because a peer was faster
ExtraStatements = Callable[[tuple[Event, ...]], tuple[Statement, ...]]  # stored with events


class TableServices(Struct, frozen=True):
    """What the live tables of one process have in common. ``limit``: how many events a log takes.
    ``presence_alarms``: when it may be told again who is at a table."""

    store: Store
    clock: Clock
    alarms: Alarms
    presence_alarms: Alarms
    peers: Peers
    limit: int


class LiveTable:
    """The one place where a table changes. ``closed``: forgotten, and to be asked for anew."""

    def __init__(self, code: str, around: TableServices, audience: Audience) -> None:
        clock = around.clock
        peers = around.peers
        self.code = code
        self.lock = threading.Lock()
        self.closed = False
        self._clock = clock
        self._peers = peers
        self._knocked: dict[str, int] = {}  # by seat: when the host was told that it is asked for
        self.log = TableLog(code, around.store, around.limit)
        self.presence = Presence(clock)
        tell_later = partial(around.presence_alarms.schedule, code)
        self.publisher = Publisher(self.log, self.presence, audience, clock, tell_later)
        self.sync = TableSync(self.log, self.presence, self.publisher, audience, peers)
        self.deadlines = Deadlines(self.log, self.presence, self.sync, audience, around.alarms)
        told = (self.sync.on_commit,) if peers.any else ()
        self.subscribers = (*told, self.deadlines.arm, self.publisher.publish)

    @property
    def table(self) -> Table:
        return self.log.table

    @property
    def version(self) -> int:
        """The newest state's version; readable without the lock."""
        return self.log.version

    def current_seat(self, seat: str | None) -> str | None:
        """The seat, if it is still one of this table's."""
        return next((s.seat for s in self.log.table.seats if s.seat == seat), None)

    def seat_or_waiting(self, seat: str | None) -> str | None:
        """The seat, if it is one of this table's or will be in the next game."""
        return seat if self.log.table.waiter(seat) else self.current_seat(seat)

    def commanding_seat(self, seat: str | None) -> str | None:
        """The seat, if it has a place or its device has yet to open the deck of one it had."""
        return (
            seat if seat in self.log.table.seats_with_closed_decks else self.seat_or_waiting(seat)
        )

    def game(self, number: int) -> Span:
        """The finished game with this number; raises ``Fault`` (not_found)."""
        span = self.log.projection.games.spans.get(number)
        if span is None:
            raise Fault("not_found", what="game", game=number)
        return span

    def error(self, problem: Fault | Refused) -> Error:
        return errors.error(self.log.table, problem)

    def refusal(self, problem: Fault | Refused) -> Answer:
        return Answer(ok=False, version=self.log.version, error=self.error(problem))

    def ensure_loaded(self) -> bool:
        """Loads the state; whether it wasn't there; raises ``Fault`` (not_found) or ``Busy``."""
        if self.log.loaded:
            return False
        self.load(self.log.load())
        return True

    def load(self, projection: Projection) -> None:
        """This is what the log comes to from now on, or all stays as it was; raises ``Busy``."""
        before = self.log.projection if self.log.loaded else None
        self.log.use(projection)
        self.sync.last_event_from_peer = self.sync.shared
        self.publisher.forget()
        try:
            if not self.sync.handled_by_peer(due(self.log.table), self._clock.now()):
                self.apply_internal(Resume(), None)
        except Busy:
            self.log.use(before)
            raise
        self.deadlines.arm()
        self.publisher.publish()

    def catch_up(self) -> bool:
        """Reads what peers have written since; whether anything is new; raises ``Busy``. All is
        read anew where the log isn't any more the one that was read."""
        commit = self.sync.catch_up()
        if commit is not None:
            return self._notify(commit)
        known = self.log.version
        self.log.draw_epoch()
        self.load(self.log.load())
        line("lost", table=self.code, known=known, version=self.log.version)
        return True

    def take_messages(self) -> None:
        if not self._notify(self.sync.take_messages()):
            self.publisher.send_presence()

    def _notify(self, commit: Commit) -> bool:
        """Whatever follows what was committed; whether it was anything."""
        if commit.events:
            for subscriber in self.subscribers:
                subscriber(commit)
        return bool(commit.events)

    def append(self, events: tuple[Event, ...], at: int, *more: Statement) -> None:
        """Stores events with what belongs to them; only then they have happened. Raises
        ``Conflict`` where a peer has written meanwhile, ``Busy``."""
        if not events and not more:
            return
        try:
            self._notify(self.log.append(events, at, more))
        except Conflict:
            self._peers.conflicts += 1
            raise

    def enter(self, viewer: Viewer, *, robot: bool = False) -> None:
        """A connection comes; who lent their seat to a robot and is no robot is back by that."""
        seats = self.log.table.seats
        lent = not robot and any(one.lent for one in seats if one.seat == viewer.seat)
        if self.presence.has_newer(viewer) or (lent and viewer.yields):
            return self.publisher.send_away((viewer.sid,))
        if lent:
            with suppress(Refused):  # a log that is full keeps nobody out
                self.apply_internal(ReturnSeat(seat=viewer.seat), viewer.seat)
        self.publisher.enter(viewer)

    def sign(self, seat: str | None, name: str, to: str | None = None) -> None:
        """Sends a sign, which all see, or one seat, and nobody keeps."""
        table = self.log.table
        if not (lobby.may_sign(table, seat) if to is None else lobby.may_check(table, seat, to)):
            raise Fault("forbidden")
        self.publisher.sign(seat, name, to)
        self.sync.sign(seat, name, to)

    def knock(self, seat: str) -> None:
        """Send the host a sign that somebody asks for this seat, which is away; not too often."""
        now = self._clock.now()
        if self.log.table.host and now >= self._knocked.get(seat, 0) + KNOCK_MS:
            self._knocked[seat] = now
            self.publisher.sign(seat, "door", self.log.table.host)
            self.sync.sign(seat, "door", self.log.table.host)

    def answer(self, sid: str, sender: str | None, command: Command) -> tuple[Answer, bool]:
        """What a command is acknowledged with, and whether it was answered before."""
        if sender is None:
            return self._decide(sid, command, None)[0], False
        spoken = structs.replace(command, seat=command.seat or sender)
        id = str(command.id)
        fingerprint = codec.fingerprint(sender, spoken)
        known = self.log.remembered_answer(id)
        try:
            if known is None:
                return self._decide_and_store(sid, command, id, sender, fingerprint), False
        except Conflict:
            known = self.log.stored_answer(id)
        except Busy:
            pass
        if known is None:
            return self.refusal(Fault("busy")), False
        if known.fingerprint != fingerprint:
            return self.refusal(Fault("id_reused", id=id)), False
        try:
            return msgspec.json.decode(known.answer, type=Answer), True
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise Damaged(self.code, "answer", error) from error

    def _decide_and_store(
        self, sid: str, command: Command, id: str, seat: str, fingerprint: str
    ) -> Answer:
        """Decides; what is accepted is stored, and what is refused remembered for a while. Raises
        ``Busy``; ``Conflict`` where a command with this id was accepted already: so long ago that
        only the store knows, or by a peer."""
        for _ in range(TRIES):
            answer, events, at = self._decide(sid, command, self.commanding_seat(seat))
            if not events and self.sync.shared and self.catch_up():
                continue  # only the newest state refuses
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
        moment = self._decision_inputs(sid)
        try:
            if sender is not None:
                codec.check_seats(command, sender, self.current_seat, self.seat_or_waiting)
            events = decide(self.log.table, command, sender=sender, inputs=moment)
        except (Fault, Refused) as problem:
            return self.refusal(problem), (), moment.now
        return Answer(ok=True, version=self.log.version + len(events)), events, moment.now

    def apply_internal(
        self, command: Command, sender: str | None, more: ExtraStatements = lambda _events: ()
    ) -> tuple[Event, ...]:
        """What is said elsewhere than on the wire happens together with ``more``; gives the events.
        Raises ``Refused``, ``Busy``; ``Conflict`` where something of that is stored already."""
        for _ in range(TRIES):
            moment = self._decision_inputs()
            try:
                events = decide(self.log.table, command, sender=sender, inputs=moment)
            except Refused:
                if self.sync.shared and self.catch_up():
                    continue
                raise
            try:
                self.append(events, moment.now, *more(events))
            except Conflict:
                if not self.catch_up():
                    raise
                continue
            return events
        raise Busy("others are always faster")

    def tick(self) -> None:
        """The clock closes a window whose time is up, lets a held one run; raises ``Busy``."""
        if not self.apply_internal(Tick(), None):
            self.deadlines.arm()

    def _decision_inputs(self, sid: str | None = None) -> DecisionInputs:
        chance = token_bytes(36)
        return DecisionInputs(
            now=self._clock.now(),
            lot=int.from_bytes(chance[:4]),
            salt=chance[4:].hex(),
            grace_ms=self.deadlines.grace_ms(sid),
            host_away_ms=self.presence.away_ms(self.log.table.host),
            here=self.presence.here,
            room=self.log.room,
        )
