"""Reads a game's file from an untrusted source.

The whole file is checked before any of it is used. Its size is checked first, so that even a
malicious file takes little time and memory.
"""

import json
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import NODEFAULT, Meta, Struct, structs

from companion.adapters.msgspec import parse_error
from companion.rules import families
from companion.rules.core.family import Family
from companion.rules.core.state import Table
from companion.rules.core.table_events import PlaceAsked, PlaceGivenUp, SeatRenamed, SeatTaken
from companion.rules.core.types import Event, Json
from companion.rules.text import characters
from companion.rules.text.rulings import SEATS
from companion.rules.variants import files, limits
from companion.rules.variants.variant import Variant
from companion.service.replays import file as written
from companion.service.replays.file import (
    ELSEWHERE,
    FORMAT,
    LONGEST_REMARK,
    VERSION,
    Record,
    RecordedEvent,
)

MOST_BYTES = 2 * 1024 * 1024  # ten times the size of a long game
MOST_EVENTS = 5000  # a game of ten players has at most a thousand events
MOST_THINGS = 150_000  # maximum number of commas and brackets, since each value takes memory
BEGINS = b'{"checksum":'  # every game's file begins like this, since its keys are sorted
PATIENCE = 0.5  # CPU seconds for rendering; whole games of ten players take less
PACKED = {
    b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"BZh": "bzip2", b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd", b"7z\xbc\xaf": "7z",
}  # fmt: skip
"""The first bytes of compressed files."""


class Unreadable(Exception):
    """Raised if a file can't be read as a game."""

    def __init__(self, why: str, place: str = "$", what: str = "odd") -> None:
        super().__init__(f"{place}: {why}")
        self.place = place  # a JSON path
        self.why = why
        self.what = what
        """The kind of fault.

        The file was ``cut`` off, was ``changed`` after it was written, was written by a ``later``
        version, is ``foreign`` (not a game's file), is too ``large``, is ``packed`` (compressed),
        is ``encoded`` other than in UTF-8, or is ``odd`` (its parts contradict each other).
        """


class _Entry(Struct, frozen=True):
    version: int
    at: int
    type: str
    facts: Json


class _Remark(Struct, frozen=True):
    moment: int
    at: int
    seat: str
    text: Annotated[str, Meta(max_length=LONGEST_REMARK)]


class _File(Struct, frozen=True):
    variant: Json
    seats: list[Json]
    table: Json
    events: list[_Entry]
    checksum: str
    remarks: list[_Remark] = []


def open_file(file: Path) -> Record:
    """Return the game in this file, after replaying it to its end. Raise ``Unreadable``."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise Unreadable("can't be read: it is a folder, a pipe or a device")
        with file.open("rb") as content:
            return parse_and_replay(content.read(MOST_BYTES + 1))
    except OSError as error:
        raise Unreadable(f"can't be read: {error.strerror}") from error


def parse_game(content: bytes) -> Record:
    """Return the game in a file's content, without replaying it. Raise ``Unreadable``."""
    document = _decode_document(content)
    for place, why in limits.oversized_places(document, "$"):
        raise Unreadable(why, place)
    plain: _File = _convert(document, _File, "$")
    if len(plain.events) > MOST_EVENTS:
        raise Unreadable(f"a game has {MOST_EVENTS} events at most", "$.events")
    start = _read_start(plain)
    events = tuple(_read_event(start.family, entry, at) for at, entry in enumerate(plain.events))
    _check_order(start.version, events)
    _check_seats(start, events)
    _check_names(start, events)
    _check_remarks(start, plain.remarks)
    if plain.checksum != written.checksum(document):
        why = "the content was changed after it was written"
        raise Unreadable(why, "$.checksum", "changed")
    return Record(start, events, document)


