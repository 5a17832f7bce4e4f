"""The finished games of tables, read from their logs when somebody asks, and kept a while.

One is made ready at a time, so that many who open replays take no more of the machine than one.
This module must not know who asks, nor who may.
"""

import threading
from collections import OrderedDict

from companion.service.errors import Fault
from companion.service.finished import Span
from companion.service.replay.file import Record, recorded
from companion.service.replay.moments import packed
from companion.service.tables import Tables

MOST_BYTES = 8 * 1024 * 1024
"""How much of what was made ready is kept, compressed."""


class Shelf:
    """Games of these tables, by table, number and where they stand in its log."""

    def __init__(self, tables: Tables) -> None:
        self._tables, self._making = tables, threading.Lock()
        self._made: OrderedDict[tuple[str, int, int, int], bytes] = OrderedDict()

    def record(self, code: str, span: Span) -> Record:
        """The game as its table's log has it; raises ``Busy``, or ``Fault`` if it is gone."""
        remarks = self._tables.remarks(code, span.start.games)
        found = recorded(span, self._tables.stored(code, span), remarks)
        if not found.events:
            raise Fault("not_found", what="table", table=code)
        return found

    def moments(self, code: str, span: Span) -> bytes:
        """The game moment by moment: JSON, compressed (gzip)."""
        key = code, span.start.version, span.last, len(span.late)
        with self._making:
            if key not in self._made:
                self._made[key] = packed(self.record(code, span), code)
            self._made.move_to_end(key)
            while len(self._made) > 1 and sum(map(len, self._made.values())) > MOST_BYTES:
                self._made.popitem(last=False)
            return self._made[key]
