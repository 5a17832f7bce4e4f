"""One player's cards on the draw grid as their device deals and keeps them (docs/fair.md).

Cards are values: whatever is done with them gives new ones, so that a device can take back what
the table takes back. This module must not know what is allowed, nor who shows what.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.fair.chance import shuffled, words

Cell = tuple[int, int]

MOST = 10_000
"""Cells of a grid, or cards of a deck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """What a variant says of a player's deck: its cards in order, and how they are dealt.

    ``cards`` has each title as often as the deck has it; the first ``away`` of those shuffled are
    put away, the next ``hand`` are dealt.
    """

    cards: tuple[str, ...]
    kitten: str
    defuse: str
    away: int
    hand: int
    cells: tuple[Cell, ...]

    @classmethod
    def heard(cls, variant: Mapping[str, Any]) -> "Pack":
        """From a variant on the wire; raises ``ValueError`` for one that nobody could lay."""
        titles, shape, deal = variant["cards"], variant["grid"], variant["deal"]
        if max(shape["rows"] * shape["columns"], sum(title["count"] for title in titles)) > MOST:
            raise ValueError(f"more than {MOST} cells or cards")
        does = {title["effect"]: title["id"] for title in titles}
        return cls(
            cards=tuple(title["id"] for title in titles for _ in range(title["count"])),
            kitten=does["kitten"],
            defuse=does["defuse"],
            away=deal["put_away"],
            hand=deal["hand"],
            cells=tuple((r, c) for r in range(shape["rows"]) for c in range(shape["columns"])),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    """The hand, in any order, and what lies in which cell of the grid, in reading order."""

    hand: tuple[str, ...]
    grid: Mapping[Cell, str]

    def holds(self, card: str) -> bool:
        """Whether the hand has it."""
        return card in self.hand

    def left(self, card: str) -> "Cards":
        """A card that the hand had is gone from it."""
        place = self.hand.index(card)
        return replace(self, hand=(*self.hand[:place], *self.hand[place + 1 :]))

    def drawn(self, cell: Cell) -> "Cards":
        """The cell's card is in the hand."""
        grid = {place: card for place, card in self.grid.items() if place != cell}
        return replace(self, hand=(*self.hand, self.grid[cell]), grid=grid)

    def shuffled(self, secret: str, salt: str, cells: Iterable[Cell]) -> "Cards":
        """A Shuffle, into these cells: as many as before."""
        cards = shuffled(tuple(self.grid.values()), words(secret, "shuffle", salt))
        return replace(self, grid=dict(zip(sorted(cells), cards, strict=True)))

    def defused(
        self,
        secret: str,
        salt: str,
        cells: Iterable[Cell],
        kitten: tuple[str, Cell],
        *,
        still: bool = False,
    ) -> "Cards":
        """A Defuse, the Kitten and where its player put it; the others lie shuffled.

        ``still``: they lie as they did, and what lay there goes where the Kitten came from.
        """
        card, place = kitten
        if still:
            origin = next(cell for cell, lying in self.grid.items() if lying == card)
            return replace(self, grid={**self.grid, origin: self.grid[place], place: card})
        others = [lying for lying in self.grid.values() if lying != card]
        free = [cell for cell in sorted(cells) if cell != place]
        lying = shuffled(others, words(secret, "defuse", salt))
        grid = {place: card, **dict(zip(free, lying, strict=True))}
        return replace(self, grid=dict(sorted(grid.items())))


def dealt(pack: Pack, secret: str, salt: str) -> Cards:
    """The deal of a game (ruling prepare-in-order)."""
    deck = _without(pack.cards, pack.kitten, pack.defuse)
    order = shuffled(deck, words(secret, "deal", salt))
    end = pack.away + pack.hand
    lying = shuffled((*order[end:], pack.kitten), words(secret, "grid", salt))
    grid = dict(zip(pack.cells, lying, strict=True))
    return Cards(hand=(*order[pack.away : end], pack.defuse), grid=grid)


def _without(cards: Sequence[str], *aside: str) -> tuple[str, ...]:
    left = list(cards)
    for card in aside:
        left.remove(card)
    return tuple(left)
