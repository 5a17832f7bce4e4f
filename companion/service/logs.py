"""One line on stderr for each accepted command and each refusal; no secrets, no noise.

A line is a JSON object. Names, cells and cards don't stand in it.
"""

import logging
import sys
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
