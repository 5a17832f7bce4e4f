"""Migrates a database's tables to the form that this version of the program uses.

Forms are numbered, and the database stores the number of its form. A new database gets the newest
form directly from ``schema``. An older database is changed step by step with Alembic, which is
imported only for this purpose. This module doesn't know what the tables are for.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from companion.storage.database import Busy
from companion.storage.schema import meta, metadata, revisions

NEWEST = 4  # number of the newest module in ``versions``


def bring_to_newest(connection: Connection) -> None:
    """Create or migrate the tables, within the connection's current transaction.

    Raise ``Busy`` if a later version of the program has already changed them.
    """
    form = _current_form(connection)
    if form is None:
        metadata.create_all(connection)
        connection.execute(sql.insert(revisions), [{"version_num": str(NEWEST)}])
    elif not form.isdecimal() or int(form) > NEWEST:
        raise Busy(
            f"a later version of the program has changed its tables (to form {form}, this one"
            f" knows {NEWEST}): start that version, or go back to a copy made before"
        )
    elif int(form) < NEWEST:
        with _without_timeouts(connection):
            _migrate(connection)


def _current_form(connection: Connection) -> str | None:
    """Return the number of the tables' form, or None if there are no tables.

    The result is "0" if the tables are older than numbered forms.
    """
    names = sql.inspect(connection).get_table_names()
    if revisions.name in names:
        return connection.scalar(sql.select(revisions.c.version_num)) or "0"
    return "0" if meta.name in names else None


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    command.upgrade(config, "head")


@contextmanager
def _without_timeouts(connection: Connection) -> Iterator[None]:
    """Disable PostgreSQL's time limits in the block. Nobody has to wait, because the server isn't
    running. A slow machine may take seconds for a statement, or only to import Alembic."""
    if connection.dialect.name != "postgresql":
        yield
        return
    from psycopg2 import extensions

    connection.execute(sql.text("SET LOCAL statement_timeout = 0"))
    connection.execute(sql.text("SET LOCAL idle_in_transaction_session_timeout = 0"))
    wait_callback = extensions.get_wait_callback()
    extensions.set_wait_callback(None)
    try:
        yield
    finally:
        extensions.set_wait_callback(wait_callback)
