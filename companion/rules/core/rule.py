"""What a rule is: a pair of what a command asks and what it leads to.

This module must not know any rule.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from companion.rules.core.events import Happened


class Rule(Struct, frozen=True):
    """``asks`` raises ``Refused`` and decides nothing; ``leads_to`` refuses nothing.

    Both are given the table, of the family's own type, and the ``Word``.
    """

    asks: Callable[[Any, Any], None]
    leads_to: Callable[[Any, Any], tuple[Happened, ...]]


def nothing_asked(table: Any, word: Any) -> None:
    """The step and the role were all."""
