"""What the store is asked for, where it is more than the row of a key."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sql

from companion.storage.schema import epoch_of, events, meta, tables, variants


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
    chosen = sql.select(*_EVENT, _epoch(sql.literal(code))).where(events.c.code == code)
    return chosen.where(events.c.version > after).order_by(events.c.version).limit(most)


def heads(codes: Sequence[str]) -> Any:
    """Each table's code and epoch, and its newest event's version and time."""
    return _HEADS.where(tables.c.code.in_(codes))


def untouched(before: int) -> Any:
    """The codes of the tables at which nothing has happened since then, in ms."""
    later = sql.select(events.c.code).where(events.c.code == tables.c.code)
    nothing = ~later.where(events.c.at >= before).exists()
    return sql.select(tables.c.code).where(tables.c.created < before, nothing)


def _epoch(code: Any) -> Any:
    """A table's own epoch, empty if it has none."""
    drawn = sql.select(meta.c.value).where(meta.c.key == epoch_of(code)).scalar_subquery()
    return sql.func.coalesce(drawn, "")


_NOW = sql.text("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)")
_EVENT = events.c.version, events.c.at, events.c.body
_NEWEST = [
    sql.select(column)
    .where(events.c.code == tables.c.code)
    .order_by(events.c.version.desc())
    .limit(1)
    .scalar_subquery()
    for column in (events.c.version, events.c.at)
]
_HEADS = sql.select(tables.c.code, _epoch(tables.c.code), *_NEWEST)
