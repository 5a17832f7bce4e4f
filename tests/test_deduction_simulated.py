"""Deduction against chance: a hundred thousand deals of the whole fifteen for each history.

Every simulated deal lives through the history with cards of its own. It weighs as much
as it was likely to show just that, and the weighed deals must give the exact odds within
their sampling error.
"""

from collections import Counter
from math import sqrt
from random import Random

import pytest

from companion.rules.grid.deduction import (
    DrewFaceUp,
    DrewHidden,
    Hidden,
    Left,
    Observation,
    TurnedUp,
    knowledge,
)
from tests.iterations import often
from tests.real_cards import FIFTEEN, cell_odds, hand_odds, pack

DEALS = often(10**5)
THIRTEEN = pack(FIFTEEN)

defused = (TurnedUp("kitten"), Left("defuse", forced=True), Hidden(placed=True))
HISTORIES: dict[str, tuple[Observation, ...]] = {
    "three plays and a draw": (
        Left("see_future"),
        Left("skip"),
        DrewHidden(),
        Left("see_future"),
    ),
    "a skip lost in a shuffle": (
        TurnedUp("skip"),
        Left("shuffle"),
        Hidden(placed=False),
        DrewHidden(),
        Left("skip"),
    ),
    "two known cards mixed in, two drawn": (
        TurnedUp("nope"),
        TurnedUp("favor"),
        Left("shuffle"),
        Hidden(placed=False),
        DrewHidden(),
        DrewHidden(),
        Left("nope"),
        TurnedUp("favor"),
    ),
    "one defuse": (DrewHidden(), *defused, DrewHidden(), Left("nope")),
    "two defuses": (
        TurnedUp("skip"),
        *defused,
        Left("skip"),
        DrewHidden(),
        *defused,
        DrewHidden(),
    ),
    "drawn face up and played or not": (
        TurnedUp("skip"),
        DrewFaceUp("skip"),
        Left("skip"),
        DrewHidden(),
        TurnedUp("see_future"),
        Left("see_future"),
    ),
}


def weigh(seen: tuple[Observation, ...], rng: Random) -> tuple[int, list[str], list[str]]:
    """One deal that has lived through ``seen``: its weight, its hand, its hidden cards."""
    cards = [*THIRTEEN]
    rng.shuffle(cards)
    hand = [*cards[4:8], "defuse"]
    down = [*cards[8:], "kitten"]
    up = []
    weight = 1
    for observation in seen:
        match observation:
            case Left(card, forced):
                weight *= card in hand if forced else hand.count(card)
                if not weight:
                    break
                hand.remove(card)
            case TurnedUp(card):
                weight *= down.count(card)
                if not weight:
                    break
                down.remove(card)
                up.append(card)
            case DrewHidden():
                hand.append(down.pop(int(rng.random() * len(down))))
                if hand[-1] == "kitten":
                    return 0, hand, down
            case DrewFaceUp(card):
                up.remove(card)
                hand.append(card)
            case Hidden():
                down += up
                up = []
    return weight, hand, down


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("name", HISTORIES)
def test_many_deals_agree(name: str) -> None:
    seen = HISTORIES[name]
    rng = Random(name)
    ends: Counter[tuple[int, tuple[str, ...], tuple[str, ...]]] = Counter()
    for _ in range(DEALS):
        weight, hand, down = weigh(seen, rng)
        if weight:
            ends[weight, tuple(sorted(hand)), tuple(sorted(down))] += 1
    known = knowledge(FIFTEEN, seen)
    for title, odds in cell_odds(known).items():
        agrees(
            float(odds),
            [(w, n, down.count(title) / len(down)) for (w, _, down), n in ends.items()],
        )
    for title, odds in hand_odds(known).items():
        agrees(
            float(odds),
            [(w, n, float(title in hand)) for (w, hand, _), n in ends.items()],
        )


def agrees(exact: float, sample: list[tuple[int, int, float]]) -> None:
    """The mean of (weight, times, value) is within five standard errors, and they are small."""
    total = sum(weight * times for weight, times, _ in sample)
    mean = sum(weight * times * value for weight, times, value in sample) / total
    squares = sum(times * (weight * (value - mean)) ** 2 for weight, times, value in sample)
    error = sqrt(squares) / total
    assert error < 5 / sqrt(DEALS)
    assert abs(mean - exact) <= 5 * error + 1e-12
