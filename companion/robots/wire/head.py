"""What a robot has in its head, whatever it plays: what the loop at the table asks of it.

Each family has heads of its own; this module must not know one.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from companion.robots.wire.sight import Command, View
from companion.robots.wire.temper import Temper


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A command that a robot wants to say, and the seconds that a person would take over it.

    ``least``: so many go by before it is said, however fast the robot is.
    """

    command: Command
    seconds: float
    least: float = 0.0


class Head(Protocol):
    """One robot's head: its seat, and what it knows of the cards.

    ``floor``: held while it says something and its cards change; heads that share cards
    share it.
    """

    seat: str
    floor: AbstractContextManager[Any]

    def choose(self, view: View) -> Wish | None:
        """What the robot wants to say in this view; None: nothing, others are up."""

    def accepted(self, wish: Wish, version: int, /) -> None:
        """The table took a wish, this head's or its seat's as the host, and has that version."""

    def agrees(self, view: View) -> bool:
        """Whether its cards look like what the call sees of them."""


Seating = Callable[[str, Temper, Random], Head]
"""A head for a seat, with this temper and these chances of its own."""

Sits = Callable[[Mapping[str, Any], Random], Seating]
"""How a family's robots sit down to a game of a variant (as the wire shows it)."""
