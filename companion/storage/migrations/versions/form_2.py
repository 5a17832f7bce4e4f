"""Seats' cookies get names that nobody else can plant. Those of the old names count for as long as
a browser keeps one, for the seats that are there, and for those that processes of the version
before give away while they still run."""

import time

from alembic import op
from sqlalchemy import BigInteger, Column, inspect

revision = "2"
down_revision = "1"

KEPT_SECONDS = 30 * 24 * 3600  # how long a browser keeps a cookie that it was given


def upgrade() -> None:
    if any(
        one["name"] == "old_cookie_until" for one in inspect(op.get_bind()).get_columns("tokens")
    ):
        return
    until = int((time.time() + KEPT_SECONDS) * 1000)
    column = Column("old_cookie_until", BigInteger, nullable=False, server_default=str(until))
    op.add_column("tokens", column)