def _decode_document(content: bytes) -> Json:
    """Decode the content of a file as the JSON of a game of a known version."""
    if len(content) > MOST_BYTES:
        raise Unreadable(f"too large: more than {MOST_BYTES // 1024 // 1024} MB", what="large")
    for begins, kind in PACKED.items():
        if content.startswith(begins):
            raise Unreadable(f"compressed ({kind}): unpack it first", what="packed")
    try:
        content = files.strip_byte_order_mark(content)
    except ValueError as error:
        raise Unreadable(str(error), what="encoded") from None
    if sum(map(content.count, (b",", b"[", b"{"))) > MOST_THINGS:
        raise Unreadable(f"holds more than {MOST_THINGS} things", what="large")
    with suppress(ValueError, RecursionError):  # other faults are reported by the decoder below
        json.loads(content, object_pairs_hook=_check_keys)
    try:
        document = msgspec.json.decode(content)
        written.encode_canonically(document)
    except (ValueError, RecursionError, OverflowError) as error:
        what = "cut" if content.startswith(BEGINS) else "foreign"
        raise Unreadable(f"not JSON, or cut off: {error}", what=what) from None
    return _check_format(document)


def _check_keys(pairs: list[tuple[str, object]]) -> None:
    """Refuse an object with a duplicate key: JSON libraries disagree on which value to keep."""
    keys = set[str]()
    for key, _ in pairs:
        if key in keys:
            raise Unreadable(f"the key {key!r} stands twice in one object")
        keys.add(key)


