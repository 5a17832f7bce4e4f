"""The tables when their form got a number; what was made before may lack the younger ones."""

from alembic import op
from sqlalchemy import BigInteger, Column, String, Text

revision = "1"
down_revision = None


def upgrade() -> None:
    """Makes what is missing."""
    _tables_and_logs()
    _seats()
    _calls()


def _tables_and_logs() -> None:
    op.create_table(
        "meta",
        Column("key", String(20), primary_key=True),
        Column("value", String(100), nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "variants",
        Column("digest", String(64), primary_key=True),
        Column("content", Text, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "tables",
        Column("code", String(6), primary_key=True),
        Column("variant", String(64), nullable=False),
        Column("created", BigInteger, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "events",
        Column("code", String(6), primary_key=True),
        Column("version", BigInteger, primary_key=True, autoincrement=False),
        Column("at", BigInteger, nullable=False),
        Column("body", Text, nullable=False),
        sqlite_with_rowid=False,
        if_not_exists=True,
    )
    op.create_table(
        "answers",
        Column("code", String(6), primary_key=True),
        Column("id", String(36), primary_key=True),
        Column("fingerprint", String(32), nullable=False),
        Column("answer", Text, nullable=False),
        sqlite_with_rowid=False,
        if_not_exists=True,
    )


def _seats() -> None:
    op.create_table(
        "tokens",
        Column("hash", String(64), primary_key=True),
        Column("code", String(6), nullable=False),
        Column("seat", String(40), nullable=False),
        if_not_exists=True,
    )
    op.create_index("tokens_of_seat", "tokens", ["code", "seat"], if_not_exists=True)
    op.create_table(
        "robots",
        Column("code", String(6), primary_key=True),
        Column("seat", String(40), primary_key=True),
        Column("key", String(64), nullable=False),
        Column("secret", String(64), nullable=True),
        if_not_exists=True,
    )
    op.create_table(
        "remarks",
        Column("code", String(6), primary_key=True),
        Column("game", BigInteger, primary_key=True, autoincrement=False),
        Column("number", BigInteger, primary_key=True, autoincrement=False),
        Column("moment", BigInteger, nullable=False),
        Column("at", BigInteger, nullable=False),
        Column("seat", String(40), nullable=False),
        Column("text", Text, nullable=False),
        sqlite_with_rowid=False,
        if_not_exists=True,
    )


def _calls() -> None:
    op.create_table(
        "claims",
        Column("hash", String(64), primary_key=True),
        Column("code", String(6), nullable=False),
        Column("seat", String(40), nullable=False),
        Column("expires", BigInteger, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "errands",
        Column("hash", String(64), primary_key=True),
        Column("fingerprint", String(32), nullable=False),
        Column("salt", String(64), nullable=False),
        Column("answer", Text, nullable=False),
        Column("expires", BigInteger, nullable=False),
        if_not_exists=True,
    )
