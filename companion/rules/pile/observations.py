"""How the cards were dealt, and what everybody saw of them since.

These stand in the state of a game, oldest first; ``deduction`` reads them. The Kittens are
no part of any hand: of them only their number is seen.
"""

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
