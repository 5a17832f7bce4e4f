"""Prepares the database at the start, and detects that an older copy of it was restored.

The *epoch* names one history of the database's log. Clients that have seen another epoch discard
their views. A random *mark* serves to notice a restored backup. At each start and stop, a new mark
is written to the database, and to a small file beside it together with the inode of the database's
file. If a backup has replaced the database, the mark in the database differs from the mark in the
small file. If both files were copied, the inode differs. In either case the database gets a new
epoch.

Several processes may start at once. One of them prepares the database, and the others wait.
"""

import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from secrets import token_hex

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

from companion.storage import migrations
from companion.storage.database import Busy, file_of
from companion.storage.schema import meta

COPY = "copy"
EPOCH = "epoch"
MARK = "mark"
"""Keys in the table ``meta``. Only a database made by ``copy_database`` has ``COPY``."""

KEY = 0x68697374  # number of PostgreSQL's advisory lock for preparing the database
PATIENCE = 60  # seconds to wait for another process that is preparing the database
PAUSE = 0.05  # seconds between two attempts


def prepare_database(engine: Engine, beside: Path | None) -> str:
    """Create or migrate the tables, and write a new mark. Return the epoch.

    ``beside`` is the path of the file for the mark, or None if the database isn't a file. Raise
    ``Busy``, or SQLAlchemy's errors.
    """
    mark = token_hex(8)
    with engine.begin() as connection:
        _lock_out_others(connection)
        migrations.bring_to_newest(connection)
        stored = {row.key: row.value for row in connection.execute(sql.select(meta))}
        same = COPY not in stored and _is_same_database(beside, stored.get(MARK))
        epoch = str(stored[EPOCH]) if same and EPOCH in stored else token_hex(8)
        values = {EPOCH: epoch} | ({MARK: mark} if beside else {})
        if not values.items() <= stored.items():
            connection.execute(sql.delete(meta).where(meta.c.key.in_([*values, COPY])))
            rows = [{"key": key, "value": value} for key, value in values.items()]
            connection.execute(sql.insert(meta), rows)
    write_mark(beside, mark)
    return epoch


def _lock_out_others(connection: Connection) -> None:
    """Keep other processes from preparing the database until this transaction ends.

    With PostgreSQL this polls the lock, because a query that waits for the lock would exceed the
    time limit.
    """
    if connection.dialect.name == "sqlite":
        # The driver begins a transaction only before the first row is written. If the process
        # were killed before that, some tables would exist and others not.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        return
    until = time.monotonic() + PATIENCE
    while not connection.scalar(sql.select(sql.func.pg_try_advisory_xact_lock(KEY))):
        if time.monotonic() > until:
            raise Busy("another program has been changing it for a minute")
        time.sleep(PAUSE)


def mark_of(url: str) -> Path | None:
    """Return the path of the file for the mark, or None if the database isn't a file."""
    file = file_of(url)
    return Path(f"{file}.mark") if file else None


def _is_same_database(beside: Path | None, mark: str | None) -> bool:
    """Return True if the file beside the database contains this mark and the database's inode."""
    with suppress(OSError):
        return beside is None or (
            mark is not None and beside.read_text("utf-8") == _mark_line(beside, mark)
        )
    return False


def write_mark(beside: Path | None, mark: str) -> None:
    """Write the mark beside the database. If that fails, the next start creates a new epoch."""
    if beside is not None:
        with suppress(OSError):
            new_file = beside.with_name(beside.name + ".new")
            new_file.write_text(_mark_line(beside, mark), "utf-8", newline="\n")
            new_file.replace(beside)


def _mark_line(beside: Path, mark: str) -> str:
    """Return the text of the file for the mark: the mark, and the inode of the database's file."""
    return f"{mark} {beside.with_suffix('').stat().st_ino}\n"


def copy_database(source: Path, target: Path) -> None:
    """Copy a SQLite database to a new file, even while a server writes to the database.

    The copy is complete, or isn't made at all. It may lack events that clients have seen. So it is
    marked as a copy, and a server that starts on it creates a new epoch. Raise ``sqlite3.Error``.
    """
    part = target.with_name(f"{target.name}.{token_hex(4)}.part")
    try:
        with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as database:
            database.execute("VACUUM INTO ?", (str(part),))
        with closing(sqlite3.connect(part)) as copied, copied:
            copied.execute(f"INSERT INTO {meta.name} (key, value) VALUES (?, 'yes')", (COPY,))
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
