"""A table's log, read: the newest state, and the lines that are shown.

This module must not know who watches, nor what is decided next.
"""

import time
from collections.abc import Iterator

from companion.rules import families
from companion.rules.core.events import Happened
from companion.rules.core.evolve import evolve
from companion.rules.core.family import Family
from companion.rules.core.model import Table
from companion.rules.core.variant import Variant
from companion.rules.core.view import entry, only_for
from companion.service import codec
from companion.service.errors import Fault
from companion.service.lines import Lines
from companion.storage.store import Store

PAGE = 200
"""How many events are read before others have their turn."""


class Journal:
    """One table's state and the lines of its log."""

    def __init__(self, code: str, variant: Variant) -> None:
        self.table: Table = families.new_table(code, variant)
        self.lines = Lines()

    @classmethod
    def read(cls, kept: Store, code: str) -> "Journal":
        """The table as its log leaves it; raises ``Fault`` (not_found) or ``Busy``."""
        content = kept.table(code)
        if content is None:
            raise Fault("not_found", what="table", table=code)
        journal = cls(code, families.variant(content))
        for event, at in _stored(kept, code, journal.table.family):
            journal.add(event, at)
        return journal

    def add(self, event: Happened, at: int) -> None:
        """The next event, which happened at this time in ms."""
        before, self.table = self.table, evolve(self.table, event)
        line = codec.encode(entry(before, event, self.table, at))
        self.lines.add(line, only_for(self.table, event))


def _stored(kept: Store, code: str, family: Family) -> Iterator[tuple[Happened, int]]:
    """Every event; a table's version is how many there are."""
    version = 0
    while page := kept.events(code, version, PAGE):
        for at, body in page:
            yield codec.event(family, body), at
        version += len(page)
        time.sleep(0)
