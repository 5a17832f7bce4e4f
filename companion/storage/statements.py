"""The SQL statements of the store, and the kinds of rows that it stores.

The same SQL works for SQLite and PostgreSQL; each ``?`` stands for a value.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from secrets import token_hex
from typing import NamedTuple

import sqlalchemy as sql

from companion.storage import schema
from companion.storage.database import Row, Value


class Statement(NamedTuple):
    """SQL, and the rows of values with which it is executed."""

    sql: str
    rows: Sequence[Row]


class StoredEvent(NamedTuple):
    """A stored event."""

    version: int
    at: int  # time in ms
    body: str  # JSON
    epoch: str  # the table's own epoch, which is empty unless the table's log has lost events

    @property
    def head(self) -> "Head":
        """The head (epoch, version and time) of a log that ends with this event."""
        return Head(self.epoch, self.version, self.at)


class Head(NamedTuple):
    """The head of a table's log: epoch, version and time of its newest event."""

    epoch: str  # the table's own epoch, which is empty unless the table's log has lost events
    version: int  # version of the newest event
    at: int  # time of the newest event, in ms

    def has_lost_events(self, before: "Head") -> bool:
        """Return True if the log has lost or replaced events since its head was ``before``.

        That is the case if the head differs although the log hasn't grown.
        """
        return self.version <= before.version and self != before


class StoredTable(NamedTuple):
    """A row of the table ``tables``."""

    code: str
    variant: str  # digest of the table's variant
    created: int  # time in ms


class StoredVariant(NamedTuple):
    """A variant of one or more tables, as JSON."""

    digest: str
    content: str


class StoredAnswer(NamedTuple):
    """The answer to the command with this id, in case the client sends the command again."""

    code: str
    id: str
    fingerprint: str
    answer: str


class StoredToken(NamedTuple):
    """The hash of the token with which a client acts for this seat."""

    hash: str
    code: str
    seat: str
    # time (ms) until which a cookie with the old, unguarded name is valid; 0 if never
    old_cookie_until: int = 0


class Visit(NamedTuple):
    """The token of a seat that was recently connected."""

    hash: str  # the token's
    expires: int  # time when the row expires, in ms


class StoredRobot(NamedTuple):
    """The secrets of the robot at a seat."""

    code: str
    seat: str
    key: str  # the robot derives its decks from this key
    secret: str | None  # the secret of a deck that the robot took over from a player, if any


class StoredRemark(NamedTuple):
    """A player's remark on a moment of a finished game."""

    code: str
    game: int
    number: int  # counts the remarks of a game from 1
    moment: int  # the version of the table at that moment
    at: int  # time in ms
    seat: str
    text: str


class StoredClaim(NamedTuple):
    """The hash of a claim: a secret with which another device can take over this seat, once."""

    hash: str
    code: str
    seat: str
    expires: int  # in ms


class StoredRoom(NamedTuple):
    """The hash of a word that brings everybody who comes with it to this table."""

    hash: str
    code: str


class StoredRequest(NamedTuple):
    """The answer to an HTTP request with an idempotency key, in case the client repeats the
    request."""

    hash: str  # of the key
    fingerprint: str  # hash of the request's content
    salt: str  # the answer's secret is derived from this salt and the request's key
    answer: str  # the answer without its secret
    expires: int  # in ms


TABLES: Mapping[object, sql.Table] = {
    StoredTable: schema.tables,
    StoredVariant: schema.variants,
    StoredAnswer: schema.answers,
    StoredToken: schema.tokens,
    Visit: schema.visits,
    StoredRobot: schema.robots,
    StoredRemark: schema.remarks,
    StoredClaim: schema.claims,
    StoredRoom: schema.rooms,
    StoredRequest: schema.requests,
}
"""The table for each kind of row. A row has its fields in the order of the table's columns."""


def insert(row: Row) -> Statement:
    """Return a statement that inserts a row. ``row`` is of one of the kinds above."""
    return Statement(_INSERT[type(row)], [row])


def select(kind: object, **where: Value) -> tuple[str, Row]:
    """Return a query for the rows of this kind that have these values in these columns, and the
    query's parameters."""
    columns = ", ".join(TABLES[kind].columns.keys())
    return f"SELECT {columns} {_from_where(kind, where)}", tuple(where.values())


def delete(kind: object, **where: Value) -> Statement:
    """Return a statement that deletes the rows of this kind that have these values in these
    columns."""
    return Statement(f"DELETE {_from_where(kind, where)}", [tuple(where.values())])


def delete_expired(kind: type[StoredClaim | StoredRequest | Visit], now: int) -> Statement:
    """Return a statement that deletes the rows of this kind that expired before this time (ms)."""
    return Statement(f"DELETE FROM {TABLES[kind].name} WHERE expires < ?", [(now,)])


def _from_where(kind: object, where: Mapping[str, Value]) -> str:
    return f"FROM {TABLES[kind].name} WHERE {' AND '.join(f'{column} = ?' for column in where)}"


def insert_events(
    code: str, first: int, at: int, bodies: Sequence[bytes], after: StoredEvent | None = None
) -> Statement:
    """Return a statement that inserts events at one time (ms), numbered from ``first`` on.

    ``after`` is the event before the first of them, or None for a new table. Executing the
    statement raises ``Conflict`` if ``after`` isn't stored with exactly this content, or if an
    event with one of the new versions is stored already.
    """
    rows: list[tuple[str, int, int, str]] = [
        (code, version, at, body.decode()) for version, body in enumerate(bodies, first)
    ]
    if after is None:
        return Statement(_INSERT_EVENT, rows)
    predecessors = [(code, *after[:3]), *rows]
    pairs = zip(rows, predecessors, strict=False)
    return Statement(_INSERT_AFTER, [row + predecessor for row, predecessor in pairs])


