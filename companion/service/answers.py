"""What a request is answered: done, or what is wrong in a variant's words.

This module must not know how answers are sent.
"""

from collections import OrderedDict
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from companion.rules.core import wording
from companion.rules.core.model import Table
from companion.rules.core.rulings import Refused
from companion.rules.core.variant import Variant
from companion.service.errors import Fault


class Error(Struct, frozen=True, omit_defaults=True):
    """What is wrong, as it goes over the wire."""

    code: str
    text: str
    ruling: str | UnsetType = UNSET
    facts: dict[str, Any] | UnsetType = UNSET


class Answer(Struct, frozen=True, omit_defaults=True):
    """What a command is acknowledged with; ``version`` is the table's after it."""

    ok: bool
    version: int
    error: Error | UnsetType = UNSET


REMEMBERED = 500
"""How many of a table's answers are in memory; the store has those to what was accepted."""


class Answers:
    """What was answered lately at a table, by the commands' ids; the oldest is forgotten first.

    With each stands its command's fingerprint.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[str, str]] = OrderedDict()

    def get(self, id: str) -> tuple[str, str] | None:
        """A fingerprint and an answer, as the store would give them."""
        return self._known.get(id)

    def keep(self, id: str, fingerprint: str, answer: bytes) -> None:
        """A command was answered."""
        self._known[id] = fingerprint, answer.decode()
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


class Denied(Exception):
    """A request which the rules deny, in the table's own words."""

    def __init__(self, why: Error) -> None:
        super().__init__(why.code)
        self.error = why


def error(variant: Variant, problem: Fault | Refused, table: Table | None = None) -> Error:
    """What is wrong in a variant's words; a refusal needs its table."""
    if isinstance(problem, Fault):
        return fault(variant, problem)
    assert table is not None
    text = wording.refusal(table, problem)
    facts = {**problem.facts, "case": problem.case} if problem.case else problem.facts
    return Error(problem.code, text, ruling=problem.ruling or UNSET, facts=facts or UNSET)


def fault(variant: Variant, problem: Fault, language: str | None = None) -> Error:
    """What is wrong that no ruling is behind, in that language or else the variant's own."""
    words = variant.texts.get(language or "", variant.words)
    text = wording.error(words.errors, problem.code, **problem.facts)
    return Error(problem.code, text, facts=problem.facts or UNSET)
