"""What can be written to the store: statements with the rows they are executed for.

This module must not know when it is written, nor what an event means.
"""

from collections.abc import Mapping, Sequence
from secrets import token_hex
from typing import Any, NamedTuple

import sqlalchemy as sql

from companion.storage.schema import (
    answers,
    claims,
    epoch_of,
    errands,
    events,
    meta,
    remarks,
    robots,
    tables,
    tokens,
)


class Statement(NamedTuple):
    """One statement and the rows that it is executed for."""

    statement: Any
    rows: Sequence[dict[str, Any]]


class Event(NamedTuple):
    """An event as it is stored: when, in ms, what, and its table's epoch."""

    version: int
    at: int
    body: str
    epoch: str

    @property
    def head(self) -> "Head":
        """What a log that ends with it is known by."""
        return Head(self.epoch, self.version, self.at)


class Head(NamedTuple):
    """Where a table's log ends: the table's epoch, the newest version, and when it was written."""

    epoch: str
    version: int
    at: int

    def lost(self, before: "Head") -> bool:
        """Whether a log that ended so before isn't the same any more, or has lost its end."""
        return self.version <= before.version and self != before


def insert_table(code: str, variant: str, at: int) -> Statement:
    """A new table, which keeps the variant of this digest."""
    return Statement(_INSERT[tables], [{"code": code, "variant": variant, "created": at}])


def insert_events(
    code: str, first: int, at: int, bodies: Sequence[bytes], after: Event | None = None
) -> Statement:
    """Events of one moment, the first of which makes the table's version ``first``.

    They are a ``Conflict`` where the event ``after`` which they stand isn't stored: only a new
    table's follow none.
    """
    rows: list[dict[str, Any]] = [
        {"code": code, "version": version, "at": at, "body": body.decode()}
        for version, body in enumerate(bodies, first)
    ]
    if after is None:
        return Statement(_INSERT[events], rows)
    before = [{"version": after.version, "at": after.at, "body": after.body}, *rows]
    return Statement(_INSERT_AFTER, [
        {**row, "a_version": one["version"], "an_at": one["at"], "a_body": one["body"]}
        for row, one in zip(rows, before, strict=False)
    ])  # fmt: skip


def insert_answer(code: str, id: str, fingerprint: str, answer: bytes) -> Statement:
    """What a command was answered, for whenever it is sent again."""
    row = {"code": code, "id": id, "fingerprint": fingerprint, "answer": answer.decode()}
    return Statement(_INSERT[answers], [row])


def insert_token(code: str, seat: str, hashed: str) -> Statement:
    """The token which opens this seat."""
    return Statement(_INSERT[tokens], [{"hash": hashed, "code": code, "seat": seat}])


def delete_tokens(code: str, seat: str) -> Statement:
    """Every token of this seat is void."""
    return Statement(_DELETE_TOKENS, [{"a_code": code, "a_seat": seat}])


def insert_robot(code: str, seat: str, key: str, secret: str | None) -> Statement:
    """What the robot at this seat makes its decks of."""
    row = {"code": code, "seat": seat, "key": key, "secret": secret}
    return Statement(_INSERT[robots], [row])


def delete_robot(code: str, seat: str) -> Statement:
    """What a robot at this seat made its decks of is forgotten."""
    return Statement(_DELETE_ROBOT, [{"a_code": code, "a_seat": seat}])


def insert_remark(row: dict[str, Any]) -> Statement:
    """What a player noted at a moment of a finished game: a row of ``remarks``."""
    return Statement(_INSERT[remarks], [row])


def insert_claim(code: str, seat: str, hashed: str, expires: int) -> Statement:
    """A claim which opens this seat once."""
    row = {"hash": hashed, "code": code, "seat": seat, "expires": expires}
    return Statement(_INSERT[claims], [row])


def delete_claim(hashed: str) -> Statement:
    """The claim is used up."""
    return Statement(_DELETE_CLAIM, [{"a_hash": hashed}])


def draw_epoch(code: str, known: str) -> Statement:
    """The table has another epoch from now on, unless it has one already that isn't known.

    ``known``: its epoch as it was read, empty if it has none of its own.
    """
    return Statement(_DRAW_EPOCH, [{"a_code": code, "known": known, "drawn": token_hex(8)}])


