"""Faults of the program that a world must find: each as somebody could write it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from companion.rules.core import windows
from companion.service import live_table
from companion.service.clock import Alarms
from companion.service.log import TableLog
from companion.service.presence import Presence
from companion.service.table_sync import TableSync
from companion.storage import statements
from companion.storage.database import Row
from companion.storage.statements import Statement

Change = tuple[Any, str, Callable[..., Any]]
"""Where, what, and what it is instead."""


class _Later:
    """A store that says that it has written what it is still to write."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def write(self, *changes: Statement) -> None:
        live_table.threading.Thread(target=partial(self._store.write, *changes)).start()


def _append_later(append: Callable[..., Any]) -> Callable[..., Any]:
    def appended(self: TableLog, *given: Any) -> Any:
        store, self._store = self._store, _Later(self._store)  # type: ignore[assignment]
        try:
            return append(self, *given)
        finally:
            self._store = store

    return appended


def _first_time(self: Alarms, key: str, at: int | None) -> None:
    if at is not None:
        self._at.setdefault(key, at)
        self._changed.set()


def _at_once(tick: Callable[..., Any]) -> Callable[..., Any]:
    def ticked(table: Any, moment: Any) -> Any:
        return tick(table, replace(moment, now=moment.now + 60_000))

    return ticked


def _insert_or_replace(row: Row) -> Statement:
    sql, rows = _insert(row)
    return Statement(sql.replace("INSERT", "INSERT OR REPLACE"), rows)


def _as_of_now(enter: Callable[..., Any]) -> Callable[..., Any]:
    def entered(self: Presence, viewer: Any) -> Any:
        return enter(self, replace(viewer, since=self._clock.now()))

    return entered


_insert_events = statements.insert_events
_insert = statements.insert

MUTANTS: dict[str, tuple[Change, ...]] = {
    "an older connection sends a newer one away": (
        (Presence, "has_newer", lambda *_: False),
        (Presence, "enter", _as_of_now(Presence.enter)),
    ),
    "an acknowledgement before the commit": (
        (TableLog, "append", _append_later(TableLog.append)),
    ),
    "a window closed by its first timer": (
        (Alarms, "set", _first_time),
        (windows, "tick", _at_once(windows.tick)),
    ),
    "an event stored without its predecessor": (
        (statements, "insert_events", lambda *given: _insert_events(*given[:4])),
    ),
    "a resend decided twice": (
        (statements, "insert", _insert_or_replace),
        (TableLog, "recalled", lambda *_: None),
        (TableLog, "answered", lambda *_: None),
    ),
    "a process that is gone is never forgotten": (
        (Presence, "forget", lambda *_: None),
    ),
    "a process is forgotten while it is there": (
        (TableSync, "introduce", lambda *_, **__: None),
    ),
    "a log that has lost its end goes on under its name": (
        (TableLog, "draw_epoch", lambda *_: None),
    ),
}  # fmt: skip
"""What is wrong, and the changes that make it so."""


@contextmanager
def mutated(name: str) -> Iterator[None]:
    """Meanwhile the program has this fault."""
    with ExitStack() as stack:
        for where, what, instead in MUTANTS[name]:
            stack.enter_context(patch.object(where, what, instead))
        yield
