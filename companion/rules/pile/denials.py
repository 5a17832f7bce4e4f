"""Who said of which title that they hold none, and what came to their hand since.

Only the sentence of a refusal needs it (``reasons``): whether the hand can hold the title
is known without.
"""

from collections.abc import Iterator

from msgspec import Struct

from companion.rules.pile.observations import (
    Drew,
    Exploded,
    Gave,
    HasNone,
    Laid,
    Moved,
    Observation,
    Picked,
    Went,
)


class Denial(Struct, frozen=True):
    """A seat's "I have none", and since then: cards that came which may be, cards shown."""

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
