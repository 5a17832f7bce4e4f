"""What kind of player a robot is: a few numbers, and what it makes of them.

A temper is a matter of taste, never of truth: it decides among what a robot may say and
holds. It must not know more than a player at the table would.
"""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True, kw_only=True)
class Temper:
    """All but ``slowness`` are chances from 0 to 1.

    ``courage``: the danger that it draws in without a second thought. ``contrary``: how
    readily it Nopes what is none of its business. ``pride``: how readily it Nopes a Nope
    on its own card. ``mischief``: how readily it plays a card for the fun of it. ``spite``:
    how likely its Favors go to whoever Noped it last. ``hesitation``: how likely it stops
    a window's clock. ``slowness`` multiplies the time that it takes.
    """

    name: str
    courage: float
    contrary: float
    pride: float
    mischief: float
    spite: float
    hesitation: float = 0.0
    slowness: float = 1.0


TEMPERS = (
    Temper(
        name="reckless",
        courage=0.45,
        contrary=0.25,
        pride=0.6,
        mischief=0.5,
        spite=0.3,
        slowness=0.7,
    ),
    Temper(
        name="careful",
        courage=0.18,
        contrary=0.05,
        pride=0.5,
        mischief=0.05,
        spite=0.1,
        hesitation=0.04,
        slowness=1.3,
    ),
    Temper(name="vengeful", courage=0.3, contrary=0.2, pride=0.95, mischief=0.2, spite=1.0),
    Temper(name="contrary", courage=0.3, contrary=0.6, pride=0.7, mischief=0.2, spite=0.4),
    Temper(
        name="dreamy",
        courage=0.35,
        contrary=0.1,
        pride=0.3,
        mischief=0.3,
        spite=0.0,
        hesitation=0.08,
        slowness=1.5,
    ),
    Temper(name="cheerful", courage=0.3, contrary=0.15, pride=0.4, mischief=0.35, spite=0.0),
)

SECONDS = {
    "call_next": 2.0,
    "instruct": 3.0,
    "play": 3.5,
    "combo": 4.0,
    "draw": 3.0,
    "pass": 1.2,
    "nope": 1.8,
    "hold": 1.0,
    "release": 4.0,
    "look": 2.5,
    "note": 0.5,
    "shuffled": 3.5,
    "reveal": 2.5,
    "give": 3.0,
    "take": 2.5,
    "answer": 2.0,
    "pick": 3.5,
    "report": 2.0,
    "defuse": 4.0,
    "explode": 4.0,
    "deck": 2.0,
    "ready": 4.0,
    "open": 1.0,
    "prepare": 3.0,
    "to_lobby": 3.0,
    "begin": 3.0,
    "rematch": 10.0,
    "agree": 2.0,
}
"""How long a person takes to say each thing, as the mean of many."""


def seconds(temper: Temper, kind: str, chance: Random) -> float:
    """How long this robot takes to say a thing this time."""
    return SECONDS[kind] * temper.slowness * chance.uniform(0.6, 1.6)
