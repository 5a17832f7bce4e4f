"""Events and answers ⇄ JSON, and what comes in over the wire → commands, names, codes. An event's
stored name and fields are its record's, for ever: later versions read it."""

import re
from collections.abc import Callable
from hashlib import sha256
from secrets import choice
from typing import Any
from unicodedata import category, normalize

import msgspec
from msgspec import structs

from companion.adapters.msgspec import misfit
from companion.rules.core.characters import WHY_NO_NAME, visible
from companion.rules.core.commands import AddSeat, Command, Rename, SetOptions
from companion.rules.core.events import Event
from companion.rules.core.family import Family, Json
from companion.service.errors import Fault

encode = msgspec.json.Encoder().encode  # any of the program's records as JSON: encode(value)

_decoders: dict[Any, msgspec.json.Decoder[Any]] = {}
"""Family or kind → what reads it: to look at a union takes as long as a command."""


def event(family: Family, body: str | bytes) -> Event:
    happened: Event = _decoder(("event", family.id), family.event).decode(body)
    return happened


def _decoder(key: Any, kind: Any) -> msgspec.json.Decoder[Any]:
    if key not in _decoders:
        _decoders[key] = msgspec.json.Decoder(kind)
    return _decoders[key]


def command(content: object, family: Family) -> Command:
    """What a client said, as JSON (``Raw``) or read already. Raises ``Fault``."""
    said: Command
    if isinstance(content, msgspec.Raw):
        said = _decode_with(content, _decoder(("command", family.id), family.command))
    else:
        said = convert(content, family.command)
    if said.id is None:
        raise Fault("bad_request", at="$.id", why="Object missing required field `id`")
    if isinstance(said, AddSeat | Rename):
        return structs.replace(said, name=clean_name(said.name))
    return said


def wishes(options: Json, family: Family) -> SetOptions | None:
    """What a new table of a family is to be like; ``None``: as they are."""
    for key in options.keys() & {"type", "id", "as", "version"}:
        raise Fault("bad_request", at=f"$.options.{key}", why=f"no option {key}")
    try:
        wanted: SetOptions = convert({**options, "type": "options"}, family.set_options)
    except Fault as fault:
        at = str(fault.facts["at"]).replace("$", "$.options", 1)
        raise Fault("bad_request", at=at, why=fault.facts["why"]) from None
    return wanted if options else None


def convert(content: object, kind: Any) -> Any:
    """Content from outside as the record it must be; raises ``Fault`` with the place."""
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        raise _malformed_fault(error) from None
    except UnicodeEncodeError:
        raise Fault("bad_request", at="$", why="half a character") from None


def decode(body: bytes, kind: Any) -> Any:
    """A JSON document from outside as the record it must be; raises ``Fault``."""
    return _decode_with(body, _decoder(kind, kind))


def _decode_with(body: bytes | msgspec.Raw, decoder: msgspec.json.Decoder[Any]) -> Any:
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        raise _malformed_fault(error) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Fault("bad_request", at="$", why="not JSON") from None


def fingerprint(sender: str, command: Command) -> str:
    """Tells whether a command sent again has the same content and the same sender."""
    return sha256(sender.encode() + b"\0" + encode(command)).hexdigest()[:32]


def _malformed_fault(error: msgspec.ValidationError) -> Fault:
    """The place, that of a field which is missing or not known too, and the reason."""
    why, at, field = misfit(error)
    return Fault("bad_request", at=f"${at}.{field}" if field else f"${at}", why=why)


_NAMES_A_SEAT = {
    "seat": "as", "gone": "seat", "to": "seat", "target": "target", "next": "next",
    "first": "first",
}  # fmt: skip
"""The fields of commands which name a seat, and the wire's keys for them."""

Find = Callable[[str], str | None]


def check_seats(command: Command, sender: str, seated: Find, placed: Find) -> None:
    """Raises ``Fault`` (not_found) with the place of a seat that a client made up. ``seated`` finds
    a seat of the table, ``placed`` one that has asked for a place too."""
    for field, key in _NAMES_A_SEAT.items():
        seat = getattr(command, field, None)
        if seat in (None, sender) or (field == "first" and seat == "lot"):
            continue
        known = placed(seat) if field == "gone" else seated(seat)
        if known is None:
            raise Fault("not_found", what="seat", at=f"$.{key}", seat=seat)


def clean_name(name: str) -> str:
    """The name, trimmed and composed; raises ``Fault`` when it can't be one."""
    found = visible(name)
    if found is None:
        raise Fault("bad_request", at="$.name", why=WHY_NO_NAME, what="name")
    return found


ALPHABET = "ACDEFGHJKMNPQRTUVWXY34679"  # without look-alikes: no 0 O, 1 I L, 2 Z, 5 S, 8 B
LENGTH = 6
MOST_TYPED = 200  # characters that are looked at for a code
AROUND = re.compile(r"^[\W_]+|[\W_]+$")


def new_code() -> str:
    return "".join(choice(ALPHABET) for _ in range(LENGTH))


def as_code(typed: str) -> str | None:
    """The code somebody typed or pasted; ``None``: not a code. Case, spaces, dashes and characters
    that nobody sees don't count, nor does what stands around it in a sentence."""
    written = normalize("NFKC", typed[:MOST_TYPED]).upper()
    code = AROUND.sub("", "".join(c for c in written if not _is_gap(c)))
    good = len(code) == LENGTH and all(c in ALPHABET for c in code)
    return code if good else None


def _is_gap(character: str) -> bool:
    return character.isspace() or category(character) in ("Pd", "Cf") or character in "_−"
