"""What can be written to the store: SQL with the rows it is executed for, and the rows read. The
same SQL serves SQLite and PostgreSQL; each ``?`` is a value's place."""

from collections.abc import Mapping, Sequence
from secrets import token_hex
from typing import NamedTuple

import sqlalchemy as sql

from companion.storage import schema
from companion.storage.database import Row, Value


class Statement(NamedTuple):
    """SQL, and the rows that it is executed for: the values for its places."""

    sql: str
    rows: Sequence[Row]


class StoredEvent(NamedTuple):
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

    def has_lost_events(self, before: "Head") -> bool:
        """Whether a log that ended so before isn't the same any more, or has lost its end."""
        return self.version <= before.version and self != before


class StoredTable(NamedTuple):
    """A table of cards, which keeps the variant of this digest, since ``created`` (ms)."""

    code: str
    variant: str
    created: int


class StoredVariant(NamedTuple):
    """A variant, as JSON, for the tables that keep it."""

    digest: str
    content: str


class StoredAnswer(NamedTuple):
    """What the command with this id was answered, for whenever it is sent again."""

    code: str
    id: str
    fingerprint: str
    answer: str


class StoredToken(NamedTuple):
    """The hash of the token which opens this seat."""

    hash: str
    code: str
    seat: str
    old_cookie_until: int = 0  # until when, in ms, a cookie counts whose name others can plant


class Visit(NamedTuple):
    """The hash of a token whose seat was connected, which counts until ``expires`` in ms."""

    hash: str
    expires: int


class StoredRobot(NamedTuple):
    """The key from which a robot makes its decks, and the secret of one that it took over."""

    code: str
    seat: str
    key: str
    secret: str | None


class StoredRemark(NamedTuple):
    """What a player noted at a moment of a finished game, ``at`` this time in ms."""

    code: str
    game: int
    number: int
    moment: int
    at: int
    seat: str
    text: str


class StoredClaim(NamedTuple):
    """The hash of a claim, which opens this seat once, until ``expires`` in ms."""

    hash: str
    code: str
    seat: str
    expires: int


class StoredRequest(NamedTuple):
    """What a call was answered, without its secret, for whenever it is made again until
    ``expires`` in ms; ``hash``: that of its key."""

    hash: str
    fingerprint: str
    salt: str
    answer: str
    expires: int


TABLES: Mapping[object, sql.Table] = {
    StoredTable: schema.tables,
    StoredVariant: schema.variants,
    StoredAnswer: schema.answers,
    StoredToken: schema.tokens,
    Visit: schema.visits,
    StoredRobot: schema.robots,
    StoredRemark: schema.remarks,
    StoredClaim: schema.claims,
    StoredRequest: schema.requests,
}
"""Where rows of each kind stand, their fields in the order of its columns."""


def insert(row: Row) -> Statement:
    return Statement(_INSERT[type(row)], [row])


def select(kind: object, **where: Value) -> tuple[str, Row]:
    """SQL for the rows of this kind that have these values, and what stands in its places."""
    columns = ", ".join(TABLES[kind].columns.keys())
    return f"SELECT {columns} {_those(kind, where)}", tuple(where.values())


def delete(kind: object, **where: Value) -> Statement:
    return Statement(f"DELETE {_those(kind, where)}", [tuple(where.values())])


def delete_expired(kind: type[StoredClaim | StoredRequest | Visit], now: int) -> Statement:
    """What was good until then, in ms, is gone."""
    return Statement(f"DELETE FROM {TABLES[kind].name} WHERE expires < ?", [(now,)])


def _those(kind: object, where: Mapping[str, Value]) -> str:
    return f"FROM {TABLES[kind].name} WHERE {' AND '.join(f'{column} = ?' for column in where)}"


def insert_events(
    code: str, first: int, at: int, bodies: Sequence[bytes], after: StoredEvent | None = None
) -> Statement:
    """Events of one moment, the first of which makes the table's version ``first``. They are a
    ``Conflict`` where the event ``after`` which they stand isn't stored; a new table's has none."""
    rows: list[tuple[str, int, int, str]] = [
        (code, version, at, body.decode()) for version, body in enumerate(bodies, first)
    ]
    if after is None:
        return Statement(_INSERT_EVENT, rows)
    before = [(code, *after[:3]), *rows]
    return Statement(_INSERT_AFTER, [row + one for row, one in zip(rows, before, strict=False)])


def note_visit(visit: Visit) -> Statement:
    """The seat of this token was connected; replaces what was noted before."""
    return Statement(_NOTE_VISIT, [visit])


def draw_epoch(code: str, known: str) -> Statement:
    """The table has another epoch from now on, unless it has one already that isn't known.
    ``known``: its epoch as it was read, empty if it has none of its own."""
    return Statement(_DRAW_EPOCH, [(code, token_hex(8), known)])


def delete_table(code: str) -> tuple[Statement, ...]:
    return tuple(Statement(sql, [(code,)]) for sql in _DELETE_TABLE)


def set_mark(mark: str) -> Statement:
    """The mark which tells an older copy (see ``lineage``)."""
    return Statement("UPDATE meta SET value = ? WHERE key = 'mark'", [(mark,)])


def probes() -> tuple[Statement, Statement]:
    """What the store is asked to take, and to forget at once, to find out whether it does. Nobody
    else's have the same keys: who inserts one of those waits for the other's commit."""
    keys = [f"probe {token_hex(4)} {number}" for number in range(40)]
    return (
        Statement(_INSERT_META, [(key, "-" * 100) for key in keys]),
        Statement("DELETE FROM meta WHERE key = ?", [(key,) for key in keys]),
    )


def in_order(rows: Mapping[str, list[Row]]) -> dict[str, list[Row]]:
    """The same statements with their rows, in the order in which every process writes them. Else
    two that write the same rows at once may each wait for the other."""
    first = {_INSERT_AFTER: 0, _INSERT_EVENT: 1}
    events_first = sorted(rows, key=lambda sql: first.get(sql, 2))
    return {sql: sorted(rows[sql], key=_place) for sql in events_first}


def _place(row: Row) -> list[tuple[bool, Value]]:
    """By number and by letter, so that an event comes after the one before it."""
    return [(value is None, value) for value in row]


def _insert(table: sql.Table) -> str:
    names = table.columns.keys()
    places = ", ".join("?" * len(names))
    return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({places})"


_INSERT = {kind: _insert(table) for kind, table in TABLES.items()}
_INSERT_META = _insert(schema.meta)
_INSERT_EVENT = _insert(schema.events)
# Where there is no such event there is no body, which the table doesn't take.
_INSERT_AFTER = (
    "INSERT INTO events (code, version, at, body) VALUES (?, ?, ?,"
    " (SELECT ? FROM events WHERE code = ? AND version = ? AND at = ? AND body = ?))"
)
_NOTE_VISIT = (
    f"{_insert(schema.visits)} ON CONFLICT (hash) DO UPDATE SET expires = excluded.expires"
)
_DRAW_EPOCH = (
    "INSERT INTO meta (key, value) VALUES ('epoch ' || ?, ?)"
    " ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE meta.value = ?"
)
_DELETE_TABLE = [
    f"DELETE FROM {table} WHERE code = ?"
    for table in ("events", "answers", "tokens", "robots", "remarks", "claims", "tables")
] + ["DELETE FROM meta WHERE key = 'epoch ' || ?"]