def _check_format(document: object) -> Json:
    """Return the document if it is a game's file of a version that this program can read."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Unreadable(f"no file of a game: it must say {FORMAT!r}", "$.format", "foreign")
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise Unreadable("must be a number from 1", "$.version")
    if version > VERSION:
        why = f"written by a later program (version {version}); this one reads up to {VERSION}"
        raise Unreadable(why, "$.version", "later")
    return document


def _read_start(plain: _File) -> Table:
    """Return the table as it was before the cards were prepared."""
    variant = _read_variant(plain.variant)
    table = families.new_table("", variant)
    fields = _convert(
        {**plain.table, "seats": plain.seats}, _make_table_class(table.family.id), "$.table"
    )
    start: Table = structs.replace(table, **structs.asdict(fields))
    if len(start.seats) + len(start.waiting) > variant.players.most:
        raise Unreadable(f"at most {variant.players.most} can play", "$.seats")
    for number, seat in enumerate(start.seats):
        if not limits.ID.fullmatch(seat.seat):
            raise Unreadable(f"no seat can be called {seat.seat!r}", f"$.seats[{number}].seat")
    return start


def _read_variant(document: Json) -> Variant:
    try:
        variant: Variant = families.decode_variant(msgspec.json.encode(document))
    except KeyError as error:
        raise Unreadable(f"there is no family of games {error}", "$.variant.family") from None
    except msgspec.ValidationError as error:
        raise _unreadable(error, "$.variant") from None
    fields = structs.asdict(variant)
    for fault in (
        *limits.limit_errors(fields),
        *families.find_family(variant).limit_errors(fields),
    ):
        raise Unreadable(fault.why, f"$.variant.{fault.place}")
    if variant.language not in variant.texts:
        raise Unreadable("there are no texts in the variant's language", "$.variant.texts")
    return variant


@cache
def _make_table_class(family: str) -> type[Struct]:
    """Return a class for this family's tables that has only the fields that a file contains.

    A field that is missing in an older file gets its default value.
    """
    table = families.FAMILIES[family].table
    fields = [
        (field.name, field.type)
        if field.default is NODEFAULT
        else (field.name, field.type, field.default)
        for field in structs.fields(table)
        if field.name not in ELSEWHERE - {"seats"}
    ]
    return msgspec.defstruct("Start", fields, kw_only=True, module=__name__)


def _read_event(family: Family, entry: _Entry, number: int) -> RecordedEvent:
    content = {**entry.facts, "type": entry.type}
    event: Event = _convert(content, family.event, f"$.events[{number}].facts")
    return RecordedEvent(entry.version, entry.at, event)


def _check_order(version: int, events: tuple[RecordedEvent, ...]) -> None:
    for number, event in enumerate(events):
        if event.version <= version:
            raise Unreadable("must be later than what is before it", f"$.events[{number}].version")
        version = event.version


def _check_seats(start: Table, events: tuple[RecordedEvent, ...]) -> None:
    """Refuse events with a seat that never existed, or that make a player owe too many turns."""
    seats = {seat.seat for seat in start.seats} | {waiting.seat for waiting in start.waiting}
    for number, recorded in enumerate(events):
        facts = structs.asdict(recorded.event)
        if isinstance(recorded.event, SeatTaken | PlaceAsked):
            seats.add(facts["seat"])
        # The panel renders every owed turn, so a forged number must not be huge.
        if facts.get("owed", 0) > limits.CARDS:
            why = f"nobody owes more than {limits.CARDS} turns"
            raise Unreadable(why, f"$.events[{number}].facts.owed")
        named = [(key, facts[key]) for key in SEATS & facts.keys() if facts[key] is not None]
        for key, seat in [*named, *(("order", seat) for seat in facts.get("order") or ())]:
            if seat not in seats:
                raise Unreadable(f"there is no seat {seat!r}", f"$.events[{number}].facts.{key}")


def _check_names(start: Table, events: tuple[RecordedEvent, ...]) -> None:
    """Refuse names with characters that reverse or hide the text around them.

    The stricter checks of names from clients (composed letters, joiners) are left out here: they
    depend on Python's version of Unicode, and these names were accepted when the game was played.
    """
    naming = SeatTaken | PlaceAsked | PlaceGivenUp | SeatRenamed
    names = [(f"seats[{n}]", seat.name) for n, seat in enumerate(start.seats)]
    names += [(f"table.waiting[{n}]", waiting.name) for n, waiting in enumerate(start.waiting)]
    for number, recorded in enumerate(events):
        if isinstance(recorded.event, naming):
            names.append((f"events[{number}].facts", recorded.event.name))
        if isinstance(recorded.event, SeatRenamed) and recorded.event.was is not None:
            names.append((f"events[{number}].facts", recorded.event.was))
    for place, name in names:
        if not characters.is_readable(name):
            raise Unreadable(characters.WHY_NO_NAME, f"$.{place}.name")


def _check_remarks(start: Table, remarks: list[_Remark]) -> None:
    seats = {seat.seat for seat in start.seats}
    for number, remark in enumerate(remarks):
        if remark.seat not in seats:
            raise Unreadable(f"there is no seat {remark.seat!r}", f"$.remarks[{number}].seat")


def _convert(value: object, kind: Any, place: str) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _unreadable(error, place) from None


def _unreadable(error: msgspec.ValidationError, place: str) -> Unreadable:
    why, at, _ = parse_error(error)
    return Unreadable(why, place + at)


def parse_and_replay(content: bytes) -> Record:
    """Return the game in a file's content, after replaying it. Raise ``Unreadable``."""
    record = parse_game(content)
    steps = _replay(record)
    done = -1
    try:
        for _ in steps:
            done += 1
    except Exception as error:  # the rules can raise any exception for a forged log
        why = f"does not follow from what stands before it ({error!r})"
        raise Unreadable(why, f"$.events[{max(0, done)}]") from None
    return record


def _replay(record: Record) -> Iterator[None]:
    """Apply each event, and render the spectators' views until ``PATIENCE`` seconds are used.

    In a forged game a single view may take a second. Yield before the first event and after each
    one.
    """
    projection = written.new_projection(record, "")
    views = written.render_steps(record, "")
    until = time.process_time() + PATIENCE
    next(views)
    yield
    for event in record.events:
        if time.process_time() < until:
            next(views)
        written.apply_event(projection, event)
        time.sleep(0)  # let other threads run
        yield
