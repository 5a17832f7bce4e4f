"""What a request is answered: done, or what is wrong, in a variant's words. Three kinds of no:
``Fault`` (malformed, unknown, not let in, too fast, busy), the rules' ``Refused``, and bugs."""

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
    """A request that can't be done, by one of the wire's codes."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        assert code in STATUS, code
        self.code = code
        self.facts: Json = facts


class Damaged(Fault):
    """Something stored of a table can't be read, and won't be by itself; ``why`` is for the log.
    ``part``: what it is, as ``answer``; without its events or its variant a table stays closed.
    ``version``: of an event, which one."""

    def __init__(self, table: str, part: str, why: object, version: int | None = None) -> None:
        super().__init__("internal", what="damaged", table=table)
        self.table = table
        self.part = part
        self.version = version
        # What an error says may hold a card or a name.
        self.why = type(why).__name__ if isinstance(why, Exception) else str(why)

    @property
    def closes(self) -> bool:
        """Whether nobody can be at the table."""
        return self.part in ("event", "variant")


def too_much(seconds: float, **facts: object) -> Fault:
    """Somebody was too fast, or has too much: who waits so long may go on, or look again."""
    return Fault("rate_limited", **facts, retry_after_ms=max(1, ceil(seconds * 1000)))


class Error(Struct, frozen=True, omit_defaults=True):
    """What is wrong, as it goes over the wire."""

    code: str
    text: str
    ruling: str | UnsetType = UNSET
    facts: Json | UnsetType = UNSET


class Answer(Struct, frozen=True, omit_defaults=True):
    """What a command is acknowledged with; ``version`` is the table's after it."""

    ok: bool
    version: int
    error: Error | UnsetType = UNSET


class Denied(Exception):
    """A request which the rules deny, in the table's own words."""

    def __init__(self, why: Error) -> None:
        super().__init__(why.code)
        self.error = why


def error(table: Table, problem: Fault | Refused) -> Error:
    """What is wrong, in the words of a table's variant."""
    if isinstance(problem, Fault):
        return fault(table.variant, problem)
    text = wording.refusal(table, problem)
    facts = {**problem.facts, "case": problem.case} if problem.case else problem.facts
    return Error(problem.code, text, ruling=problem.ruling or UNSET, facts=facts or UNSET)


def fault(variant: Variant, problem: Fault, language: str | None = None) -> Error:
    """What is wrong that no ruling is behind, in that language or else the variant's own."""
    words = variant.texts.get(language or "", variant.words)
    facts = problem.facts
    if "retry_after_ms" in facts:
        facts = {**facts, "seconds": ceil(facts["retry_after_ms"] / 1000)}
    text = wording.error(words.errors, problem.code, **facts)
    return Error(problem.code, text, facts=problem.facts or UNSET)


LOOK_SECONDS = 5  # after this it is worth looking again whether something is free


class Share(Struct, frozen=True):
    """An address' share of what there is for all: so much of ``what``; ``most`` 0: no limit. Taking
    costs nothing, so that one caller could else keep all others out."""

    what: str
    most: int

    @classmethod
    def of(cls, what: str, all: int) -> "Share":
        """The fourth part of what there is for all, and four at least."""
        return cls(what, max(4, all // 4) if all else 0)

    def takes(self, held: int, wanted: int = 1) -> bool:
        return not self.most or held + wanted <= self.most

    def check(self, held: int, wanted: int = 1) -> None:
        """Raises ``Fault`` when it is too much."""
        if not self.takes(held, wanted):
            raise too_much(LOOK_SECONDS, what=self.what, most=self.most)
