"""Compare the deductions with many simulated deals for each history of a game.

Each simulation deals random cards and follows the history with them. Its weight is the probability
that these cards lead to this history. The weighted deals must give the exact odds within the
sampling error.
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
from tests.support.iterations import scale_count
from tests.support.real_cards import FIFTEEN, cell_odds, hand_odds, list_shuffled_cards

DEALS = scale_count(20_000, 50)
THIRTEEN = list_shuffled_cards(FIFTEEN)

DEFUSED = (TurnedUp("kitten"), Left("defuse", forced=True), Hidden(placed=True))
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
    "one defuse": (DrewHidden(), *DEFUSED, DrewHidden(), Left("nope")),
    "two defuses": (
        TurnedUp("skip"),
        *DEFUSED,
        Left("skip"),
        DrewHidden(),
        *DEFUSED,
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


def simulate_deal(
    history: tuple[Observation, ...], rng: Random
) -> tuple[int, list[str], list[str]]:
    """Deal random cards and follow the history with them.

    Returns the deal's weight, which is 0 if the history is impossible with these cards, and the
    cards in the hand and in the face-down cells.
    """
    cards = [*THIRTEEN]
    rng.shuffle(cards)
    hand = [*cards[4:8], "defuse"]
    down = [*cards[8:], "kitten"]
    up = []
    weight = 1
    for observation in history:
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


@pytest.mark.parametrize("name", HISTORIES)
def test_simulated_deals_give_the_exact_odds(name: str) -> None:
    history = HISTORIES[name]
    rng = Random(name)
    outcomes: Counter[tuple[int, tuple[str, ...], tuple[str, ...]]] = Counter()
    for _ in range(DEALS):
        weight, hand, down = simulate_deal(history, rng)
        if weight:
            outcomes[weight, tuple(sorted(hand)), tuple(sorted(down))] += 1
    known = knowledge(FIFTEEN, history)
    for title, odds in cell_odds(known).items():
        check_agreement(
            float(odds),
            [(w, n, down.count(title) / len(down)) for (w, _, down), n in outcomes.items()],
        )
    for title, odds in hand_odds(known).items():
        check_agreement(
            float(odds),
            [(w, n, float(title in hand)) for (w, hand, _), n in outcomes.items()],
        )


def check_agreement(exact: float, sample: list[tuple[int, int, float]]) -> None:
    """Check that the sample's mean is within five standard errors of the exact value.

    Each entry of the sample has the weight of an outcome, the number of times that the outcome
    occurred, and its value.
    """
    total = sum(weight * times for weight, times, _ in sample)
    mean = sum(weight * times * value for weight, times, value in sample) / total
    squares = sum(times * (weight * (value - mean)) ** 2 for weight, times, value in sample)
    error = sqrt(squares) / total
    assert error < 5 / sqrt(DEALS)
    assert abs(mean - exact) <= 5 * error + 1e-12
