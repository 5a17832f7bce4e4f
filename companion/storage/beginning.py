"""What a start does to a database before anything else: its tables, its epoch, its mark.

Several processes may start at once: one does it, the others wait and find it done. This module
must not know what is stored in the tables.
"""

import time
from pathlib import Path
from secrets import token_hex

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

from companion.storage import lineage, migrations
from companion.storage.database import Busy
from companion.storage.schema import meta

COPY = "copy"
"""The key in ``meta`` which marks a copy: whoever opens it draws a new epoch."""

EPOCH = "epoch"
"""The key in ``meta`` of what names the log."""

MARK = "mark"
"""The key in ``meta`` of the mark which tells an older copy (see ``lineage``)."""

KEY = 0x68697374
"""The number of the advisory lock under which PostgreSQL's tables are made."""

PATIENCE = 60
"""For so long, in seconds, somebody else who makes them is waited for."""

PAUSE = 0.05


def prepare(engine: Engine, beside: Path | None) -> str:
    """Makes what is missing and gives the epoch; raises ``Busy``, or what SQLAlchemy raises.

    ``beside``: where the mark is kept outside the database, if there is a file.
    """
    mark = lineage.new()
    with engine.begin() as connection:
        _alone(connection)
        migrations.bring_to_newest(connection)
        known = {row.key: row.value for row in connection.execute(sql.select(meta))}
        same = COPY not in known and lineage.goes_on(beside, known.get(MARK))
        epoch = str(known[EPOCH]) if same and EPOCH in known else token_hex(8)
        wanted = {EPOCH: epoch} | ({MARK: mark} if beside else {})
        if not wanted.items() <= known.items():
            connection.execute(sql.delete(meta).where(meta.c.key.in_([*wanted, COPY])))
            rows = [{"key": key, "value": value} for key, value in wanted.items()]
            connection.execute(sql.insert(meta), rows)
    lineage.write(beside, mark)
    return epoch


def _alone(connection: Connection) -> None:
    """Nobody else prepares the database until this transaction's end.

    PostgreSQL is asked again and again: who waited for it would be told that it says nothing.
    """
    if connection.dialect.name == "sqlite":
        # Its driver would begin with the first row only, and leave tables half made at a kill.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        return
    until = time.monotonic() + PATIENCE
    while not connection.scalar(sql.select(sql.func.pg_try_advisory_xact_lock(KEY))):
        if time.monotonic() > until:
            raise Busy("another program has been changing it for a minute")
        time.sleep(PAUSE)
