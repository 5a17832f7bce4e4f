"""A table's log of events, and the state that follows from it.

Several processes can serve the same tables, although they share no memory and no locks. They agree
on a table's state because the log in the database is the only truth. The state that a process keeps
in memory is a cache of that log.

**Versions.** The events of a table are numbered 1, 2, 3 … without gaps. The *version* of a table is
the number of its newest event. The database's primary key is (table, version), so if two processes
try to store the same version, only one of them succeeds.

**Predecessors.** A matching number is not enough: if an older copy of the database was restored,
version 58 may exist again with another history before it. Events are therefore stored only if their
predecessor (version, time and content) is still in the database as this process read it
(``statements.insert_events``). Otherwise the database refuses the whole commit.

**Conflicts.** Both failures raise ``Conflict``, and nothing is stored. The process then reads the
events that it lacks, applies them, and decides the command again on the new state
(``LiveTable._decide_and_store``). Suppose that a player draws a card, while the host, who may act
for that player, does the same on a device that is connected to another process:

    process A: at 57, accepts the draw       process B: at 57, accepts the draw
    process A: stores version 58             process B: stores version 58 → Conflict
                                             process B: reads 58, decides again at 58 and refuses:
                                                        the card has been drawn already

A process that may be behind also reads the log before it refuses a command, so a refusal always
rests on the newest state. If several attempts in a row fail, the client gets the answer "busy".

The answer to a command is stored in the same commit as the command's events, under the command's
id. If the client sends the command again, perhaps to another process, the process finds the stored
answer and doesn't decide the command again.

**Epochs.** Versions only grow, but a database can be restored from a backup, or lose its last
commits in a crash. The *epoch* names one history of the log: the database's own epoch (replaced
when the server starts on an older copy, see ``storage.restore_detection``) followed by the table's
own epoch, which is empty at first. A process that finds its newest event missing from the database
draws a new epoch for the table and loads the log again. Clients compare epoch and version: if the
epoch differs, they discard their view and request the whole view again.

**Messages.** After a commit a process sends the events to its peers (``peer_sync.py``), so that the
peers' viewers see the events at once. A message may be lost, late or repeated, because it only
saves a query: if the events in a message continue a process' log exactly, the process applies them.
Otherwise it reads the database.
"""

import time
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from companion.rules import families
from companion.rules.core.events import evolve
from companion.rules.core.state import Table
from companion.rules.core.types import Event
from companion.rules.core.view import log_entry, only_viewer
from companion.rules.variants.variant import Variant
from companion.service import codec
from companion.service.clock import Clock
from companion.service.errors import Damaged, Fault
from companion.service.logs import line
from companion.service.table.history import History
from companion.storage import statements
from companion.storage.database import Busy
from companion.storage.statements import Head, Statement, StoredAnswer, StoredEvent
from companion.storage.store import Store

NEWEST = 50  # number of log lines in a view
PIECE = 200  # number of lines that are compressed and sent together
PAGE = 200  # number of events read by one query; other threads can run between two queries
# number of answers in memory; the answers to accepted commands are also in the store
REMEMBERED = 500


class Lines:
    """The log's lines, one for each event, as viewers see them.

    Each line is encoded to JSON once. A line is public, or visible to one seat only.
    """

    def __init__(self) -> None:
        self.newest: deque[bytes] = deque(maxlen=NEWEST)  # the last ``NEWEST`` public lines
        self.public = 0  # number of public lines
        self._packed: list[bytes] = []  # compressed pieces of ``PIECE`` lines each
        # lines not yet compressed, as "seat<tab>line"; a public line has an empty seat
        self._loose: list[bytes] = []

    def add(self, line: bytes, seat: str | None) -> None:
        """Add a line that only this seat may see, or everyone if ``seat`` is None."""
        if seat is None:
            self.newest.append(line)
            self.public += 1
        self._loose.append(b"%s\t%s" % ((seat or "").encode(), line))
        if len(self._loose) == PIECE:
            self._packed.append(zlib.compress(b"\n".join(self._loose)))
            self._loose = []

    def visible_to(self, seat: str | None) -> Iterator[bytes]:
        """Yield the lines that this seat may see, as a JSON list in pieces.

        Lines that are added later are not included. Other threads can run between two pieces.
        """
        return _yield_pieces([*self._packed], [*self._loose], (seat or "").encode())


