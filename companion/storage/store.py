"""The append-only log of events in SQL, and what stands beside it.

Whatever is written is written with ``write``, which returns once it is committed. All
writes of one turn of the loop share one commit, made by the first of them that has its turn
again; all that come while the database takes its time share the next one. SQLite's never yields
while the transaction is open. This module must not know what an event means."""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from secrets import token_hex
from typing import TypeVar

from msgspec import Struct
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from companion.storage import database, restore_detection, statements
from companion.storage.database import Beneath, Busy, Conflict, Result, Row, Tell, Trouble, Value
from companion.storage.statements import Head, Statement, StoredEvent, StoredVariant

Kind = TypeVar("Kind")

PROBE_SECONDS = 1.0  # for so long the store is believed to be as well as it was found


class _Write(Struct):
    """Changes that happen together; ``tried``: they are committed, or ``error`` says why not."""

    changes: tuple[Statement, ...]
    tried: bool = False
    error: Exception | None = None

    def end(self, error: Exception | None) -> None:
        self.tried = True
        self.error = error


_OWN_EPOCH = "COALESCE((SELECT value FROM meta WHERE key = 'epoch ' || {}), '')"
"""A table's own epoch, empty if it has none."""

_EVENTS = (
    f"SELECT version, at, body, {_OWN_EPOCH.format('?')} FROM events"
    " WHERE code = ? AND version > ? ORDER BY version LIMIT ?"
)
_NEWEST = "(SELECT {} FROM events WHERE code = tables.code ORDER BY version DESC LIMIT 1)"
_HEADS = (
    f"SELECT code, {_OWN_EPOCH.format('tables.code')}, {_NEWEST.format('version')},"
    f" {_NEWEST.format('at')} FROM tables WHERE code IN "
)
_LAST_USED = (
    "SELECT hash, (SELECT at FROM events WHERE code = tokens.code ORDER BY version DESC LIMIT 1)"
    " FROM tokens WHERE hash IN "
)
_UNTOUCHED = (
    "SELECT code FROM tables WHERE created < ? AND NOT EXISTS"
    " (SELECT 1 FROM events WHERE code = tables.code AND at >= ?)"
)
_VARIANT = (
    "SELECT content FROM tables LEFT JOIN variants ON tables.variant = variants.digest"
    " WHERE code = ?"
)
_NOW = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)"


