"""The real server, with the fault that the file ``FAULT`` names in its next commits.

- ``slow``: commits wait while the file contains this word
- ``once``: one commit takes two seconds; the server empties the file when it begins
- ``fail``: commits fail with an I/O error
- ``before``, ``after``: the process is killed just before or just after it commits an event
- ``readonly``, ``full``: the database is read-only or full (these are SQLite's own errors)
- an empty file: no fault
"""

import os
import signal
import sqlite3
import time
from pathlib import Path
from typing import Any

from companion.__main__ import main  # isort: skip - importing it patches the standard library

from sqlalchemy import event
from sqlalchemy.engine import Engine
from sqlalchemy.exc import OperationalError

ENDLESS = 2**31 - 3


def read_fault() -> str:
    return Path(os.environ["FAULT"]).read_text()


@event.listens_for(Engine, "begin")
def on_begin(connection: Any) -> None:
    database = connection.connection.dbapi_connection
    now = read_fault()
    database.execute(f"PRAGMA query_only = {int(now == 'readonly')}")
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count = {pages if now == 'full' else ENDLESS}").fetchall()
    connection.info["events"] = count_events(database)


def count_events(database: sqlite3.Connection) -> int:
    """Return the number of events in the database, or 0 if the database has no tables yet."""
    try:
        return int(database.execute("SELECT count(*) FROM events").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


@event.listens_for(Engine, "commit")
def on_commit(connection: Any) -> None:
    while (now := read_fault()) == "slow":
        time.sleep(0.05)
    database = connection.connection.dbapi_connection
    writes_event = count_events(database) > connection.info.get("events", 0)
    if now == "once":
        Path(os.environ["FAULT"]).write_text("")
        time.sleep(2)
    elif now == "fail":
        raise OperationalError("COMMIT", None, sqlite3.OperationalError("disk I/O error"))
    elif now == "before" and writes_event:
        os.kill(os.getpid(), signal.SIGKILL)
    elif now == "after" and writes_event:
        database.commit()
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
