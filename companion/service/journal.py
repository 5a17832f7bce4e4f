"""A table's log, read: the newest state, the lines that are shown, the games that are over.

This module must not know who watches, nor what is decided next.
"""

import time
from collections.abc import Iterator

from companion.rules import families
from companion.rules.core.events import Happened
from companion.rules.core.evolve import evolve
from companion.rules.core.model import Table
from companion.rules.core.variant import Variant
from companion.rules.core.view import entry, only_for
from companion.service import codec
from companion.service.errors import Damaged, Fault
from companion.service.evening import Evening
from companion.service.finished import Finished
from companion.service.lines import Lines
from companion.storage.statements import Event
from companion.storage.store import Store

PAGE = 200
"""How many events are read before others have their turn."""


class Journal:
    """One table's state and the lines of its log; ``newest`` is its last event, as it is stored."""

    newest: Event

    def __init__(self, code: str, variant: Variant) -> None:
        self.table: Table = families.new_table(code, variant)
        self.lines, self.finished, self.evening = Lines(), Finished(), Evening()

    @classmethod
    def read(cls, kept: Store, code: str) -> "Journal":
        """The table as its log leaves it; raises ``Fault`` (not_found, ``Damaged``) or ``Busy``."""
        content = kept.table(code)
        if content is None:
            raise Fault("not_found", what="table", table=code)
        try:
            journal = cls(code, families.variant(content))
        except Exception as error:
            raise Damaged(code, "variant", error) from error
        for event in rows(kept, code):
            journal.take(event)
        if not journal.table.version:
            raise Damaged(code, "event", "the log is empty", 1)
        return journal

    def take(self, stored: Event) -> Happened:
        """The next event of the stored log; raises ``Damaged``."""
        code, version = self.table.code, self.table.version + 1
        if stored.version != version:
            raise Damaged(code, "event", "it is missing", version)
        try:
            event = codec.event(self.table.family, stored.body)
            self.add(event, stored.at)
        except Exception as error:
            raise Damaged(code, "event", error, version) from error
        self.newest = stored
        return event

    def add(self, event: Happened, at: int) -> None:
        """The next event, which happened at this time in ms."""
        before, self.table = self.table, evolve(self.table, event)
        line = codec.encode(entry(before, event, self.table, at))
        self.lines.add(line, only_for(self.table, event))
        self.finished.add(before, event, self.table)
        self.evening.add(before, event, self.table, at)


def rows(kept: Store, code: str, after: int = 0) -> Iterator[Event]:
    """Every event after this version as it is stored; read in pages."""
    while page := kept.events(code, after, PAGE):
        yield from page
        after = page[-1].version
        time.sleep(0)
