"""Which log a database holds: what a start does to it, before anything else.

The epoch names the log. At each start and stop a new mark is drawn and kept in the database and in
a small file beside it: a copy of the database that was put in its place has an older mark, a copy
of both is another file, and either is another log. Several processes may start at once: one does
it, the others wait and find it done."""

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
"""The keys in ``meta``: of what marks a copy, names the log, and tells an older copy."""

KEY = 0x68697374  # the number of the advisory lock under which PostgreSQL's tables are made
PATIENCE = 60  # for so long, in seconds, somebody else who makes them is waited for
PAUSE = 0.05


def prepare(engine: Engine, beside: Path | None) -> str:
    """Makes what is missing and gives the epoch; raises ``Busy``, or what SQLAlchemy raises.
    ``beside``: where the mark is kept outside the database, if there is a file."""
    mark = token_hex(8)
    with engine.begin() as connection:
        _alone(connection)
        migrations.bring_to_newest(connection)
        known = {row.key: row.value for row in connection.execute(sql.select(meta))}
        same = COPY not in known and _goes_on(beside, known.get(MARK))
        epoch = str(known[EPOCH]) if same and EPOCH in known else token_hex(8)
        wanted = {EPOCH: epoch} | ({MARK: mark} if beside else {})
        if not wanted.items() <= known.items():
            connection.execute(sql.delete(meta).where(meta.c.key.in_([*wanted, COPY])))
            rows = [{"key": key, "value": value} for key, value in wanted.items()]
            connection.execute(sql.insert(meta), rows)
    write_mark(beside, mark)
    return epoch


def _alone(connection: Connection) -> None:
    """Nobody else prepares the database until this transaction's end. PostgreSQL is asked again and
    again: who waited for it would be told that it says nothing."""
    if connection.dialect.name == "sqlite":
        # Its driver would begin with the first row only, and leave tables half made at a kill.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        return
    until = time.monotonic() + PATIENCE
    while not connection.scalar(sql.select(sql.func.pg_try_advisory_xact_lock(KEY))):
        if time.monotonic() > until:
            raise Busy("another program has been changing it for a minute")
        time.sleep(PAUSE)


def mark_of(url: str) -> Path | None:
    """Where the mark is kept outside the database; ``None`` where there is no file."""
    file = file_of(url)
    return Path(f"{file}.mark") if file else None


def _goes_on(beside: Path | None, mark: str | None) -> bool:
    """Whether the database with this mark is the one that was here last."""
    with suppress(OSError):
        return beside is None or (
            mark is not None and beside.read_text() == _mark_line(beside, mark)
        )
    return False


def write_mark(beside: Path | None, mark: str) -> None:
    """Keeps the mark outside the database; where that can't be, a start is a new epoch."""
    if beside is not None:
        with suppress(OSError):
            fresh = beside.with_name(beside.name + ".new")
            fresh.write_text(_mark_line(beside, mark))
            fresh.replace(beside)


def _mark_line(beside: Path, mark: str) -> str:
    return f"{mark} {beside.with_suffix('').stat().st_ino}\n"


def copy(source: Path, target: Path) -> None:
    """Copies a SQLite database that somebody else may write to meanwhile to a new file, whole or
    not at all; raises ``sqlite3.Error``. The copy is marked: a server that starts on it knows that
    its log isn't the one which the clients saw last, and draws a new epoch."""
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
