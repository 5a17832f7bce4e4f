"""How this program uses a database: SQLite as durable as it can be, PostgreSQL as it is; and what
is wrong with it, told to whoever runs the server in a sentence, not too often."""

import os
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
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
Tell = Callable[[str], None]

PATIENCE = 0.4  # seconds for which a database that is locked is tried again before giving up
PAUSE = 0.02
AGAIN_SECONDS = 60  # after this the same sentence is told again, if it is still true
LOCK_MS = 700  # for so long PostgreSQL waits for a lock: two such waits are under 2 s
STATEMENT_MS = 2_500  # how long PostgreSQL may take for one statement
IDLE_MS = 3_000  # how long one of several processes may leave a transaction open and do nothing

LOCKED_SQLITE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
DAMAGED_SQLITE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
DAMAGED_POSTGRESQL = ("XX001", "XX002")
_PSYCOPG = "postgresql+psycopg2"
DRIVERS = {
    "sqlite": "sqlite", "sqlite+pysqlite": "sqlite",
    "postgres": _PSYCOPG, "postgresql": _PSYCOPG, _PSYCOPG: _PSYCOPG,
}  # fmt: skip
"""How an address may begin, and what it stands for: psycopg 3 would stop the whole loop."""

UNREADABLE = (
    "its address can't be read: write it as postgresql+psycopg2://name:password@host:port/database,"
    " with @, / and : in a password as %40, %2F and %3A"
)
A_FILE = "sqlite:////path/to/tables.sqlite3"

IGNORED = ("cached_statements", "check_same_thread", "detect_types", "isolation_level", "timeout")
"""What an address of SQLite may say of a connection: this program sets it itself."""

OPEN_TO_WRITE = ("rw", "rwc")


class Busy(Exception):
    """The store did not take it (locked, read-only, full, away): nothing happened."""


class Damaged(Busy):
    """Something in the database can't be read, and won't be by itself."""


class DatabaseGone(Busy):
    """The database's file is not the one any more that was opened: nothing is taken."""


class Conflict(Busy):
    """Something with this key is stored already: nothing happened."""


def database_at(url: str) -> URL:
    """Returns the database at an SQLAlchemy URL, of SQLite always as a plain file's path. Raises
    ``Busy`` where it can't be, with the address to write, and without a password."""
    if "://" not in url or url.startswith("file:"):
        raise Busy(_not_a_url(url))
    try:
        target = make_url(url)
    except (exc.ArgumentError, ValueError) as error:
        raise Busy(UNREADABLE) from error
    if target.drivername not in DRIVERS:
        raise Busy("its address has to begin with sqlite:// or postgresql+psycopg2://")
    if "@" in (target.host or ""):  # what follows it in a password would be told as the host
        raise Busy(UNREADABLE)
    target = target.set(drivername=DRIVERS[target.drivername])
    return _plain_file(target) if target.get_backend_name() == "sqlite" else target


def _not_a_url(text: str) -> str:
    """The address that somebody meant who wrote a path, perhaps."""
    path = text.removeprefix("sqlite:")
    if text.startswith("file:"):
        path = _path_in_uri(text)
    whose = ":" in path[2 if path[1:3] == ":\\" else 0 :] or "@" in path
    if whose or not ({*"/\\."} & {*path}):
        return f"{UNREADABLE}; or, for a file, as {A_FILE}"
    return f"its address can't be read: write it as {_address_of(path)}"


def _plain_file(target: URL) -> URL:
    """Checks the address of a SQLite database, and takes what needs no saying out of it, so that
    everybody knows the file by its path: the lock and the mark lie beside it."""
    if target.username or target.password:
        raise Busy(f"a file has no user: write its address as {A_FILE}")
    path = target.database or ""
    if target.host:
        below = f"{target.host}/{path}"
        raise Busy(
            f"its address names a host, {target.host}, and a file has none: write it as"
            f" {_address_of(f'/{below}')}, or as {_address_of(below)} if it lies in this folder"
        )
    said = {key: value for key, value in target.query.items() if key not in IGNORED}
    as_uri = str(said.pop("uri", "")).lower() in ("true", "1", "yes", "on")
    if as_uri and said.get("mode") in OPEN_TO_WRITE:
        del said["mode"]
    meant = _path_in_uri(path) if path.startswith("file:") else os.path.expanduser(path)
    if as_uri:
        path = meant
    if path in ("", ":memory:") or said.get("mode") == "memory":
        raise Busy(f"its tables would be gone with the process: write its address as {A_FILE}")
    if said:
        keys = ", ".join(sorted(said))
        raise Busy(f"its address may not say {keys}: write it as {_address_of(meant)}")
    if path != meant and not Path(path).exists():
        raise Busy(f"its address is read as it is written: write it as {_address_of(meant)}")
    return target.set(database=path, query={})


def _path_in_uri(uri: str) -> str:
    """The path in a ``file:`` URI, as SQLite reads it."""
    path = uri.removeprefix("file:").partition("#")[0].partition("?")[0]
    if path.startswith("//"):
        path = "/" + path[2:].partition("/")[2]
    return unquote(path)


def _address_of(path: str) -> str:
    return f"sqlite:///{path}"


def file_of(url: str) -> str | None:
    """The file of a SQLite database; ``None``: it is another kind of database."""
    target = database_at(url)
    return target.database if target.get_backend_name() == "sqlite" else None


