"""Finished games: as files, as replays, and with the remarks that players left on them.

A game is read from its table's log when a client first requests it, and its replay is cached.
Replays are prepared one at a time, so that many clients together take no more CPU than one.
"""

import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct

from companion.rules.core.types import Json
from companion.rules.text.characters import is_harmless
from companion.service import codec
from companion.service.clock import Clock
from companion.service.errors import Damaged, Fault
from companion.service.replays.file import LONGEST_REMARK, Record, compress_moments, record_game
from companion.service.table.history import Span
from companion.service.table.log import DamagedTables, read_stored_events
from companion.storage import statements
from companion.storage.database import Busy, Conflict
from companion.storage.statements import StoredEvent
from companion.storage.statements import StoredRemark as Stored
from companion.storage.store import Store

CACHE_BYTES = 8 * 1024 * 1024  # size of the cache of compressed replays
MOST_REMARKS = 100  # maximum number of remarks on a game
MOST_BY_SEAT = 20  # maximum number of one seat's remarks on a game
TRIES = 20  # attempts to store a remark, because another process may use the remark's number first


class Remark(Struct, frozen=True, forbid_unknown_fields=True):
    """A remark that a client wants to leave on a moment of a game."""

    moment: int  # the version of the table at that moment
    text: str


class FinishedGames:
    """The finished games in one store.

    A game is identified by its table's code and its ``Span`` of events.
    """

    def __init__(self, store: Store, clock: Clock, damages: DamagedTables) -> None:
        self._store = store
        self._clock = clock
        self._damages = damages
        self.on_remark: list[Callable[[str, int, int], None]] = []
        """Called after a new remark with the code, the game's number, and the number of remarks."""
        self._preparing = threading.Lock()
        self._cache: OrderedDict[tuple[str, str, int, int, int], bytes] = OrderedDict()

    def read_record(self, code: str, span: Span) -> Record:
        """Read a game from its table's log. Raise ``Busy``, ``Fault`` (not_found) or ``Damaged``.

        If the game is damaged, also add its table to the list of damaged tables.
        """
        remarks = self.read_remarks(code, span.start.games)
        try:
            record = record_game(span, self._stored_events(code, span), remarks)
        except (msgspec.MsgspecError, UnicodeError) as error:
            damaged = Damaged(code, "event", error)
            self._damages.note(damaged)
            raise damaged from error
        if not record.events:
            raise Fault("not_found", what="table", table=code)
        return record

    def get_moments(self, code: str, epoch: str, span: Span) -> bytes:
        """Return a game's replay as compressed JSON, from the cache if possible.

        ``epoch`` identifies the log, so that a cached replay of another history isn't used.
        """
        key = code, epoch, span.start.version, span.last, len(span.late)
        with self._preparing:
            if key not in self._cache:
                self._cache[key] = compress_moments(self.read_record(code, span), code)
            self._cache.move_to_end(key)
            while len(self._cache) > 1 and sum(map(len, self._cache.values())) > CACHE_BYTES:
                self._cache.popitem(last=False)
            return self._cache[key]

    def read_remarks(self, code: str, game: int) -> list[Json]:
        """Return the remarks on a finished game, oldest first. Damaged remarks are left out."""
        rows = self._stored_remarks(code, game)
        remarks = []
        for row in rows:
            with suppress(msgspec.ValidationError, UnicodeEncodeError):
                msgspec.convert(tuple(row), Stored)
                remark = {"moment": row.moment, "at": row.at, "seat": row.seat, "text": row.text}
                codec.encode(remark)
                remarks.append(remark)
        if lost := len(rows) - len(remarks):
            self._damages.note(Damaged(code, "remark", f"{lost} of game {game}"))
        return remarks

    def leave_remark(self, code: str, span: Span, seat: str | None, remark: Remark) -> None:
        """Store a remark on a moment of a finished game. Raise ``Fault`` or ``Busy``.

        A seat's remark that is sent again is stored only once.
        """
        for _ in range(TRIES):
            stored = self._stored_remarks(code, span.start.games)
            text = _validate_remark(remark, span, seat, stored)
            if text is None:
                return
            key = code, span.start.games, len(stored) + 1, remark.moment
            row = Stored(*key, self._clock.now(), str(seat), text)
            with suppress(Conflict):  # another process has used this number
                self._store.write(statements.insert(row))
                for callback in self.on_remark:
                    callback(code, row.game, row.number)
                return
        raise Busy("others are always faster")

    def _stored_remarks(self, code: str, game: int) -> list[Stored]:
        rows = self._store.all(Stored, code=code, game=game)
        return sorted(rows, key=lambda row: row.number)

    def _stored_events(self, code: str, span: Span) -> Iterator[StoredEvent]:
        versions = span.versions
        wanted = {*versions}
        for event in read_stored_events(self._store, code, span.start.version):
            if event.version in wanted:
                yield event
            if event.version >= versions[-1]:
                return


def _validate_remark(
    remark: Remark, span: Span, seat: str | None, rows: Sequence[Stored]
) -> str | None:
    """Return the text of a remark to store, or None if this seat has left the same remark before.

    Raise ``Fault`` if the seat didn't play in the game, if the remark is invalid, or if there are
    too many.
    """
    if seat is None or seat not in {player.seat for player in span.start.seats}:
        raise Fault("forbidden")
    if remark.moment not in (span.start.version, *span.versions):
        raise Fault("bad_request", at="$.moment", why="no moment of this game")
    text = _clean_remark(remark.text)
    by_seat = [row for row in rows if row.seat == seat]
    if any((row.moment, row.text) == (remark.moment, text) for row in by_seat):
        return None
    if len(rows) >= MOST_REMARKS or len(by_seat) >= MOST_BY_SEAT:
        raise Fault("refused", what="remarks")
    return text


def _clean_remark(text: str) -> str:
    """Return a remark as one trimmed line.

    Raise ``Fault`` if it is too long, or contains control characters or characters that reverse the
    text.
    """
    trimmed = unicodedata.normalize("NFC", " ".join(text.split()))
    if len(trimmed) > LONGEST_REMARK or not is_harmless(trimmed):
        why = f"one line of 1 to {LONGEST_REMARK} characters"
        raise Fault("bad_request", at="$.text", why=why)
    return trimmed
