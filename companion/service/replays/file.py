"""Writes a finished game as a file, or as a replay of what spectators saw.

The file is one JSON document; the same game always gives the same bytes (docs/game-file.md).
"""

import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct, structs

from companion.rules.core.state import Table
from companion.rules.core.types import Event, Json
from companion.rules.core.view import only_viewer
from companion.service import codec
from companion.service.table.history import Span
from companion.service.table.log import Projection
from companion.service.table.views import Patches, Views
from companion.storage.statements import StoredEvent as Stored

FORMAT = "hiss-game"
VERSION = 1
LONGEST_REMARK = 120  # characters

ELSEWHERE = {
    "family", "code", "variant", "base", "seats", "game", "past", "ended", "newest_window",
}  # fmt: skip
"""Fields of a table that a file stores elsewhere, or that are empty before the cards are dealt."""


class RecordedEvent(Struct, frozen=True):
    """One event of a game, with its version and time (ms)."""

    version: int
    at: int
    event: Event


class Record(Struct, frozen=True):
    """A recorded game."""

    start: Table  # the table before the cards were prepared
    events: tuple[RecordedEvent, ...]  # all public events after ``start``
    document: Json  # the whole content of the file

    @property
    def bytes(self) -> bytes:
        return encode_canonically(self.document)

    @property
    def remarks(self) -> list[Json]:
        """The players' remarks on moments of this game, oldest first."""
        return list(self.document.get("remarks", ()))

    @property
    def log(self) -> list[Json]:
        """The events as in the wire's log, but without sentences.

        The list begins with entries for the seats and decks that existed before the game.
        """
        events = [*_initial_entries(self.document), *self.document["events"]]
        return [{**event, "seat": event["facts"].get("seat")} for event in events]


def record_game(span: Span, stored: Iterable[Stored], remarks: Sequence[Json] = ()) -> Record:
    """Return the record of a finished game, made from the stored events of its table.

    Leave out private events, which only one seat may see. Raise ``msgspec.MsgspecError`` or
    ``UnicodeError`` if an event can't be read.
    """
    start = span.start
    events = list[RecordedEvent]()
    entries = list[Json]()
    for version, at, body, _ in stored:
        event = codec.event(start.family, body)
        if only_viewer(event) is None:
            facts = msgspec.json.decode(body)
            kind = facts.pop("type")
            events.append(RecordedEvent(version, at, event))
            entries.append({"version": version, "at": at, "type": kind, "facts": facts})
    fields = [name for name in start.__struct_fields__ if name not in ELSEWHERE]
    document = {
        "format": FORMAT,
        "version": VERSION,
        "variant": msgspec.json.decode(start.variant.with_filled_texts.to_json()),
        "seats": msgspec.to_builtins(start.seats),
        "table": {name: msgspec.to_builtins(getattr(start, name)) for name in fields},
        "events": entries,
    }
    if remarks:
        document["remarks"] = remarks
    return Record(start, tuple(events), {**document, "checksum": checksum(document)})


def encode_canonically(document: object) -> bytes:
    """Encode a document in its only canonical form: sorted keys, no spaces, UTF-8."""
    return msgspec.json.encode(document, order="sorted")


def checksum(document: Json) -> str:
    """Return the SHA-256 hash of a document without its ``checksum``, in hexadecimal digits."""
    rest = {key: value for key, value in document.items() if key != "checksum"}
    return sha256(encode_canonically(rest)).hexdigest()


def _initial_entries(document: Json) -> Iterator[Json]:
    """Yield entries for the seats and decks that existed before the game.

    Readers who have only the log need these entries.
    """
    for seat in document["seats"]:
        yield {"version": 0, "type": "seat_taken", "facts": seat}
    for deck in document["table"].get("decks", ()):
        yield {"version": 0, "type": "deck_said", "facts": {**deck, "kind": "device"}}


def compress_moments(record: Record, code: str) -> bytes:
    """Return a replay as gzipped JSON: the first ``view``, and a patch for each later moment.

    The patches contain only changed keys (see ``views.py``). Other threads can run between two
    moments.
    """
    compressor = zlib.compressobj(6, wbits=31)
    moments = render_steps(record, code)
    pieces = [compressor.compress(b'{"view":%b,"moments":[' % next(moments))]
    for number, patch in enumerate(moments):
        pieces.append(compressor.compress(b"," * (number > 0) + patch))
        time.sleep(0)
    return b"".join([*pieces, compressor.compress(b"]}"), compressor.flush()])


def render_steps(record: Record, code: str) -> Iterator[bytes]:
    """Yield the spectators' view before the first event, and then a patch for each event."""
    projection = new_projection(record, code)
    views = Views(projection, "", record.events[0].at if record.events else 0)
    yield views.view_of(None)
    for event in record.events:
        apply_event(projection, event)
        before = views
        views = Views(projection, "", event.at, before)
        yield Patches(before, views).patch_for(None, by_keys=True)


def new_projection(record: Record, code: str) -> Projection:
    """Return a projection in the state before the first event of a record."""
    projection = Projection(code, record.start.variant)
    projection.table = structs.replace(record.start, code=code)
    return projection


def apply_event(projection: Projection, recorded: RecordedEvent) -> None:
    """Apply the next event.

    A record leaves out private events, so its version numbers can have gaps.
    """
    projection.table = structs.replace(projection.table, version=recorded.version - 1)
    projection.add(recorded.event, recorded.at)
