"""Knowledge about the order of the pile: arranged cards, private notes, and the odds of its ends.

``Order`` is public. It records which seats have put a Kitten back since the last Shuffle (ruling
odds-placed). It also records the *arranged* cards: the cards that the last Alter the Future put in
an order and that are still in the pile (ruling odds-arranged). ``Notes`` belong to one player
(ruling private-notes).

When something happens to the pile, a function ``after_…`` or ``notes_after_…`` returns the new
``Order`` or ``Notes``. A Shuffle resets them to ``Order()`` and ``()``. ``end_odds`` computes the
odds that the top or the bottom card is a Kitten.

An example: the pile has ten cards, and two of them are Kittens.

1. Ana plays an Alter the Future. Three cards are arranged, and only Ana knows their order. If she
   put a Kitten on top whenever there was one, the top card is a Kitten with chance 8/15. If she
   never did, the chance is 0. These are the bounds, and the average is 1/5.
2. Ben draws the top card, which is a Kitten. Two arranged cards are left, and one has been drawn
   (``touched``).
3. Ben defuses the Kitten and puts it back secretly. It may lie among the arranged cards
   (``among`` is 1).
4. Cleo draws a Kitten from the top. It may be the Kitten that Ben put back. In that case both
   arranged cards are still in the pile, so there are still two arranged cards.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import comb
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

LOOKED_AT = 3  # number of cards that See and Alter the Future show (rulings see-three, alter-three)

End = Literal["top", "bottom"]

FaceUp = Literal["", "placed", "shuffled", "top"]
"""The place of an Imploding Kitten that lies face up in the pile: a player chose it in secret, the
pile was shuffled since then, or it is the top. Empty if the pile has no face-up card."""


class Order(Struct, frozen=True, cache_hash=True):
    """Public knowledge about the order of the pile since the last Shuffle."""

    placed: tuple[str, ...] = ()
    """For each Kitten that was put back in the pile, the seat that did so."""
    arranged: int = 0
    """Number of arranged cards that are still in the pile (see the example at the top)."""
    # number of Kittens that players may have put back among the arranged cards
    among: int = 0
    touched: bool = False  # True if one of the arranged cards has been drawn
    face_up: FaceUp = ""


def after_draw(order: Order, cards: int, end: End, kitten: bool) -> Order:
    """Return the order after a draw. The pile had ``cards`` cards before the draw."""
    if not order.arranged:
        return order
    if end == "bottom":
        left = min(order.arranged, cards - 1)
    elif kitten and order.among:
        # A player may have put this Kitten back among the arranged cards. In that case no arranged
        # card was drawn.
        return replace(order, among=order.among - 1)
    else:
        left = order.arranged - 1
    if not left:
        return Order(placed=order.placed, face_up=order.face_up)
    return replace(order, arranged=left, touched=order.touched or left < order.arranged)


def after_alter(order: Order, cards: int) -> Order:
    """Return the order after an Alter the Future. Cards that an earlier Alter arranged stay
    arranged.

    If the Imploding Kitten lies face up in the pile, the player may have chosen its place depending
    on the other cards. So the arranged cards count as touched, as if one had been drawn.
    """
    after = replace(order, arranged=min(LOOKED_AT, cards))
    return replace(after, touched=True, face_up="placed") if order.face_up else after


def after_shuffle(order: Order) -> Order:
    """Return the order after a Shuffle, which turns no card over."""
    return Order(face_up="shuffled" if order.face_up else "")


def after_put_back(order: Order, on_top: bool) -> Order:
    """Return the order after the Imploding Kitten was put back in the pile, face up."""
    after = replace(order, face_up="top" if on_top else "placed")
    return replace(after, among=order.among + 1, touched=True) if order.arranged else after


def after_defuse(order: Order, seat: str) -> Order:
    """Return the order after this seat played a Defuse and put the Kitten back secretly."""
    among = order.among + 1 if order.arranged else 0
    after = replace(order, placed=(*order.placed, seat), among=among)
    return replace(after, face_up="placed") if order.face_up else after


class Note(Struct, frozen=True):
    """A player's note that this card lies at this place of the pile."""

    place: int  # 1 is the top
    card: str
    own: bool = False  # True for a Kitten that the player put at this place


Notes = tuple[Note, ...]  # one player's notes, sorted by place


def with_note(notes: Notes, place: int, card: str | None, own: bool = False) -> Notes:
    others = [note for note in notes if note.place != place]
    return _sort_notes(others if card is None else [*others, Note(place, card, own)])


