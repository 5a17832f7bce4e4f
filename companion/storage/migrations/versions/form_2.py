"""Each table has an epoch of its own beside the database's."""

from alembic import op
from sqlalchemy import Column, String

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Adds it; nobody has lost anything yet."""
    op.add_column("tables", Column("epoch", String(16), nullable=False, server_default=""))
