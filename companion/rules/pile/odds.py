"""The odds that the pile's next card, at the top or at the bottom, is a Kitten.

Where the pile was shuffled they are exact; where somebody chose a part of its order they
lie between two bounds, and nobody else can say where (rulings odds-shuffled, odds-placed,
odds-arranged, odds-private)::

    ends(cards=31, kittens=3, order=Order(placed=("s2",)))
    {"top": {"state": "placed", "even": 0.096774, "least": 0.066667, "most": 1.0}, ...}
"""

from fractions import Fraction
from math import comb
from typing import NamedTuple

from companion.rules.pile.order import Notes, Order

View = dict[str, dict[str, str | float]]
"""The odds of the ``top`` and of the ``bottom``, as they go out.

``even`` is the even guess, ``least`` and ``most`` its bounds, from 0 to 1 with six decimals.
``state``: ``shuffled``, and all three are equal; ``placed`` or ``arranged``, and the bounds
come of that; ``noted``, and the viewer saw the card.
"""


class Pile(NamedTuple):
    """The cards of the pile whose odds are asked for, those that are noted left out.

    ``placed`` Kittens may lie where somebody chose. ``arranged`` of the top cards do, of
    which nothing is known as long as they are not ``touched``; ``through`` the whole pile.
    """

    cards: int
    kittens: int
    placed: int
    arranged: int
    touched: bool
    through: bool

    def end(self, top: bool) -> dict[str, str | float]:
        """The odds of one end."""
        even = Fraction(self.kittens, self.cards) if self.cards else Fraction(0)
        if self.kittens in (0, self.cards):
            return _view("shuffled", even, even, even)
        chosen = self.arranged > 0 and (top or self.touched or self.through)
        if self.placed:
            others = self.kittens - self.placed, self.cards - self.placed
            least = Fraction(0) if chosen else Fraction(*others)
            return _view("placed", even, least, Fraction(1))
        if chosen:
            return _view("arranged", even, *self._of_the_arranged())
        return _view("shuffled", even, even, even)

    def _of_the_arranged(self) -> tuple[Fraction, Fraction]:
        """Between "all of them are Kittens" and "one of them is"."""
        if self.touched:
            return Fraction(0), Fraction(1)
        ways = comb(self.cards, self.arranged)
        every = Fraction(comb(self.kittens, self.arranged), ways)
        none = Fraction(comb(self.cards - self.kittens, self.arranged), ways)
        return every, 1 - none


def ends(cards: int, kittens: int, order: Order) -> View:
    """What everybody can know of both ends; ``cards`` counts the Kittens too."""
    pile = Pile(
        cards=cards,
        kittens=kittens,
        placed=order.chosen(kittens),
        arranged=min(order.arranged, cards),
        touched=order.touched,
        through=order.arranged + order.among >= cards,
    )
    return {"top": pile.end(top=True), "bottom": pile.end(top=False)}


def private_ends(cards: int, kittens: int, order: Order, notes: Notes, kitten: str) -> View:
    """What a player can know with their own notes; ``kitten`` is its title."""
    notes = tuple(note for note in notes if 1 <= note.place <= cards)
    seen = {note.place: note.card == kitten for note in notes}
    pile = _unnoted(cards, kittens, order, seen, sum(note.own for note in notes))
    view: View = {}
    for end, place in (("top", 1), ("bottom", cards)):
        sure = Fraction(seen.get(place, False))
        view[end] = _view("noted", sure, sure, sure) if place in seen else pile.end(end == "top")
    return view


def _unnoted(cards: int, kittens: int, order: Order, seen: dict[int, bool], own: int) -> Pile:
    """The pile without the noted cards, of which the player placed ``own``.

    A slip of the pen makes no chance below 0 or over 1.
    """
    rest = cards - len(seen)
    left = min(max(kittens - sum(seen.values()), 0), rest)
    arranged = min(order.arranged, cards)
    return Pile(
        cards=rest,
        kittens=left,
        placed=min(len(order.placed) - own, left),
        arranged=0 if _all_seen(order, cards, seen) else arranged,
        touched=order.touched or any(place <= arranged for place in seen),
        through=order.arranged + order.among >= cards,
    )


def _all_seen(order: Order, cards: int, seen: dict[int, bool]) -> bool:
    """Whether every arranged card is noted, wherever Kittens were put among them."""
    reach = min(order.arranged + order.among, cards)
    between = min(order.among, sum(seen.get(place, False) for place in range(1, reach + 1)))
    last = min(order.arranged + between, cards)
    return all(place in seen for place in range(1, last + 1))


def _view(state: str, even: Fraction, least: Fraction, most: Fraction) -> dict[str, str | float]:
    chances = {"even": even, "least": least, "most": most}
    return {"state": state, **{name: round(float(odds), 6) for name, odds in chances.items()}}