def _yield_pieces(packed: list[bytes], loose: list[bytes], seat: bytes) -> Iterator[bytes]:
    separator = b"["
    for piece in (*packed, None):
        lines = loose if piece is None else zlib.decompress(piece).split(b"\n")
        with_owner = (line.partition(b"\t") for line in lines)
        if visible := [line for owner, _, line in with_owner if owner in (b"", seat)]:
            yield separator + b",".join(visible)
            separator = b","
        time.sleep(0)
    yield b"[]" if separator == b"[" else b"]"


class Projection:
    """The state of a table, the log's lines and the finished games. All of them are computed from
    the log's events."""

    newest: StoredEvent  # the last event that was added, as stored

    def __init__(self, code: str, variant: Variant) -> None:
        self.table: Table = families.new_table(code, variant)
        self.lines = Lines()
        self.games = History()
        self.last_event_at = 0  # time of the last event, in ms

    def add(self, event: Event, at: int) -> None:
        """Apply the next event, which happened at this time (ms)."""
        before = self.table
        self.table = evolve(self.table, event)
        self.last_event_at = at
        line = codec.encode(log_entry(before, event, self.table, at))
        self.lines.add(line, only_viewer(event))
        self.games.add(before, event, self.table, at)

    def apply_stored(self, stored: StoredEvent) -> Event:
        """Decode and apply the next event of the stored log. Raise ``Damaged``."""
        code = self.table.code
        version = self.table.version + 1
        if stored.version != version:
            raise Damaged(code, "event", "it is missing", version)
        try:
            event = codec.event(self.table.family, stored.body)
            self.add(event, stored.at)
        except Exception as error:
            raise Damaged(code, "event", error, version) from error
        self.newest = stored
        return event


class Commit(Struct, frozen=True):
    """Events that were committed together.

    ``at``, ``bodies`` and ``after`` are set only if this process made the commit.
    """

    first: int  # version of the first event
    events: tuple[Event, ...]
    at: int = 0  # time of these events, in ms
    bodies: tuple[bytes, ...] = ()  # the events as stored
    after: int = 0  # time of the event before the first one, in ms

    @property
    def ours(self) -> bool:
        """True if this process made the commit."""
        return bool(self.bodies)