class Store:
    """One database. ``epoch`` names its log; a restored backup gets another one. ``shared``: other
    processes write to it at the same time. ``running``: it takes what is written."""

    def __init__(
        self, url: str, tell: Tell = lambda _sentence: None, *, shared: bool = False
    ) -> None:
        """``tell`` hears, in a sentence for whoever runs the server, what is wrong with it."""
        self.shared = shared
        self._engine = database.engine(url)
        self._outright = database.autocommit_engine(self._engine, url)
        self._beside = restore_detection.mark_of(url)
        self._beneath = Beneath(url)
        self._trouble = Trouble(tell)
        self._probes = statements.probes()
        self._probed = (0.0, True)
        self._writes: deque[_Write] = deque()
        self._turn = threading.Condition()
        self._committing = False
        self.running = False
        self._connection: Connection | None = None
        self.epoch = ""

    def open(self) -> None:
        """Makes what is missing, reads the epoch and starts to write; raises ``Busy``."""
        try:
            self.epoch = database.retry_while_locked(
                lambda: restore_detection.prepare(self._engine, self._beside)
            )
        except BaseException:
            self._dispose()
            raise
        self._beneath.know()
        self.running = True

    def close(self) -> None:
        if self._beside is not None:
            with suppress(Busy):
                mark = token_hex(8)
                self.write(statements.set_mark(mark))
                restore_detection.write_mark(self._beside, mark)
        with self._turn:
            self._turn.wait_for(lambda: not self._committing)
            self._commit_all()
            self.running = False
            if self._connection is not None:
                self._connection.close()  # the last one out folds SQLite's log into its file
        self._dispose()

    def _dispose(self) -> None:
        self._outright.dispose()
        self._engine.dispose()

    def write(self, *changes: Statement) -> None:
        """Returns when all changes are committed together; raises ``Busy`` or ``Conflict``."""
        if not self.running:
            raise Busy("closed")
        write = _Write(changes)
        self._writes.append(write)
        time.sleep(0)  # whoever writes in the same turn shares the commit
        if not write.tried:
            self._see_to(write)
        if write.error is not None:
            raise write.error

    def ready(self) -> bool:
        """Whether the database takes what is written."""
        at, well = self._probed
        if time.monotonic() > at + PROBE_SECONDS:
            try:
                self.write(*self._probes)
                well = True
            except Busy:
                well = False
            self._probed = (time.monotonic(), well)
        return well and not self._trouble.damaged

    def tables_idle_since(self, before: int) -> list[str]:
        """The tables at which nothing has happened since then, in ms."""
        return [str(code) for (code,) in self._query(_UNTOUCHED, before, before)]

    def table(self, code: str) -> bytes | None:
        """The variant, as JSON, which this table keeps; ``None``: no such table. What is no JSON is
        given as it is, and nothing where the variant is lost."""
        found = self._query(_VARIANT, code)
        return str(found[0][0] or "").encode(errors="surrogateescape") if found else None

    def events(self, code: str, after: int = 0, most: int = 1_000_000_000) -> list[StoredEvent]:
        """The table's log after this version, oldest first."""
        return self._select(StoredEvent, _EVENTS, code, code, after, most)

    def heads(self, codes: Sequence[str]) -> dict[str, Head]:
        """Where the logs of these tables end; of one that is gone, or has none, nothing."""
        if not codes:
            return {}
        places = ", ".join("?" * len(codes))
        found = self._select(lambda code, *head: (code, Head(*head)), f"{_HEADS}({places})", *codes)
        return {code: head for code, head in found if head.version is not None}

    def last_used(self, hashes: Sequence[str]) -> dict[str, int]:
        """When something last happened, in ms, at the table of each of these tokens' hashes that
        opens a seat."""
        if not hashes:
            return {}
        places = ", ".join("?" * len(hashes))
        found = self._query(f"{_LAST_USED}({places})", *hashes)
        return {str(hash): at for hash, at in found if isinstance(at, int)}

    def now(self) -> int:
        """Milliseconds since the epoch, on the database's clock (SQLite's is this machine's)."""
        if self._engine.dialect.name != "postgresql":
            return time.time_ns() // 1_000_000
        return int(self._query(_NOW)[0][0] or 0)

    def one(self, kind: Callable[..., Kind], **where: Value) -> Kind | None:
        return next(iter(self.all(kind, **where)), None)

    def all(self, kind: Callable[..., Kind], **where: Value) -> list[Kind]:
        """The rows of this kind that have these values, in no order."""
        asked, given = statements.select(kind, **where)
        return self._select(kind, asked, *given)

    def keep_variant(self, digest: str, content: bytes) -> None:
        if not self.one(StoredVariant, digest=digest):
            with suppress(Conflict):
                self.write(statements.insert(StoredVariant(digest, content.decode())))

    def _select(self, kind: Callable[..., Kind], asked: str, *given: Value) -> list[Kind]:
        return [kind(*row) for row in self._query(asked, *given)]

    def _query(self, asked: str, *given: Value) -> Sequence[Row]:
        return self._do(lambda: self._fetch(asked, given))

    def _fetch(self, asked: str, given: Row) -> Sequence[Row]:
        with self._outright.connect() as connection:
            return database.query(connection, asked, given)

    def _do(self, attempt: Callable[[], Result]) -> Result:
        """Done in the file that was opened, or it is told why not; raises ``Busy``."""
        try:
            self._beneath.check()
            done = database.retry_while_locked(attempt)
            self._beneath.check()
        except Busy as busy:
            if not isinstance(busy, Conflict):
                self._trouble.note(busy)
            raise
        return done

    def _see_to(self, write: _Write) -> None:
        """Commits it with all that waits; while somebody else does that, waits for them."""
        with self._turn:
            self._turn.wait_for(lambda: write.tried or not self._committing)
            if write.tried:
                return
            self._committing = True
        try:
            self._commit_all()
        finally:
            with self._turn:
                self._committing = False
                self._turn.notify_all()

    def _commit_all(self) -> None:
        """One commit for all that waits; when it fails, one each: only the culprit suffers. A store
        that is busy is so for all of them: nobody waits for it again."""
        batch = [self._writes.popleft() for _ in range(len(self._writes))]
        if not batch:
            return
        error: Exception | None = Busy("whoever wrote it was stopped")
        try:
            error = self._attempt(batch)
            busy = isinstance(error, Busy) and not isinstance(error, Conflict)
            if error is not None and not busy and len(batch) > 1:
                for write in batch:
                    write.end(self._attempt([write]))
        finally:
            for write in batch:
                if not write.tried:
                    write.end(error)

    def _attempt(self, batch: list[_Write]) -> Exception | None:
        try:
            self._do(lambda: self._commit(batch))
        except Exception as error:  # the writer outlives whatever one write brings about
            return error
        return None

    def _commit(self, batch: list[_Write]) -> None:
        """One transaction; nothing in here may yield."""
        rows: dict[str, list[Row]] = {}
        for write in batch:
            for sql, more in write.changes:
                rows.setdefault(sql, []).extend(more)
        rows = statements.in_order(rows) if self.shared else rows
        try:
            if self._connection is None:
                self._connection = self._outright.connect()
            database.commit(self._connection, rows)
        except IntegrityError:
            raise  # it was taken back, and the connection is as good as before
        except BaseException:  # also of who is stopped in the middle: the next write starts anew
            connection = self._connection
            self._connection = None
            if connection is not None:
                connection.invalidate()
                connection.close()
            raise
