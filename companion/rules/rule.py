"""What a rule is: a pair of what a command asks and what it leads to.

This module must not know any rule.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from companion.rules.commands import Moment
from companion.rules.events import Event
from companion.rules.model import Table


class Rule(Struct, frozen=True):
    """``asks`` raises ``Refused`` and decides nothing; ``leads_to`` refuses nothing."""

    asks: Callable[[Table, Any, Moment], None]
    leads_to: Callable[[Table, Any, Moment], tuple[Event, ...]]


def nothing_asked(table: Table, said: Any, moment: Moment) -> None:
    """The step and the role were all."""
