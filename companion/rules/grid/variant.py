"""A variant of the draw grid: each player's deck, the deal, the grid and the boxes."""

from functools import cached_property
from typing import ClassVar

from msgspec import UNSET, UnsetType

from companion.rules.core.types import INSTRUCTION
from companion.rules.grid import deduction, places
from companion.rules.variants import limits, variant
from companion.rules.variants import variant as core_variant
from companion.rules.variants.form import Change, Field, Form, SumConstraint, Term
from companion.rules.variants.limits import Fields, VariantError, VariantErrors
from companion.rules.variants.variant import Strict


class Shape(Strict, frozen=True, kw_only=True):
    """The draw grid's rows and columns."""

    rows: int
    columns: int


class Deal(Strict, frozen=True, kw_only=True):
    """The numbers of shuffled cards that are dealt to each place (ruling prepare-in-order)."""

    put_away: int
    hand: int  # not counting the Defuse that every player gets
    grid: int  # not counting the Kitten that is added


class Card(variant.Card, frozen=True, kw_only=True):
    """A card title of the deck."""

    count: int  # cards of this title in a deck


class Edition(Strict, frozen=True, kw_only=True):
    """A box that players own."""

    id: str
    cards: int  # total number of cards in the box
    titles: dict[str, int]  # number of cards by title
    paw: dict[str, int] = {}  # noqa: RUF012  # number of those with a paw print, by title

    def validation_errors(self, deck: tuple[Card, ...]) -> VariantErrors:
        """Yield each error in the box's numbers, with its place in the file."""
        for title in sorted(self.titles.keys() | self.paw.keys()):
            yield from limits.card_id_errors("", title)
        total = sum(self.titles.values())
        if total != self.cards:
            yield VariantError("", f"has {total} cards by title, {self.cards} in all")
        for title, number in self.paw.items():
            if number > self.titles.get(title, 0):
                yield VariantError(f".paw.{title}", "is more than there are")

    def find_shortages(self, deck: tuple[Card, ...]) -> list[tuple[str, int, int]]:
        """Return the titles that have too few cards in the box.

        Each entry has the title, the number of its cards in the box, and the number in a deck.
        """
        counts = [(card.id, self.titles.get(card.id, 0), card.count) for card in deck]
        return [(title, in_box, in_deck) for title, in_box, in_deck in counts if in_deck > in_box]


