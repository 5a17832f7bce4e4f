"""A variant of the draw grid: every player's deck, its deal, the grid, the boxes."""

from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar

from companion.rules.core import files, variant
from companion.rules.core.files import Fields
from companion.rules.core.variant import Strict
from companion.rules.grid import deduction, places


class Shape(Strict, frozen=True, kw_only=True):
    """The draw grid's rows and columns."""

    rows: int
    columns: int


class Deal(Strict, frozen=True, kw_only=True):
    """How many of the shuffled cards are put away, dealt to the hand, laid in the grid.

    The set-aside Defuse joins the hand and the Kitten the grid (ruling prepare-in-order).
    """

    put_away: int
    hand: int
    grid: int


class Card(variant.Card, frozen=True, kw_only=True):
    """A title of the deck, and how many of it there are."""

    count: int


class Edition(Strict, frozen=True, kw_only=True):
    """A box that players own: how many cards of each title, and how many with a paw print."""

    id: str
    cards: int
    titles: dict[str, int]
    paw: dict[str, int] = {}  # noqa: RUF012

    def serves(self, deck: tuple[Card, ...]) -> int:
        """How many players' decks one box holds."""
        return min(self.titles.get(card.id, 0) // card.count for card in deck)

    def misfits(self, deck: tuple[Card, ...]) -> Iterator[tuple[str, str]]:
        """What is wrong with its numbers, by place: it holds a deck, and they add up."""
        for title in sorted(self.titles.keys() | self.paw.keys()):
            yield from files.called("", title)
        held = sum(self.titles.values())
        if held != self.cards:
            yield "", f"has {held} cards by title, {self.cards} in all"
        if deck and self.serves(deck) < 1:
            yield "", "lacks cards that a deck needs"
        for title, number in self.paw.items():
            if number > self.titles.get(title, 0):
                yield f".paw.{title}", "is more than there are"


class Variant(variant.Variant, frozen=True, kw_only=True, dict=True):
    """One variant of the draw grid."""

    family: ClassVar[str] = "grid"

    cards: tuple[Card, ...]
    grid: Shape
    deal: Deal
    editions: tuple[Edition, ...] = ()

    @property
    def hand(self) -> int:
        """Cards in a hand when the game begins: the dealt ones and the set-aside Defuse."""
        return self.deal.hand + 1

    @property
    def in_short(self) -> dict[str, object]:
        """The grid's shape."""
        return {"grid": self.grid}

    @cached_property
    def deck(self) -> deduction.Deck:
        """One player's deck, as deduction wants it."""
        return deduction.Deck(
            counts=tuple((card.id, card.count) for card in self.cards),
            kitten=self.kitten,
            defuse=self.defuse,
            away=self.deal.put_away,
            hand=self.deal.hand,
            laid=self.deal.grid,
        )


ROWS, COLUMNS = 5, 6
"""Of the largest grid."""

FIELDS = {"grid": Shape, "deal": Deal}
"""The family's own keys of ``variant.toml``."""


def beyond(fields: Fields) -> Iterator[tuple[str, str]]:
    """Which numbers are out of bounds: place and reason."""
    grid: Shape = fields["grid"]
    yield from files.over("grid.rows", grid.rows, ROWS)
    yield from files.over("grid.columns", grid.columns, COLUMNS)
    yield from files.counts(fields["cards"], lambda card: card.count)
    yield from files.over("deal.hand", fields["deal"].hand, files.HAND)


def unplayable(fields: Fields) -> Iterator[tuple[str, str]]:
    """Why a game can't be dealt or played from these numbers: place and reason."""
    cards: tuple[Card, ...] = fields["cards"]
    grid: Shape = fields["grid"]
    deal: Deal = fields["deal"]
    if any(card.id == places.DOWN for card in cards):
        yield "cards", f"no card can be called {places.DOWN!r}"
    if any(card.count < 1 for card in cards):
        yield "cards", "a card's count must be at least 1"
    if sum(card.count for card in cards if card.effect == "kitten") != 1:
        yield "cards", "a deck holds 1 Kitten"
    shuffled, dealt = sum(card.count for card in cards) - 2, deal.put_away + deal.hand + deal.grid
    if shuffled != dealt:
        yield (
            "deal",
            f"puts away, deals and lays {dealt} cards, but {shuffled} are left without the "
            "Kitten and one Defuse",
        )
    if min(deal.put_away, deal.hand, deal.grid) < 0:
        yield "deal", "no number can be negative"
    if min(grid.rows, grid.columns) < 1 or grid.rows * grid.columns != deal.grid + 1:
        yield (
            "grid",
            f"{grid.rows} × {grid.columns} cells for {deal.grid + 1} cards "
            "(those laid and the Kitten)",
        )