class TableLog:
    """One table's log in the store, and the state after the events that were read from it."""

    projection: Projection
    table: Table  # the newest state; can be read without the table's lock

    def __init__(self, code: str, store: Store, limit: int) -> None:
        self.code = code
        self._store = store
        self._limit = limit
        self.loaded = False
        self.version = 0  # 0 until the log is loaded; can be read without the table's lock
        self._answers: dict[str, StoredAnswer] = {}

    @property
    def epoch(self) -> str:
        """The name of this history: the database's epoch and the table's own epoch, if any."""
        return self._store.epoch + self.projection.newest.epoch

    @property
    def head(self) -> Head | None:
        """Epoch, version and time of the newest event that was read, or None if none was read.

        Safe to read without the lock.
        """
        return self.projection.newest.head if self.loaded else None

    @property
    def room(self) -> int:
        """Number of events that the log can still take (ruling log-full)."""
        return self._limit - self.version

    @property
    def nearly_full(self) -> int | None:
        """The number of events that the log can still take, if that is at most a tenth of the
        limit. Otherwise None."""
        return self.room if self.room <= self._limit // 10 else None

    def load(self) -> Projection:
        """Read the whole log. Raise ``Fault`` (not_found), ``Damaged`` or ``Busy``."""
        # the answers in memory may belong to events that are no longer stored
        self._answers.clear()
        code = self.code
        content = self._store.read_variant(self.code)
        if content is None:
            raise Fault("not_found", what="table", table=code)
        try:
            projection = Projection(code, families.decode_variant(content))
        except Exception as error:
            raise Damaged(code, "variant", error) from error
        for event in read_stored_events(self._store, code):
            projection.apply_stored(event)
        if not projection.table.version:
            raise Damaged(code, "event", "the log is empty", 1)
        return projection

    def set_projection(self, projection: Projection | None) -> None:
        """Make this projection the current state. If it is None, mark the log as not loaded."""
        self.loaded = projection is not None
        if projection is None:
            self.version = 0
        else:
            self.projection = projection
            self.table = projection.table
            self.version = projection.table.version

    def append(self, events: tuple[Event, ...], at: int, more: Sequence[Statement]) -> Commit:
        """Store events and further statements in one commit, then apply the events.

        Raise ``Conflict`` if the log doesn't end with the event that was read last. Raise ``Busy``
        if the database is unavailable.
        """
        projection = self.projection
        first = self.version + 1
        newest = projection.newest
        bodies = tuple(codec.encode(event) for event in events)
        insertion = statements.insert_events(self.code, first, at, bodies, newest)
        self._store.write(*((insertion, *more) if events else more))
        for event in events:
            projection.add(event, at)
        if events:
            version = projection.table.version
            projection.newest = StoredEvent(version, at, bodies[-1].decode(), newest.epoch)
            self.set_projection(projection)
        return Commit(first, events, at, bodies, newest.at)

    def read_new(self) -> Commit | None:
        """Read and apply the events that peers have committed since the last read.

        Return None if the newest event read so far is missing from the database, because an older
        copy was restored. Raise ``Busy`` or ``Damaged``.
        """
        newest = self.projection.newest
        # Read everything before applying any of it. The first row must be the newest known event.
        stored = [*read_stored_events(self._store, self.code, newest.version - 1)]
        return self.apply_stored(stored[1:]) if stored[:1] == [newest] else None

    def apply_stored(self, stored: Iterable[StoredEvent]) -> Commit:
        """Apply the stored events of a peer, which continue this log. Raise ``Damaged``."""
        projection = self.projection
        first = self.version + 1
        try:
            return Commit(first, tuple(map(projection.apply_stored, stored)))
        finally:
            self.set_projection(projection)

    def draw_epoch(self) -> None:
        """Give the table a new epoch, because the database has lost events that viewers saw.

        If another process has already drawn a new epoch, that epoch stays. Raise ``Busy``.
        """
        self._store.write(statements.draw_epoch(self.code, self.projection.newest.epoch))

    def stored_answer(self, id: str) -> StoredAnswer | None:
        """Return the stored answer to the command with this id, if any. Raise ``Busy``."""
        return self._store.one(StoredAnswer, code=self.code, id=id)

    def remembered_answer(self, id: str) -> StoredAnswer | None:
        """Return the answer to the command with this id if it is still in memory, else None."""
        return self._answers.get(id)

    def remember(self, answer: StoredAnswer) -> None:
        """Keep an answer in memory. Forget the oldest one if there are more than ``REMEMBERED``."""
        self._answers[answer.id] = answer
        if len(self._answers) > REMEMBERED:
            del self._answers[next(iter(self._answers))]


def read_stored_events(store: Store, code: str, after: int = 0) -> Iterator[StoredEvent]:
    """Yield every stored event after this version, reading one page at a time.

    Raise ``Busy`` if the database is unavailable. Also raise ``Busy`` if the log loses events
    between two pages, because the pages would then belong to different histories.
    """
    page = store.events(code, after, PAGE)
    yield from page
    while len(page) == PAGE:
        time.sleep(0)
        newest = page[-1]
        page = store.events(code, newest.version - 1, PAGE)
        if page[:1] != [newest]:
            raise Busy("the log lost its end while it was read")
        yield from page[1:]


AGAIN_MS = (
    5000  # minimum time between two attempts to read a damaged log, because the log may be long
)


class DamagedTables:
    """The tables with stored data that can't be read. A table that loads again is removed from
    them."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        # the error in each damaged part of a table, and the time of the error (ms)
        self._damages: dict[str, dict[str, tuple[Damaged, int]]] = {}

    def __len__(self) -> int:
        return len(self._damages)

    def note(self, damaged: Damaged) -> None:
        """Remember that a part of a table can't be read, and log the damage once."""
        table = damaged.table
        part = damaged.part
        parts = self._damages.setdefault(damaged.table, {})
        if part not in parts:
            line("damaged", table=table, part=part, version=damaged.version, why=damaged.why)
        elif parts[damaged.part][0] is damaged:
            return
        parts[damaged.part] = damaged, self._clock.own()

    def check(self, code: str) -> None:
        """Raise ``Damaged`` if reading this table's log failed less than ``AGAIN_MS`` ago."""
        for damaged, at in self._damages.get(code, {}).values():
            if damaged.makes_table_unusable and self._clock.own() < at + AGAIN_MS:
                raise damaged.with_traceback(None)

    def clear(self, code: str) -> None:
        """Forget the damage of a table, because the table has been loaded again."""
        self._damages.pop(code, None)
