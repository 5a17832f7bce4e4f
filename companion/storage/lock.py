"""A lock on the database, which a process holds as long as it runs.

Two processes that serve the same tables without exchanging messages would show their players
different states, so the second process refuses to start. Processes that exchange messages share the
lock.

For SQLite, the lock is on a file beside the database. The system releases the lock when the process
ends, even if it is killed. But network file systems (NFS) may not support such locks. For
PostgreSQL, the lock is an advisory lock of a connection that stays open.
"""

import os
import select
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from filelock import lock_descriptor
from sqlalchemy import exc
from sqlalchemy.engine import URL, Connection
from sqlalchemy.pool import NullPool

from companion.storage.database import Busy, database_at

KEY = 0x68697373  # number of the advisory lock, which is separate in each database of a cluster
LOOK_SECONDS = 0.5  # interval between two checks of the connection that holds the lock
LET_GO_SECONDS = 5  # seconds of retries, since PostgreSQL notices late that a client has died


class AlreadyLocked(Exception):
    """Raised if another process has locked the database. The message names that process."""


class Lock:
    """A lock on a database. This base class locks nothing, for databases without locks."""

    def take(self) -> None:
        """Take the lock. Raise ``AlreadyLocked``, or ``Busy`` if the database is unavailable."""

    def release(self) -> None:
        """Release the lock."""


def lock(url: str, lost: Callable[[str], None], *, shared: bool = False) -> Lock:
    """Return the lock of the database at this URL, without taking the lock.

    ``lost`` is called with an error message if this process loses the lock to another process. If
    ``shared`` is True, several processes can hold the lock, as long as all of them use ``shared``.
    """
    target = database_at(url)
    kind = target.get_backend_name()
    if kind == "sqlite":
        return _FileLock(Path(str(target.database)).resolve())
    return _SessionLock(target, lost, shared=shared) if kind == "postgresql" else Lock()


class _FileLock(Lock):
    """A lock of the operating system on a small file beside the database.

    The file contains the process' id, after an empty first byte: Windows locks that byte, and no
    other process can read a locked byte there.
    """

    _file: Any = None

    def __init__(self, database: Path) -> None:
        self._database = database

    def take(self) -> None:
        path = self._database.with_name(self._database.name + ".lock")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("ab+", buffering=0)
        except OSError as error:
            raise Busy(f"{path} can't be opened: {error.strerror}") from error
        try:
            is_locked = lock_descriptor(file.fileno(), blocking=False)
        except OSError as error:  # some network file systems have no locks
            file.close()
            raise Busy(f"{path} can't be locked: {error.strerror}") from error
        if not is_locked:
            with file:
                holder = _read_holder(file)
            why = f"Another companion (process {holder}) has the tables in {self._database}."
            raise AlreadyLocked(why)
        self._file = file
        with suppress(OSError):  # the disk may be full; the id is only for the message
            file.truncate(0)
            file.write(b"\n%d\n" % os.getpid())

    def release(self) -> None:
        if self._file is not None:
            self._file.close()


def _read_holder(file: Any) -> str:
    """Return the id of the process that has locked this file, or "unknown"."""
    for start in (0, 1):  # an earlier version wrote the id from the first byte
        with suppress(OSError):
            file.seek(start)
            return file.read().decode(errors="replace").strip() or "unknown"
    return "unknown"


class _SessionLock(Lock):
    """An advisory lock of PostgreSQL.

    A connection that stays open holds the lock. If this connection breaks, a new connection takes
    the lock.
    """

    def __init__(self, target: URL, lost: Callable[[str], None], *, shared: bool) -> None:
        name = f"companion {os.getpid()} on {socket.gethostname()}"[:63]
        self._engine = sql.create_engine(
            target,
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            connect_args={"application_name": name, "connect_timeout": 2,
                          "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 2},
        )  # fmt: skip
        try_lock = sql.func.pg_try_advisory_lock_shared if shared else sql.func.pg_try_advisory_lock
        self._lock_query = sql.select(try_lock(KEY))
        self._lost = lost
        self._session: Connection | None = None
        self._stopped = threading.Event()
        self._keeper = threading.Thread(target=self._keep_locked, name="lock", daemon=True)

    def take(self) -> None:
        until = time.monotonic() + LET_GO_SECONDS
        while self._session is None:
            try:
                self._try_to_lock()
            except exc.DBAPIError as error:
                raise Busy(str(error.orig)) from error
            except AlreadyLocked:
                if time.monotonic() > until:
                    raise
                time.sleep(LOOK_SECONDS)
        self._keeper.start()

    def release(self) -> None:
        self._stopped.set()
        self._drop_session()

    def _try_to_lock(self) -> None:
        """Take the lock on a new connection. Raise ``AlreadyLocked`` if another process has it."""
        with ExitStack() as undo:
            session = undo.enter_context(self._engine.connect())
            if session.scalar(self._lock_query):
                self._session = session
                undo.pop_all()
                return
            holder = session.scalar(sql.text(
                "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)"
                " WHERE locktype = 'advisory' AND objid = :key AND granted AND pg_locks.database ="
                " (SELECT oid FROM pg_database WHERE datname = current_database())"
            ), {"key": KEY})  # fmt: skip
        raise AlreadyLocked(
            f"Another program ({holder or 'unknown'}) has the tables in this database."
        )

    def _keep_locked(self) -> None:
        """Check the connection regularly. If it breaks, take the lock again on a new connection."""
        while not self._stopped.wait(LOOK_SECONDS):
            try:
                if self._session is None:
                    self._try_to_lock()
                elif _has_input(self._session):
                    self._session.scalar(sql.select(1))
            except AlreadyLocked as error:
                self._lost(str(error))
                return
            except exc.DBAPIError:
                self._drop_session()

    def _drop_session(self) -> None:
        session = self._session
        self._session = None
        if session is not None:
            with suppress(exc.DBAPIError):
                session.invalidate()
                session.close()


def _has_input(session: Connection) -> bool:
    """Return True if data has arrived on the connection's socket, or the server has closed it.

    Unlike a query, this check never blocks.
    """
    driver_connection: Any = session.connection.dbapi_connection
    return bool(select.select([driver_connection.fileno()], [], [], 0)[0])
