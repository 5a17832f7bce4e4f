"""A game's file, opened for whoever has it: read, gone through to its end, shown and forgotten."""

import threading

from flask import Blueprint, Response, request

from companion.service.errors import Fault
from companion.service.games.file import packed
from companion.service.games.reading import Unreadable, opened
from companion.web.answers import as_moments
from companion.web.calls import who
from companion.web.rates import Rates

OPENINGS = "10/minute"
"""How often an address may have a file opened: each takes a part of a second."""

MOST_BYTES = 512 * 1024
"""Of a file: a long game has a third of that."""


class OpenedFiles:
    """The call that opens a file; one is gone through at a time."""

    def __init__(self) -> None:
        self._rates, self._one = Rates.of(OPENINGS), threading.Lock()

    def add_to(self, api: Blueprint) -> Blueprint:
        """Adds the call to the others."""
        api.post("/replays")(self.moments)
        return api

    def moments(self) -> Response:
        """The file's game, moment by moment, as spectators saw it; raises ``Fault``."""
        self._rates.count(who())
        length, request.max_content_length = request.content_length or 0, 2 * MOST_BYTES
        # Somewhat too much is read all the same: who is still sending would hear no answer.
        content = request.get_data() if length <= 2 * MOST_BYTES else b""
        if max(length, len(content)) > MOST_BYTES:
            raise _fault(Unreadable(f"more than {MOST_BYTES // 1024} kB", what="large"))
        with self._one:
            try:
                return as_moments(packed(opened(content), ""))
            except Unreadable as wrong:
                raise _fault(wrong) from None


def _fault(wrong: Unreadable) -> Fault:
    return Fault("bad_request", at=wrong.place, why=wrong.why, what=f"file-{wrong.what}")
