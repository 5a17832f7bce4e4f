"""How the cards were dealt, and what everybody saw of them since.

These stand in the state of a game, oldest first; ``deduction`` reads them. The Kittens are
no part of any hand: of them only their number is seen.
"""

from collections.abc import Iterator

from msgspec import Struct


class Deal(Struct, frozen=True, kw_only=True, cache_hash=True):
    """What is in play and how it was dealt (rulings paw-prints, one-defuse-each, the-deal).

    ``counts`` names all cards in play but the Kittens, ``kittens`` those in the pile.
    ``apart``: the Defuses that nobody was dealt lie in the pile, all of them (original);
    else they were shuffled in before the deal (party). Past ``most`` worlds the exact
    account is given up for a coarser one.
    """

    counts: tuple[tuple[str, int], ...]
    defuse: str
    seats: tuple[str, ...]
    dealt: int
    kittens: int
    apart: bool = False
    most: int = 2000


class Laid(Struct, frozen=True, cache_hash=True):
    """Cards left a hand and lie open: a play, a combo, a Nope, a Defuse."""

    seat: str
    cards: tuple[str, ...]


class Drew(Struct, frozen=True, cache_hash=True):
    """A card of the pile that is no Kitten went to the hand, unseen."""

    seat: str


class DrewKitten(Struct, frozen=True, cache_hash=True):
    """A Kitten came from the pile and was shown."""


class PutBack(Struct, frozen=True, cache_hash=True):
    """A Kitten that was shown is in the pile again."""


class Moved(Struct, frozen=True, cache_hash=True):
    """A card went from hand to hand, unseen: by a Favor or a pair."""

    giver: str
    taker: str


class Gave(Struct, frozen=True, cache_hash=True):
    """A card that was asked for by name went from hand to hand."""

    giver: str
    taker: str
    card: str


class HasNone(Struct, frozen=True, cache_hash=True):
    """A hand holds no card of the title; it was asked for."""

    seat: str
    card: str


class Picked(Struct, frozen=True, cache_hash=True):
    """A card went from the discard pile to a hand: a noted one if there is one."""

    seat: str
    card: str


class Exploded(Struct, frozen=True, cache_hash=True):
    """A whole hand went to the discard pile: these cards, or untold."""

    seat: str
    cards: tuple[str, ...] | None = None


class Went(Struct, frozen=True, cache_hash=True):
    """A whole hand left the game with its player, unseen."""

    seat: str


Observation = Laid | Drew | DrewKitten | PutBack | Moved | Gave | HasNone | Picked | Exploded | Went


# -- Who said that they have none -----------------------------------------------------


class Denial(Struct, frozen=True):
    """A seat's "I have none", and since then: cards that came which may be, cards shown.

    Only the sentence of a refusal needs it: whether the hand can hold the title is known without.
    """

    seat: str
    card: str
    came: int = 0
    shown: int = 0


def after_observation(denials: tuple[Denial, ...], seen: Observation) -> tuple[Denial, ...]:
    """The denials that stand once ``seen`` was seen."""
    match seen:
        case HasNone(seat, card):
            others = (d for d in denials if (d.seat, d.card) != (seat, card))
            return (*others, Denial(seat, card))
        case Exploded(seat) | Went(seat):
            return tuple(d for d in denials if d.seat != seat)
        case _:
            return tuple(_counted(denials, seen))


def _counted(denials: tuple[Denial, ...], seen: Observation) -> Iterator[Denial]:
    for denial in denials:
        came, shown = _came(denial, seen), _shown(denial, seen)
        yield Denial(denial.seat, denial.card, denial.came + came, denial.shown + shown)


def _came(denial: Denial, seen: Observation) -> int:
    match seen:
        case Drew(taker) | Moved(_, taker):
            return taker == denial.seat
        case Gave(_, taker, card) | Picked(taker, card):
            return (taker, card) == (denial.seat, denial.card)
        case _:
            return 0


def _shown(denial: Denial, seen: Observation) -> int:
    match seen:
        case Laid(seat, cards) if seat == denial.seat:
            return cards.count(denial.card)
        case Gave(seat, _, card):
            return (seat, card) == (denial.seat, denial.card)
        case _:
            return 0
