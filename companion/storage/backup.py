"""Consistent copies of a SQLite database, made while somebody else writes to it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from secrets import token_hex

from companion.storage.beginning import COPY
from companion.storage.schema import meta


def copy(source: Path, target: Path) -> None:
    """Copies the database to a new file, whole or not at all; raises ``sqlite3.Error``.

    The copy is marked: a server that starts on it knows that its log isn't the one which
    the clients saw last, and draws a new epoch.
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
