"""Access to the database: its address, connections, commits, and errors.

SQLite is configured for maximum durability; PostgreSQL is durable by default. Problems with the
database are reported to the operator. Each problem is reported at most once a minute.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

import sqlalchemy as sql
from sqlalchemy import exc
from sqlalchemy.engine import URL, Connection, Engine, make_url

Result = TypeVar("Result")
Value = str | int | None
Row = tuple[Value, ...]
Notify = Callable[[str], None]

PATIENCE = 0.4  # seconds for which a locked database is retried
PAUSE = 0.02  # seconds between two retries
AGAIN_SECONDS = 60  # minimum time between two reports of the same problem
LOCK_MS = 700  # time limit for PostgreSQL to wait for a lock; two such waits take less than 2 s
STATEMENT_MS = 2_500  # time limit for one statement in PostgreSQL
IDLE_MS = 3_000  # time limit for an idle open transaction

LOCKED_SQLITE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
DAMAGED_SQLITE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
DAMAGED_POSTGRESQL = ("XX001", "XX002")
_PSYCOPG = "postgresql+psycopg2"
DRIVERS = {
    "sqlite": "sqlite", "sqlite+pysqlite": "sqlite",
    "postgres": _PSYCOPG, "postgresql": _PSYCOPG, _PSYCOPG: _PSYCOPG,
}  # fmt: skip
"""Maps the schemes of addresses to drivers. psycopg 3 isn't used: it would block all threads."""

UNREADABLE = (
    "its address can't be read: write it as postgresql+psycopg2://name:password@host:port/database,"
    " with @, / and : in a password as %40, %2F and %3A"
)
A_FILE = "sqlite:////path/to/tables.sqlite3"

IGNORED = ("cached_statements", "check_same_thread", "detect_types", "isolation_level", "timeout")
"""Parameters that an address for SQLite may contain, but which are ignored."""

OPEN_TO_WRITE = ("rw", "rwc")  # values of SQLite's parameter ``mode`` that allow writes


class Busy(Exception):
    """Raised if the store is unavailable (locked, read-only, full, …). Nothing was written."""


class Damaged(Busy):
    """Raised if data in the database can't be read. Retrying won't help."""


class DatabaseGone(Busy):
    """Raised if the database's file was deleted or replaced while open. Nothing was written."""


class Conflict(Busy):
    """Raised if a row with this key is already stored. Nothing was written."""


def database_at(url: str) -> URL:
    """Parse the address of a database, which is an SQLAlchemy URL.

    An address for SQLite is reduced to a plain file path. Raise ``Busy`` if the address is wrong.
    The message shows how to write an address, without passwords.
    """
    if "://" not in url or url.startswith("file:"):
        raise Busy(_not_a_url(url))
    try:
        target = make_url(url)
    except (exc.ArgumentError, ValueError) as error:
        raise Busy(UNREADABLE) from error
    if target.drivername not in DRIVERS:
        raise Busy("its address has to begin with sqlite:// or postgresql+psycopg2://")
    # a part of the password was parsed as the host, so don't show it
    if "@" in (target.host or ""):
        raise Busy(UNREADABLE)
    target = target.set(drivername=DRIVERS[target.drivername])
    return _plain_file(target) if target.get_backend_name() == "sqlite" else target


def _not_a_url(text: str) -> str:
    """Return the error message for an address that isn't a URL. It may be a path."""
    path = text.removeprefix("sqlite:")
    if text.startswith("file:"):
        path = _path_in_uri(text)
    has_credentials = ":" in path[2 if path[1:3] == ":\\" else 0 :] or "@" in path
    if has_credentials or not ({*"/\\."} & {*path}):
        return f"{UNREADABLE}; or, for a file, as {A_FILE}"
    return f"its address can't be read: write it as {_address_of(path)}"


