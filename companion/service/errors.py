"""What can be wrong with a request beside the rules: the wire's codes and their facts.

Three kinds of no: ``Fault`` (malformed, unknown, not allowed in, too fast, store busy),
the rules' ``Refused``, and a bug, which is every other exception.
"""

from math import ceil
from typing import Any

STATUS = {
    "bad_request": 400,
    "unauthenticated": 401,
    "forbidden": 403,
    "not_found": 404,
    "refused": 409,
    "stale": 409,
    "id_reused": 409,
    "rate_limited": 429,
    "internal": 500,
    "busy": 503,
}
"""The wire's error codes and the HTTP status of each."""


class Fault(Exception):
    """A request that can't be done, by one of the wire's codes."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        assert code in STATUS, code
        self.code = code
        self.facts = facts


def too_much(seconds: float, **facts: Any) -> Fault:
    """Somebody was too fast, or has too much: who waits so long may go on, or look again."""
    return Fault("rate_limited", **facts, retry_after_ms=max(1, ceil(seconds * 1000)))
