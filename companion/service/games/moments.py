"""A game moment by moment: the view that spectators had at each version, and what led to it.

The wire's own views and patches, made by the same code. This module must not know who asks, nor
what is done with them.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import structs

from companion.service.games.file import MOST_BYTES, Record, Unreadable, read
from companion.service.log import Journal
from companion.service.views import Memory, Patches, Views


def opened(content: bytes) -> Record:
    """The game in a file, every moment of which can be shown; raises ``Unreadable``."""
    record = read(content)
    steps, done = _steps(record, ""), -1
    try:
        for _ in steps:
            done += 1
    except Exception as error:  # whatever a log says that no server wrote
        why = f"does not follow from what stands before it ({error!r})"
        raise Unreadable(why, f"$.events[{max(0, done)}]") from None
    return record


def opened_at(file: Path) -> Record:
    """The game in the file that lies there; raises ``Unreadable``."""
    try:
        with file.open("rb") as content:
            return opened(content.read(MOST_BYTES + 1))
    except OSError as error:
        raise Unreadable(f"can't be read: {error.strerror}") from error


def moments(record: Record, code: str) -> Iterator[bytes]:
    """JSON in pieces: ``view`` at the first moment, and a patch (by keys) to each later one.

    Whoever else waits has their turn between them.
    """
    steps = _steps(record, code)
    yield b'{"view":%b,"moments":[' % next(steps)
    comma = b""
    for patch in steps:
        yield comma + patch
        comma = b","
        time.sleep(0)
    yield b"]}"


def _steps(record: Record, code: str) -> Iterator[bytes]:
    """The first view, then the patches."""
    journal, memory = Journal(code, record.start.variant), Memory()
    journal.table = structs.replace(record.start, code=code)

    def views(now: int) -> Views:
        return Views(journal, "", memory, now)

    shown = views(record.events[0].at if record.events else 0)
    yield shown.of(None)
    for event in record.events:
        before: Any = journal.table
        # Numbers are missing where something private stood.
        journal.table = structs.replace(before, version=event.version - 1)
        journal.add(event.happened, event.at)
        past, shown = shown, views(event.at)
        yield Patches(past, shown).of(None, by_keys=True)
