"""Answers to requests, and error messages in the words of a variant.

A request can fail in three ways: with a ``Fault`` (for example because the request is malformed or
the server is busy), with ``Refused`` (the rules forbid the command), or with any other exception,
which is a bug.
"""

from collections.abc import Iterable
from math import ceil

from msgspec import UNSET, Struct, UnsetType

from companion.rules.core import wording
from companion.rules.core.state import Table
from companion.rules.core.types import Json
from companion.rules.text.rulings import Refused
from companion.rules.variants.variant import Variant
from companion.service.addresses import containing_ranges, count_in

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
    """Raised if some of a table's stored data can't be read. Retrying won't help."""

    def __init__(self, table: str, part: str, why: object, version: int | None = None) -> None:
        super().__init__("internal", what="damaged", table=table)
        self.table = table
        self.part = part  # one of: event, variant, answer, request, remark, robot
        self.version = version  # version of the damaged event; None for other parts
        # The reason, for the server's log. For an exception, this is only the exception's type,
        # because the message may contain a card or a name.
        self.why = type(why).__name__ if isinstance(why, Exception) else str(why)

    @property
    def makes_table_unusable(self) -> bool:
        """True if nobody can play at the table because this part of it can't be read."""
        return self.part in ("event", "variant")


def rate_limited(seconds: float, **facts: object) -> Fault:
    """Return the fault for a client that sent too many requests, or already has its full share of a
    resource.

    The client should try again after this many ``seconds``.
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
    version: int  # the table's version after the command
    error: Error | UnsetType = UNSET


class Denied(Exception):
    """Raised for a request that the rules refuse, with the error in the words of the variant."""

    def __init__(self, why: Error) -> None:
        super().__init__(why.code)
        self.error = why


def error(table: Table, problem: Fault | Refused) -> Error:
    """Return the error that describes a fault or a refusal in the words of the table's variant."""
    if isinstance(problem, Fault):
        return fault(table.variant, problem)
    text = wording.render_refusal(table, problem)
    facts = {**problem.facts, "case": problem.case} if problem.case else problem.facts
    return Error(problem.code, text, ruling=problem.ruling or UNSET, facts=facts or UNSET)


def fault(variant: Variant, problem: Fault, language: str | None = None) -> Error:
    """Return the error for a fault, in ``language`` if possible, else in the variant's own."""
    words = variant.texts.get(language or "", variant.words)
    facts = problem.facts
    if "retry_after_ms" in facts:
        seconds = ceil(facts["retry_after_ms"] / 1000)
        facts = {**facts, "seconds": seconds, "wait": format_wait(seconds)}
    text = wording.render_error(words.errors, problem.code, **facts)
    return Error(problem.code, text, facts=problem.facts or UNSET)


def format_wait(seconds: int) -> str:
    """Return a time to wait as text, such as ``40 s`` or ``10 min``.

    The symbols of the units are the same in every language.
    """
    return f"{seconds} s" if seconds < 120 else f"{ceil(seconds / 60)} min"


LOOK_SECONDS = 5  # seconds after which a client may check again for free capacity


class Share(Struct, frozen=True):
    """The maximum amount of a limited resource, such as robots or spectators, that one address may
    use.

    A client can ask for any amount at no cost, so without a limit one client could use up
    everything. A wider range of IPv6 addresses may use a multiple of this amount (see ``WIDER``).
    """

    what: str  # name of the resource in the error
    most: int  # 0 stands for no limit
    # maximum for a wider range, even if the multiple of ``most`` is higher; None for no maximum
    most_in_range: int | None = None

    @classmethod
    def quarter_of(cls, what: str, all: int) -> "Share":
        """Return a share of one quarter of the amount ``all``, but at least four.

        If ``all`` is 0, there is no limit. A wider range of addresses gets at most three quarters
        of ``all``, but never less than a single address.
        """
        most = max(4, all // 4) if all else 0
        return cls(what, most, max(most, all - most))

    def shares_by_range(self, address: str) -> "list[tuple[str, Share]]":
        """Return the address ranges that contain an address, each with the share for that range."""
        return [
            (range_, self if factor == 1 else Share(self.what, self._most_in_range(factor)))
            for range_, factor in containing_ranges(address)
        ]

    def _most_in_range(self, factor: int) -> int:
        most = self.most * factor
        return most if self.most_in_range is None else min(most, self.most_in_range)

    def allows(self, held: int, wanted: int = 1) -> bool:
        """Return True if a client that already has ``held`` units may get ``wanted`` more."""
        return not self.most or held + wanted <= self.most

    def check(self, held: int, wanted: int = 1) -> None:
        """Raise ``Fault`` (rate_limited) if a client that already has ``held`` units may not get
        ``wanted`` more."""
        if not self.allows(held, wanted):
            raise rate_limited(LOOK_SECONDS, what=self.what, most=self.most)

    def allows_address(self, address: str, holders: Iterable[str], wanted: int = 1) -> bool:
        """Return True if the address and its wider ranges may hold ``wanted`` more.

        ``holders`` lists an address once for each unit of the resource that the address holds.
        """
        holders = list(holders)
        return all(
            share.allows(count_in(range_, holders), wanted)
            for range_, share in self.shares_by_range(address)
        )

    def check_address(self, address: str, holders: Iterable[str], wanted: int = 1) -> None:
        """Raise ``Fault`` (rate_limited) if the address may not hold ``wanted`` more.

        ``holders`` lists an address once for each unit of the resource that the address holds.
        """
        holders = list(holders)
        for range_, share in self.shares_by_range(address):
            share.check(count_in(range_, holders), wanted)