def delete_table(code: str) -> tuple[Statement, ...]:
    """The table with all that belongs to it is gone."""
    return tuple(Statement(statement, [{"a_code": code}]) for statement in _DELETE_TABLE)


def delete_claims(before: int) -> Statement:
    """The claims that were good until then, in ms, are gone."""
    return Statement(_DELETE_CLAIMS, [{"an_end": before}])


def insert_errand(
    hashed: str, fingerprint: str, salt: str, answer: bytes, expires: int
) -> Statement:
    """What a call was answered, without its secret, for whenever it is made again."""
    row = {"hash": hashed, "fingerprint": fingerprint, "salt": salt, "answer": answer.decode()}
    return Statement(_INSERT[errands], [{**row, "expires": expires}])


def delete_errands(before: int) -> Statement:
    """The errands that were kept until then, in ms, are gone."""
    return Statement(_DELETE_ERRANDS, [{"an_end": before}])


def probes() -> tuple[Statement, Statement]:
    """What the store is asked to take, and to forget at once, to find out whether it does.

    Nobody else's have the same keys: who inserts one of those waits for the other's commit.
    """
    keys = [f"probe {token_hex(4)} {number}" for number in range(40)]
    return (
        Statement(sql.insert(meta), [{"key": key, "value": "-" * 100} for key in keys]),
        Statement(_DELETE_PROBE, [{"a_key": key} for key in keys]),
    )


def in_order(rows: Mapping[Any, list[dict[str, Any]]]) -> dict[Any, list[dict[str, Any]]]:
    """The same statements with their rows, in the order in which every process writes them.

    Else two that write the same rows at once may each wait for the other.
    """
    first = {_INSERT_AFTER: 0, _INSERT[events]: 1}
    events_first = sorted(rows, key=lambda statement: first.get(statement, 2))
    return {statement: sorted(rows[statement], key=_place) for statement in events_first}


def _place(row: Mapping[str, Any]) -> list[tuple[bool, Any]]:
    """By number and by letter, so that an event comes after the one before it."""
    return [(value is None, value) for value in row.values()]


_INSERT = {
    table: sql.insert(table)
    for table in (tables, events, answers, tokens, robots, remarks, claims, errands)
}
_before = events.alias()
_INSERT_AFTER = sql.insert(events).values(
    code=sql.bindparam("code"),
    version=sql.bindparam("version"),
    at=sql.bindparam("at"),
    # Where there is no such event there is no body, which the table doesn't take.
    body=sql.select(sql.bindparam("body"))
    .where(
        _before.c.code == sql.bindparam("code"),
        _before.c.version == sql.bindparam("a_version"),
        _before.c.at == sql.bindparam("an_at"),
        _before.c.body == sql.bindparam("a_body"),
    )
    .scalar_subquery(),
)
_DRAW_EPOCH = sql.text(
    "INSERT INTO meta (key, value) VALUES ('epoch ' || :a_code, :drawn)"
    " ON CONFLICT (key) DO UPDATE SET value = :drawn WHERE meta.value = :known"
)
_DELETE_ROBOT = sql.delete(robots).where(
    robots.c.code == sql.bindparam("a_code"), robots.c.seat == sql.bindparam("a_seat")
)
_DELETE_TOKENS = sql.delete(tokens).where(
    tokens.c.code == sql.bindparam("a_code"), tokens.c.seat == sql.bindparam("a_seat")
)
_DELETE_TABLE = [
    sql.delete(table).where(table.c.code == sql.bindparam("a_code"))
    for table in (events, answers, tokens, robots, remarks, claims, tables)
]
_DELETE_TABLE.append(sql.delete(meta).where(meta.c.key == epoch_of(sql.bindparam("a_code"))))
_DELETE_CLAIMS = sql.delete(claims).where(claims.c.expires < sql.bindparam("an_end"))
_DELETE_ERRANDS = sql.delete(errands).where(errands.c.expires < sql.bindparam("an_end"))
_DELETE_CLAIM = sql.delete(claims).where(claims.c.hash == sql.bindparam("a_hash"))
_DELETE_PROBE = sql.delete(meta).where(meta.c.key == sql.bindparam("a_key"))
