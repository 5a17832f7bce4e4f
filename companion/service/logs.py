"""One line on stderr for each accepted command and each refusal; no secrets, no noise.

A line is a JSON object. Names, cells and cards don't stand in it.
"""

import logging
import sys
import time
from typing import Any

from companion.service import clock, codec

log = logging.getLogger("companion")


def set_up() -> None:
    """Lines go to stderr, and only this program's; libraries are heard when they fail."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    log.handlers[:] = [handler]
    log.setLevel(logging.INFO)
    log.propagate = False


def line(what: str, **facts: Any) -> None:
    """Writes one line; facts that are ``None`` are left out."""
    told = {key: value for key, value in facts.items() if value is not None}
    log.info(codec.encode({"at": clock.now(), "what": what, **told}).decode())


def bug(what: str) -> None:
    """Writes the traceback of an exception that nobody expected."""
    log.exception(codec.encode({"at": clock.now(), "what": what}).decode())


MOST_LINES = 120
"""How many lines one address may bring about in a minute by what it is refused."""

_MINUTE = 60


class Heard:
    """Which refusals of an address have a line: so many a minute; the rest is counted."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._lines: dict[str, int] = {}

    def has_a_line(self, address: str) -> bool:
        """Counts one; what a minute left out is told with the first one of the next."""
        if time.monotonic() > self._began + _MINUTE:
            counted, self._lines = self._lines, {}
            self._began = time.monotonic()
            for one, lines in counted.items():
                if lines >= MOST_LINES:
                    line("left_out", address=one, lines=lines - MOST_LINES + 1)
        self._lines[address] = self._lines.get(address, 0) + 1
        if self._lines[address] == MOST_LINES:
            line("too_many", address=address)
        return self._lines[address] < MOST_LINES


heard = Heard()
