"""Reading a game's file, which comes from anywhere: it is checked whole before any of it counts.
Size comes first, so that no file takes long or much memory, whatever is in it."""

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

from companion.adapters.msgspec import misfit
from companion.rules import families
from companion.rules.core import characters, files, limits
from companion.rules.core.events import Event
from companion.rules.core.family import Family, Json
from companion.rules.core.model import Table
from companion.rules.core.rulings import SEATS
from companion.rules.core.table_events import PlaceAsked, PlaceGivenUp, SeatRenamed, SeatTaken
from companion.rules.core.variant import Variant
from companion.service.games import file as written
from companion.service.games.file import (
    ELSEWHERE,
    FORMAT,
    LONGEST_REMARK,
    VERSION,
    Record,
    RecordedEvent,
)

MOST_BYTES = 2 * 1024 * 1024  # a larger file is no game's: a long one has a tenth of that
MOST_EVENTS = 5000  # nor has a game more: ten people need a thousand at most to play one to its end
MOST_THINGS = 150_000  # nor has a file more commas and brackets: each thing in it takes memory
BEGINS = b'{"checksum":'  # so every file begins: its keys are sorted
PATIENCE = 0.5  # seconds of work; whole games of ten take less
PACKED = {
    b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"BZh": "bzip2", b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd", b"7z\xbc\xaf": "7z",
}  # fmt: skip
"""How compressed files begin."""


