"""A table's log, read: the newest state, the lines that are shown, the games that are over.

This module must not know who watches, nor what is decided next.
"""

import time
from collections.abc import Iterator

from companion.rules import families
from companion.rules.core.events import Happened, evolve
from companion.rules.core.model import Table
from companion.rules.core.variant import Variant
from companion.rules.core.view import entry, only_for
from companion.service import codec
from companion.service.errors import Fault
from companion.service.evening import Evening
from companion.service.finished import Finished
from companion.service.lines import Lines
from companion.storage.store import Store

PAGE = 200
"""How many events are read before others have their turn."""


class Journal:
    """One table's state and the lines of its log."""

    def __init__(self, code: str, variant: Variant) -> None:
        self.table: Table = families.new_table(code, variant)
        self.lines, self.finished, self.evening = Lines(), Finished(), Evening()

    @classmethod
    def read(cls, kept: Store, code: str) -> "Journal":
        """The table as its log leaves it; raises ``Fault`` (not_found) or ``Busy``."""
        content = kept.table(code)
        if content is None:
            raise Fault("not_found", what="table", table=code)
        journal = cls(code, families.variant(content))
        for _, at, body in rows(kept, code):
            journal.add(codec.event(journal.table.family, body), at)
        return journal

    def add(self, event: Happened, at: int) -> None:
        """The next event, which happened at this time in ms."""
        before, self.table = self.table, evolve(self.table, event)
        line = codec.encode(entry(before, event, self.table, at))
        self.lines.add(line, only_for(event))
        self.finished.add(before, event, self.table)
        self.evening.add(before, event, self.table, at)


def rows(kept: Store, code: str, after: int = 0) -> Iterator[tuple[int, int, str]]:
    """Every event after this version as it is stored: its version, when in ms, what; in pages."""
    version = after
    while page := kept.events(code, version, PAGE):
        for at, body in page:
            version += 1
            yield version, at, body
        time.sleep(0)