def _plain_file(target: URL) -> URL:
    """Check the address of a SQLite database, and reduce it to the path of its file.

    Every process must use the same path, because the lock and the mark of the database (see
    ``restore_detection``) are files in the same folder. Raise ``Busy`` if the address is wrong.
    """
    if target.username or target.password:
        raise Busy(f"a file has no user: write its address as {A_FILE}")
    path = target.database or ""
    if target.host:
        below = f"{target.host}/{path}"
        raise Busy(
            f"its address names a host, {target.host}, and a file has none: write it as"
            f" {_address_of(f'/{below}')}, or as {_address_of(below)} if it lies in this folder"
        )
    parameters = {key: value for key, value in target.query.items() if key not in IGNORED}
    as_uri = str(parameters.pop("uri", "")).lower() in ("true", "1", "yes", "on")
    if as_uri and parameters.get("mode") in OPEN_TO_WRITE:
        del parameters["mode"]
    intended = _path_in_uri(path) if path.startswith("file:") else os.path.expanduser(path)
    if as_uri:
        path = intended
    if path in ("", ":memory:") or parameters.get("mode") == "memory":
        raise Busy(f"its tables would be gone with the process: write its address as {A_FILE}")
    if parameters:
        keys = ", ".join(sorted(parameters))
        raise Busy(f"its address may not say {keys}: write it as {_address_of(intended)}")
    if path != intended and not Path(path).exists():
        raise Busy(f"its address is read as it is written: write it as {_address_of(intended)}")
    return target.set(database=path, query={})


def _path_in_uri(uri: str) -> str:
    """Return the path in a ``file:`` URI, as SQLite reads it."""
    path = uri.removeprefix("file:").partition("#")[0].partition("?")[0]
    if path.startswith("//"):
        path = "/" + path[2:].partition("/")[2]
    return unquote(path)


def _address_of(path: str) -> str:
    return f"sqlite:///{path}"


def file_of(url: str) -> str | None:
    """Return the path of a SQLite database, or None for another kind of database."""
    target = database_at(url)
    return target.database if target.get_backend_name() == "sqlite" else None


def engine(url: str, **options: str) -> Engine:
    """Return an engine for the database at this URL. Raise ``Busy``.

    ``options`` are passed to SQLAlchemy's engine for PostgreSQL.
    """
    target = database_at(url)
    if target.get_backend_name() != "sqlite":
        try:
            engine = sql.create_engine(target, pool_pre_ping=True, **options)
        except ImportError as error:
            raise Busy("the package psycopg2 is missing: install '.[postgresql]'") from error
        sql.event.listen(engine, "connect", _set_up_postgresql)
        return engine
    file = Path(str(target.database))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Busy(str(error)) from error
    if file.is_dir():
        inside = _address_of(str(file / "companion.sqlite3"))
        raise Busy(f"{file} is a folder: write its address as {inside}")
    engine = sql.create_engine(target, connect_args={"check_same_thread": False})
    sql.event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    # Waiting for a lock inside SQLite would block all threads; retry_while_locked waits instead.
    connection.execute("PRAGMA busy_timeout = 0")
    connection.execute("PRAGMA journal_mode = WAL")
    # NORMAL may lose the last commits in a power cut.
    connection.execute("PRAGMA synchronous = FULL")
    # Read damaged text without an error here. The code that decodes it reports the damage.
    connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")


def _set_up_postgresql(connection: Any, _record: Any) -> None:
    before = connection.autocommit
    connection.autocommit = True
    with connection.cursor() as cursor:
        # Stop waiting for a lock before the client gives up, so that the statement can be
        # retried.
        cursor.execute(f"SET lock_timeout = {LOCK_MS}")
        cursor.execute(f"SET statement_timeout = {STATEMENT_MS}")
        # Make a process lose its locks if it freezes in the middle of a transaction.
        cursor.execute(f"SET idle_in_transaction_session_timeout = {IDLE_MS}")
    connection.autocommit = before


def autocommit_engine(usual: Engine, url: str) -> Engine:
    """Return an engine in PostgreSQL's autocommit mode. For SQLite, return ``usual``.

    This engine doesn't share the connections of ``usual``. Switching a connection to autocommit and
    back would cost two queries. And if a connection broke during the switch, SQLAlchemy's pool
    would lose it.
    """
    if usual.dialect.name != "postgresql":
        return usual
    return engine(url, isolation_level="AUTOCOMMIT")


def commit(connection: Connection, statements: Sequence[tuple[str, Sequence[Row]]]) -> None:
    """Execute each SQL statement for each of its rows, in this order, all in one transaction.

    This calls the driver directly, because SQLAlchemy's overhead would take longer than the
    statements themselves.
    """
    driver: Any = connection.connection.dbapi_connection
    errors: Any = connection.dialect.loaded_dbapi
    try:
        if connection.dialect.name == "sqlite":
            with connection.begin():
                for text, rows in statements:
                    driver.executemany(text, rows)
        else:
            _commit_in_postgresql(driver, statements)
    except errors.IntegrityError as error:
        raise exc.IntegrityError(None, None, error) from error
    except errors.Error as error:
        raise exc.OperationalError(None, None, error) from error


