"""Add the table of recently connected seats, which keep their connections on a full server."""

from alembic import op
from sqlalchemy import BigInteger, Column, String

revision = "3"
down_revision = "2"


def upgrade() -> None:
    op.create_table(
        "visits",
        Column("hash", String(64), primary_key=True, autoincrement=False),
        Column("expires", BigInteger, nullable=False),
        if_not_exists=True,
    )
