"""A game as a file: one JSON document, of which the same game always gives the same bytes
(docs/game-file.md).

What is in a file comes from anywhere: it is checked whole before any of
it counts. This module must not know where a file lies, nor how a game is shown.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from typing import Annotated, Any

import msgspec
from msgspec import NODEFAULT, Meta, Struct, structs

from companion.rules import families
from companion.rules.core.events import Happened
from companion.rules.core.family import Family
from companion.rules.core.model import Table
from companion.rules.core.rulings import SEATS
from companion.rules.core.table_events import PlaceAsked, SeatTaken
from companion.rules.core.view import only_for
from companion.service import codec
from companion.service.finished import Span
from companion.service.remarks import LONGEST

FORMAT, VERSION = "hiss-game", 1

MOST_BYTES = 32 * 1024 * 1024
"""A larger file is no game's: the longest log there can be has half of that."""

_ELSEWHERE = {"family", "code", "variant", "seats", "game", "past", "ended"}
"""What of a table stands elsewhere in a file, or isn't there before the cards are dealt."""


class Unreadable(Exception):
    """What is wrong with a file, and where (a JSON path)."""

    def __init__(self, why: str, place: str = "$") -> None:
        super().__init__(f"{place}: {why}")
        self.place, self.why = place, why


class Event(Struct, frozen=True):
    """One event of the log: which version it made, when in ms, and what happened."""

    version: int
    at: int
    happened: Happened


class Record(Struct, frozen=True):
    """A game as it was: the table before the cards were prepared, and all that happened then.

    ``document`` is the file's whole content.
    """

    start: Table
    events: tuple[Event, ...]
    document: dict[str, Any]

    @property
    def bytes(self) -> bytes:
        """The file."""
        return _canonical(self.document)

    @property
    def remarks(self) -> list[dict[str, Any]]:
        """What was noted at its moments, oldest first."""
        return list(self.document.get("remarks", ()))

    @property
    def log(self) -> list[dict[str, Any]]:
        """The events as the wire's log has them, without words, after what had been said."""
        events = [*_before(self.document), *self.document["events"]]
        return [{**event, "seat": event["facts"].get("seat")} for event in events]


# --- writing ---------------------------------------------------------------------------


def recorded(
    span: Span,
    stored: Iterable[tuple[int, int, str]],
    remarks: Sequence[dict[str, Any]] = (),
) -> Record:
    """A table's game, from its events as they are stored: version, time in ms, content.

    What only its own seat may see is left out.
    """
    start, events, told = span.start, list[Event](), list[dict[str, Any]]()
    for version, at, body in stored:
        happened = codec.event(start.family, body)
        if only_for(happened) is None:
            facts = msgspec.json.decode(body)
            events.append(Event(version, at, happened))
            told.append({"version": version, "at": at, "type": facts.pop("type"), "facts": facts})
    document = {
        "format": FORMAT,
        "version": VERSION,
        "variant": msgspec.json.decode(start.variant.to_json()),
        "seats": msgspec.to_builtins(start.seats),
        "table": _plain(start),
        "events": told,
    }
    if remarks:
        document["remarks"] = remarks
    return Record(start, tuple(events), {**document, "checksum": _checksum(document)})


def _plain(table: Table) -> dict[str, Any]:
    names = [name for name in table.__struct_fields__ if name not in _ELSEWHERE]
    return {name: msgspec.to_builtins(getattr(table, name)) for name in names}


def _canonical(document: Any) -> bytes:
    """Sorted keys, no spaces, UTF-8, each number written one way."""
    return msgspec.json.encode(document, order="sorted")


def _checksum(document: dict[str, Any]) -> str:
    rest = {key: value for key, value in document.items() if key != "checksum"}
    return sha256(_canonical(rest)).hexdigest()


# --- reading ---------------------------------------------------------------------------


class _Entry(Struct, frozen=True):
    version: int
    at: int
    type: str
    facts: dict[str, Any]


class _Remark(Struct, frozen=True):
    moment: int
    at: int
    seat: str
    text: Annotated[str, Meta(max_length=LONGEST)]


class _File(Struct, frozen=True):
    variant: dict[str, Any]
    seats: list[dict[str, Any]]
    table: dict[str, Any]
    events: list[_Entry]
    checksum: str
    remarks: list[_Remark] = []


