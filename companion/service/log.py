"""A table's log: what was stored, and the state, the lines and the finished games it comes to."""

import time
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Raw, Struct

from companion.rules import families
from companion.rules.core.events import Happened
from companion.rules.core.evolve import evolve
from companion.rules.core.model import Table
from companion.rules.core.variant import Variant
from companion.rules.core.view import entry, only_for
from companion.service import codec
from companion.service.errors import Fault
from companion.service.history import History
from companion.storage import statements
from companion.storage.statements import Statement
from companion.storage.store import Store

NEWEST = 50
"""How many lines of the log a view shows."""

PIECE = 200
"""How many lines are packed, and sent, at once."""

PAGE = 200
"""How many events are read before others have their turn."""


class Lines:
    """All lines of one log, each encoded once. A line is everybody's, or of one seat alone.

    ``public``: how many are everybody's.
    """

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

    def seen_by(self, seat: str | None) -> Iterator[bytes]:
        """The log as it is now, without what this seat may not see: a JSON list in pieces."""
        return _pieces(tuple(self._packed), tuple(self._loose), (seat or "").encode())


def _pieces(packed: tuple[bytes, ...], loose: tuple[bytes, ...], seat: bytes) -> Iterator[bytes]:
    before = b"["
    for number in range(len(packed) + 1):
        whole = number < len(packed)
        lines = zlib.decompress(packed[number]).split(b"\n") if whole else loose
        owned = (line.partition(b"\t") for line in lines)
        if mine := [line for owner, _, line in owned if owner in (b"", seat)]:
            yield before + b",".join(mine)
            before = b","
    yield b"[]" if before == b"[" else b"]"


class Journal:
    """What the events of a log come to: the newest state, the lines shown, the finished games.

    ``said_at``: when something happened last, in ms.
    """

    def __init__(self, code: str, variant: Variant) -> None:
        self.table: Table = families.new_table(code, variant)
        self.lines, self.games = Lines(), History()
        self.said_at = 0

    def add(self, event: Happened, at: int) -> None:
        """The next event, which happened at this time in ms."""
        before, self.table = self.table, evolve(self.table, event)
        self.said_at = at
        line = codec.encode(entry(before, event, self.table, at))
        self.lines.add(line, only_for(self.table, event))
        self.games.add(before, event, self.table, at)


class Commit(Struct, frozen=True):
    """Events that were committed, the first of which made the table's version ``first``.

    ``bodies``: as they are stored, at the time ``at`` in ms; none where a peer wrote them.
    """

    first: int
    at: int
    events: tuple[Happened, ...]
    bodies: tuple[bytes, ...] = ()

    @property
    def ours(self) -> bool:
        """Whether this process wrote them."""
        return bool(self.bodies)


class TableLog:
    """One table's log in the store, and what was read of it.

    ``table``: the newest state, ``version`` its version, 0 before the log was ``loaded``; readable
    without the lock. ``journal``: what else the log comes to.
    """

    journal: Journal
    table: Table

    def __init__(self, code: str, store: Store, limit: int) -> None:
        self.code, self._store, self._limit = code, store, limit
        self.loaded, self.version = False, 0

    @property
    def epoch(self) -> str:
        """Changes when the log was replaced."""
        return self._store.epoch

    @property
    def room(self) -> int:
        """How many events it still takes (ruling log-full)."""
        return self._limit - self.version

    @property
    def nearly_full(self) -> int | None:
        """How many events it still takes, once there are few."""
        return self.room if self.room <= self._limit // 10 else None

    def load(self) -> None:
        """Reads it from the start; raises ``Fault`` (not_found) or ``Busy``."""
        content = self._store.table(self.code)
        if content is None:
            raise Fault("not_found", what="table", table=self.code)
        journal = Journal(self.code, families.variant(content))
        for _, at, body in rows(self._store, self.code):
            journal.add(codec.event(journal.table.family, body), at)
        self.journal, self.loaded = journal, True
        self._learn((), 0)

    def forget(self) -> None:
        """It is read again when it is asked for."""
        self.loaded, self.version = False, 0

    def append(self, events: tuple[Happened, ...], at: int, more: Sequence[Statement]) -> Commit:
        """Stores events and what belongs to them in one commit, and only then evolves.

        Raises ``Conflict`` where another process has written meanwhile, ``Busy``.
        """
        first = self.version + 1
        bodies = tuple(codec.encode(event) for event in events)
        happened = statements.insert_events(self.code, first, at, bodies)
        self._store.write(*((happened, *more) if events else more))
        self._learn(events, at)
        return Commit(first, at, events, bodies)

    def missed(self) -> Commit:
        """Reads what the log has more than was known, written by peers; raises ``Busy``."""
        first, events = self.version + 1, list[Happened]()
        for _, at, body in rows(self._store, self.code, self.version):
            events += self.take(at, (body.encode(),)).events
        return Commit(first, 0, tuple(events))

    def take(self, at: int, bodies: Iterable[bytes | Raw]) -> Commit:
        """The next events of this log, which a peer has committed."""
        first, family = self.version + 1, self.table.family
        events = tuple(codec.event(family, bytes(body)) for body in bodies)
        self._learn(events, at)
        return Commit(first, at, events)

    def _learn(self, events: tuple[Happened, ...], at: int) -> None:
        for event in events:
            self.journal.add(event, at)
        self.table = self.journal.table
        self.version = self.table.version

    def deleted(self) -> bool:
        """Whether the store has no such table any more; raises ``Busy``."""
        return not self._store.versions([self.code])

    def answered(self, id: str) -> tuple[str, str] | None:
        """The fingerprint of the command with this id, and its stored answer; raises ``Busy``."""
        return self._store.answer(self.code, id)


def rows(store: Store, code: str, after: int = 0) -> Iterator[tuple[int, int, str]]:
    """Every event after this version as it is stored: its version, when in ms, what; in pages."""
    version = after
    while page := store.events(code, version, PAGE):
        for at, body in page:
            version += 1
            yield version, at, body
        time.sleep(0)
