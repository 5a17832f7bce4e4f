"""Opens a game's file that a visitor uploads.

The game is replayed, and its moments are returned. Nothing is stored.
"""

import threading

from flask import Blueprint, Response, request
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge

from companion.service.errors import Fault
from companion.service.replays.file import compress_moments
from companion.service.replays.reading import Unreadable, parse_and_replay
from companion.web.idempotency import caller_address
from companion.web.rate_limits import Rates
from companion.web.request_guards import malformed_chunks
from companion.web.responses import as_moments

OPENINGS = "10/minute"  # limit for each address, since opening a file takes a fraction of a second
MOST_BYTES = 512 * 1024  # limit for a file; the file of a long game has a third of this size


def add_to(api: Blueprint) -> Blueprint:
    """Add the route that opens a file. Only one file is replayed at a time."""
    rates = Rates(OPENINGS)
    replaying = threading.Lock()

    @api.post("/replays")
    def moments() -> Response:
        """Return the moments of the game in the file, as spectators saw them."""
        rates.count(caller_address())
        request.max_content_length = 2 * MOST_BYTES
        try:
            content = _read_file()
            if len(content) > MOST_BYTES:
                raise _too_large()
            with replaying:
                return as_moments(compress_moments(parse_and_replay(content), ""))
        except Unreadable as wrong:
            what = f"file-{wrong.what}"
            raise Fault("bad_request", at=wrong.place, why=wrong.why, what=what) from None

    return api


def _read_file() -> bytes:
    """Return the request's body, even if it is chunked and has no length.

    If a file is only a little too large, the server still reads it to its end, because the client
    reads the error only after sending the whole file.
    """
    try:
        return request.get_data()
    except RequestEntityTooLarge:
        raise _too_large() from None
    except ClientDisconnected:  # Flask raises this error for every body that ends too early
        raise malformed_chunks() from None


def _too_large() -> Unreadable:
    return Unreadable(f"more than {MOST_BYTES // 1024} kB", what="large")
