"""What can be wrong with a request beside the rules: the wire's codes and their facts.

Three kinds of no: ``Fault`` (malformed, unknown, not allowed in, too fast, store busy),
the rules' ``Refused``, and a bug, which is every other exception.
"""

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


class Damaged(Fault):
    """Something stored of a table can't be read, and won't be by itself; ``why`` is for the log.

    ``part``: what it is, as ``answer``; without its events or its variant a table stays closed.
    ``version``: of an event, which one.
    """

    def __init__(self, table: str, part: str, why: object, version: int | None = None) -> None:
        super().__init__("internal", what="damaged", table=table)
        self.table, self.part, self.version = table, part, version
        # What an error says may hold a card or a name.
        self.why = type(why).__name__ if isinstance(why, Exception) else str(why)

    @property
    def closes(self) -> bool:
        """Whether nobody can be at the table."""
        return self.part in ("event", "variant")
