"""A table's log, read: the newest state, and the lines that a view shows.

This module must not know who watches, nor what is decided next.
"""

from collections import deque
from collections.abc import Iterator
from typing import Any

from companion.rules.events import Event
from companion.rules.evolve import evolve
from companion.rules.model import Options, Table
from companion.rules.variant import Variant
from companion.rules.view import entry, may_see
from companion.service import codec
from companion.service.errors import Fault
from companion.storage.store import Store

LINES = 50
"""How much of the log a view shows."""


def new_table(code: str, variant: Variant) -> Table:
    """The state before the first event."""
    return Table(code=code, variant=variant, options=Options(nope_seconds=variant.window.seconds))


class Journal:
    """One table's state and its newest public lines, encoded."""

    def __init__(self, code: str, variant: Variant) -> None:
        self.table = new_table(code, variant)
        self.lines: deque[bytes] = deque(maxlen=LINES)

    @classmethod
    def read(cls, kept: Store, code: str) -> "Journal":
        """The table as its log leaves it; raises ``Fault`` (not_found) or ``Busy``."""
        content = kept.table(code)
        if content is None:
            raise Fault("not_found", what="table", table=code)
        journal = cls(code, Variant.from_json(content))
        for event, at in _stored(kept, code):
            journal.add(event, at)
        return journal

    def add(self, event: Event, at: int) -> None:
        """The next event, which happened at this time in ms."""
        before, self.table = self.table, evolve(self.table, event)
        if may_see(event, None):
            self.lines.append(codec.encode(entry(before, event, self.table, at)))


def whole(kept: Store, newest: Table, seat: str | None) -> list[dict[str, Any]]:
    """Every event of the log that this seat may see, oldest first."""
    table, lines = new_table(newest.code, newest.variant), []
    for event, at in _stored(kept, newest.code):
        before, table = table, evolve(table, event)
        if may_see(event, seat):
            lines.append(entry(before, event, table, at))
    return lines


def _stored(kept: Store, code: str) -> Iterator[tuple[Event, int]]:
    for at, body in kept.events(code):
        yield codec.event(body), at
