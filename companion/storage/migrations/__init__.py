"""Brings the tables of a database to the form that this version of the program knows. The form has
a number, which the database keeps. A new database gets the newest form at once (``schema``); an
older one what was changed since, step by step, by Alembic, which nobody else needs and which is
imported then only. This module must not know what is stored."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from companion.storage.database import Busy
from companion.storage.schema import meta, metadata, revisions

NEWEST = 3  # the number of the newest file in versions


def bring_to_newest(connection: Connection) -> None:
    """Does it in the transaction that the connection is in; raises ``Busy`` where it can't."""
    found = _revision(connection)
    if found is None:
        metadata.create_all(connection)
        connection.execute(sql.insert(revisions), [{"version_num": str(NEWEST)}])
    elif not found.isdecimal() or int(found) > NEWEST:
        raise Busy(
            f"a later version of the program has changed its tables (to form {found}, this one"
            f" knows {NEWEST}): start that version, or go back to a copy made before"
        )
    elif int(found) < NEWEST:
        with _in_its_own_time(connection):
            _migrate(connection)


def _revision(connection: Connection) -> str | None:
    """The form that the tables have; 0: that from before forms had numbers; ``None``: none."""
    there = sql.inspect(connection).get_table_names()
    if revisions.name in there:
        return connection.scalar(sql.select(revisions.c.version_num)) or "0"
    return "0" if meta.name in there else None


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    command.upgrade(config, "head")


@contextmanager
def _in_its_own_time(connection: Connection) -> Iterator[None]:
    """PostgreSQL may take as long as it needs to change a table; nobody is served meanwhile."""
    if connection.dialect.name != "postgresql":
        yield
        return
    from psycopg2 import extensions

    connection.execute(sql.text("SET LOCAL statement_timeout = 0"))
    patience = extensions.get_wait_callback()
    extensions.set_wait_callback(None)
    try:
        yield
    finally:
        extensions.set_wait_callback(patience)