class Unreadable(Exception):
    """What is wrong with a file, and where (a JSON path).

    ``what`` it comes to: ``cut``, ``changed``, of a ``later`` program, ``foreign``, ``large``,
    ``packed``, ``encoded`` otherwise than in UTF-8; else it does not hold together (``odd``).
    """

    def __init__(self, why: str, place: str = "$", what: str = "odd") -> None:
        super().__init__(f"{place}: {why}")
        self.place = place
        self.why = why
        self.what = what


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
    """The game in this file, gone through to its end; raises ``Unreadable``."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise Unreadable("can't be read: it is a folder, a pipe or a device")
        with file.open("rb") as content:
            return parse_and_replay(content.read(MOST_BYTES + 1))
    except OSError as error:
        raise Unreadable(f"can't be read: {error.strerror}") from error


def parse_game(content: bytes) -> Record:
    """The game in a file; raises ``Unreadable``, and then nothing of it was taken."""
    document = _document(content)
    for place, why in limits.oversized_places(document, "$"):
        raise Unreadable(why, place)
    plain: _File = _convert(document, _File, "$")
    if len(plain.events) > MOST_EVENTS:
        raise Unreadable(f"a game has {MOST_EVENTS} events at most", "$.events")
    start = _start(plain)
    events = tuple(_event(start.family, entry, at) for at, entry in enumerate(plain.events))
    _check_order(start.version, events)
    _check_seats(start, events)
    _check_names(start, events)
    _check_remarks(start, plain.remarks)
    if plain.checksum != written.checksum(document):
        why = "the content was changed after it was written"
        raise Unreadable(why, "$.checksum", "changed")
    return Record(start, events, document)


def _document(content: bytes) -> Json:
    if len(content) > MOST_BYTES:
        raise Unreadable(f"too large: more than {MOST_BYTES // 1024 // 1024} MB", what="large")
    for begins, kind in PACKED.items():
        if content.startswith(begins):
            raise Unreadable(f"compressed ({kind}): unpack it first", what="packed")
    try:
        content = files.without_mark(content)
    except ValueError as error:
        raise Unreadable(str(error), what="encoded") from None
    if sum(map(content.count, (b",", b"[", b"{"))) > MOST_THINGS:
        raise Unreadable(f"holds more than {MOST_THINGS} things", what="large")
    with suppress(ValueError, RecursionError):  # what else is wrong is said below
        json.loads(content, object_pairs_hook=_check_keys)
    try:
        document = msgspec.json.decode(content)
        written.canonical(document)
    except (ValueError, RecursionError, OverflowError) as error:
        what = "cut" if content.startswith(BEGINS) else "foreign"
        raise Unreadable(f"not JSON, or cut off: {error}", what=what) from None
    return _of_a_game(document)


def _check_keys(pairs: list[tuple[str, object]]) -> None:
    """Of a key that stands there twice each reader would take another one."""
    known = set[str]()
    for key, _ in pairs:
        if key in known:
            raise Unreadable(f"the key {key!r} stands twice in one object")
        known.add(key)


def _of_a_game(document: object) -> Json:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Unreadable(f"no file of a game: it must say {FORMAT!r}", "$.format", "foreign")
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise Unreadable("must be a number from 1", "$.version")
    if version > VERSION:
        why = f"written by a later program (version {version}); this one reads up to {VERSION}"
        raise Unreadable(why, "$.version", "later")
    return document


def _start(plain: _File) -> Table:
    variant = _variant(plain.variant)
    table = families.new_table("", variant)
    fields = _convert({**plain.table, "seats": plain.seats}, _fields(table.family.id), "$.table")
    start: Table = structs.replace(table, **structs.asdict(fields))
    if len(start.seats) + len(start.waiting) > variant.players.most:
        raise Unreadable(f"at most {variant.players.most} can play", "$.seats")
    for number, seat in enumerate(start.seats):
        if not limits.ID.fullmatch(seat.seat):
            raise Unreadable(f"no seat can be called {seat.seat!r}", f"$.seats[{number}].seat")
    return start


def _variant(document: Json) -> Variant:
    try:
        variant: Variant = families.variant(msgspec.json.encode(document))
    except KeyError as error:
        raise Unreadable(f"there is no family of games {error}", "$.variant.family") from None
    except msgspec.ValidationError as error:
        raise _unreadable(error, "$.variant") from None
    fields = structs.asdict(variant)
    for one in (*limits.limit_errors(fields), *families.of(variant).limit_errors(fields)):
        raise Unreadable(one.why, f"$.variant.{one.place}")
    if variant.language not in variant.texts:
        raise Unreadable("there are no texts in the variant's language", "$.variant.texts")
    return variant


@cache
def _fields(family: str) -> type[Struct]:
    """What a file says of a table; what came later than the file is as it was without."""
    table = families.FAMILIES[family].table
    kept = [
        (one.name, one.type) if one.default is NODEFAULT else (one.name, one.type, one.default)
        for one in structs.fields(table)
        if one.name not in ELSEWHERE - {"seats"}
    ]
    return msgspec.defstruct("Start", kept, kw_only=True, module=__name__)


def _event(family: Family, entry: _Entry, number: int) -> RecordedEvent:
    content = {**entry.facts, "type": entry.type}
    happened: Event = _convert(content, family.event, f"$.events[{number}].facts")
    return RecordedEvent(entry.version, entry.at, happened)


def _check_order(version: int, events: tuple[RecordedEvent, ...]) -> None:
    for number, event in enumerate(events):
        if event.version <= version:
            raise Unreadable("must be later than what is before it", f"$.events[{number}].version")
        version = event.version


def _check_seats(start: Table, events: tuple[RecordedEvent, ...]) -> None:
    """Nobody is told of who was never there, or owes turns for ever."""
    known = {one.seat for one in start.seats} | {one.seat for one in start.waiting}
    for number, event in enumerate(events):
        facts = structs.asdict(event.happened)
        if isinstance(event.happened, SeatTaken | PlaceAsked):
            known.add(facts["seat"])
        if facts.get("owed", 0) > limits.CARDS:  # each is drawn
            why = f"nobody owes more than {limits.CARDS} turns"
            raise Unreadable(why, f"$.events[{number}].facts.owed")
        told = [(key, facts[key]) for key in SEATS & facts.keys() if facts[key] is not None]
        for key, seat in [*told, *(("order", seat) for seat in facts.get("order") or ())]:
            if seat not in known:
                raise Unreadable(f"there is no seat {seat!r}", f"$.events[{number}].facts.{key}")


def _check_names(start: Table, events: tuple[RecordedEvent, ...]) -> None:
    """No name turns or hides what is around it. What the wire asks besides, composed letters and
    joiners where they join, is not asked here: the tables for it differ from version to version,
    and the game was played with the name."""
    naming = SeatTaken | PlaceAsked | PlaceGivenUp | SeatRenamed
    names = [(f"seats[{n}]", seat.name) for n, seat in enumerate(start.seats)]
    names += [(f"table.waiting[{n}]", one.name) for n, one in enumerate(start.waiting)]
    for number, event in enumerate(events):
        if isinstance(event.happened, naming):
            names.append((f"events[{number}].facts", event.happened.name))
        if isinstance(event.happened, SeatRenamed) and event.happened.was is not None:
            names.append((f"events[{number}].facts", event.happened.was))
    for place, name in names:
        if not characters.readable(name):
            raise Unreadable(characters.WHY_NO_NAME, f"$.{place}.name")


def _check_remarks(start: Table, remarks: list[_Remark]) -> None:
    known = {one.seat for one in start.seats}
    for number, remark in enumerate(remarks):
        if remark.seat not in known:
            raise Unreadable(f"there is no seat {remark.seat!r}", f"$.remarks[{number}].seat")


def _convert(value: object, kind: Any, place: str) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _unreadable(error, place) from None


def _unreadable(error: msgspec.ValidationError, place: str) -> Unreadable:
    why, at, _ = misfit(error)
    return Unreadable(why, place + at)


def parse_and_replay(content: bytes) -> Record:
    """The game in a file, gone through to its end; raises ``Unreadable``."""
    record = parse_game(content)
    steps = _replay(record)
    done = -1
    try:
        for _ in steps:
            done += 1
    except Exception as error:  # whatever a log says that no server wrote
        why = f"does not follow from what stands before it ({error!r})"
        raise Unreadable(why, f"$.events[{max(0, done)}]") from None
    return record


def _replay(record: Record) -> Iterator[None]:
    """Each moment; what spectators saw of it only while that takes no time to speak of: in a game
    that nobody played one may cost a second."""
    journal = written.journal_of(record, "")
    shown = written.steps(record, "")
    until = time.process_time() + PATIENCE
    next(shown)
    yield
    for event in record.events:
        if time.process_time() < until:
            next(shown)
        written.add(journal, event)
        time.sleep(0)  # whoever else waits has their turn
        yield
