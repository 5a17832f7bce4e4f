"""A robot's cards told anew from the table's log: for whoever has only the secret.

After a restart, and wherever the cards that a robot has in its head don't look like those on the
table, the log says how they came to lie. This module must not know how the log is had.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.fair.cards import Cards, Pack, dealt
from companion.fair.chance import sealed
from companion.fair.check import Game
from companion.robots.grid.deck import Deck
from companion.robots.grid.sight import Cell, place
from companion.robots.wire.titles import Titles


def stirred(deck: Deck, secret: str, salt: str, cells: Sequence[Cell]) -> Deck:
    """After a Shuffle."""
    cards = Cards(hand=deck.hand, grid=deck.grid).shuffled(secret, salt, cells)
    return replace(deck, grid=cards.grid, known=frozenset())


def put_back(deck: Deck, secret: str, salt: str, cells: Sequence[Cell], kitten: Cell) -> Deck:
    """After a Defuse that is played already."""
    lying = deck.titles.kitten, kitten
    cards = Cards(hand=deck.hand, grid=deck.grid).defused(secret, salt, cells, lying)
    return replace(deck, grid=cards.grid, known=frozenset({kitten}))


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


def _shuffled(deck: Deck, secret: str, _version: int, facts: Mapping[str, Any]) -> Deck:
    return stirred(deck, secret, facts["salt"], [place(cell) for cell in facts["cells"]])


def _defused(deck: Deck, secret: str, version: int, facts: Mapping[str, Any]) -> Deck:
    cells = [place(cell) for cell in facts["cells"]]
    kitten = next(cell for cell in cells if sealed(secret, version - 1, cell) == facts["hidden"])
    return put_back(deck.played(facts["card"]), secret, facts["salt"], cells, kitten)


_MOVES: Mapping[str, Callable[[Deck, str, int, Mapping[str, Any]], Deck]] = {
    "card_played": lambda deck, _s, _v, facts: deck.played(facts["card"]),
    "nope_played": lambda deck, _s, _v, facts: deck.played(facts["nope"]),
    "looked": lambda deck, _s, _v, facts: deck.looked(place(facts["cell"])),
    "card_drawn": lambda deck, _s, _v, facts: deck.drawn(place(facts["cell"])),
    "grid_shuffled": _shuffled,
    "kitten_defused": _defused,
}
"""Type of event → the deck that it leaves."""
