"""Finished games: as files, moment by moment, and with the lines that players left in them.

They are read from their tables' logs when somebody asks, and kept a while. One is made ready at a
time, so that many who open replays take no more of the machine than one."""

import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct

from companion.rules.core.characters import harmless
from companion.rules.core.family import Json
from companion.service import codec
from companion.service.clock import Clock
from companion.service.errors import Damaged, Fault
from companion.service.games.file import LONGEST_REMARK, Record, compress_moments, record_game
from companion.service.history import Span
from companion.service.log import DamagedTables, rows
from companion.storage import statements
from companion.storage.database import Busy, Conflict
from companion.storage.statements import StoredEvent
from companion.storage.statements import StoredRemark as Stored
from companion.storage.store import Store

CACHE_BYTES = 8 * 1024 * 1024  # how much of what was made ready is kept, compressed
# how many a game has, and how many of them one seat has left
MOST_REMARKS = 100
MOST_BY_SEAT = 20
TRIES = 20  # so often a remark is stored again because another process took its number


class Remark(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody wants to leave, and at which moment: a version of the game's."""

    moment: int
    text: str


class FinishedGames:
    """The finished games in one store, each told by its table's code and its span in the log. What
    of them can't be read is noted in ``damages``. ``remarked`` lists what follows a new line: it is
    told the code, the game, and how many there are."""

    def __init__(self, store: Store, clock: Clock, damages: DamagedTables) -> None:
        self._store = store
        self._clock = clock
        self._damages = damages
        self.on_remark: list[Callable[[str, int, int], None]] = []
        self._making = threading.Lock()
        self._packed: OrderedDict[tuple[str, str, int, int, int], bytes] = OrderedDict()

    def record(self, code: str, span: Span) -> Record:
        """The game as its table's log has it; raises ``Busy``, ``Fault`` (gone, ``Damaged``)."""
        remarks = self.remarks(code, span.start.games)
        try:
            found = record_game(span, self._stored_events(code, span), remarks)
        except (msgspec.MsgspecError, UnicodeError) as error:
            damaged = Damaged(code, "event", error)
            self._damages.note(damaged)
            raise damaged from error
        if not found.events:
            raise Fault("not_found", what="table", table=code)
        return found

    def moments(self, code: str, epoch: str, span: Span) -> bytes:
        """The game moment by moment: JSON, compressed (gzip). ``epoch``: the log's."""
        key = code, epoch, span.start.version, span.last, len(span.late)
        with self._making:
            if key not in self._packed:
                self._packed[key] = compress_moments(self.record(code, span), code)
            self._packed.move_to_end(key)
            while len(self._packed) > 1 and sum(map(len, self._packed.values())) > CACHE_BYTES:
                self._packed.popitem(last=False)
            return self._packed[key]

    def remarks(self, code: str, game: int) -> list[Json]:
        """What was noted at moments of a finished game and can be read, oldest first."""
        rows = self._stored_remarks(code, game)
        found = []
        for row in rows:
            with suppress(msgspec.ValidationError, UnicodeEncodeError):
                msgspec.convert(tuple(row), Stored)
                shown = {"moment": row.moment, "at": row.at, "seat": row.seat, "text": row.text}
                codec.encode(shown)
                found.append(shown)
        if lost := len(rows) - len(found):
            self._damages.note(Damaged(code, "remark", f"{lost} of game {game}"))
        return found

    def leave_remark(self, code: str, span: Span, seat: str | None, remark: Remark) -> None:
        """Somebody leaves a line at a moment of a finished game; raises ``Fault``, ``Busy``."""
        for _ in range(TRIES):
            there = self._stored_remarks(code, span.start.games)
            text = _new_text(remark, span, seat, there)
            if text is None:
                return
            place = code, span.start.games, len(there) + 1, remark.moment
            row = Stored(*place, self._clock.now(), str(seat), text)
            with suppress(Conflict):  # a peer took this number
                self._store.write(statements.insert(row))
                for follows in self.on_remark:
                    follows(code, row.game, row.number)
                return
        raise Busy("others are always faster")

    def _stored_remarks(self, code: str, game: int) -> list[Stored]:
        rows = self._store.all(Stored, code=code, game=game)
        return sorted(rows, key=lambda row: row.number)

    def _stored_events(self, code: str, span: Span) -> Iterator[StoredEvent]:
        versions = span.versions
        wanted = {*versions}
        for event in rows(self._store, code, span.start.version):
            if event.version in wanted:
                yield event
            if event.version >= versions[-1]:
                return


def _new_text(remark: Remark, span: Span, seat: str | None, rows: Sequence[Stored]) -> str | None:
    """What a remark says; ``None``: it stands there already, and was sent again."""
    if seat is None or seat not in {one.seat for one in span.start.seats}:
        raise Fault("forbidden")
    if remark.moment not in (span.start.version, *span.versions):
        raise Fault("bad_request", at="$.moment", why="no moment of this game")
    text = _clean(remark.text)
    mine = [row for row in rows if row.seat == seat]
    if any((row.moment, row.text) == (remark.moment, text) for row in mine):
        return None
    if len(rows) >= MOST_REMARKS or len(mine) >= MOST_BY_SEAT:
        raise Fault("refused", what="remarks")
    return text


def _clean(text: str) -> str:
    """One line of visible characters that turn nothing around."""
    trimmed = unicodedata.normalize("NFC", " ".join(text.split()))
    if len(trimmed) > LONGEST_REMARK or not harmless(trimmed):
        why = f"one line of 1 to {LONGEST_REMARK} characters"
        raise Fault("bad_request", at="$.text", why=why)
    return trimmed
