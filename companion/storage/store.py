"""The store: an append-only log of events in SQL, and a few other tables.

``Store.write`` writes everything, and returns once the data is committed. Concurrent writes share
one commit (group commit). Each writing thread puts its write into a queue and lets other threads
run, so that they can add their writes. Then one of these threads commits the whole queue. Writes
that arrive during the commit go into the next commit. With SQLite, no other thread runs while a
transaction is open.

This module doesn't know what an event means.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from secrets import token_hex
from typing import TypeVar

from msgspec import Struct
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from companion.storage import database, restore_detection, statements
from companion.storage.database import (
    Busy,
    Conflict,
    DatabaseFile,
    Notify,
    ProblemReporter,
    Result,
    Row,
    Value,
)
from companion.storage.statements import Head, Statement, StoredEvent, StoredVariant

Kind = TypeVar("Kind")

PROBE_SECONDS = 1.0  # time for which the result of a probe is valid


class _Write(Struct):
    """Changes that are committed together."""

    changes: tuple[Statement, ...]
    done: bool = False  # True once the changes are committed or have failed
    error: Exception | None = None  # the reason for a failure

    def finish(self, error: Exception | None) -> None:
        self.done = True
        self.error = error


_OWN_EPOCH = "COALESCE((SELECT value FROM meta WHERE key = 'epoch ' || {}), '')"
"""SQL for a table's own epoch. The result is empty if the table has none."""

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
    " (SELECT 1 FROM events WHERE code = tables.code AND at >= ?) AND NOT EXISTS"
    " (SELECT 1 FROM tokens JOIN visits ON visits.hash = tokens.hash"
    " WHERE tokens.code = tables.code AND visits.expires >= ?)"
)
_VARIANT = (
    "SELECT content FROM tables LEFT JOIN variants ON tables.variant = variants.digest"
    " WHERE code = ?"
)
_NOW = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)"


