"""What somebody chose of the pile's order, and what a player noted of it.

``Order`` is public: since the last Shuffle, who put a Kitten back (ruling odds-placed) and
how many of the top cards lie as an Alter the Future left them (ruling odds-arranged).
``Notes`` are one player's own (ruling private-notes). Both follow the pile: every function
says what they are after something happened to it. A Shuffle leaves ``Order()`` and ``()``.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

LOOKED_AT = 3
"""How many cards See and Alter the Future look at (rulings see-three, alter-three)."""

End = Literal["top", "bottom"]


class Order(Struct, frozen=True, cache_hash=True):
    """What was chosen since the last Shuffle.

    ``placed``: who put a Kitten back, once for each; ``arranged``: how many cards of the
    last Alter the Future still lie on top, and ``among``: how many Kittens may have been put
    among them; ``touched``: one of the arranged cards has been drawn.
    """

    placed: tuple[str, ...] = ()
    arranged: int = 0
    among: int = 0
    touched: bool = False

    def chosen(self, kittens: int) -> int:
        """How many of the pile's Kittens may lie where somebody chose."""
        return min(len(self.placed), kittens)


def drawn(order: Order, cards: int, end: End, kitten: bool) -> Order:
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


def altered(order: Order, cards: int) -> Order:
    """After an Alter the Future; what is left of the one before stays a chosen part."""
    return replace(order, arranged=min(LOOKED_AT, cards))


def returned(order: Order, seat: str) -> Order:
    """After a Defuse, by which this seat put a Kitten back wherever it liked."""
    among = order.among + 1 if order.arranged else 0
    return replace(order, placed=(*order.placed, seat), among=among)


# -- Notes ----------------------------------------------------------------------------


class Note(Struct, frozen=True):
    """What lies at a place; ``own``: a Kitten that its player put there themselves."""

    place: int
    card: str
    own: bool = False


Notes = tuple[Note, ...]
"""One player's notes, by places."""


def noted(notes: Notes, place: int, card: str | None, own: bool = False) -> Notes:
    """With this card noted at the place, or with nothing."""
    others = [note for note in notes if note.place != place]
    return _sorted(others if card is None else [*others, Note(place, card, own)])


def put_it_there(order: Order, seat: str, notes: Notes) -> bool:
    """Whether a Kitten that this seat notes of itself is taken for one that it put back."""
    return order.placed.count(seat) > sum(note.own for note in notes)


def saw(notes: Notes, cards: tuple[str, ...]) -> Notes:
    """After its player told, privately, what lies on top, top first."""
    before = {note.place: note for note in notes}
    for place, card in enumerate(cards, 1):
        if place not in before or before[place].card != card:
            before[place] = Note(place, card)
    return _sorted(before.values())


def drawn_notes(notes: Notes, cards: int, end: End) -> Notes:
    """After a draw; there were ``cards`` before."""
    if end == "bottom":
        return tuple(note for note in notes if note.place < cards)
    return _moved((note for note in notes if note.place > 1), -1)


def altered_notes(notes: Notes) -> Notes:
    """After an Alter the Future, by whomever: its player may say anew what they ``saw``."""
    return tuple(note for note in notes if note.place > LOOKED_AT)


def returned_notes(notes: Notes, place: int | None, kitten: str) -> Notes:
    """After the Defuse of their own player, who told, privately, where the Kitten went.

    If they didn't tell, or it was another player's Defuse, nothing is left.
    """
    if place is None:
        return ()
    above = tuple(note for note in notes if note.place < place)
    below = _moved((note for note in notes if note.place >= place), 1)
    return (*above, Note(place, kitten, own=True), *below)


def _moved(notes: Iterable[Note], by: int) -> Notes:
    return tuple(replace(note, place=note.place + by) for note in notes)


def _sorted(notes: Iterable[Note]) -> Notes:
    return tuple(sorted(notes, key=lambda note: note.place))
