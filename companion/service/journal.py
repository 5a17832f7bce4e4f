"""A table's log, read: the newest state, and the lines that are shown.

This module must not know who watches, nor what is decided next.
"""

import time
from collections.abc import Iterator

from companion.rules.events import Event
from companion.rules.evolve import evolve
from companion.rules.model import Options, Table
from companion.rules.variant import Variant
from companion.rules.view import entry, only_for
from companion.service import codec
from companion.service.errors import Fault
from companion.service.lines import Lines
from companion.storage.store import Store

PAGE = 200
"""How many events are read before others have their turn."""


def new_table(code: str, variant: Variant) -> Table:
    """The state before the first event."""
    return Table(code=code, variant=variant, options=Options(nope_seconds=variant.window.seconds))


class Journal:
    """One table's state and the lines of its log."""

    def __init__(self, code: str, variant: Variant) -> None:
        self.table = new_table(code, variant)
        self.lines = Lines()

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
        line = codec.encode(entry(before, event, self.table, at))
        self.lines.add(line, only_for(event))


def _stored(kept: Store, code: str) -> Iterator[tuple[Event, int]]:
    """Every event; a table's version is how many there are."""
    version = 0
    while page := kept.events(code, version, PAGE):
        for at, body in page:
            yield codec.event(body), at
        version += len(page)
        time.sleep(0)