def note_visit(visit: Visit) -> Statement:
    """Return a statement that inserts a visit, or replaces the token's earlier visit."""
    return Statement(_NOTE_VISIT, [visit])


def draw_epoch(code: str, known: str) -> Statement:
    """Return a statement that gives a table a new random epoch.

    ``known`` is the table's own epoch as this process read it, or empty if the table had none. If
    another process has given the table a new epoch since then, the statement changes nothing.
    """
    return Statement(_DRAW_EPOCH, [(code, token_hex(8), known)])


def delete_table(code: str) -> tuple[Statement, ...]:
    """Return statements that delete everything that is stored for a table."""
    return tuple(Statement(sql, [(code,)]) for sql in _DELETE_TABLE)


def set_mark(mark: str) -> Statement:
    """Return a statement that sets the mark of the database (see ``restore_detection``)."""
    return Statement("UPDATE meta SET value = ? WHERE key = 'mark'", [(mark,)])


def probe_statements() -> tuple[Statement, Statement]:
    """Return statements that insert some rows and delete them again.

    They check that the database accepts writes. The keys of the rows are random. With equal keys,
    one process would have to wait for another process' commit.
    """
    keys = [f"probe {token_hex(4)} {number}" for number in range(40)]
    return (
        Statement(_INSERT_META, [(key, "-" * 100) for key in keys]),
        Statement("DELETE FROM meta WHERE key = ?", [(key,) for key in keys]),
    )


def merge_statements(
    changes: Iterable[Statement], *, sort: bool
) -> list[tuple[str, Sequence[Row]]]:
    """Merge statements with the same SQL, so that the database has fewer statements to execute.

    The result has the same effect as ``changes``, executed in their order. Statements on different
    tables can change places, because each statement reads and writes only one table. On the same
    table, only the two kinds of INSERT into ``events`` can. The one that continues logs comes last,
    because a log can begin in the same commit. Events come before all other tables: if another
    process has continued a log, the commit fails at once.

    With ``sort``, every process writes rows in the same order, as far as possible. Otherwise two
    processes that write the same rows at once could deadlock.
    """
    runs: dict[str, list[dict[str, list[Row]]]] = {}  # by table; statements of a run are merged
    current: dict[str, list[Row]] = {}  # the rows of each statement in its table's current run
    for text, rows in changes:
        if text not in current:
            of_table = runs.setdefault(_get_table_name(text), [{}])
            if of_table[-1] and not _EVENT_INSERTS.issuperset((text, *of_table[-1])):
                for merged_text in of_table[-1]:
                    del current[merged_text]
                of_table.append({})
            current[text] = of_table[-1][text] = []
        current[text].extend(rows)
    merged: list[tuple[str, Sequence[Row]]] = [
        (text, run[text])
        for table in sorted(runs, key=lambda table: (table != "events", table))
        for run in runs[table]
        for text in sorted(run, key=lambda text: text == _INSERT_AFTER)
    ]
    return [_sort_rows(*statement) for statement in merged] if sort else merged


@cache
def _get_table_name(text: str) -> str:
    """Return the name of the table that this SQL writes to."""
    return text.split()[1 if text.startswith("UPDATE ") else 2]


def _sort_rows(text: str, rows: Sequence[Row]) -> tuple[str, Sequence[Row]]:
    """Sort the rows by their keys. Rows with the same key keep their order, and so do the events of
    a table."""
    match text.split()[0]:
        case "INSERT":
            length = len(schema.metadata.tables[_get_table_name(text)].primary_key)
            return text, sorted(rows, key=lambda row: _sort_key(row[:length]))
        case "DELETE":
            return text, sorted(rows, key=_sort_key)
    return text, rows


def _sort_key(row: Row) -> list[tuple[bool, Value]]:
    """Return a key that sorts rows by their values."""
    return [(value is None, value) for value in row]


def _insert(table: sql.Table) -> str:
    names = table.columns.keys()
    places = ", ".join("?" * len(names))
    return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({places})"


_INSERT = {kind: _insert(table) for kind, table in TABLES.items()}
_INSERT_META = _insert(schema.meta)
_INSERT_EVENT = _insert(schema.events)
# If the predecessor isn't stored, the subquery returns NULL, which the column "body" doesn't
# accept.
_INSERT_AFTER = (
    "INSERT INTO events (code, version, at, body) VALUES (?, ?, ?,"
    " (SELECT ? FROM events WHERE code = ? AND version = ? AND at = ? AND body = ?))"
)
_EVENT_INSERTS = {_INSERT_EVENT, _INSERT_AFTER}
_NOTE_VISIT = (
    f"{_insert(schema.visits)} ON CONFLICT (hash) DO UPDATE SET expires = excluded.expires"
)
_DRAW_EPOCH = (
    "INSERT INTO meta (key, value) VALUES ('epoch ' || ?, ?)"
    " ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE meta.value = ?"
)
_DELETE_TABLE = [
    f"DELETE FROM {table} WHERE code = ?"
    for table in ("events", "answers", "tokens", "robots", "remarks", "claims", "rooms", "tables")
] + ["DELETE FROM meta WHERE key = 'epoch ' || ?"]
