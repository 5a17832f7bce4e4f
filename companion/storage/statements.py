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


def insert_table(code: str, variant: str, at: int) -> Statement:
    """A new table, which keeps the variant of this digest."""
    return Statement(_INSERT[tables], [{"code": code, "variant": variant, "created": at}])


def insert_events(code: str, first: int, at: int, bodies: Sequence[bytes]) -> Statement:
    """Events of one moment, the first of which makes the table's version ``first``."""
    rows = [
        {"code": code, "version": version, "at": at, "body": body.decode()}
        for version, body in enumerate(bodies, first)
    ]
    return Statement(_INSERT[events], rows)


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
    events_first = sorted(rows, key=lambda statement: statement is not _INSERT[events])
    return {
        statement: sorted(rows[statement], key=lambda row: [str(value) for value in row.values()])
        for statement in events_first
    }


_INSERT = {
    table: sql.insert(table)
    for table in (tables, events, answers, tokens, robots, remarks, claims, errands)
}
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
_DELETE_CLAIMS = sql.delete(claims).where(claims.c.expires < sql.bindparam("an_end"))
_DELETE_ERRANDS = sql.delete(errands).where(errands.c.expires < sql.bindparam("an_end"))
_DELETE_CLAIM = sql.delete(claims).where(claims.c.hash == sql.bindparam("a_hash"))
_DELETE_PROBE = sql.delete(meta).where(meta.c.key == sql.bindparam("a_key"))
