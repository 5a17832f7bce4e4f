"""Add the table of the words by which launchers bring people to one table."""

from alembic import op
from sqlalchemy import Column, String

revision = "4"
down_revision = "3"


def upgrade() -> None:
    op.create_table(
        "rooms",
        Column("hash", String(64), primary_key=True, autoincrement=False),
        Column("code", String(6), nullable=False),
        if_not_exists=True,
    )
    op.create_index("rooms_of_table", "rooms", ["code"], if_not_exists=True)