def engine(url: str, **more: str) -> Engine:
    """Connections to the database at this URL; ``more``: PostgreSQL's. Raises ``Busy``."""
    target = database_at(url)
    if target.get_backend_name() != "sqlite":
        try:
            made = sql.create_engine(target, pool_pre_ping=True, **more)
        except ImportError as error:
            raise Busy("the package psycopg2 is missing: install '.[postgresql]'") from error
        sql.event.listen(made, "connect", _set_up_postgresql)
        return made
    file = Path(str(target.database))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Busy(str(error)) from error
    if file.is_dir():
        inside = _address_of(str(file / "companion.sqlite3"))
        raise Busy(f"{file} is a folder: write its address as {inside}")
    made = sql.create_engine(target, connect_args={"check_same_thread": False})
    sql.event.listen(made, "connect", _set_up_sqlite)
    return made


def _set_up_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    # Waiting for a lock inside SQLite would stop the whole loop: patiently() waits instead.
    connection.execute("PRAGMA busy_timeout = 0")
    connection.execute("PRAGMA journal_mode = WAL")
    # NORMAL may lose the last commits at a power cut.
    connection.execute("PRAGMA synchronous = FULL")
    # Text that is damaged is read as far as it goes: whoever makes sense of it finds out.
    connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")


def _set_up_postgresql(connection: Any, _record: Any) -> None:
    before = connection.autocommit
    connection.autocommit = True
    with connection.cursor() as cursor:
        # Who waits for somebody else's lock is told to try again, before the callers leave.
        cursor.execute(f"SET lock_timeout = {LOCK_MS}")
        cursor.execute(f"SET statement_timeout = {STATEMENT_MS}")
        # Whoever freezes in the middle of a transaction lets go of what it has locked.
        cursor.execute(f"SET idle_in_transaction_session_timeout = {IDLE_MS}")
    connection.autocommit = before


def autocommit_engine(usual: Engine, url: str) -> Engine:
    """Connections on which each message to PostgreSQL is a transaction of its own. They are others
    than the usual ones. To turn one from this to that asks the database twice, and a connection
    that it goes away from meanwhile would be lost to SQLAlchemy's pool."""
    if usual.dialect.name != "postgresql":
        return usual
    return engine(url, isolation_level="AUTOCOMMIT")


def commit(connection: Connection, wanted: Mapping[str, Sequence[Row]]) -> None:
    """Executes all of it, SQL by SQL for its rows, in one transaction. The driver is handed it as
    it is: what SQLAlchemy does around it takes longer than it."""
    driver: Any = connection.connection.dbapi_connection
    errors: Any = connection.dialect.loaded_dbapi
    try:
        if connection.dialect.name == "sqlite":
            with connection.begin():
                for text, rows in wanted.items():
                    driver.executemany(text, rows)
        else:
            _in_postgresql(driver, wanted)
    except errors.IntegrityError as error:
        raise exc.IntegrityError(None, None, error) from error
    except errors.Error as error:
        raise exc.OperationalError(None, None, error) from error


def _in_postgresql(driver: Any, wanted: Mapping[str, Sequence[Row]]) -> None:
    """One message, whose statements PostgreSQL takes as one transaction: nobody waits in the
    middle of one, so whoever is frozen or cut off never holds a lock."""
    with driver.cursor() as cursor:
        said = (cursor.mogrify(text.replace("?", "%s"), row)
                for text, rows in wanted.items() for row in rows)  # fmt: skip
        cursor.execute(b";".join(said))


def query(connection: Connection, text: str, given: Row) -> Sequence[Row]:
    text = text if connection.dialect.name == "sqlite" else text.replace("?", "%s")
    return [tuple(row) for row in connection.exec_driver_sql(text, given)]


def retry_while_locked(attempt: Callable[[], Result]) -> Result:
    """What ``attempt`` gives, tried for a while if the database is locked. Raises ``Conflict``,
    ``Damaged`` or ``Busy``, the latter two with the database's own words."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except exc.IntegrityError as error:
            raise Conflict(str(error.orig)) from error
        except exc.DBAPIError as error:
            if _sqlite_code(error) not in LOCKED_SQLITE or time.monotonic() > until:
                raise _trouble(error)(str(error.orig)) from error
        time.sleep(PAUSE)


def _trouble(error: exc.DBAPIError) -> type[Busy]:
    postgresql = getattr(error.orig, "pgcode", None)
    damaged = _sqlite_code(error) in DAMAGED_SQLITE or postgresql in DAMAGED_POSTGRESQL
    return Damaged if damaged else Busy


def _sqlite_code(error: exc.DBAPIError) -> int:
    """SQLite's plain code, which its extended ones have in their last byte; 0: not SQLite's."""
    return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF


class Beneath:
    """The file of a SQLite database, known again by its number; of any other nothing is known.
    Whoever deletes or replaces it while the server runs would else be told that all is well."""

    def __init__(self, url: str) -> None:
        self._file = file_of(url)
        self.know()

    def know(self) -> None:
        """The file that is there now is the one that was opened."""
        self._opened = self._number()

    def check(self) -> None:
        """Raises ``Gone`` when another file is there, or none."""
        if self._file is not None and self._number() != self._opened:
            raise DatabaseGone("its file was deleted or replaced while the server runs")

    def _number(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._file or "")
        except OSError:
            return None
        return found.st_dev, found.st_ino


class Trouble:
    """Says what is wrong; ``damaged`` stays so until the next start."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._told: dict[str, float] = {}
        self.damaged = False

    def note(self, busy: Busy) -> None:
        self.damaged = self.damaged or isinstance(busy, Damaged)
        said = _sentence(busy)
        now = time.monotonic()
        if now >= self._told.get(said, now):
            self._told[said] = now + AGAIN_SECONDS
            self._tell(said)


def _sentence(busy: Busy) -> str:
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
