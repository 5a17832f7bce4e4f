"""What a replay needs over HTTP: a finished game as a file, moment by moment, and its variant.

This module must not know where a game comes from.
"""

import gzip

import msgspec
from flask import Response, request

from companion.rules.core.variant import Variant
from companion.service.errors import Fault
from companion.service.games.file import Record
from companion.web.answers import answered


def number(typed: str) -> int:
    """A game's number, as it stands in an address; raises ``Fault``."""
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 7):
        raise Fault("not_found", what="game", game=typed[:40])
    return int(typed)


def as_file(record: Record, name: str) -> Response:
    """The game as a file, which a browser keeps under this name."""
    answer = Response(record.bytes, mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return answer


def as_moments(packed: bytes) -> Response:
    """The game moment by moment, compressed for whoever takes that."""
    if request.accept_encodings.quality("gzip"):
        answer = Response(packed, mimetype="application/json")
        answer.headers["Content-Encoding"] = "gzip"
        answer.vary.add("Accept-Encoding")
        return answer
    return Response(gzip.decompress(packed), mimetype="application/json")


def spoken(variant: Variant) -> Response:
    """A variant with all its texts, or its own and those in the first ``language`` of some, by
    commas, that it has."""
    variant = variant.told
    if (languages := request.args.get("language")) is not None:
        asked = (code for code in languages.split(",") if code in variant.texts)
        chosen = {next(asked, variant.language), variant.language}
        texts = {code: variant.texts[code] for code in chosen}
        variant = msgspec.structs.replace(variant, texts=texts)
    if "brief" in request.args:
        variant = _in_brief(variant)
    return answered(msgspec.Raw(variant.to_json()))


def _in_brief(variant: Variant) -> Variant:
    """Nearly half of a variant are its rulings, which few look up."""
    texts = {
        language: msgspec.structs.replace(words, rulings={}, topics={}, search=None)
        for language, words in variant.texts.items()
    }
    return msgspec.structs.replace(variant, texts=texts, topics=(), sources={})
