"""A variant's titles, as the wire lists them; no robot knows a card by its id."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """A title of the variant and what it does."""

    id: str
    effect: str


class Titles(tuple[Title, ...]):
    """All titles of a variant, to be asked which of them do something."""

    @classmethod
    def heard(cls, cards: Iterable[Mapping[str, Any]]) -> "Titles":
        """The ``cards`` of a variant on the wire."""
        return cls(Title(id=card["id"], effect=card["effect"]) for card in cards)

    def doing(self, *effects: str) -> tuple[str, ...]:
        """The ids of the titles that do this."""
        return tuple(title.id for title in self if title.effect in effects)

    @property
    def kitten(self) -> str:
        """The title that explodes."""
        return self.doing("kitten")[0]

    @property
    def defuse(self) -> str:
        """The title that saves from it."""
        return self.doing("defuse")[0]

    @property
    def nope(self) -> str:
        """The title that cancels others."""
        return self.doing("nope")[0]
