"""Converts events and answers to JSON and back, and reads commands, names and codes from clients.

An event is stored under the name of its class and the names of its fields. These names can never
change, since every later version of the program has to read the stored log.
"""

import re
from collections.abc import Callable
from hashlib import sha256
from secrets import choice
from typing import Any
from unicodedata import category, normalize

import msgspec
from msgspec import structs

from companion.adapters.msgspec import parse_error
from companion.rules.core.commands import AddSeat, Command, Rename, SetOptions
from companion.rules.core.family import Family
from companion.rules.core.types import Event, Json
from companion.rules.text.characters import WHY_NO_NAME, trim_visible_text
from companion.service.errors import Fault

encode = msgspec.json.Encoder().encode  # encode(value) returns the value as JSON bytes

_decoders: dict[Any, msgspec.json.Decoder[Any]] = {}
"""Cached decoders, since building one takes as long as handling a command."""


def event(family: Family, body: str | bytes) -> Event:
    """Decode a stored event of a game family."""
    event: Event = _decoder(("event", family.id), family.event).decode(body)
    return event


def _decoder(key: Any, kind: Any) -> msgspec.json.Decoder[Any]:
    """Return the decoder for ``kind``, cached under ``key``."""
    if key not in _decoders:
        _decoders[key] = msgspec.json.Decoder(kind)
    return _decoders[key]


def command(content: object, family: Family) -> Command:
    """Decode a client's command from JSON (``Raw``) or from decoded JSON. Raise ``Fault``."""
    command: Command
    if isinstance(content, msgspec.Raw):
        command = _decode_with(content, _decoder(("command", family.id), family.command))
    else:
        command = convert(content, family.command)
    if command.id is None:
        raise Fault("bad_request", at="$.id", why="Object missing required field `id`")
    if isinstance(command, AddSeat | Rename):
        return structs.replace(command, name=clean_name(command.name))
    return command


def read_options(options: Json, family: Family) -> SetOptions | None:
    """Return the command that sets a new table's options, or None if no options are given.

    Raise ``Fault`` if the options are invalid.
    """
    for key in options.keys() & {"type", "id", "as", "version"}:
        raise Fault("bad_request", at=f"$.options.{key}", why=f"no option {key}")
    try:
        command: SetOptions = convert({**options, "type": "options"}, family.set_options)
    except Fault as fault:
        at = str(fault.facts["at"]).replace("$", "$.options", 1)
        raise Fault("bad_request", at=at, why=fault.facts["why"]) from None
    return command if options else None


def convert(content: object, kind: Any) -> Any:
    """Convert decoded JSON from outside to ``kind``. Raise ``Fault`` with the field's path."""
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        raise _malformed_fault(error) from None
    except UnicodeEncodeError:
        raise Fault("bad_request", at="$", why="half a character") from None


def decode(body: bytes, kind: Any) -> Any:
    """Decode JSON from outside as ``kind``. Raise ``Fault`` with the field's path."""
    return _decode_with(body, _decoder(kind, kind))


def _decode_with(body: bytes | msgspec.Raw, decoder: msgspec.json.Decoder[Any]) -> Any:
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        raise _malformed_fault(error) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Fault("bad_request", at="$", why="not JSON") from None


def fingerprint(sender: str, command: Command) -> str:
    """Return a hash of a command and its sender. A command that is sent again has the same hash."""
    return sha256(sender.encode() + b"\0" + encode(command)).hexdigest()[:32]


def _malformed_fault(error: msgspec.ValidationError) -> Fault:
    """Return a fault with the reason and the JSON path of the invalid, missing or unknown field."""
    why, at, field = parse_error(error)
    return Fault("bad_request", at=f"${at}.{field}" if field else f"${at}", why=why)


_NAMES_A_SEAT = {
    "seat": "as", "removed_seat": "seat", "to": "seat", "target": "target", "next": "next",
    "first": "first",
}  # fmt: skip
"""The fields of commands whose value is a seat. Maps each field to its key on the wire."""

FindSeat = Callable[[str], str | None]
"""Takes a seat's id. Returns the id if the seat exists, else None."""


def check_seats(
    command: Command, sender: str, find_seated: FindSeat, find_seated_or_waiting: FindSeat
) -> None:
    """Raise ``Fault`` (not_found) if the command names a seat that doesn't exist at the table.

    Only ``RemoveSeat`` may also name a seat that waits for the next game.
    """
    for field, key in _NAMES_A_SEAT.items():
        seat = getattr(command, field, None)
        if seat in (None, sender) or (field == "first" and seat == "lot"):
            continue
        find = find_seated_or_waiting if field == "removed_seat" else find_seated
        if find(seat) is None:
            raise Fault("not_found", what="seat", at=f"$.{key}", seat=seat)


def clean_name(name: str) -> str:
    """Return the name, trimmed and in composed Unicode (NFC). Raise ``Fault`` if the name is
    invalid."""
    cleaned = trim_visible_text(name)
    if cleaned is None:
        raise Fault("bad_request", at="$.name", why=WHY_NO_NAME, what="name")
    return cleaned


ALPHABET = "ACDEFGHJKMNPQRTUVWXY34679"  # leaves out look-alikes: 0 O, 1 I L, 2 Z, 5 S, 8 B
LENGTH = 6
MOST_TYPED = 200  # only this many characters of the text are used
AROUND = re.compile(r"^[\W_]+|[\W_]+$")  # punctuation around a code in a sentence


def new_code() -> str:
    """Return a random table code."""
    return "".join(choice(ALPHABET) for _ in range(LENGTH))


def parse_code(typed: str) -> str | None:
    """Return the table code in a text that somebody typed or pasted, or None if the text has no
    code.

    Case, spaces, dashes, invisible characters and punctuation around the code are ignored.
    """
    normalized = normalize("NFKC", typed[:MOST_TYPED]).upper()
    code = AROUND.sub("", "".join(c for c in normalized if not _is_gap(c)))
    valid = len(code) == LENGTH and all(c in ALPHABET for c in code)
    return code if valid else None


def _is_gap(character: str) -> bool:
    return character.isspace() or category(character) in ("Pd", "Cf") or character in "_−"
