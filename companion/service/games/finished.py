"""Finished games: as files, moment by moment, and with the lines that players left in them.

They are read from their tables' logs when somebody asks, and kept a while. One is made ready at a
time, so that many who open replays take no more of the machine than one.
"""

import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from companion.service.clock import Clock
from companion.service.codec import BLANK
from companion.service.errors import Fault
from companion.service.games.file import LONGEST_REMARK, Record, recorded
from companion.service.games.moments import packed
from companion.service.history import Span
from companion.service.log import rows
from companion.storage import statements
from companion.storage.database import Busy, Conflict
from companion.storage.store import Store

CACHE_BYTES = 8 * 1024 * 1024
"""How much of what was made ready is kept, compressed."""

MOST_REMARKS, MOST_BY_SEAT = 100, 20
"""How many one game has, and how many of them one seat has left."""

JOINERS = frozenset("\u200c\u200d")
"""What Persian and some pictures are written with."""

TRIES = 20
"""So often a remark is stored again because another process took its number."""


class Remark(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody wants to leave, and at which moment: a version of the game's."""

    moment: int
    text: str


class FinishedGames:
    """The finished games in one store, each told by its table's code and its span in the log."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock, self._making = store, clock, threading.Lock()
        self._packed: OrderedDict[tuple[str, int, int, int], bytes] = OrderedDict()

    def record(self, code: str, span: Span) -> Record:
        """The game as its table's log has it; raises ``Busy``, or ``Fault`` if it is gone."""
        found = recorded(span, self._stored(code, span), self.remarks(code, span.start.games))
        if not found.events:
            raise Fault("not_found", what="table", table=code)
        return found

    def moments(self, code: str, span: Span) -> bytes:
        """The game moment by moment: JSON, compressed (gzip)."""
        key = code, span.start.version, span.last, len(span.late)
        with self._making:
            if key not in self._packed:
                self._packed[key] = packed(self.record(code, span), code)
            self._packed.move_to_end(key)
            while len(self._packed) > 1 and sum(map(len, self._packed.values())) > CACHE_BYTES:
                self._packed.popitem(last=False)
            return self._packed[key]

    def remarks(self, code: str, game: int) -> list[dict[str, Any]]:
        """What was noted at moments of a finished game, oldest first."""
        return [
            {"moment": row.moment, "at": row.at, "seat": row.seat, "text": row.text}
            for row in self._store.remarks(code, game)
        ]

    def leave_remark(self, code: str, span: Span, seat: str | None, remark: Remark) -> None:
        """Somebody leaves a line at a moment of a finished game; raises ``Fault``, ``Busy``."""
        for _ in range(TRIES):
            known = self.remarks(code, span.start.games)
            row = _new_remark(remark, span, seat, known)
            if row is None:
                return None
            row |= {"code": code, "game": span.start.games, "at": self._clock.now()}
            try:
                return self._store.write(statements.insert_remark(row))
            except Conflict:  # another process took this number
                continue
        raise Busy("others are always faster")

    def _stored(self, code: str, span: Span) -> Iterator[tuple[int, int, str]]:
        """The game's events as they are stored: version, when in ms, what."""
        versions = span.versions
        wanted = {*versions}
        for row in rows(self._store, code, span.start.version):
            if row[0] in wanted:
                yield row
            if row[0] >= versions[-1]:
                return


def _new_remark(
    remark: Remark, span: Span, seat: str | None, known: list[dict[str, Any]]
) -> dict[str, Any] | None:
    """What is new of a remark's row; ``None``: it stands there already, and was sent again."""
    if seat is None or seat not in {one.seat for one in span.start.seats}:
        raise Fault("forbidden")
    if remark.moment not in (span.start.version, *span.versions):
        raise Fault("bad_request", at="$.moment", why="no moment of this game")
    text = _clean(remark.text)
    mine = [one for one in known if one["seat"] == seat]
    if any((one["moment"], one["text"]) == (remark.moment, text) for one in mine):
        return None
    if len(known) >= MOST_REMARKS or len(mine) >= MOST_BY_SEAT:
        raise Fault("refused", what="remarks")
    return {"number": len(known) + 1, "moment": remark.moment, "seat": seat, "text": text}


def _clean(text: str) -> str:
    """One line of visible characters that turn nothing around."""
    trimmed = unicodedata.normalize("NFC", " ".join(text.split()))
    odd = {c for c in trimmed if unicodedata.category(c)[0] == "C"} - JOINERS
    if not 1 <= len(trimmed) <= LONGEST_REMARK or odd or not {*trimmed} - BLANK - JOINERS:
        why = f"one line of 1 to {LONGEST_REMARK} characters"
        raise Fault("bad_request", at="$.text", why=why)
    return trimmed
