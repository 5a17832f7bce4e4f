"""Store the time until which cookies with old names are valid.

The cookies of seats got new names that other sites can't set. A cookie with an old name stays valid
as long as a browser keeps it. This applies to seats that exist already, and to seats that processes
of the previous version create while they are still running.
"""

import time

from alembic import op
from sqlalchemy import BigInteger, Column, inspect

revision = "2"
down_revision = "1"

KEPT_SECONDS = 30 * 24 * 3600  # time for which a browser keeps the cookie of a seat


def upgrade() -> None:
    if any(
        column["name"] == "old_cookie_until"
        for column in inspect(op.get_bind()).get_columns("tokens")
    ):
        return
    until = int((time.time() + KEPT_SECONDS) * 1000)
    column = Column("old_cookie_until", BigInteger, nullable=False, server_default=str(until))
    op.add_column("tokens", column)
