"""What somebody chose of the pile's order, and what a player noted of it.

``Order`` is public: since the last Shuffle, who put a Kitten back (ruling odds-placed) and
how many of the top cards lie as an Alter the Future left them (ruling odds-arranged).
``Notes`` are one player's own (ruling private-notes). Both follow the pile: every function
says what they are after something happened to it. A Shuffle leaves ``Order()`` and ``()``."""

from collections.abc import Iterable
from fractions import Fraction
from math import comb
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

LOOKED_AT = 3  # how many cards See and Alter the Future look at (rulings see-three, alter-three)

End = Literal["top", "bottom"]


class Order(Struct, frozen=True, cache_hash=True):
    """What was chosen since the last Shuffle. ``placed``: who put a Kitten back, once for each;
    ``arranged``: how many cards of the last Alter the Future still lie on top, and ``among``: how
    many Kittens may have been put among them; ``touched``: one of the arranged cards has been
    drawn."""

    placed: tuple[str, ...] = ()
    arranged: int = 0
    among: int = 0
    touched: bool = False


def after_draw(order: Order, cards: int, end: End, kitten: bool) -> Order:
    """After the draw of a card that was a Kitten or none; there were ``cards`` before."""
    if not order.arranged:
        return order
    if end == "bottom":
        left = min(order.arranged, cards - 1)
    elif kitten and order.among:
        # It may be one that was put among them: they may all lie there still.
        return replace(order, among=order.among - 1)
    else:
        left = order.arranged - 1
    if not left:
        return Order(placed=order.placed)
    return replace(order, arranged=left, touched=order.touched or left < order.arranged)


def after_alter(order: Order, cards: int) -> Order:
    """After an Alter the Future; what is left of the one before stays a chosen part."""
    return replace(order, arranged=min(LOOKED_AT, cards))


def after_defuse(order: Order, seat: str) -> Order:
    """After a Defuse, by which this seat put a Kitten back wherever it liked."""
    among = order.among + 1 if order.arranged else 0
    return replace(order, placed=(*order.placed, seat), among=among)


class Note(Struct, frozen=True):
    """What lies at a place; ``own``: a Kitten that its player put there themselves."""

    place: int
    card: str
    own: bool = False


Notes = tuple[Note, ...]  # one player's notes, by places


def with_note(notes: Notes, place: int, card: str | None, own: bool = False) -> Notes:
    others = [note for note in notes if note.place != place]
    return _sort_notes(others if card is None else [*others, Note(place, card, own)])


def with_own_note(order: Order, seat: str, notes: Notes) -> bool:
    """Whether a Kitten that this seat notes of itself is taken for one that it put back."""
    return order.placed.count(seat) > sum(note.own for note in notes)


def notes_after_look(notes: Notes, cards: tuple[str, ...]) -> Notes:
    """After its player told, privately, what lies on top, top first."""
    before = {note.place: note for note in notes}
    for place, card in enumerate(cards, 1):
        if place not in before or before[place].card != card:
            before[place] = Note(place, card)
    return _sort_notes(before.values())


def notes_after_draw(notes: Notes, cards: int, end: End) -> Notes:
    """After a draw; there were ``cards`` before."""
    if end == "bottom":
        return tuple(note for note in notes if note.place < cards)
    return _shift((note for note in notes if note.place > 1), -1)


def notes_before_draw(notes: Notes, end: End) -> Notes:
    """Return the notes with a card put back at this end of the pile, after the draw is undone."""
    return _shift(notes, 1) if end == "top" else notes


def notes_after_alter(notes: Notes) -> Notes:
    """After an Alter the Future, by whomever: its player may say anew what they ``saw``."""
    return tuple(note for note in notes if note.place > LOOKED_AT)


def notes_after_defuse(notes: Notes, place: int, kitten: str) -> Notes:
    """After the Defuse of their own player, who told, privately, where the Kitten went."""
    above = tuple(note for note in notes if note.place < place)
    below = _shift((note for note in notes if note.place >= place), 1)
    return (*above, Note(place, kitten, own=True), *below)


def _shift(notes: Iterable[Note], by: int) -> Notes:
    return tuple(replace(note, place=note.place + by) for note in notes)


def _sort_notes(notes: Iterable[Note]) -> Notes:
    return tuple(sorted(notes, key=lambda note: note.place))


View = dict[str, dict[str, str | float]]
"""The odds of the ``top`` and of the ``bottom``, as they go out. ``even`` is the even guess,
``least`` and ``most`` its bounds, from 0 to 1 with six decimals. ``state``: ``shuffled``, and all
three are equal; ``placed`` or ``arranged``, and the bounds come of that; ``noted``, and the viewer
saw the card."""


class Pile(NamedTuple):
    """The cards of the pile whose odds are asked for, those that are noted left out. ``placed``
    Kittens may lie where somebody chose. ``arranged`` of the top cards do, of which nothing is
    known as long as they are not ``touched``; ``through`` the whole pile."""

    cards: int
    kittens: int
    placed: int
    arranged: int
    touched: bool
    through: bool

    def end(self, top: bool) -> dict[str, str | float]:
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


def ends(
    cards: int,
    kittens: int,
    order: Order,
    notes: Notes = (),
    kitten: str = "",
    public_notes: Notes = (),
) -> View:
    """What everybody can know of both ends, or a player with their own ``notes``. ``cards`` counts
    the Kittens too; ``kitten`` is their title."""
    notes = tuple(note for note in notes if 1 <= note.place <= cards)
    noted = {note.place for note in notes}
    seen = {
        note.place: note.card == kitten
        for note in (*public_notes, *notes)
        if 1 <= note.place <= cards
    }
    pile = _without_noted(cards, kittens, order, seen, sum(note.own for note in notes))
    view: View = {}
    for end, place in (("top", 1), ("bottom", cards)):
        sure = Fraction(seen.get(place, False))
        state = "noted" if place in noted else "shuffled"
        view[end] = _view(state, sure, sure, sure) if place in seen else pile.end(end == "top")
    return view


def _without_noted(cards: int, kittens: int, order: Order, seen: dict[int, bool], own: int) -> Pile:
    """The pile without the noted cards, of which ``own`` were placed; chances stay from 0 to 1."""
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