def is_own_kitten(order: Order, seat: str, notes: Notes) -> bool:
    """Return True if this seat put back more Kittens than it has notes about.

    If so, the next note of this seat about a Kitten may be about a Kitten that it put back itself.
    """
    return order.placed.count(seat) > sum(note.own for note in notes)


def notes_after_look(notes: Notes, cards: tuple[str, ...]) -> Notes:
    """Return a player's notes after they saw these cards on top of the pile, from the top down."""
    before = {note.place: note for note in notes}
    for place, card in enumerate(cards, 1):
        if place not in before or before[place].card != card:
            before[place] = Note(place, card)
    return _sort_notes(before.values())


def notes_after_draw(notes: Notes, cards: int, end: End) -> Notes:
    """Return the notes after a draw. The pile had ``cards`` cards before the draw."""
    if end == "bottom":
        return tuple(note for note in notes if note.place < cards)
    return _shift((note for note in notes if note.place > 1), -1)


def notes_before_draw(notes: Notes, end: End) -> Notes:
    """Return a player's notes after an undo put a drawn card back on this end of the pile."""
    return _shift(notes, 1) if end == "top" else notes


def notes_after_alter(notes: Notes) -> Notes:
    """Return a player's notes after somebody played an Alter the Future. The notes about the top
    cards are dropped."""
    return tuple(note for note in notes if note.place > LOOKED_AT)


def notes_after_defuse(notes: Notes, place: int, kitten: str, own: bool = True) -> Notes:
    """Return a player's notes after they put a Kitten back at this place.

    With ``own``, the Kitten counts as one of those that this player hid.
    """
    above = tuple(note for note in notes if note.place < place)
    below = _shift((note for note in notes if note.place >= place), 1)
    return (*above, Note(place, kitten, own=own), *below)


def notes_after_put_on_top(notes: Notes) -> Notes:
    """Return the notes after everybody saw a card put on top of the pile."""
    return _shift(notes, 1)


def _shift(notes: Iterable[Note], by: int) -> Notes:
    return tuple(replace(note, place=note.place + by) for note in notes)


def _sort_notes(notes: Iterable[Note]) -> Notes:
    return tuple(sorted(notes, key=lambda note: note.place))


View = dict[str, dict[str, str | float]]
"""The odds that the ``top`` and the ``bottom`` card puts out the player who draws it, unless they
have a Defuse against it, as clients receive them. Such a card is an Exploding Kitten, or the
Imploding Kitten while it lies face up.

``even`` is the average chance. ``least`` and ``most`` are the bounds of the real chance. All three
are numbers from 0 to 1 with six decimals. ``state`` gives the reason for the bounds. With
``shuffled``, all three chances are equal. With ``placed``, a player put a Kitten back. With
``arranged``, a player put the top cards in an order. With ``noted``, the viewer has a note about
the card.
"""


class Odds(NamedTuple):
    """The odds of one end: the average chance, its bounds, and the reason for the bounds."""

    state: str
    even: Fraction
    least: Fraction
    most: Fraction

    def show(self) -> dict[str, str | float]:
        """Return the odds as clients receive them."""
        chances = self._asdict()
        chances.pop("state")
        return {
            "state": self.state,
            **{name: round(float(odds), 6) for name, odds in chances.items()},
        }


def _certain_odds(state: str, chance: Fraction) -> Odds:
    return Odds(state, chance, chance, chance)


class Pile(NamedTuple):
    """The face-down cards of the pile that the viewer has no note about."""

    cards: int
    kittens: int
    placed: int  # number of Kittens that a player may have put at a place of their choice
    arranged: int  # number of top cards whose order a player chose
    touched: bool
    """True if some arranged cards were drawn or noted. The bounds for the other arranged cards are
    then 0 and 1."""
    through: bool  # True if the arranged cards may reach down to the bottom

    def odds_at(self, top: bool) -> Odds:
        """Return the odds that the top card (or else the bottom card) is a Kitten."""
        even = Fraction(self.kittens, self.cards) if self.cards else Fraction(0)
        if self.kittens in (0, self.cards):
            return _certain_odds("shuffled", even)
        chosen = self.arranged > 0 and (top or self.touched or self.through)
        if self.placed:
            others = self.kittens - self.placed, self.cards - self.placed
            least = Fraction(0) if chosen else Fraction(*others)
            return Odds("placed", even, least, Fraction(1))
        if chosen:
            return Odds("arranged", even, *self._bounds_of_arranged())
        return _certain_odds("shuffled", even)

    def _bounds_of_arranged(self) -> tuple[Fraction, Fraction]:
        """Return the least and the greatest chance that an arranged card is a Kitten.

        Only the player who arranged the cards knows their order. The least chance is the chance
        that all arranged cards are Kittens. The greatest chance is the chance that at least one of
        these cards is a Kitten.
        """
        if self.touched:
            return Fraction(0), Fraction(1)
        ways = comb(self.cards, self.arranged)
        every = Fraction(comb(self.kittens, self.arranged), ways)
        none = Fraction(comb(self.cards - self.kittens, self.arranged), ways)
        return every, 1 - none