def _commit_in_postgresql(driver: Any, statements: Sequence[tuple[str, Sequence[Row]]]) -> None:
    """Send all statements in one message, which PostgreSQL executes as one transaction.

    So a process that freezes or loses its connection is never in the middle of a transaction, and
    holds no lock.
    """
    with driver.cursor() as cursor:
        texts = (cursor.mogrify(text.replace("?", "%s"), row)
                 for text, rows in statements for row in rows)  # fmt: skip
        cursor.execute(b";".join(texts))


def query(connection: Connection, text: str, values: Row) -> Sequence[Row]:
    """Return the rows of an SQL query, with these values in place of its ``?``."""
    text = text if connection.dialect.name == "sqlite" else text.replace("?", "%s")
    return [tuple(row) for row in connection.exec_driver_sql(text, values)]


def retry_while_locked(attempt: Callable[[], Result]) -> Result:
    """Call ``attempt`` and return its result. While the database is locked, retry for a while.

    Raise ``Conflict`` if a key is stored already, ``Damaged`` if data can't be read, or ``Busy``
    for any other error, with the database's own message.
    """
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except exc.IntegrityError as error:
            raise Conflict(str(error.orig)) from error
        except exc.DBAPIError as error:
            if _sqlite_code(error) not in LOCKED_SQLITE or time.monotonic() > until:
                raise _error_class(error)(str(error.orig)) from error
        time.sleep(PAUSE)


def _error_class(error: exc.DBAPIError) -> type[Busy]:
    """Return ``Damaged`` for an error that means damage, else ``Busy``."""
    postgresql = getattr(error.orig, "pgcode", None)
    damaged = _sqlite_code(error) in DAMAGED_SQLITE or postgresql in DAMAGED_POSTGRESQL
    return Damaged if damaged else Busy


def _sqlite_code(error: exc.DBAPIError) -> int:
    """Return SQLite's primary error code (an extended code's last byte); 0 for other databases."""
    return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF


class DatabaseFile:
    """Detects that a SQLite database's file was deleted or replaced while the server runs.

    SQLite itself would go on writing to the old file without an error. Other databases are not
    checked.
    """

    def __init__(self, url: str) -> None:
        self._file = file_of(url)
        self.remember()

    def remember(self) -> None:
        """Remember the file that exists now as the one that was opened."""
        self._opened = self._device_and_inode()

    def check(self) -> None:
        """Raise ``DatabaseGone`` if the file is missing, or isn't the file that was opened."""
        if self._file is not None and self._device_and_inode() != self._opened:
            raise DatabaseGone("its file was deleted or replaced while the server runs")

    def _device_and_inode(self) -> tuple[int, int] | None:
        try:
            status = os.stat(self._file or "")
        except OSError:
            return None
        return status.st_dev, status.st_ino


class ProblemReporter:
    """Reports problems with the database to the operator, each at most once a minute."""

    def __init__(self, notify: Notify) -> None:
        self._notify = notify
        # when each message may be reported again
        self._quiet_until: dict[str, float] = {}
        self.damaged = False  # True if damage was found since the start

    def report(self, busy: Busy) -> None:
        """Report a problem, unless it was reported less than ``AGAIN_SECONDS`` ago."""
        self.damaged = self.damaged or isinstance(busy, Damaged)
        sentence = _describe_problem(busy)
        now = time.monotonic()
        if now >= self._quiet_until.get(sentence, now):
            self._quiet_until[sentence] = now + AGAIN_SECONDS
            self._notify(sentence)


def _describe_problem(busy: Busy) -> str:
    """Return a message for the operator about a problem."""
    reason = " ".join(str(busy).split())
    if isinstance(busy, Damaged):
        return (
            f"The database is damaged ({reason}): stop the server and start it on a backup, or "
            "some tables stay closed."
        )
    if isinstance(busy, DatabaseGone):
        return (
            "Nothing is stored any more, since the database's file was deleted or replaced: put "
            "it back, or start the server again on the one that is there now."
        )
    return f"The database does not do what it is asked to, for now: {reason}."
