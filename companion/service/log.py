"""A table's log: what was stored, and the state, the lines and the finished games it comes to."""

import time
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from companion.rules import families
from companion.rules.core.events import Event, evolve
from companion.rules.core.model import Table
from companion.rules.core.variant import Variant
from companion.rules.core.view import entry, only_for
from companion.service import codec
from companion.service.clock import Clock
from companion.service.errors import Damaged, Fault
from companion.service.history import History
from companion.service.logs import line
from companion.storage import statements
from companion.storage.database import Busy
from companion.storage.statements import Head, Statement, StoredAnswer, StoredEvent
from companion.storage.store import Store

NEWEST = 50  # how many lines of the log a view shows
PIECE = 200  # how many lines are packed, and sent, at once
PAGE = 200  # how many events are read before others have their turn
REMEMBERED = 500  # how many answers are in memory; the store has those to what was accepted


class Lines:
    """All lines of one log, each encoded once. A line is everybody's, or of one seat alone.
    ``public``: how many are everybody's."""

    def __init__(self) -> None:
        self.newest: deque[bytes] = deque(maxlen=NEWEST)
        self.public = 0
        self._packed: list[bytes] = []
        self._loose: list[bytes] = []

    def add(self, line: bytes, seat: str | None) -> None:
        """The next line, which nobody but this seat may see; ``None``: everybody."""
        if seat is None:
            self.newest.append(line)
            self.public += 1
        self._loose.append(b"%s\t%s" % ((seat or "").encode(), line))
        if len(self._loose) == PIECE:
            self._packed.append(zlib.compress(b"\n".join(self._loose)))
            self._loose = []

    def visible_to(self, seat: str | None) -> Iterator[bytes]:
        """The log as it is now, without what this seat may not see: a JSON list in pieces, between
        which others have their turn."""
        return _pieces([*self._packed], [*self._loose], (seat or "").encode())


def _pieces(packed: list[bytes], loose: list[bytes], seat: bytes) -> Iterator[bytes]:
    before = b"["
    for piece in (*packed, None):
        lines = loose if piece is None else zlib.decompress(piece).split(b"\n")
        owned = (line.partition(b"\t") for line in lines)
        if mine := [line for owner, _, line in owned if owner in (b"", seat)]:
            yield before + b",".join(mine)
            before = b","
        time.sleep(0)
    yield b"[]" if before == b"[" else b"]"


class Projection:
    """What the events of a log come to: the newest state, the lines shown, the finished games.
    ``said_at``: when something happened last, in ms; ``newest``: its last event, as stored."""

    newest: StoredEvent

    def __init__(self, code: str, variant: Variant) -> None:
        self.table: Table = families.new_table(code, variant)
        self.lines = Lines()
        self.games = History()
        self.said_at = 0

    def add(self, event: Event, at: int) -> None:
        """The next event, which happened at this time in ms."""
        before = self.table
        self.table = evolve(self.table, event)
        self.said_at = at
        line = codec.encode(entry(before, event, self.table, at))
        self.lines.add(line, only_for(event))
        self.games.add(before, event, self.table, at)

    def take(self, stored: StoredEvent) -> Event:
        """The next event of the stored log; raises ``Damaged``."""
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
    """Events that were committed, the first of which made the table's version ``first``.
    ``bodies``: as they are stored, ``at`` so many ms, after one of ``after``; none: a peer's."""

    first: int
    events: tuple[Event, ...]
    at: int = 0
    bodies: tuple[bytes, ...] = ()
    after: int = 0

    @property
    def ours(self) -> bool:
        return bool(self.bodies)


