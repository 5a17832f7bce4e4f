"""The table that robots share: it holds the real cards and lets each do with them what it says.

It stands for the cards themselves, not for a player: it chooses nothing and says nothing. One
robot at a time has the floor, so that the cards always lie as the table has last accepted.
This module must not know what is allowed.
"""

import threading
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from companion.robots.pile.cards import Cards, dealt
from companion.robots.wire.sight import View

REMEMBERED = 200
"""How many of its states a table can go back to."""


class Dealer:
    """The cards of one table's games; ``variant`` is theirs, as the wire shows it."""

    def __init__(self, variant: Mapping[str, Any], chance: Random) -> None:
        self.variant = variant
        self.chance = chance
        self.floor = threading.RLock()
        self.game: tuple[str, int] | None = None
        self.version = 0
        self.states: list[Cards] = []

    @property
    def cards(self) -> Cards:
        """The cards as they lie now."""
        return self.states[-1]

    def follows(self, view: View) -> bool:
        """Deals for a new game, goes back where something was taken back; whether the cards
        then lie as this view has them. They don't in a view older than what was done since."""
        if self.game != (view["table"], view["game"]):
            self.game = (view["table"], view["game"])
            seats = [seat["seat"] for seat in view["seats"] if seat["alive"]]
            self.states = [dealt(self.chance, self.variant, seats)]
            self.version = view["version"]
        elif view["version"] >= self.version and not self.cards.agrees(view):
            self._go_back(view)
        return self.agrees(view)

    def agrees(self, view: View) -> bool:
        """Whether the cards lie as this view has them."""
        return (
            self.game == (view["table"], view["game"])
            and view["version"] >= self.version
            and self.cards.agrees(view)
        )

    def did(self, what: Callable[[Cards], Cards], version: int) -> None:
        """Something was done with the cards, and the table took it as this version."""
        self.states = [*self.states[-REMEMBERED:], what(self.cards)]
        self.version = max(version, self.version)

    def _go_back(self, view: View) -> None:
        for index in range(len(self.states) - 1, -1, -1):
            if self.states[index].agrees(view):
                del self.states[index + 1 :]
                return