def end_odds(
    cards: int,
    kittens: int,
    order: Order,
    notes: Notes = (),
    kitten: str = "",
    public_notes: Notes = (),
    imploding: str | None = None,
) -> View:
    """Return the odds of both ends, for everybody or for the player with these ``notes``.

    ``cards`` is the number of cards in the pile, including the Kittens. ``kittens`` is the number
    of Exploding Kittens among them. ``kitten`` and ``imploding`` are the titles of the two kinds of
    Kittens. ``public_notes`` are the cards that everybody knows after an undo.
    """
    known = {note.place: note.card for note in public_notes if 1 <= note.place <= cards}
    if imploding and order.face_up and (order.face_up == "top" or cards == 1):
        known[1] = imploding  # everybody sees that it is the top card
    own_notes = tuple(note for note in notes if 1 <= note.place <= cards)
    known |= {note.place: note.card for note in own_notes}
    noted = {note.place for note in own_notes}
    deadly = {kitten, imploding} if order.face_up else {kitten}
    seen = {place: card in deadly for place, card in known.items()}
    lies_up = imploding is not None and bool(order.face_up) and imploding not in known.values()
    pile = _without_noted(
        cards - lies_up,
        kittens - [*known.values()].count(kitten),
        order,
        seen,
        sum(note.own for note in own_notes),
    )
    view: View = {}
    for end, place in (("top", 1), ("bottom", cards)):
        if place in seen:
            state = "noted" if place in noted else "shuffled"
            view[end] = _certain_odds(state, Fraction(seen[place])).show()
        elif lies_up and end == "bottom":
            below = cards - 1 - len([other for other in seen if other > 1])
            view[end] = _add_face_up(pile.odds_at(top=False), below, order).show()
        else:
            view[end] = pile.odds_at(end == "top").show()
    return view


def _add_face_up(odds: Odds, below: int, order: Order) -> Odds:
    """Return the odds of the bottom card, including the chance that it is the face-up card.

    ``odds`` are the odds of the bottom card if it lies face down. The face-up card isn't on top,
    where everybody would see it, so it lies at one of the ``below`` other places that the viewer
    has no note about.
    """
    if below <= 1:
        return _certain_odds("shuffled", Fraction(1))
    there = Fraction(1, below)
    even = there + (1 - there) * odds.even
    if order.face_up == "placed":
        return Odds("placed", even, odds.least, Fraction(1))
    least = there + (1 - there) * odds.least
    return Odds(odds.state, even, least, there + (1 - there) * odds.most)


def _without_noted(cards: int, kittens: int, order: Order, seen: dict[int, bool], own: int) -> Pile:
    """Return the pile without the cards in ``seen``.

    ``cards`` is the number of face-down cards and of cards in ``seen``; ``kittens`` is the number
    of Exploding Kittens that aren't in ``seen``. ``seen`` maps the place of a card to True if the
    card puts out a player who draws it. ``own`` is the number of these Kittens that the viewer put
    back. Notes may be wrong, so the numbers are limited to possible values.
    """
    rest = max(cards - len(seen), 0)
    left = min(max(kittens, 0), rest)
    arranged = min(order.arranged, cards)
    return Pile(
        cards=rest,
        kittens=left,
        placed=min(len(order.placed) - own, left),
        arranged=0 if _all_arranged_noted(order, cards, seen) else arranged,
        touched=order.touched or any(place <= arranged + order.among for place in seen),
        through=order.arranged + order.among >= cards,
    )


def _all_arranged_noted(order: Order, cards: int, seen: dict[int, bool]) -> bool:
    """Return True if the viewer has notes about all arranged cards.

    Kittens that were put back above an arranged card have moved it down.
    """
    reach = min(order.arranged + order.among, cards)
    between = min(order.among, sum(seen.get(place, False) for place in range(1, reach + 1)))
    last = min(order.arranged + between, cards)
    return all(place in seen for place in range(1, last + 1))
