"""A game as a file: one JSON document, of which the same game always gives the same bytes
(docs/game-file.md); and moment by moment, as spectators saw it."""

import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct, structs

from companion.rules.core.events import Event
from companion.rules.core.family import Json
from companion.rules.core.model import Table
from companion.rules.core.view import only_for
from companion.service import codec
from companion.service.history import Span
from companion.service.log import Projection
from companion.service.views import Patches, Views
from companion.storage.statements import StoredEvent as Stored

FORMAT = "hiss-game"
VERSION = 1
LONGEST_REMARK = 120  # how many characters a line has that somebody left at a moment

ELSEWHERE = {
    "family", "code", "variant", "base", "seats", "game", "past", "ended", "newest_window",
}  # fmt: skip
"""What of a table stands elsewhere in a file, or isn't there before the cards are dealt."""


class RecordedEvent(Struct, frozen=True):
    """One event of the log: which version it made, when in ms, and what happened."""

    version: int
    at: int
    happened: Event


class Record(Struct, frozen=True):
    """A game as it was: the table before the cards were prepared, and all that happened then.
    ``document`` is the file's whole content."""

    start: Table
    events: tuple[RecordedEvent, ...]
    document: Json

    @property
    def bytes(self) -> bytes:
        return canonical(self.document)

    @property
    def remarks(self) -> list[Json]:
        """What was noted at its moments, oldest first."""
        return list(self.document.get("remarks", ()))

    @property
    def log(self) -> list[Json]:
        """The events as the wire's log has them, without words, after what had been said."""
        events = [*_before(self.document), *self.document["events"]]
        return [{**event, "seat": event["facts"].get("seat")} for event in events]


def record_game(span: Span, stored: Iterable[Stored], remarks: Sequence[Json] = ()) -> Record:
    """A table's game, from its events as they are stored; raises what one brings about that
    can't be read. What only its own seat may see is left out."""
    start = span.start
    events = list[RecordedEvent]()
    told = list[Json]()
    for version, at, body, _ in stored:
        happened = codec.event(start.family, body)
        if only_for(happened) is None:
            facts = msgspec.json.decode(body)
            events.append(RecordedEvent(version, at, happened))
            told.append({"version": version, "at": at, "type": facts.pop("type"), "facts": facts})
    kept = [name for name in start.__struct_fields__ if name not in ELSEWHERE]
    document = {
        "format": FORMAT,
        "version": VERSION,
        "variant": msgspec.json.decode(start.variant.with_filled_texts.to_json()),
        "seats": msgspec.to_builtins(start.seats),
        "table": {name: msgspec.to_builtins(getattr(start, name)) for name in kept},
        "events": told,
    }
    if remarks:
        document["remarks"] = remarks
    return Record(start, tuple(events), {**document, "checksum": checksum(document)})


def canonical(document: object) -> bytes:
    """A document as it is written: sorted keys, no spaces, UTF-8, each number written one way."""
    return msgspec.json.encode(document, order="sorted")


def checksum(document: Json) -> str:
    rest = {key: value for key, value in document.items() if key != "checksum"}
    return sha256(canonical(rest)).hexdigest()


def _before(document: Json) -> Iterator[Json]:
    """What must have been said before the game, for whoever reads nothing but the log."""
    for seat in document["seats"]:
        yield {"version": 0, "type": "seat_taken", "facts": seat}
    for deck in document["table"].get("decks", ()):
        yield {"version": 0, "type": "deck_said", "facts": {**deck, "kind": "device"}}


def compress_moments(record: Record, code: str) -> bytes:
    """JSON, compressed (gzip): ``view`` at the first moment, and a patch (by keys) to each later
    one of ``moments``. Whoever else waits has their turn between them."""
    packer = zlib.compressobj(6, wbits=31)
    each = steps(record, code)
    pieces = [packer.compress(b'{"view":%b,"moments":[' % next(each))]
    for number, patch in enumerate(each):
        pieces.append(packer.compress(b"," * (number > 0) + patch))
        time.sleep(0)
    return b"".join([*pieces, packer.compress(b"]}"), packer.flush()])


def steps(record: Record, code: str) -> Iterator[bytes]:
    """The view that spectators had at first, then the patches to each version: the wire's own."""
    journal = journal_of(record, code)
    shown = Views(journal, "", record.events[0].at if record.events else 0)
    yield shown.of(None)
    for event in record.events:
        add(journal, event)
        past = shown
        shown = Views(journal, "", event.at, shown)
        yield Patches(past, shown).of(None, by_keys=True)


def journal_of(record: Record, code: str) -> Projection:
    journal = Projection(code, record.start.variant)
    journal.table = structs.replace(record.start, code=code)
    return journal


def add(projection: Projection, event: RecordedEvent) -> None:
    """The next event; numbers are missing where something private stood."""
    projection.table = structs.replace(projection.table, version=event.version - 1)
    projection.add(event.happened, event.at)
