"""Texts go out compressed.

A page's files are compressed once for all, other answers each time. This module must not
know what they are for.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache

from flask import Flask, Response, request

WORTH_BYTES = 1024
"""Smaller answers fit into one packet as they are."""

TEXTS = ("application/json", "application/manifest+json", "image/svg+xml")


def compress(app: Flask) -> None:
    """Compresses the answers of this app for whoever takes that."""

    @app.after_request
    def packed(answer: Response) -> Response:
        kind = answer.mimetype or ""
        text = kind.startswith("text/") or kind in TEXTS
        if not text or answer.status_code not in (200, 201) or request.method == "HEAD":
            return answer
        if "Content-Encoding" in answer.headers:
            return answer
        answer.vary.add("Accept-Encoding")
        if not request.accept_encodings.quality("gzip"):
            return answer
        if answer.is_streamed and not answer.direct_passthrough:
            answer.response = _piecewise(answer.iter_encoded())
            answer.headers["Content-Encoding"] = "gzip"
            return answer
        answer.direct_passthrough = False
        body = answer.get_data()
        if len(body) < WORTH_BYTES:
            return answer
        tag, _ = answer.get_etag()
        if tag is None:
            answer.set_data(gzip.compress(body, 6, mtime=0))
        else:
            answer.set_data(_file(body))
            answer.set_etag(tag, weak=True)
        answer.headers["Content-Encoding"] = "gzip"
        return answer


def _piecewise(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Compressed as it comes, so that nobody waits for the whole."""
    packer = zlib.compressobj(6, wbits=31)
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


@lru_cache(maxsize=256)
def _file(body: bytes) -> bytes:
    """A file's bytes, compressed as well as can be."""
    return gzip.compress(body, 9, mtime=0)
