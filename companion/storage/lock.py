"""Who keeps a database's tables: one process, or several that hear of each other.

Two that know nothing of each other would split a table in two that never meet: a lock that is
held for a process's life keeps them apart. Those that hear of each other share it. Of a SQLite
file the lock is a file beside it, which the kernel lets go of however the process ends (on
NFS it may not hold); of PostgreSQL it is an advisory lock of a connection that is kept."""

import os
import select
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows has none, and no lock of this kind
    fcntl = None  # type: ignore[assignment]

import sqlalchemy as sql
from sqlalchemy import exc
from sqlalchemy.engine import URL, Connection
from sqlalchemy.pool import NullPool

from companion.storage.database import Busy, database_at

KEY = 0x68697373  # the number of the advisory lock; each database of a cluster has its own
LOOK_SECONDS = 0.5  # how often it is looked whether the connection that has the lock is still there
LET_GO_SECONDS = 5  # so long it is asked for again: PostgreSQL notices a kill late


class AlreadyLocked(Exception):
    """Somebody else has the database, as the sentence says."""


class Lock:
    """Whether this process may use the database at this URL; let go of with ``release``."""

    def take(self) -> None:
        """Makes it ours; raises ``Taken``, or ``Busy`` where nobody answers."""

    def release(self) -> None:
        """Others may have it."""


def lock(url: str, lost: Callable[[str], None], *, shared: bool = False) -> Lock:
    """The lock of this database; ``lost`` is told when somebody else has it in mid-life.
    ``shared``: whoever asks for it so may have it, too."""
    target = database_at(url)
    kind = target.get_backend_name()
    if kind == "sqlite" and fcntl:
        return _FileLock(Path(str(target.database)).resolve())
    return _SessionLock(target, lost, shared=shared) if kind == "postgresql" else Lock()


class _FileLock(Lock):
    """The kernel's lock on a small file beside the database, in which the holder's number is."""

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
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            with file:
                file.seek(0)
                holder = file.read().decode(errors="replace").strip() or "unknown"
            why = f"Another companion (process {holder}) has the tables in {self._database}."
            raise AlreadyLocked(why) from None
        except OSError as error:  # some networks' files know no locks
            file.close()
            raise Busy(f"{path} can't be locked: {error.strerror}") from error
        self._file = file
        with suppress(OSError):  # a full disk: whose the lock is would only be read
            file.truncate(0)
            file.write(b"%d\n" % os.getpid())

    def release(self) -> None:
        if self._file is not None:
            self._file.close()


class _SessionLock(Lock):
    """PostgreSQL's advisory lock of one connection; taken again when that was lost."""

    def __init__(self, target: URL, lost: Callable[[str], None], *, shared: bool) -> None:
        name = f"companion {os.getpid()} on {socket.gethostname()}"[:63]
        self._engine = sql.create_engine(
            target,
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            connect_args={"application_name": name, "connect_timeout": 2,
                          "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 2},
        )  # fmt: skip
        ours = sql.func.pg_try_advisory_lock_shared if shared else sql.func.pg_try_advisory_lock
        self._asked = sql.select(ours(KEY))
        self._lost = lost
        self._session: Connection | None = None
        self._stopped = threading.Event()
        self._keeper = threading.Thread(target=self._keep, name="lock", daemon=True)

    def take(self) -> None:
        until = time.monotonic() + LET_GO_SECONDS
        while self._session is None:
            try:
                self._try()
            except exc.DBAPIError as error:
                raise Busy(str(error.orig)) from error
            except AlreadyLocked:
                if time.monotonic() > until:
                    raise
                time.sleep(LOOK_SECONDS)
        self._keeper.start()

    def release(self) -> None:
        self._stopped.set()
        self._drop()

    def _try(self) -> None:
        with ExitStack() as undo:
            session = undo.enter_context(self._engine.connect())
            if session.scalar(self._asked):
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

    def _keep(self) -> None:
        while not self._stopped.wait(LOOK_SECONDS):
            try:
                if self._session is None:
                    self._try()
                elif not _silent(self._session):
                    self._session.scalar(sql.select(1))
            except AlreadyLocked as taken:
                self._lost(str(taken))
                return
            except exc.DBAPIError:
                self._drop()

    def _drop(self) -> None:
        session = self._session
        self._session = None
        if session is not None:
            with suppress(exc.DBAPIError):
                session.invalidate()
                session.close()


def _silent(session: Connection) -> bool:
    """Whether nothing was heard; a connection that ends is heard. Asking would wait."""
    inside: Any = session.connection.dbapi_connection
    return not select.select([inside.fileno()], [], [], 0)[0]