def read(content: bytes) -> Record:
    """The game in a file; raises ``Unreadable``, and then nothing of it was taken."""
    if len(content) > MOST_BYTES:
        raise Unreadable(f"too large: more than {MOST_BYTES // 1024 // 1024} MB")
    try:
        document = msgspec.json.decode(content)
        _canonical(document)
    except (ValueError, RecursionError, OverflowError) as error:
        raise Unreadable(f"not JSON, or cut off: {error}") from None
    _check_kind(document)
    plain = _as(document, _File, "$")
    start = _start(plain)
    events = tuple(_event(start.family, entry, at) for at, entry in enumerate(plain.events))
    _check_order(start.version, events)
    _check_seats(start, events)
    _check_remarks(start, plain.remarks)
    if plain.checksum != _checksum(document):
        raise Unreadable("the content was changed after it was written", "$.checksum")
    return Record(start, events, document)


def _check_kind(document: Any) -> None:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Unreadable(f"no file of a game: it must say {FORMAT!r}", "$.format")
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise Unreadable("must be a number from 1", "$.version")
    if version > VERSION:
        why = f"written by a later program (version {version}); this one reads up to {VERSION}"
        raise Unreadable(why, "$.version")


def _start(plain: _File) -> Table:
    """The table before the cards were prepared."""
    try:
        variant = families.variant(msgspec.json.encode(plain.variant))
    except KeyError as error:
        raise Unreadable(f"there is no family of games {error}", "$.variant.family") from None
    except msgspec.ValidationError as error:
        raise _misfit(error, "$.variant") from None
    if variant.language not in variant.texts:
        raise Unreadable("there are no texts in the variant's language", "$.variant.texts")
    table = families.new_table("", variant)
    fields: Any = _as({**plain.table, "seats": plain.seats}, _fields(table.family.id), "$.table")
    start: Table = structs.replace(table, **structs.asdict(fields))
    return start


@cache
def _fields(family: str) -> Any:
    """What a file says of a table; what came later than the file is as it was without."""
    table = families.FAMILIES[family].table
    kept = [one for one in structs.fields(table) if one.name not in _ELSEWHERE - {"seats"}]
    return msgspec.defstruct(
        "Start",
        [
            (one.name, one.type) if one.default is NODEFAULT else (one.name, one.type, one.default)
            for one in kept
        ],
        kw_only=True,
        module=__name__,
    )


def _event(family: Family, entry: _Entry, number: int) -> Event:
    place = f"$.events[{number}]"
    try:
        content = {**entry.facts, "type": entry.type}
        happened: Happened = msgspec.convert(content, family.event)
    except msgspec.ValidationError as error:
        raise _misfit(error, f"{place}.facts") from None
    return Event(entry.version, entry.at, happened)


def _check_order(version: int, events: tuple[Event, ...]) -> None:
    for number, event in enumerate(events):
        if event.version <= version:
            raise Unreadable("must be later than what is before it", f"$.events[{number}].version")
        version = event.version


def _check_seats(start: Table, events: tuple[Event, ...]) -> None:
    """Nobody is told of who was never there."""
    known = {one.seat for one in start.seats} | {one.seat for one in start.waiting}
    for number, event in enumerate(events):
        happened: Any = event.happened
        facts = structs.asdict(happened)
        if isinstance(happened, SeatTaken | PlaceAsked):
            known.add(facts["seat"])
        for key in SEATS & facts.keys():
            if facts[key] is not None and facts[key] not in known:
                why = f"there is no seat {facts[key]!r}"
                raise Unreadable(why, f"$.events[{number}].facts.{key}")


def _check_remarks(start: Table, remarks: list[_Remark]) -> None:
    known = {one.seat for one in start.seats}
    for number, remark in enumerate(remarks):
        if remark.seat not in known:
            raise Unreadable(f"there is no seat {remark.seat!r}", f"$.remarks[{number}].seat")


def _as(value: Any, kind: Any, place: str) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _misfit(error, place) from None


def _misfit(error: msgspec.ValidationError, place: str) -> Unreadable:
    """The reason and the place, from msgspec's words for them."""
    why, _, inside = str(error).partition(" - at `$")
    return Unreadable(why, place + inside.rstrip("`"))


def _before(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What must have been said before the game, for whoever reads nothing but the log."""
    for seat in document["seats"]:
        yield {"version": 0, "type": "seat_taken", "facts": seat}
    for deck in document["table"].get("decks", ()):
        yield {"version": 0, "type": "deck_said", "facts": {**deck, "kind": "device"}}
