"""A database that forgets its end, is slow or away, or doesn't say that it has committed.

Its tables and statements are the program's own, in SQLite's memory; the program's store asks it.
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
from companion.storage.statements import Statement, in_order
from tests.world.hub import Hub


class Database:
    """What all processes share. ``away``: until when it takes nothing, in ms; ``slow``: how many ms
    it takes at most; ``mute``: how likely it is that nobody hears of a commit.

    ``ahead``: how many ms its clock is before the world's. ``lost``: the ids of commands that it
    has forgotten; ``forgot``: how often. ``committed``: called after each commit with what it was.
    """

    def __init__(self, hub: Hub, committed: Callable[[Sequence[Statement]], None]) -> None:
        self.hub = hub
        self.on_commit = committed
        self.away_until = 0
        self.max_delay_ms = 2
        self.silence_rate = 0.0
        self.ahead = 0
        self.lost_commands: set[str] = set()
        self.loss_count = 0
        self._engine = sql.create_engine("sqlite://", poolclass=StaticPool)
        metadata.create_all(self._engine)
        with self._engine.connect() as connection:  # there is but one
            self._driver: Any = connection.connection.dbapi_connection

    def close(self) -> None:
        """Its memory is free again."""
        self._engine.dispose()

    @property
    def now(self) -> int:
        """Its own clock, in ms."""
        return self.hub.now + self.ahead

    def read(self, asked: str, given: Row) -> Sequence[Row]:
        """Return the rows of a query."""
        with self._engine.connect() as connection:
            return database.query(connection, asked, given)

    def query_sql(self, text: str, **given: Any) -> Sequence[Any]:
        """Return the rows of a query in SQL, for the checks of the world."""
        return self._driver.execute(text, given).fetchall()

    def commit(self, changes: Sequence[Statement]) -> None:
        """All in one transaction; raises ``Conflict``."""
        rows: dict[str, list[Row]] = {}
        for change in changes:
            rows.setdefault(change.sql, []).extend(change.rows)
        try:
            with self._engine.connect() as connection:
                database.commit(connection, in_order(rows))
        except IntegrityError as error:
            raise Conflict(str(error)) from error
        self.on_commit(changes)

    def take_snapshot(self) -> Any:
        """All that it has, for ``forget``."""
        return self._driver.serialize()

    def restore_snapshot(self, snapshot: Any) -> None:
        """It has what it had then, as after a failover."""
        before = self._list_command_ids()
        self._driver.deserialize(snapshot)
        self.lost_commands |= before - self._list_command_ids()
        self.loss_count += 1

    def _list_command_ids(self) -> set[str]:
        return {id for (id,) in self.query_sql("SELECT id FROM answers")}


class Store(store.Store):
    """The program's, of one process."""

    def __init__(self, shared: Database, chance: Random) -> None:
        self.shared = True
        self.epoch = "world"
        self._open = True
        self._database = shared
        self._chance = chance

    def open(self) -> None:
        """Returns once the database answers: a process that it doesn't is started again."""
        while True:
            with suppress(Busy):
                return self._wait()

    def now(self) -> int:
        """The database's clock."""
        self._wait()
        return self._database.now

    def write(self, *changes: Statement) -> None:
        """Commits them after a while, and tells so after another, if it does."""
        self._wait()
        self._database.commit(changes)
        self._wait()
        if self._chance.random() < self._database.silence_rate:
            raise Busy("nobody heard of the commit")

    def _query(self, asked: str, *given: Value) -> Sequence[Row]:
        self._wait()
        return self._database.read(asked, given)

    def _wait(self) -> None:
        hub = self._database.hub
        hub.wait(self._chance.randint(0, self._database.max_delay_ms))
        if self._database.away_until > hub.now:
            hub.wait(100)
            raise Busy("away")
