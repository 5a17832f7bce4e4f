"""A robot's own cards: where each of them really lies.

Decks are values: whatever is done with the cards gives a new deck, so that a robot can
take back what the table takes back (ruling undo). The names in here are those of the
wire contract. This module must not know what is allowed, only what is so.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from companion.robots.grid.sight import Cell, face_up, laid
from companion.robots.wire.titles import Titles


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """Hand, grid and discard pile; ``known``: the face-down cells that the owner has seen."""

    titles: Titles
    hand: tuple[str, ...]
    grid: Mapping[Cell, str]
    discard: tuple[str, ...] = ()
    known: frozenset[Cell] = frozenset()

    def played(self, card: str) -> "Deck":
        """A card went from the hand to the discard pile (ruling from-hand)."""
        hand = list(self.hand)
        hand.remove(card)
        return replace(self, hand=tuple(hand), discard=(*self.discard, card))

    def drawn(self, cell: Cell) -> "Deck":
        """The card of a cell went to the hand (rulings safe-draw, grid-shrinks)."""
        grid = {place: card for place, card in self.grid.items() if place != cell}
        return replace(
            self, hand=(*self.hand, self.grid[cell]), grid=grid, known=self.known - {cell}
        )

    def looked(self, cell: Cell) -> "Deck":
        """The owner has seen what lies in a cell (ruling look-at-one)."""
        return replace(self, known=self.known | {cell})

    def shuffled(self, chance: Random, cells: Iterable[Cell]) -> "Deck":
        """All cards of the grid lie somewhere among ``cells``; nobody knows where."""
        cards = list(self.grid.values())
        chance.shuffle(cards)
        return replace(self, grid=dict(zip(cells, cards, strict=True)), known=frozenset())

    def defused(self, chance: Random, cells: Iterable[Cell], kitten: Cell) -> "Deck":
        """A Defuse is played, the Kitten hidden in a cell of the owner's choice."""
        places = [cell for cell in cells if cell != kitten]
        others = [card for card in self.grid.values() if card != self.titles.kitten]
        chance.shuffle(others)
        grid = {kitten: self.titles.kitten, **dict(zip(places, others, strict=True))}
        return replace(self.played(self.titles.defuse), grid=grid, known=frozenset({kitten}))

    def agrees(self, seat: Mapping[str, Any]) -> bool:
        """Whether these cards look like what the call sees of this seat."""
        return (
            len(self.hand) == seat["hand"]
            and list(self.discard) == list(seat["discard"])
            and set(self.grid) == set(laid(seat["grid"]))
            and all(self.grid[cell] == card for cell, card in face_up(seat["grid"]).items())
        )


def pack(cards: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """A player's whole deck, from the ``cards`` of a variant on the wire."""
    return tuple(card["id"] for card in cards for _ in range(card["count"]))


def prepare(
    chance: Random, titles: Titles, whole: Iterable[str], *, hand: int, cells: Iterable[Cell]
) -> Deck:
    """The whole deck shuffled and dealt as ruling prepare-in-order says; what is put away is
    gone."""
    rest = list(whole)
    for card in (titles.kitten, titles.defuse):
        rest.remove(card)
    chance.shuffle(rest)
    places = list(cells)
    lies = [*rest[hand - 1 : hand - 1 + len(places) - 1], titles.kitten]
    chance.shuffle(lies)
    grid = dict(zip(places, lies, strict=True))
    return Deck(titles=titles, hand=(titles.defuse, *rest[: hand - 1]), grid=grid)
