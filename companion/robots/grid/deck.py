"""A robot's own cards: where each of them really lies, and how a view shows them.

Decks are values: whatever is done with the cards gives a new deck, so that a robot can take back
what the table takes back (ruling undo). What is allowed is not asked here, only what is so. For
whoever has only the secret the table's log tells how the cards came to lie (``recalled``).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from companion.fair.cards import Cards, Cell, Pack, dealt
from companion.fair.chance import sealed
from companion.fair.check import Game
from companion.robots.view import Json, Titles

Grid = Iterable[Iterable[str | None]]
"""A grid on the wire: null where nothing lies, ``down``, or the face-up card."""


def cells_where(grid: Grid, wanted: Callable[[str | None], bool]) -> list[Cell]:
    """The cells whose content is wanted, row by row."""
    return [
        (row, column)
        for row, cards in enumerate(grid)
        for column, card in enumerate(cards)
        if wanted(card)
    ]


def laid(grid: Grid) -> list[Cell]:
    """The cells that hold a card."""
    return cells_where(grid, lambda card: card is not None)


def face_down(grid: Grid) -> list[Cell]:
    """The cells whose card lies face down."""
    return cells_where(grid, lambda card: card == "down")


def face_up(grid: Grid) -> dict[Cell, str]:
    """The face-up cards by their cell."""
    return {
        (row, column): card
        for row, cards in enumerate(grid)
        for column, card in enumerate(cards)
        if card is not None and card != "down"
    }


def place(cell: Iterable[int]) -> Cell:
    """A cell of the wire."""
    row, column = cell
    return row, column


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

    def agrees(self, seat: Json) -> bool:
        """Whether these cards look like what the call sees of this seat."""
        return (
            len(self.hand) == seat["hand"]
            and list(self.discard) == list(seat["discard"])
            and set(self.grid) == set(laid(seat["grid"]))
            and all(self.grid[cell] == card for cell, card in face_up(seat["grid"]).items())
        )


def pack(cards: Iterable[Json]) -> tuple[str, ...]:
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


def stirred(deck: Deck, secret: str, salt: str, cells: Sequence[Cell]) -> Deck:
    """After a Shuffle."""
    cards = Cards(hand=deck.hand, grid=deck.grid).shuffled(secret, salt, cells)
    return replace(deck, grid=cards.grid, known=frozenset())


def put_back(
    deck: Deck, secret: str, salt: str, cells: Sequence[Cell], kitten: Cell, *, still: bool = False
) -> Deck:
    """After a Defuse that is played already; ``still``: what was known of the others stays so."""
    lying = deck.titles.kitten, kitten
    before = Cards(hand=deck.hand, grid=deck.grid)
    grid = before.defused(secret, salt, cells, lying, still=still).grid
    moved = {cell for cell, card in grid.items() if not still or card != deck.grid[cell]}
    return replace(deck, grid=grid, known=(deck.known - moved) | {kitten})


def recalled(
    titles: Titles, pack: Pack, secret: str, game: Game, seat: str
) -> Iterator[tuple[int, Deck]]:
    """Versions and the decks that they left, as far as the log can be followed."""
    cards = dealt(pack, secret, game.salt)
    deck = Deck(titles=titles, hand=cards.hand, grid=cards.grid)
    yield 0, deck
    for entry in game.events:
        moves = _MOVES.get(entry["type"]) if entry["seat"] == seat else None
        if moves is None:
            continue
        try:
            deck = moves(deck, secret, entry["version"], entry["facts"])
        except (KeyError, ValueError, StopIteration):
            return  # somebody said for the robot what isn't so
        yield entry["version"], deck


def _shuffled(deck: Deck, secret: str, _version: int, facts: Json) -> Deck:
    return stirred(deck, secret, facts["salt"], [place(cell) for cell in facts["cells"]])


def _defused(deck: Deck, secret: str, version: int, facts: Json) -> Deck:
    cells = [place(cell) for cell in facts["cells"]]
    kitten = next(cell for cell in cells if sealed(secret, version - 1, cell) == facts["hidden"])
    still = facts.get("still", False)
    return put_back(deck.played(facts["card"]), secret, facts["salt"], cells, kitten, still=still)


_MOVES: Mapping[str, Callable[[Deck, str, int, Json], Deck]] = {
    "card_played": lambda deck, _s, _v, facts: deck.played(facts["card"]),
    "nope_played": lambda deck, _s, _v, facts: deck.played(facts["nope"]),
    "looked": lambda deck, _s, _v, facts: deck.looked(place(facts["cell"])),
    "card_drawn": lambda deck, _s, _v, facts: deck.drawn(place(facts["cell"])),
    "grid_shuffled": _shuffled,
    "kitten_defused": _defused,
}
"""Type of event → the deck that it leaves."""