class Variant(variant.Variant, frozen=True, kw_only=True, dict=True):
    """One variant of the draw grid."""

    family: ClassVar[str] = "grid"

    cards: tuple[Card, ...]
    grid: Shape
    deal: Deal
    editions: tuple[Edition, ...] = ()
    instruction_nopes: bool | UnsetType = UNSET
    """True if an instruction can be Noped (ruling noped-instruction)."""

    @property
    def counts(self) -> dict[str, int]:
        return {card.id: card.count for card in self.cards}

    @property
    def figures(self) -> dict[str, int | str]:
        shape = self.grid
        deal = self.deal
        return {
            **super().figures,
            "deck.rest": deal.put_away + deal.hand + deal.grid,
            "deal.put_away": deal.put_away,
            "deal.hand": deal.hand,
            "deal.held": self.hand,
            "deal.grid": deal.grid,
            "grid.rows": shape.rows,
            "grid.columns": shape.columns,
            "grid.cells": shape.rows * shape.columns,
            "instruction.nopes": int(self.can_nope_instruction),
        }

    @property
    def can_nope_instruction(self) -> bool:
        return self.instruction_nopes is True

    @property
    def hand(self) -> int:
        """The number of cards in a hand when the game begins, including the Defuse."""
        return self.deal.hand + 1

    @property
    def summary(self) -> dict[str, object]:
        return {"grid": self.grid}

    def form(self, players: int) -> Form:
        cards = [self._count_field(card) for card in self.cards]
        deal = self.deal
        most = limits.CARDS
        cells = ROWS * COLUMNS
        numbers = {
            "deal.put_away": (deal.put_away, 0, most),
            "deal.hand": (deal.hand, 1, limits.HAND),
            "deal.grid": (deal.grid, 1, cells - 1),
            "grid.rows": (self.grid.rows, 1, ROWS),
            "grid.columns": (self.grid.columns, 1, COLUMNS),
        }
        counts = [
            Field(key=key, kind="count", value=value, least=least, most=most)
            for key, (value, least, most) in numbers.items()
        ]
        dealt = ("deal.put_away",), ("deal.hand",), ("deal.grid",)
        deck: tuple[Term, ...] = *((card.key,) for card in cards), (-2,)
        placed = SumConstraint(
            id="placed", value=dealt, should=deck, evens=("deal.put_away", "deal.hand")
        )
        square = ("grid.rows", "grid.columns")
        laid = SumConstraint(
            id="cells", value=(("deal.grid",), (1,)), should=(square,), evens=("deal.grid",)
        )
        switch = Field(key="instruction_nopes", kind="bool", value=self.can_nope_instruction)
        # A variant that an earlier version stored with a table has no texts about this rule.
        switches = (switch,) if "noped-instruction" in self.sources else ()
        fields = (*cards, *counts, *switches, *self._title_fields())
        return Form(fields=fields, sums=(laid, placed))

    def rulings_changed_by(self, change: Change) -> tuple[str, ...]:
        part = change.key.partition(".")[0]
        return {
            "cards": ("deck-of-fifteen", "cards-of-this-game"),
            "deal": ("prepare-in-order",),
            "grid": ("prepare-in-order",),
            "instruction_nopes": (
                "told-once",
                "one-thing-at-a-time",
                "un-nopeable",
                "noped-instruction",
            ),
        }.get(part, ())

    def _count_field(self, card: Card) -> Field:
        least, most = {"kitten": (1, 1), "defuse": (1, limits.DEFUSES)}.get(
            card.effect, (0, limits.OF_A_TITLE)
        )
        key = f"cards.{card.id}"
        return Field(key=key, kind="count", value=card.count, least=least, most=most)

    @cached_property
    def deck(self) -> deduction.Deck:
        return deduction.Deck(
            counts=tuple((card.id, card.count) for card in self.cards),
            kitten=self.kitten,
            defuse=self.defuse,
            away=self.deal.put_away,
            hand=self.deal.hand,
            laid=self.deal.grid,
        )


# The largest grid that a variant may have.
ROWS = 5
COLUMNS = 6


def limit_errors(fields: Fields) -> VariantErrors:
    grid: Shape = fields["grid"]
    yield from limits.size_error("grid.rows", grid.rows, ROWS)
    yield from limits.size_error("grid.columns", grid.columns, COLUMNS)
    yield from core_variant.count_errors(fields["cards"], lambda card: card.count)
    yield from limits.size_error("deal.hand", fields["deal"].hand, limits.HAND)


def unplayable_errors(fields: Fields) -> VariantErrors:
    cards: tuple[Card, ...] = fields["cards"]
    grid: Shape = fields["grid"]
    deal: Deal = fields["deal"]
    if any(card.id == places.DOWN for card in cards):
        yield VariantError("cards", f"no card can be called {places.DOWN!r}")
    if fields.get("instruction_nopes") is True and any(card.id == INSTRUCTION for card in cards):
        yield VariantError("cards", f"no card can be called {INSTRUCTION!r} if it can be Noped")
    if any(card.count < (card.effect == "defuse") for card in cards):
        yield VariantError("cards", "a card's count must be at least 0, a Defuse's 1")
    if sum(card.count for card in cards if card.effect == "kitten") != 1:
        yield VariantError("cards", "a deck holds 1 Kitten")
    shuffled = sum(card.count for card in cards) - 2
    dealt = deal.put_away + deal.hand + deal.grid
    if shuffled != dealt:
        yield VariantError(
            "deal",
            f"puts away, deals and lays {dealt} cards, but {shuffled} are left without the "
            "Kitten and one Defuse",
            {"key": "deal.put_away", "code": "sum", "is": dealt, "should": shuffled},
        )
    if min(deal.put_away, deal.hand, deal.grid) < 0:
        yield VariantError("deal", "no number can be negative")
    cells = grid.rows * grid.columns
    if min(grid.rows, grid.columns) < 1 or cells != deal.grid + 1:
        yield VariantError(
            "grid",
            f"{grid.rows} × {grid.columns} cells for {deal.grid + 1} cards "
            "(those laid and the Kitten)",
            {"key": "deal.grid", "code": "sum", "is": deal.grid + 1, "should": cells},
        )