class TableLog:
    """One table's log in the store, and what was read of it: the newest ``table``, its ``version``
    (0 before it was ``loaded``), both readable without the lock, and the rest (``journal``)."""

    projection: Projection
    table: Table

    def __init__(self, code: str, store: Store, limit: int) -> None:
        self.code = code
        self._store = store
        self._limit = limit
        self.loaded = False
        self.version = 0
        self._answers: dict[str, StoredAnswer] = {}

    @property
    def epoch(self) -> str:
        """What names the log: the database's epoch, and the table's, if its log lost its end."""
        return self._store.epoch + self.projection.newest.epoch

    @property
    def head(self) -> Head | None:
        """Where the log ends, as far as it was read; readable without the lock."""
        return self.projection.newest.head if self.loaded else None

    @property
    def room(self) -> int:
        """How many events it still takes (ruling log-full)."""
        return self._limit - self.version

    @property
    def nearly_full(self) -> int | None:
        """How many events it still takes, once there are few."""
        return self.room if self.room <= self._limit // 10 else None

    def load(self) -> Projection:
        """All that is stored; raises ``Fault`` (not_found, ``Damaged``) or ``Busy``."""
        self._answers.clear()  # one to what isn't stored any more is none
        code = self.code
        content = self._store.table(self.code)
        if content is None:
            raise Fault("not_found", what="table", table=code)
        try:
            journal = Projection(code, families.variant(content))
        except Exception as error:
            raise Damaged(code, "variant", error) from error
        for event in rows(self._store, code):
            journal.take(event)
        if not journal.table.version:
            raise Damaged(code, "event", "the log is empty", 1)
        return journal

    def use(self, projection: Projection | None) -> None:
        """This is what the log comes to from now on; ``None``: it is to be read again."""
        self.loaded = projection is not None
        if projection is None:
            self.version = 0
        else:
            self.projection = projection
            self.table = projection.table
            self.version = projection.table.version

    def append(self, events: tuple[Event, ...], at: int, more: Sequence[Statement]) -> Commit:
        """Stores events and what belongs to them in one commit, and only then evolves. Raises
        ``Conflict`` where the log doesn't end any more as it was read, ``Busy``."""
        journal = self.projection
        first = self.version + 1
        newest = journal.newest
        bodies = tuple(codec.encode(event) for event in events)
        happened = statements.insert_events(self.code, first, at, bodies, newest)
        self._store.write(*((happened, *more) if events else more))
        for event in events:
            journal.add(event, at)
        if events:
            version = journal.table.version
            journal.newest = StoredEvent(version, at, bodies[-1].decode(), newest.epoch)
            self.use(journal)
        return Commit(first, events, at, bodies, newest.at)

    def read_new(self) -> Commit | None:
        """What peers have written; ``None``: it is another log. Raises ``Busy``, ``Damaged``."""
        newest = self.projection.newest
        stored = [*rows(self._store, self.code, newest.version - 1)]  # all of it, or none
        return self.take(stored[1:]) if stored[:1] == [newest] else None

    def take(self, stored: Iterable[StoredEvent]) -> Commit:
        """The next events of the stored log, which a peer has committed; raises ``Damaged``."""
        journal = self.projection
        first = self.version + 1
        try:
            return Commit(first, tuple(map(journal.take, stored)))
        finally:
            self.use(journal)

    def draw_epoch(self) -> None:
        """Events that were shown are lost: the table goes on under another epoch, which the first
        process to notice draws; raises ``Busy``."""
        self._store.write(statements.draw_epoch(self.code, self.projection.newest.epoch))

    def stored_answer(self, id: str) -> StoredAnswer | None:
        """What was answered to the command with this id; raises ``Busy``."""
        return self._store.one(StoredAnswer, code=self.code, id=id)

    def remembered_answer(self, id: str) -> StoredAnswer | None:
        return self._answers.get(id)

    def remember(self, answer: StoredAnswer) -> None:
        self._answers[answer.id] = answer
        if len(self._answers) > REMEMBERED:
            del self._answers[next(iter(self._answers))]


def rows(store: Store, code: str, after: int = 0) -> Iterator[StoredEvent]:
    """Every event after this version as it is stored; read in pages. Raises ``Busy``, also where
    the log lost its end between two of them: they aren't of one history."""
    page = store.events(code, after, PAGE)
    yield from page
    while len(page) == PAGE:
        time.sleep(0)
        newest = page[-1]
        page = store.events(code, newest.version - 1, PAGE)
        if page[:1] != [newest]:
            raise Busy("the log lost its end while it was read")
        yield from page[1:]


AGAIN_MS = 5000  # a log that can't be read is not read again before this: it may be a long one


class DamagedTables:
    """What of which tables can't be read, until it turns out to be mended."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: dict[str, dict[str, tuple[Damaged, int]]] = {}

    def __len__(self) -> int:
        return len(self._known)

    def note(self, damaged: Damaged) -> None:
        """Something of a table can't be read: told once in the log of the server."""
        table = damaged.table
        part = damaged.part
        parts = self._known.setdefault(damaged.table, {})
        if part not in parts:
            line("damaged", table=table, part=part, version=damaged.version, why=damaged.why)
        elif parts[damaged.part][0] is damaged:
            return
        parts[damaged.part] = damaged, self._clock.own()

    def check(self, code: str) -> None:
        """Raises ``Damaged`` where a table's log could not be read a moment ago."""
        for damaged, at in self._known.get(code, {}).values():
            if damaged.closes and self._clock.own() < at + AGAIN_MS:
                raise damaged.with_traceback(None)

    def clear(self, code: str) -> None:
        self._known.pop(code, None)
