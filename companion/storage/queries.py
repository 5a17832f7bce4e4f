"""What the store is asked for, where it is more than the row of a key."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sql

from companion.storage.schema import events, tables, variants


def now() -> Any:
    """Milliseconds since the epoch, on PostgreSQL's clock."""
    return _NOW


def variant(code: str) -> Any:
    """The content of the variant which this table keeps; ``None`` where it is lost."""
    kept = sql.select(variants.c.content).select_from(tables)
    kept = kept.outerjoin(variants, tables.c.variant == variants.c.digest)
    return kept.where(tables.c.code == code)


def log(code: str, after: int, most: int | None) -> Any:
    """The events of a table after this version, oldest first, each with the table's epoch."""
    chosen = _LOG.where(events.c.code == code, events.c.version > after)
    return chosen.order_by(events.c.version).limit(most)


def heads(codes: Sequence[str]) -> Any:
    """Each table's code and epoch, and its newest event's version and time."""
    return _HEADS.where(tables.c.code.in_(codes))


def untouched(before: int) -> Any:
    """The codes of the tables at which nothing has happened since then, in ms."""
    later = sql.select(events.c.code).where(events.c.code == tables.c.code)
    nothing = ~later.where(events.c.at >= before).exists()
    return sql.select(tables.c.code).where(tables.c.created < before, nothing)


_NOW = sql.text("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)")
_LOG = sql.select(events.c.version, events.c.at, events.c.body, tables.c.epoch).join(
    tables, tables.c.code == events.c.code
)
_NEWEST = [
    sql.select(column)
    .where(events.c.code == tables.c.code)
    .order_by(events.c.version.desc())
    .limit(1)
    .scalar_subquery()
    for column in (events.c.version, events.c.at)
]
_HEADS = sql.select(tables.c.code, tables.c.epoch, *_NEWEST)
