"""Replays over HTTP: a finished game as a file, and moment by moment.

This module must not know where a game comes from.
"""

import gzip

from flask import Response, request

from companion.service.errors import Fault
from companion.service.replay.file import Record


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
