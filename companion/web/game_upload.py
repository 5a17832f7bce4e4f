"""A game's file, opened for whoever has it: read, gone through to its end, shown and forgotten."""

import threading

from flask import Blueprint, Response, request

from companion.service.errors import Fault
from companion.service.games.file import compress_moments
from companion.service.games.reading import Unreadable, parse_and_replay
from companion.web.idempotency import caller_address
from companion.web.rate_limits import Rates
from companion.web.responses import as_moments

OPENINGS = "10/minute"  # how often an address may have a file opened: it takes a part of a second
MOST_BYTES = 512 * 1024  # of a file: a long game has a third of that


def add_to(api: Blueprint) -> Blueprint:
    """Adds the call that opens a file to the others; one is gone through at a time."""
    rates = Rates(OPENINGS)
    one = threading.Lock()

    @api.post("/replays")
    def moments() -> Response:
        """The file's game, moment by moment, as spectators saw it; raises ``Fault``."""
        rates.count(caller_address())
        length = request.content_length or 0
        request.max_content_length = 2 * MOST_BYTES
        # Somewhat too much is read all the same: who is still sending would hear no answer.
        content = request.get_data() if length <= 2 * MOST_BYTES else b""
        try:
            if max(length, len(content)) > MOST_BYTES:
                raise Unreadable(f"more than {MOST_BYTES // 1024} kB", what="large")
            with one:
                return as_moments(compress_moments(parse_and_replay(content), ""))
        except Unreadable as wrong:
            what = f"file-{wrong.what}"
            raise Fault("bad_request", at=wrong.place, why=wrong.why, what=what) from None

    return api
