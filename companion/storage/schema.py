"""The tables of the database. Names and meanings stay as they are once they were released.

What is changed here is changed in older databases by a new file in ``migrations/versions``.
``alembic_version`` has the number of the newest that was run.

``meta`` names the database's log (``epoch``), and that of a table which lost its end.
``events`` is the log: append-only, one row for each version of a table. ``answers`` makes
a command happen once, ``errands`` (here ``requests``) a call. Tokens and claims are stored as
hashes only.
``robots`` has the key from which a robot's decks are made, and the secret of one that it took over.
``remarks`` are what players noted at moments of finished games.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

metadata = MetaData()

revisions = Table(
    "alembic_version",
    metadata,
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)

meta = Table(
    "meta",
    metadata,
    Column("key", String(20), primary_key=True),
    Column("value", String(100), nullable=False),
)


variants = Table(
    "variants",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("content", Text, nullable=False),
)

tables = Table(
    "tables",
    metadata,
    Column("code", String(6), primary_key=True),
    Column("variant", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("code", String(6), primary_key=True),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    sqlite_with_rowid=False,
)

answers = Table(
    "answers",
    metadata,
    Column("code", String(6), primary_key=True),
    Column("id", String(36), primary_key=True),
    Column("fingerprint", String(32), nullable=False),
    Column("answer", Text, nullable=False),
    sqlite_with_rowid=False,
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("code", String(6), nullable=False),
    Column("seat", String(40), nullable=False),
    Index("tokens_of_seat", "code", "seat"),
)

robots = Table(
    "robots",
    metadata,
    Column("code", String(6), primary_key=True),
    Column("seat", String(40), primary_key=True),
    Column("key", String(64), nullable=False),
    Column("secret", String(64), nullable=True),
)

remarks = Table(
    "remarks",
    metadata,
    Column("code", String(6), primary_key=True),
    Column("game", BigInteger, primary_key=True, autoincrement=False),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("moment", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("seat", String(40), nullable=False),
    Column("text", Text, nullable=False),
    sqlite_with_rowid=False,
)

claims = Table(
    "claims",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("code", String(6), nullable=False),
    Column("seat", String(40), nullable=False),
    Column("expires", BigInteger, nullable=False),
)

requests = Table(
    "errands",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("fingerprint", String(32), nullable=False),
    Column("salt", String(64), nullable=False),
    Column("answer", Text, nullable=False),
    Column("expires", BigInteger, nullable=False),
)
