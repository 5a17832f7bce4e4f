"""A database that can be slow or unavailable, lose its newest commits, or report a commit as
failed.

Its tables and statements are the program's own, in an SQLite database in memory, and the program's
own store uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError
from sqlalchemy.pool import StaticPool

from companion.storage import database, store
from companion.storage.database import Busy, Conflict, Row, Value
from companion.storage.schema import metadata
from companion.storage.statements import Statement, merge_statements
from tests.simulation.hub import Hub


class Database:
    """The database, shared by all processes."""

    def __init__(self, hub: Hub, committed: Callable[[Sequence[Statement]], None]) -> None:
        self.hub = hub
        self.on_commit = committed
        self.away_until = 0  # time in ms until which the database is unavailable
        self.max_delay_ms = 2  # longest duration of a statement in ms
        self.silence_rate = 0.0  # probability that a commit is reported as failed
        self.ahead = 0  # how many ms the database's clock is ahead of the world's
        self.lost_commands: set[str] = set()  # ids of commands that a failover lost
        self.loss_count = 0  # number of failovers
        self._engine = sql.create_engine("sqlite://", poolclass=StaticPool)
        metadata.create_all(self._engine)
        with self._engine.connect() as connection:  # the pool has only this connection
            self._driver: Any = connection.connection.dbapi_connection

    def close(self) -> None:
        """Close the database and free its memory."""
        self._engine.dispose()

    @property
    def now(self) -> int:
        """Return the time of the database's clock in ms."""
        return self.hub.now + self.ahead

    def read(self, query: str, values: Row) -> Sequence[Row]:
        """Return the rows of a query."""
        with self._engine.connect() as connection:
            return database.query(connection, query, values)

    def query_sql(self, text: str, **given: Any) -> Sequence[Any]:
        """Return the rows of a query, for the world's own checks."""
        return self._driver.execute(text, given).fetchall()

    def commit(self, changes: Sequence[Statement]) -> None:
        """Commit all statements in one transaction. Raises ``Conflict``."""
        try:
            with self._engine.connect() as connection:
                database.commit(connection, merge_statements(changes, sort=True))
        except IntegrityError as error:
            raise Conflict(str(error)) from error
        self.on_commit(changes)

    def take_snapshot(self) -> Any:
        """Return a copy of the whole database, for ``restore_snapshot``."""
        return self._driver.serialize()

    def restore_snapshot(self, snapshot: Any) -> None:
        """Restore an earlier copy, as in a failover, and note the ids of commands that are missing
        in it."""
        before = self._list_command_ids()
        self._driver.deserialize(snapshot)
        self.lost_commands |= before - self._list_command_ids()
        self.loss_count += 1

    def _list_command_ids(self) -> set[str]:
        return {id for (id,) in self.query_sql("SELECT id FROM answers")}


class Store(store.Store):
    """The program's store, as one process uses it."""

    def __init__(self, shared: Database, chance: Random) -> None:
        self.shared = True
        self.epoch = "world"
        self._open = True
        self._database = shared
        self._chance = chance

    def open(self) -> None:
        """Wait until the database is available. A real process would end instead, and would be
        restarted until the database is available."""
        while True:
            with suppress(Busy):
                return self._wait()

    def now(self) -> int:
        """Return the time of the database's clock in ms."""
        self._wait()
        return self._database.now

    def write(self, *changes: Statement) -> None:
        """Commit after a delay and return after another one.

        Raises ``Busy`` if the database is unavailable, or reports a commit as failed.
        """
        self._wait()
        self._database.commit(changes)
        self._wait()
        if self._chance.random() < self._database.silence_rate:
            raise Busy("nobody heard of the commit")

    def _query(self, query: str, *values: Value) -> Sequence[Row]:
        self._wait()
        return self._database.read(query, values)

    def _wait(self) -> None:
        hub = self._database.hub
        hub.wait(self._chance.randint(0, self._database.max_delay_ms))
        if self._database.away_until > hub.now:
            hub.wait(100)
            raise Busy("away")
