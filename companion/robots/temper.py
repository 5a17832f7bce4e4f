"""What kind of player a robot is: its name, its temper, and how long it takes over a thing.

A temper is a matter of taste, never of truth: it decides among what a robot may say and holds.
"""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
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
    hesitation: float
    slowness: float


TEMPERS = (
    # courage, contrary, pride, mischief, spite, hesitation, slowness
    Temper("reckless", 0.45, 0.25, 0.6, 0.5, 0.3, 0.0, 0.7),
    Temper("careful", 0.18, 0.05, 0.5, 0.05, 0.1, 0.04, 1.3),
    Temper("vengeful", 0.3, 0.2, 0.95, 0.2, 1.0, 0.0, 1.0),
    Temper("contrary", 0.3, 0.6, 0.7, 0.2, 0.4, 0.0, 1.0),
    Temper("dreamy", 0.35, 0.1, 0.3, 0.3, 0.0, 0.08, 1.5),
    Temper("cheerful", 0.3, 0.15, 0.4, 0.35, 0.0, 0.0, 1.0),
)

SECONDS = {
    "call_next": 2.0, "instruct": 3.0, "play": 3.5, "combo": 4.0, "draw": 3.0, "pass": 1.2,
    "nope": 1.8, "hold": 1.0, "release": 4.0, "look": 2.5, "note": 0.5, "shuffled": 3.5,
    "reveal": 2.5, "give": 3.0, "take": 2.5, "answer": 2.0, "pick": 3.5, "report": 2.0,
    "defuse": 4.0, "explode": 4.0, "deck": 2.0, "ready": 4.0, "open": 1.0, "prepare": 3.0,
    "to_lobby": 3.0, "begin": 3.0, "rematch": 10.0, "agree": 2.0,
}  # fmt: skip
"""How long a person takes to say each thing, as the mean of many."""


def seconds(temper: Temper, kind: str, chance: Random) -> float:
    """How long this robot takes to say a thing this time."""
    return SECONDS[kind] * temper.slowness * chance.uniform(0.6, 1.6)


NAMES = (
    "Axle", "Beep", "Clank", "Dot", "Élan", "Fizz", "Gadget", "Hex", "Ion", "Jolt", "Kilo",
    "Lumen", "Mega", "Nibble", "Ohm", "Pixel", "Quirk", "Rivet", "Sprocket", "Tinker",
    "Unit", "Volt", "Widget", "Xeno", "Yoyo", "Zip",
)  # fmt: skip
"""Élan stands where an Elan would (ruling alphabetical-order)."""
