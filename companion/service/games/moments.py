"""A game moment by moment: the view that spectators had at each version, and what led to it.

The wire's own views and patches, made by the same code. This module must not know who asks, nor
what is done with them.
"""

import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import structs

from companion.service.games.file import Event, Record
from companion.service.games.reading import Unreadable, content_of, read
from companion.service.log import Journal
from companion.service.views import Patches, Views

PATIENCE = 0.5
"""Seconds of work; whole games of ten take less."""


def opened(content: bytes) -> Record:
    """The game in a file, gone through to its end; raises ``Unreadable``."""
    record = read(content)
    steps, done = _gone_through(record), -1
    try:
        for _ in steps:
            done += 1
    except Exception as error:  # whatever a log says that no server wrote
        why = f"does not follow from what stands before it ({error!r})"
        raise Unreadable(why, f"$.events[{max(0, done)}]") from None
    return record


def _gone_through(record: Record) -> Iterator[None]:
    """Each moment, with what spectators saw of it for as long as that takes no time to speak of:
    in a game that nobody played one moment may cost a second."""
    journal, shown = _journal(record, ""), _steps(record, "")
    until = time.process_time() + PATIENCE
    next(shown)
    yield
    for event in record.events:
        if time.process_time() < until:
            next(shown)
        _add(journal, event)
        yield


def opened_at(file: Path) -> Record:
    """The game in the file that lies there; raises ``Unreadable``."""
    return opened(content_of(file))


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


def packed(record: Record, code: str) -> bytes:
    """The moments in one piece, compressed (gzip)."""
    packer = zlib.compressobj(6, wbits=31)
    pieces = [packer.compress(piece) for piece in moments(record, code)]
    return b"".join([*pieces, packer.flush()])


def _steps(record: Record, code: str) -> Iterator[bytes]:
    """The first view, then the patches."""
    journal = _journal(record, code)
    shown = Views(journal, "", record.events[0].at if record.events else 0)
    yield shown.of(None)
    for event in record.events:
        _add(journal, event)
        past, shown = shown, Views(journal, "", event.at, shown)
        yield Patches(past, shown).of(None, by_keys=True)


def _journal(record: Record, code: str) -> Journal:
    journal = Journal(code, record.start.variant)
    journal.table = structs.replace(record.start, code=code)
    return journal


def _add(journal: Journal, event: Event) -> None:
    """Numbers are missing where something private stood."""
    before: Any = journal.table
    journal.table = structs.replace(before, version=event.version - 1)
    journal.add(event.happened, event.at)
