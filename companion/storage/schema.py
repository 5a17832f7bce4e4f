"""The tables of the database. Names and meanings stay as they are once they were released.

What is changed here is changed in older databases by a new file in ``migrations/versions``.
``alembic_version`` has the number of the newest that was run.

``meta`` names the database's log (``epoch``), and that of a table which lost its end. ``events`` is
the log: append-only, one row for each version of a table. ``answers`` makes a command happen once,
``errands`` (here ``requests``) a call. Tokens and claims are stored as hashes only. ``robots`` has
the key from which a robot's decks are made, and the secret of one that it took over. ``remarks``
are what players noted at moments of finished games."""

from typing import Any

from sqlalchemy import BigInteger, Column, Index, MetaData, String, Table, Text
from sqlalchemy import PrimaryKeyConstraint as PrimaryKey

metadata = MetaData()


def _table(
    name: str, keys: dict[str, Any], values: dict[str, Any], *more: Any, rowid: bool = True
) -> Table:
    """``keys`` are its primary key, ``values`` are always there."""
    columns = [Column(key, kind, primary_key=True, autoincrement=False)
               for key, kind in keys.items()]  # fmt: skip
    columns += [Column(key, kind, nullable=False) for key, kind in values.items()]
    return Table(name, metadata, *columns, *more, sqlite_with_rowid=rowid)


revisions = _table(
    "alembic_version",
    {},
    {"version_num": String(32)},
    PrimaryKey("version_num", name="alembic_version_pkc"),
)

meta = _table("meta", {"key": String(20)}, {"value": String(100)})

variants = _table("variants", {"digest": String(64)}, {"content": Text})

tables = _table("tables", {"code": String(6)}, {"variant": String(64), "created": BigInteger})

events = _table(
    "events",
    {"code": String(6), "version": BigInteger},
    {"at": BigInteger, "body": Text},
    rowid=False,
)

answers = _table(
    "answers",
    {"code": String(6), "id": String(36)},
    {"fingerprint": String(32), "answer": Text},
    rowid=False,
)

tokens = _table(
    "tokens",
    {"hash": String(64)},
    {"code": String(6), "seat": String(40)},
    Index("tokens_of_seat", "code", "seat"),
)

robots = _table(
    "robots",
    {"code": String(6), "seat": String(40)},
    {"key": String(64)},
    Column("secret", String(64)),
)

remarks = _table(
    "remarks",
    {"code": String(6), "game": BigInteger, "number": BigInteger},
    {"moment": BigInteger, "at": BigInteger, "seat": String(40), "text": Text},
    rowid=False,
)

claims = _table(
    "claims", {"hash": String(64)}, {"code": String(6), "seat": String(40), "expires": BigInteger}
)

requests = _table(
    "errands",
    {"hash": String(64)},
    {"fingerprint": String(32), "salt": String(64), "answer": Text, "expires": BigInteger},
)
