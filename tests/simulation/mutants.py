"""Bugs that are planted in the program. Any programmer could make them, and a world must
find each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from companion.rules.core import windows
from companion.service.clock import Alarms, Clock
from companion.service.robot_hosting.desk import RobotDesk
from companion.service.table import live_table, log
from companion.service.table.log import Commit, TableLog, read_stored_events
from companion.service.table.peer_sync import TableSync
from companion.service.table.presence import Presence
from companion.storage import statements
from companion.storage.database import Row, Value
from companion.storage.statements import Head, Statement, StoredClaim
from companion.web.live import Live
from companion.web.shared_replay import SharedReplays
from tests.simulation.faults import Planned

Change = tuple[Any, str, Any]
"""A change to the program: the object to patch, the attribute's name, and its new value."""


class _Later:
    """A store whose ``write`` returns before it has written."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def write(self, *changes: Statement) -> None:
        live_table.threading.Thread(target=partial(self._store.write, *changes)).start()


def _append_in_a_thread(append: Callable[..., Any]) -> Callable[..., Any]:
    def append_in_thread(self: TableLog, *given: Any) -> Any:
        store = self._store
        self._store = _Later(self._store)  # type: ignore[assignment]
        try:
            return append(self, *given)
        finally:
            self._store = store

    return append_in_thread


def _keep_first_time(self: Alarms, key: str, at: int | None) -> None:
    if at is not None:
        self._at.setdefault(key, at)
        self._changed.set()


def _tick_a_minute_later(tick: Callable[..., Any]) -> Callable[..., Any]:
    def tick_later(table: Any, moment: Any) -> Any:
        return tick(table, replace(moment, now=moment.now + 60_000))

    return tick_later


def _insert_or_replace(row: Row) -> Statement:
    sql, rows = _insert(row)
    return Statement(sql.replace("INSERT", "INSERT OR REPLACE"), rows)


def _enter_as_of_now(enter: Callable[..., Any]) -> Callable[..., Any]:
    def enter_now(self: Presence, viewer: Any) -> Any:
        return enter(self, replace(viewer, since=self._clock.now()))

    return enter_now


def _read_without_noticing(self: TableLog) -> Commit:
    newest = self.projection.newest
    stored = read_stored_events(self._store, self.code, newest.version - 1)
    next(stored, None)
    return self.apply_stored(stored)


def _keep_claims(kind: object, **where: Value) -> Statement:
    return _delete(kind, **({"hash": ""} if kind is StoredClaim else where))


def _keep_connection(self: Live, sid: str, _reason: str) -> None:
    self._leave_table(self._connections[sid])


_insert_events = statements.insert_events
_insert = statements.insert
_delete = statements.delete

MUTANTS: dict[str, tuple[Change, ...]] = {
    "an older connection of a seat evicts a newer one": (
        (Presence, "has_newer", lambda *_: False),
        (Presence, "enter", _enter_as_of_now(Presence.enter)),
    ),
    "a command is acknowledged before it is committed": (
        (TableLog, "append", _append_in_a_thread(TableLog.append)),
    ),
    "a prolonged window closes at its first deadline": (
        (Alarms, "schedule", _keep_first_time),
        (windows, "due_events", _tick_a_minute_later(windows.due_events)),
    ),
    "an event is stored without its predecessor": (
        (statements, "insert_events", lambda *given: _insert_events(*given[:4])),
    ),
    "a command that is sent again is decided again": (
        (statements, "insert", _insert_or_replace),
        (TableLog, "remembered_answer", lambda *_: None),
        (TableLog, "stored_answer", lambda *_: None),
    ),
    "a stopped process is still counted as running": (
        (Presence, "forget", lambda *_: None),
    ),
    "a running process is counted as stopped": (
        (TableSync, "share_presence", lambda *_, **__: None),
    ),
    "a log that lost its last events keeps its epoch": (
        (TableLog, "draw_epoch", lambda *_: None),
    ),
    "the loss of a log's last events is not noticed": (
        (Head, "has_lost_events", lambda *_: False),
        (TableLog, "read_new", _read_without_noticing),
    ),
    "a step in a shared replay is not sent to other processes": (
        (SharedReplays, "_publish_to_peers", lambda *_, **__: None),
    ),
    "a claim can be used more than once": (
        (statements, "delete", _keep_claims),
    ),
    "a robot plays at two processes": (
        (RobotDesk, "_plays_elsewhere", lambda *_: False),
    ),
    "a duration is measured with a clock that can be changed": (
        (Clock, "own", Clock.now),
    ),
    "everybody's log contains a seat's private notes": (
        (log, "only_viewer", lambda _event: None),
    ),
    "a closed connection stays in memory": (
        (Live, "_disconnect", _keep_connection),
    ),
}  # fmt: skip
"""For each bug: its title, as in docs/promises.md, and the changes that plant it."""

SCENARIOS: dict[str, Sequence[Planned]] = {
    # The database's clock is changed. After that, a device freezes and bus messages are lost.
    "a duration is measured with a clock that can be changed": (
        Planned(897, 1, "second", 749316118),
        Planned(8_211, 1, "clock", 3388955259),
        Planned(10_276, 10_557, "asleep", 4046601799),
        Planned(13_871, 2_165, "lost", 380700550),
    ),
}
"""The faults of the worlds that look for a bug, by the bug's title. Bugs that aren't listed here
have random faults. With random faults, only one of hundreds of worlds would find a bug of this
list."""

FOUND_BY = dict.fromkeys(MUTANTS, 0) | {
    "a log that lost its last events keeps its epoch": 31,
    "the loss of a log's last events is not noticed": 31,
    "a claim can be used more than once": 25,
    "an older connection of a seat evicts a newer one": 19,
    "an event is stored without its predecessor": 51,
    "a stopped process is still counted as running": 3,
    "a step in a shared replay is not sent to other processes": 18,
    "a robot plays at two processes": 19,
    "a duration is measured with a clock that can be changed": 3,
}
"""The first seed that finds each bug, as ``--mutants`` last reported it."""


@contextmanager
def mutate(name: str) -> Iterator[None]:
    """Plant this bug in the program for the duration of the block."""
    with ExitStack() as stack:
        for where, what, instead in MUTANTS[name]:
            stack.enter_context(patch.object(where, what, instead))
        yield
