"""Short lines that players leave at moments of finished games.

They stand beside the log: what somebody thinks of a game is not part of it. This module must
not know how they are shown.
"""

import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from companion.service import clock, codec
from companion.service.errors import Fault
from companion.service.finished import Span
from companion.service.names import BLANK
from companion.storage import statements
from companion.storage.statements import Statement

LONGEST = 120
MOST = 100
"""How many one game has."""

MOST_BY_SEAT = 20

JOINERS = frozenset("\u200c\u200d")
"""What Persian and some pictures are written with."""


class Remark(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody wants to leave, and at which moment: a version of the game's."""

    moment: int
    text: str


def readable(rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Stored remarks as JSON has them, without those that are damaged."""
    found = []
    for row in rows:
        with suppress(msgspec.ValidationError, UnicodeEncodeError):
            shown = {"moment": row.moment, "at": row.at, "seat": row.seat, "text": row.text}
            msgspec.convert(shown, _Shown)
            codec.encode(shown)
            found.append(shown)
    return found


class _Shown(Struct):
    moment: int
    at: int
    seat: str
    text: str


def made(
    remark: Remark, place: tuple[str, int], span: Span, seat: str | None, rows: Sequence[Any]
) -> Statement | None:
    """What to store for a table's game (its code and number); raises ``Fault``.

    ``rows``: those that are stored. ``None``: it stands there already, and was sent again.
    """
    if seat is None or seat not in {one.seat for one in span.start.seats}:
        raise Fault("forbidden")
    if remark.moment not in (span.start.version, *span.versions):
        raise Fault("bad_request", at="$.moment", why="no moment of this game")
    text = _clean(remark.text)
    mine = [row for row in rows if row.seat == seat]
    if any((row.moment, row.text) == (remark.moment, text) for row in mine):
        return None
    if len(rows) >= MOST or len(mine) >= MOST_BY_SEAT:
        raise Fault("rate_limited")
    code, game = place
    row = {"code": code, "game": game, "number": len(rows) + 1, "moment": remark.moment}
    return statements.insert_remark({**row, "at": clock.now(), "seat": seat, "text": text})


def _clean(text: str) -> str:
    """One line of visible characters that turn nothing around."""
    trimmed = unicodedata.normalize("NFC", " ".join(text.split()))
    odd = {c for c in trimmed if unicodedata.category(c)[0] == "C"} - JOINERS
    if not 1 <= len(trimmed) <= LONGEST or odd or not {*trimmed} - BLANK - JOINERS:
        raise Fault("bad_request", at="$.text", why=f"one line of 1 to {LONGEST} characters")
    return trimmed