class Store:
    """A database that is open for reading and writing."""

    def __init__(
        self, url: str, notify: Notify = lambda _sentence: None, *, shared: bool = False
    ) -> None:
        """``notify`` is called with a message for the operator if the database has a problem.

        ``shared`` is True if other processes write to the database, too.
        """
        self.shared = shared
        self._engine = database.engine(url)
        self._autocommit = database.autocommit_engine(self._engine, url)
        self._mark_file = restore_detection.mark_of(url)
        self._file = DatabaseFile(url)
        self._problems = ProblemReporter(notify)
        self._probes = statements.probe_statements()
        self._last_probe = (0.0, True)  # time of the last probe, and True if it succeeded
        self._writes: deque[_Write] = deque()  # writes that wait for a commit
        self._turn = threading.Condition()
        self._committing = False
        self.running = False  # True while the store is open for writes
        self._connection: Connection | None = None
        self.epoch = ""  # identifies the history of the log; a restored backup gets a new epoch

    def open(self) -> None:
        """Create or migrate the tables, read the epoch, and accept writes. Raise ``Busy``."""
        try:
            self.epoch = database.retry_while_locked(
                lambda: restore_detection.prepare_database(self._engine, self._mark_file)
            )
        except BaseException:
            self._dispose()
            raise
        self._file.remember()
        self.running = True

    def close(self) -> None:
        """Commit all waiting writes, write a new mark, and close the database."""
        if self._mark_file is not None:
            with suppress(Busy):
                mark = token_hex(8)
                self.write(statements.set_mark(mark))
                restore_detection.write_mark(self._mark_file, mark)
        with self._turn:
            self._turn.wait_for(lambda: not self._committing)
            self._commit_all()
            self.running = False
            if self._connection is not None:
                # closing the last connection merges SQLite's WAL into its file
                self._connection.close()
        self._dispose()

    def _dispose(self) -> None:
        self._autocommit.dispose()
        self._engine.dispose()

    def write(self, *changes: Statement) -> None:
        """Commit these changes together. Return once they are committed.

        Raise ``Conflict`` if a key is stored already, or ``Busy`` if the database is unavailable.
        Nothing is stored in either case.
        """
        if not self.running:
            raise Busy("closed")
        write = _Write(changes)
        self._writes.append(write)
        time.sleep(0)  # let other threads add their writes to the same commit
        if not write.done:
            self._commit_or_wait(write)
        if write.error is not None:
            raise write.error

    def ready(self) -> bool:
        """Return True if the database accepts writes. This is tested at most once a second."""
        at, succeeded = self._last_probe
        if time.monotonic() > at + PROBE_SECONDS:
            try:
                self.write(*self._probes)
                succeeded = True
            except Busy:
                succeeded = False
            self._last_probe = (time.monotonic(), succeeded)
        return succeeded and not self._problems.damaged

    def tables_idle_since(self, before: int, now: int) -> list[str]:
        """Return the codes of the tables without an event since the time ``before`` (ms).

        Tables with a seat that was recently connected are left out.
        """
        return [str(code) for (code,) in self._query(_UNTOUCHED, before, before, now)]

    def read_variant(self, code: str) -> bytes | None:
        """Return a table's variant as JSON, or None if there is no such table.

        The JSON may be damaged. It is empty if the table exists but its variant is missing.
        """
        rows = self._query(_VARIANT, code)
        return str(rows[0][0] or "").encode(errors="surrogateescape") if rows else None

    def events(self, code: str, after: int = 0, most: int = 1_000_000_000) -> list[StoredEvent]:
        """Return at most ``most`` of a table's events after this version, oldest first."""
        return self._select(StoredEvent, _EVENTS, code, code, after, most)

    def heads(self, codes: Sequence[str]) -> dict[str, Head]:
        """Return the ``Head`` of each of these tables (epoch, version and time of its newest
        event), by code.

        Tables without events are left out.
        """
        if not codes:
            return {}
        places = ", ".join("?" * len(codes))
        rows = self._select(lambda code, *head: (code, Head(*head)), f"{_HEADS}({places})", *codes)
        return {code: head for code, head in rows if head.version is not None}

    def last_used(self, hashes: Sequence[str]) -> dict[str, int]:
        """Return the time (ms) of the last event at the table of each token, by the token's hash.

        Unknown tokens are left out.
        """
        if not hashes:
            return {}
        places = ", ".join("?" * len(hashes))
        rows = self._query(f"{_LAST_USED}({places})", *hashes)
        return {str(hash): at for hash, at in rows if isinstance(at, int)}

    def now(self) -> int:
        """Return milliseconds since 1970 on the database's clock. With SQLite, that is this
        machine's clock."""
        if self._engine.dialect.name != "postgresql":
            return time.time_ns() // 1_000_000
        return int(self._query(_NOW)[0][0] or 0)

    def one(self, kind: Callable[..., Kind], **where: Value) -> Kind | None:
        """Return a row of this kind with these column values, or None."""
        return next(iter(self.all(kind, **where)), None)

    def all(self, kind: Callable[..., Kind], **where: Value) -> list[Kind]:
        """Return all rows of this kind with these column values, in no particular order."""
        text, values = statements.select(kind, **where)
        return self._select(kind, text, *values)

    def keep_variant(self, digest: str, content: bytes) -> None:
        """Store a variant, unless it is stored already."""
        if not self.one(StoredVariant, digest=digest):
            with suppress(Conflict):
                self.write(statements.insert(StoredVariant(digest, content.decode())))

    def _select(self, kind: Callable[..., Kind], text: str, *values: Value) -> list[Kind]:
        return [kind(*row) for row in self._query(text, *values)]

    def _query(self, text: str, *values: Value) -> Sequence[Row]:
        return self._run(lambda: self._fetch(text, values))

    def _fetch(self, text: str, values: Row) -> Sequence[Row]:
        with self._autocommit.connect() as connection:
            return database.query(connection, text, values)

    def _run(self, attempt: Callable[[], Result]) -> Result:
        """Call ``attempt`` and return its result. Retry while the database is locked, and report
        problems.

        Raise ``Busy`` if all attempts fail, or if the database's file was replaced.
        """
        try:
            self._file.check()
            result = database.retry_while_locked(attempt)
            self._file.check()
        except Busy as busy:
            if not isinstance(busy, Conflict):
                self._problems.report(busy)
            raise
        return result

    def _commit_or_wait(self, write: _Write) -> None:
        """Commit all waiting writes, or wait if another thread is committing this write."""
        with self._turn:
            self._turn.wait_for(lambda: write.done or not self._committing)
            if write.done:
                return
            self._committing = True
        try:
            self._commit_all()
        finally:
            with self._turn:
                self._committing = False
                self._turn.notify_all()

    def _commit_all(self) -> None:
        """Commit all waiting writes together.

        If one write makes the commit fail, commit each write separately, so that only that write
        fails. But if the store is busy, all writes fail at once, because retrying each write would
        take too long.
        """
        batch = [self._writes.popleft() for _ in range(len(self._writes))]
        if not batch:
            return
        error: Exception | None = Busy("whoever wrote it was stopped")
        try:
            error = self._try_commit(batch)
            busy = isinstance(error, Busy) and not isinstance(error, Conflict)
            if error is not None and not busy and len(batch) > 1:
                for write in batch:
                    write.finish(self._try_commit([write]))
        finally:
            for write in batch:
                if not write.done:
                    write.finish(error)

    def _try_commit(self, batch: list[_Write]) -> Exception | None:
        """Commit these writes together. Return the exception if the commit fails, else None."""
        try:
            self._run(lambda: self._commit(batch))
        except Exception as error:  # the error is raised to the callers of ``write``
            return error
        return None

    def _commit(self, batch: list[_Write]) -> None:
        """Commit these writes in one transaction. Nothing in this method may switch to another
        thread."""
        changes = chain.from_iterable([write.changes for write in batch])
        merged = statements.merge_statements(changes, sort=self.shared)
        try:
            if self._connection is None:
                self._connection = self._autocommit.connect()
            database.commit(self._connection, merged)
        except IntegrityError:
            raise  # the transaction was rolled back, and the connection can still be used
        # This also catches the exception that kills a thread: the state of the connection is
        # unknown, so the next write must get a new connection.
        except BaseException:
            connection = self._connection
            self._connection = None
            if connection is not None:
                connection.invalidate()
                connection.close()
            raise
