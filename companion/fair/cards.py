"""One player's cards on the draw grid as their device deals and keeps them, by chance that nobody
chose: words from the device's secret and the server's salt (docs/fair.md).

The wire contract fixes all of it; the same stands in ``static/js/grid/fair.js``. Secrets, salts
and what is made of them are hexadecimal digits, as on the wire. Cards are values: whatever is done
with them gives new ones, so that a device can take back what the table takes back."""

import hmac
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, TypeVar

T = TypeVar("T")
Json = Mapping[str, Any]  # an object of the wire, as protocol.md shows it
Cell = tuple[int, int]

WORDS = 2**32  # how many different words there are
LIMIT = 10_000  # cells of a grid, or cards of a deck


def cell_of(place: Iterable[int]) -> Cell:
    row, column = place
    return row, column


def commitment(secret: str) -> str:
    """What a device says before the game, so that it can't choose another secret later."""
    return sha256(bytes.fromhex(secret)).hexdigest()


def words(secret: str, purpose: str, salt: str) -> Iterator[int]:
    """Numbers below 2³², without end: HMAC-SHA256 over purpose, salt and a counter."""
    key = bytes.fromhex(secret)
    start = purpose.encode() + b"\0" + bytes.fromhex(salt)
    for counter in range(WORDS):
        block = hmac.digest(key, start + counter.to_bytes(4), "sha256")
        yield from (int.from_bytes(block[place : place + 4]) for place in range(0, 32, 4))


def shuffle(things: Sequence[T], drawn: Iterator[int]) -> tuple[T, ...]:
    """The things in an order that the words give, each order as likely as any other."""
    lying = list(things)
    for last in range(len(lying) - 1, 0, -1):
        fair = WORDS // (last + 1) * (last + 1)  # words above would favour the first places
        other = next(word for word in drawn if word < fair) % (last + 1)
        lying[last], lying[other] = lying[other], lying[last]
    return tuple(lying)


def seal(secret: str, version: int, cell: tuple[int, int]) -> str:
    """A Kitten's place, so that it can be checked and not read: ``hidden`` of a Defuse.
    ``version``: the table's when the Defuse is said."""
    said = b"place\0" + version.to_bytes(4) + bytes(cell)
    return hmac.digest(bytes.fromhex(secret), said, "sha256").hex()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """What a variant says of a player's deck: its cards in order, and how they are dealt. ``cards``
    has each title as often as the deck has it; the first ``away`` of those shuffled are put away,
    the next ``hand`` are dealt."""

    cards: tuple[str, ...]
    kitten: str
    defuse: str
    away: int
    hand: int
    cells: tuple[Cell, ...]

    @classmethod
    def parse(cls, variant: Json) -> "Pack":
        """From a variant on the wire; raises ``ValueError`` for one that nobody could lay."""
        titles = variant["cards"]
        shape = variant["grid"]
        deal = variant["deal"]
        if max(shape["rows"] * shape["columns"], sum(title["count"] for title in titles)) > LIMIT:
            raise ValueError(f"more than {LIMIT} cells or cards")
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
    """The hand, in any order, and what lies in which cell of the grid, in reading order.
    ``discard``: their discard pile, the last on top; ``seen``: the cells that they looked at."""

    hand: tuple[str, ...]
    grid: Mapping[Cell, str]
    discard: tuple[str, ...] = ()
    seen: frozenset[Cell] = frozenset()

    def play(self, card: str) -> "Cards":
        """A card went from the hand to the discard pile (ruling from-hand)."""
        return replace(self, hand=without(self.hand, card), discard=(*self.discard, card))

    def look(self, cell: Cell) -> "Cards":
        """Their player has seen what lies in a cell (ruling look-at-one)."""
        return replace(self, seen=self.seen | {cell})

    def draw(self, cell: Cell) -> "Cards":
        """The cell's card went to the hand (rulings safe-draw, grid-shrinks)."""
        grid = {place: card for place, card in self.grid.items() if place != cell}
        hand = (*self.hand, self.grid[cell])
        seen = self.seen - {cell}
        return replace(self, hand=hand, grid=grid, seen=seen)

    def shuffle(self, secret: str, salt: str, cells: Iterable[Cell]) -> "Cards":
        """A Shuffle, into these cells: as many as before."""
        cards = shuffle(tuple(self.grid.values()), words(secret, "shuffle", salt))
        grid = dict(zip(sorted(cells), cards, strict=True))
        return replace(self, grid=grid, seen=frozenset())

    def defuse(
        self,
        secret: str,
        salt: str,
        cells: Iterable[Cell],
        kitten: tuple[str, Cell],
        *,
        still: bool = False,
    ) -> "Cards":
        """A Defuse, the Kitten and where its player put it; the others lie shuffled. ``still``:
        they lie as they did, and what lay there goes where the Kitten came from."""
        card, place = kitten
        if still:
            origin = next(cell for cell, lying in self.grid.items() if lying == card)
            grid = {**self.grid, origin: self.grid[place], place: card}
            moved = {origin} if place in self.seen else set()
            return replace(self, grid=grid, seen=self.seen - {origin} | moved | {place})
        others = [lying for lying in self.grid.values() if lying != card]
        free = [cell for cell in sorted(cells) if cell != place]
        lying = shuffle(others, words(secret, "defuse", salt))
        grid = {place: card, **dict(zip(free, lying, strict=True))}
        return replace(self, grid=dict(sorted(grid.items())), seen=frozenset({place}))


def deal(pack: Pack, secret: str, salt: str) -> Cards:
    """The deal of a game (ruling prepare-in-order)."""
    deck = without(pack.cards, pack.kitten, pack.defuse)
    order = shuffle(deck, words(secret, "deal", salt))
    end = pack.away + pack.hand
    lying = shuffle((*order[end:], pack.kitten), words(secret, "grid", salt))
    grid = dict(zip(pack.cells, lying, strict=True))
    return Cards(hand=(*order[pack.away : end], pack.defuse), grid=grid)


def without(cards: Sequence[str], *aside: str) -> tuple[str, ...]:
    """The cards without some of them, the first of each title."""
    left = list(cards)
    for card in aside:
        left.remove(card)
    return tuple(left)
