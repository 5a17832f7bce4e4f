"""Answers to requests, and errors in the words of a variant.

A request can fail in three ways: with a ``Fault`` (it is malformed, unauthenticated, too fast, or
the server is busy …), with the rules' ``Refused``, or with any other exception, which is a bug.
"""

from math import ceil

from msgspec import UNSET, Struct, UnsetType

from companion.rules.core import wording
from companion.rules.core.family import Json
from companion.rules.core.model import Table
from companion.rules.core.rulings import Refused
from companion.rules.core.variant import Variant

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
    """A request that fails with one of the wire's error codes."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        assert code in STATUS, code
        self.code = code
        self.facts: Json = facts


class Damaged(Fault):
    """Something that is stored for a table can't be read, and retrying won't help."""

    def __init__(self, table: str, part: str, why: object, version: int | None = None) -> None:
        super().__init__("internal", what="damaged", table=table)
        self.table = table
        self.part = part  # event, variant, answer, request, remark or robot
        self.version = version  # the event's, for an event
        # For the server's log. Only an exception's type: its message may contain a card or a name.
        self.why = type(why).__name__ if isinstance(why, Exception) else str(why)

    @property
    def closes(self) -> bool:
        """True if the table can't be used at all without this part."""
        return self.part in ("event", "variant")


def rate_limited(seconds: float, **facts: object) -> Fault:
    """Return the fault of a client that was too fast or has used up its share.

    ``seconds``: when it is worth trying again.
    """
    return Fault("rate_limited", **facts, retry_after_ms=max(1, ceil(seconds * 1000)))


class Error(Struct, frozen=True, omit_defaults=True):
    """An error as it is sent to a client."""

    code: str
    text: str
    ruling: str | UnsetType = UNSET
    facts: Json | UnsetType = UNSET


class Answer(Struct, frozen=True, omit_defaults=True):
    """The acknowledgement of a command."""

    ok: bool
    version: int  # the table's version after it
    error: Error | UnsetType = UNSET


class Denied(Exception):
    """A request that the rules refuse; the error is in the words of the table's variant."""

    def __init__(self, why: Error) -> None:
        super().__init__(why.code)
        self.error = why


def error(table: Table, problem: Fault | Refused) -> Error:
    """Return the error for a fault or a refusal, in the words of the table's variant."""
    if isinstance(problem, Fault):
        return fault(table.variant, problem)
    text = wording.refusal(table, problem)
    facts = {**problem.facts, "case": problem.case} if problem.case else problem.facts
    return Error(problem.code, text, ruling=problem.ruling or UNSET, facts=facts or UNSET)


def fault(variant: Variant, problem: Fault, language: str | None = None) -> Error:
    """Return the error for a fault, in this language if the variant has it, else in its own."""
    words = variant.texts.get(language or "", variant.words)
    facts = problem.facts
    if "retry_after_ms" in facts:
        facts = {**facts, "seconds": ceil(facts["retry_after_ms"] / 1000)}
    text = wording.error(words.errors, problem.code, **facts)
    return Error(problem.code, text, facts=problem.facts or UNSET)


LOOK_SECONDS = 5  # delay after which a client may look again whether something is free


class Share(Struct, frozen=True):
    """The share of a limited resource that one address may have.

    Taking costs a client nothing, so one client could otherwise keep all others out.
    """

    what: str  # name of the resource in the error
    most: int  # 0: no limit

    @classmethod
    def of(cls, what: str, all: int) -> "Share":
        """Return a share of a quarter of ``all``, but at least four."""
        return cls(what, max(4, all // 4) if all else 0)

    def takes(self, held: int, wanted: int = 1) -> bool:
        """Return True if an address that holds some may have ``wanted`` more."""
        return not self.most or held + wanted <= self.most

    def check(self, held: int, wanted: int = 1) -> None:
        """Raise ``Fault`` (rate_limited) if that is too much."""
        if not self.takes(held, wanted):
            raise rate_limited(LOOK_SECONDS, what=self.what, most=self.most)
