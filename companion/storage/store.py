"""The append-only log of events in SQL, and what stands beside it.

Whatever is written is written with ``write``, which returns once it is committed. All
writes of one turn of the loop share one commit, made by the first of them that has its turn
again; all that come while the database takes its time share the next one. SQLite's never yields
while the transaction is open. This module must not know what an event means.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from companion.storage import beginning, database, lineage, queries
from companion.storage.beginning import MARK
from companion.storage.database import Busy, Conflict, Result
from companion.storage.schema import (
    answers,
    claims,
    errands,
    meta,
    remarks,
    robots,
    tokens,
    variants,
)
from companion.storage.statements import Event, Head, Statement, in_order, probes
from companion.storage.trouble import Beneath, Tell, Trouble

PROBE_SECONDS = 1.0
"""For so long the store is believed to be as well as it was found."""


class _Write:
    """Changes that happen together; ``tried``: they are committed, or ``error`` says why not."""

    def __init__(self, changes: tuple[Statement, ...]) -> None:
        self.changes = changes
        self.tried = False
        self.error: Exception | None = None

    def end(self, error: Exception | None) -> None:
        """It was tried."""
        self.tried, self.error = True, error


_SET_MARK = sql.update(meta).where(meta.c.key == MARK).values(value=sql.bindparam("a_mark"))


class Store:
    """One database. ``epoch`` names its log; a restored backup gets another one.

    ``shared``: other processes write to it at the same time.
    """

    def __init__(
        self, url: str, tell: Tell = lambda _sentence: None, *, shared: bool = False
    ) -> None:
        """``tell`` hears, in a sentence for whoever runs the server, what is wrong with it."""
        self.shared = shared
        self._engine = database.engine(url)
        self._outright = database.outright(self._engine, url)
        self._beside = lineage.place(url)
        self._beneath, self._trouble = Beneath(url), Trouble(tell)
        self._probes, self._probed = probes(), (0.0, True)
        self._writes: deque[_Write] = deque()
        self._turn, self._committing, self._open = threading.Condition(), False, False
        self._connection: Connection | None = None
        self.epoch = ""

    def open(self) -> None:
        """Makes what is missing, reads the epoch and starts to write; raises ``Busy``."""
        try:
            self.epoch = database.patiently(lambda: beginning.prepare(self._engine, self._beside))
        except BaseException:
            self._dispose()
            raise
        self._beneath.know()
        self._open = True

    def close(self) -> None:
        """Commits what still waits, then lets go of the database."""
        if self._beside is not None:
            with suppress(Busy):
                mark = lineage.new()
                self.write(Statement(_SET_MARK, [{"a_mark": mark}]))
                lineage.write(self._beside, mark)
        with self._turn:
            self._turn.wait_for(lambda: not self._committing)
            self._commit_all()
            self._open = False
            if self._connection is not None:
                self._connection.close()  # the last one out folds SQLite's log into its file
        self._dispose()

    def _dispose(self) -> None:
        """No connection is kept."""
        self._outright.dispose()
        self._engine.dispose()

    def write(self, *changes: Statement) -> None:
        """Returns when all changes are committed together; raises ``Busy`` or ``Conflict``."""
        if not self._open:
            raise Busy("closed")
        write = _Write(changes)
        self._writes.append(write)
        time.sleep(0)  # whoever writes in the same turn shares the commit
        if not write.tried:
            self._see_to(write)
        if write.error is not None:
            raise write.error

    @property
    def running(self) -> bool:
        """Whether it takes what is written."""
        return self._open

    # --- reading -----------------------------------------------------------------------

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

    def untouched(self, before: int) -> list[str]:
        """The tables at which nothing has happened since then, in ms."""
        return [row.code for row in self._read(queries.untouched(before))]

    def table(self, code: str) -> bytes | None:
        """The variant, as JSON, which this table keeps; ``None``: no such table.

        What is no JSON is given as it is, and nothing where the variant is lost.
        """
        found = self._read(queries.variant(code))
        return (found[0].content or "").encode(errors="surrogateescape") if found else None

    def events(self, code: str, after: int = 0, most: int | None = None) -> list[Event]:
        """The table's log after this version, oldest first."""
        return [Event(*row) for row in self._read(queries.log(code, after, most))]

    def heads(self, codes: Sequence[str]) -> dict[str, Head]:
        """Where the logs of these tables end; of one that is gone, or has none, nothing."""
        found = self._read(queries.heads(codes)) if codes else []
        return {code: Head(*head) for code, *head in found if head[1] is not None}

    def now(self) -> int:
        """Milliseconds since the epoch, on the database's clock (SQLite's is this machine's)."""
        if self._engine.dialect.name != "postgresql":
            return time.time_ns() // 1_000_000
        return int(self._read(queries.now())[0][0])

    def answer(self, code: str, id: str) -> tuple[str, str] | None:
        """The fingerprint of the command with this id, and what it was answered."""
        chosen = sql.select(answers).where(answers.c.code == code, answers.c.id == id)
        found = self._read(chosen)
        return (found[0].fingerprint, found[0].answer) if found else None

    def token(self, hashed: str) -> tuple[str, str] | None:
        """The table's code and the seat which the token opens."""
        found = self._read(sql.select(tokens.c.code, tokens.c.seat).where(tokens.c.hash == hashed))
        return (found[0].code, found[0].seat) if found else None

    def robot(self, code: str, seat: str) -> tuple[str, str | None] | None:
        """The key from which the robot at this seat makes its decks, and a deck's secret."""
        chosen = sql.select(robots).where(robots.c.code == code, robots.c.seat == seat)
        found = self._read(chosen)
        return (found[0].key, found[0].secret) if found else None

    def remarks(self, code: str, game: int) -> list[Any]:
        """The rows of ``remarks`` for this game, oldest first."""
        chosen = sql.select(remarks).where(remarks.c.code == code, remarks.c.game == game)
        return list(self._read(chosen.order_by(remarks.c.number)))

    def claim(self, hashed: str) -> tuple[str, str, int] | None:
        """The table's code, the seat and the time in ms until which the claim is good."""
        found = self._read(sql.select(claims).where(claims.c.hash == hashed))
        return (found[0].code, found[0].seat, found[0].expires) if found else None

    def errand(self, hashed: str) -> Any:
        """The row of ``errands`` with this hash, if there is one."""
        found = self._read(sql.select(errands).where(errands.c.hash == hashed))
        return found[0] if found else None

    def keep_variant(self, digest: str, content: bytes) -> None:
        """Stores a variant once, for the tables that keep it."""
        if not self._read(sql.select(variants.c.digest).where(variants.c.digest == digest)):
            row = {"digest": digest, "content": content.decode()}
            try:
                self.write(Statement(sql.insert(variants), [row]))
            except Conflict:
                return

    def _read(self, query: Any) -> Sequence[Any]:
        return self._do(lambda: self._fetch(query))

    def _fetch(self, query: Any) -> Sequence[Any]:
        with self._outright.connect() as connection:
            return connection.execute(query).all()

    def _do(self, attempt: Callable[[], Result]) -> Result:
        """Done in the file that was opened, or it is told why not; raises ``Busy``."""
        try:
            self._beneath.check()
            done = database.patiently(attempt)
            self._beneath.check()
        except Busy as busy:
            if not isinstance(busy, Conflict):
                self._trouble.note(busy)
            raise
        return done

    # --- writing -----------------------------------------------------------------------

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
        """Everything that waits is written."""
        batch = [self._writes.popleft() for _ in range(len(self._writes))]
        if batch:
            self._together(batch)

    def _together(self, batch: list[_Write]) -> None:
        """One commit for all; when it fails, one each, so that only the culprit suffers.

        A store that is busy is so for all of them: nobody waits for it again.
        """
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
        rows: dict[Any, list[dict[str, Any]]] = {}
        for write in batch:
            for change in write.changes:
                rows.setdefault(change.statement, []).extend(change.rows)
        rows = in_order(rows) if self.shared else rows
        try:
            if self._connection is None:
                self._connection = self._outright.connect()
            database.commit(self._connection, rows)
        except IntegrityError:
            raise  # it was taken back, and the connection is as good as before
        except BaseException:  # also of who is stopped in the middle
            self._let_go()
            raise

    def _let_go(self) -> None:
        """After a failure the next write starts with a new connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()
