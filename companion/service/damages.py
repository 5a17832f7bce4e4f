"""Tables of which something stored can't be read: each told once in the log, and counted."""

import time

from companion.service.errors import Damaged
from companion.service.logs import line

AGAIN_SECONDS = 5.0
"""A log that can't be read is not read again before this: it may be a long one."""


class Damages:
    """What is known to be damaged, of which tables, until it turns out to be mended."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, tuple[Damaged, float]]] = {}

    def __len__(self) -> int:
        return len(self._known)

    def note(self, damaged: Damaged) -> None:
        """Something of a table can't be read."""
        parts = self._known.setdefault(damaged.table, {})
        if damaged.part not in parts:
            facts = {"table": damaged.table, "part": damaged.part, "version": damaged.version}
            line("damaged", **facts, why=damaged.why)
        elif parts[damaged.part][0] is damaged:
            return
        parts[damaged.part] = damaged, time.monotonic()

    def check(self, code: str) -> None:
        """Raises ``Damaged`` where a table's log could not be read a moment ago."""
        for damaged, at in self._known.get(code, {}).values():
            if damaged.closes and time.monotonic() < at + AGAIN_SECONDS:
                raise damaged.with_traceback(None)

    def mended(self, code: str) -> None:
        """The table's log was read, or is gone."""
        self._known.pop(code, None)
