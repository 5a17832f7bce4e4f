"""Several server processes on one PostgreSQL and one Redis, behind a load balancer."""

import signal
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import sqlalchemy as sql

from companion.robots import client
from tests.cluster.spreader import Spreader
from tests.support.servers.engines import Redis, postgresql
from tests.support.servers.server import RealServer

T = TypeVar("T")

NO_LIMITS = {"COMPANION_ADDRESS_CONNECTIONS": "0", "COMPANION_ROBOTS": "0"}

TRIES = 600
"""Number of attempts, a tenth of a second apart, while PostgreSQL is unavailable or overloaded."""


class Process(RealServer):
    """A server process that can also be frozen."""

    def freeze(self) -> None:
        """Stop the process with SIGSTOP. Its connections stay open."""
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Resume the process with SIGCONT."""
        self.process.send_signal(signal.SIGCONT)


class Fleet:
    """A context manager that starts server processes, with a message bus if there are several."""

    def __init__(self, processes: int = 2, **variables: str) -> None:
        self._count = processes
        self._variables = {**NO_LIMITS, **variables}

    def __enter__(self) -> "Fleet":
        self._engines = postgresql()
        self.postgresql = self._engines.__enter__()
        self.redis = Redis()
        self._sql = sql.create_engine(self.postgresql.url, pool_pre_ping=True)
        self._folder = tempfile.TemporaryDirectory(prefix="fleet")
        if self._count > 1:
            self._variables["COMPANION_BUS"] = self.redis.url
        self.processes = [self.start_process() for _ in range(self._count)]
        self.spreader = Spreader([process.port for process in self.processes])
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.spreader.close()
        try:
            for process in self.processes:
                process.close()
        finally:
            self._sql.dispose()
            self.redis.stop()
            self._engines.__exit__(None, None, None)
            self._folder.cleanup()

    def start_process(self) -> Process:
        """Start another process that serves the same tables."""
        return Process(Path(self._folder.name), database=self.postgresql.url, **self._variables)

    @property
    def url(self) -> str:
        """The load balancer's address."""
        return self.spreader.url

    def retry_until_done(self, do: Callable[[], T]) -> T:
        """Call ``do`` until it succeeds. Returns its result."""
        for _ in range(TRIES):
            try:
                return do()
            except (client.RequestRefused, OSError, HTTPException) as problem:
                why = problem
                time.sleep(0.1)
        raise AssertionError(f"nobody could do it: {why!r}")

    def create_table(self, names: Sequence[str], **how: object) -> list[client.SeatCredentials]:
        """Create a table and seat these players. Returns their credentials."""

        def seat_players() -> list[client.SeatCredentials]:
            first = client.make_table(self.url, names[0], **how)
            return [first, *(client.take_seat(self.url, first.table, name) for name in names[1:])]

        return self.retry_until_done(seat_players)

    def list_ports(self, first: int) -> tuple[int, ...]:
        """Return the load balancer's ports in the order in which a client tries them.

        Connections on the first port in the list go to process number ``first``, unless that
        process doesn't listen.
        """
        doors = self.spreader.ports
        return tuple(doors[(first + number) % len(doors)] for number in range(len(doors)))

    def query_database(self, query: str, **values: Any) -> Sequence[Any]:
        """Query the database. Retries while it is unavailable."""
        for _ in range(TRIES):
            with suppress(sql.exc.OperationalError), self._sql.connect() as session:
                return session.execute(sql.text(query), values).all()
            time.sleep(0.1)
        raise AssertionError("PostgreSQL stayed away")

    def get_newest_versions(self) -> dict[str, int]:
        """Return the newest version of each table's log."""
        rows = self.query_database("SELECT code, max(version) AS version FROM events GROUP BY code")
        return {row.code: row.version for row in rows}
