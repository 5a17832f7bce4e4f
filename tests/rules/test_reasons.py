"""Tests for the reasons why an observation is impossible.

For each reason, there is an observation that it rules out, and a similar one that is possible.
"""

from typing import Any

import pytest

from companion.rules.grid.deduction import (
    DrewFaceUp,
    DrewHidden,
    Hidden,
    Left,
    Observation,
    TurnedUp,
    knowledge,
    reason_against,
)
from tests.support.real_cards import FIFTEEN

History = tuple[Observation, ...]

DEFUSE = Left("defuse", forced=True)
DEFUSED: History = (TurnedUp("kitten"), DEFUSE, Hidden(placed=True))
FOUR_PLAYED: History = tuple(map(Left, ("skip", "skip", "favor", "see_future")))
FIVE_DRAWN: History = (DrewHidden(),) * 5

IMPOSSIBLE: dict[str, tuple[History, Observation, str, dict[str, Any]]] = {
    "a third Nope": (
        (Left("nope"), Left("nope")),
        Left("nope"),
        "all_open",
        {"card": "nope", "total": 2, "discard": 2, "up": 0},
    ),
    "a Nope while one is gone and one is face up": (
        (Left("nope"), TurnedUp("nope")),
        Left("nope"),
        "all_open",
        {"card": "nope", "total": 2, "discard": 1, "up": 1},
    ),
    "a card of another game": (
        (),
        Left("attack"),
        "all_open",
        {"card": "attack", "total": 0, "discard": 0, "up": 0},
    ),
    "a Nope while one is gone and one was shuffled into the grid": (
        (Left("nope"), TurnedUp("nope"), Hidden(placed=False)),
        Left("nope"),
        "all_seen",
        {"card": "nope", "total": 2, "discard": 1, "up": 0, "hand": 0, "down": 1},
    ),
    "a Defuse turned up while one is face up and one in the hand since the deal": (
        (TurnedUp("defuse"),),
        TurnedUp("defuse"),
        "all_seen",
        {"card": "defuse", "total": 2, "discard": 0, "up": 1, "hand": 1, "down": 0},
    ),
    "a Favor turned up while both were drawn face up": (
        (
            *(TurnedUp("favor"), TurnedUp("favor")),
            *(DrewFaceUp("favor"), DrewFaceUp("favor")),
        ),
        TurnedUp("favor"),
        "all_seen",
        {"card": "favor", "total": 2, "discard": 0, "up": 0, "hand": 2, "down": 0},
    ),
    "a second Defuse while that one lies in the grid": (
        (TurnedUp("defuse"), *DEFUSED, TurnedUp("kitten")),
        DEFUSE,
        "all_seen",
        {"card": "defuse", "total": 2, "discard": 1, "up": 0, "hand": 0, "down": 1},
    ),
    "a Kitten in the hand": (
        (),
        Left("kitten"),
        "all_seen",
        {"card": "kitten", "total": 1, "discard": 0, "up": 0, "hand": 0, "down": 1},
    ),
    "a sixth safe draw": (FIVE_DRAWN, DrewHidden(), "only_the_kitten", {}),
    "the last face-down card a Skip": (
        FIVE_DRAWN,
        TurnedUp("skip"),
        "only_the_kitten",
        {"card": "skip"},
    ),
    "another Kitten": (
        (TurnedUp("kitten"),),
        TurnedUp("kitten"),
        "kitten_is_up",
        {"card": "kitten"},
    ),
    "a safe draw from an open grid": (
        (*FIVE_DRAWN, TurnedUp("kitten")),
        DrewHidden(),
        "nothing_face_down",
        {},
    ),
    "a card turned up in an open grid": (
        (*FIVE_DRAWN, TurnedUp("kitten")),
        TurnedUp("skip"),
        "nothing_face_down",
        {"card": "skip"},
    ),
    "a Nope from a hand with nothing but the first Defuse": (
        FOUR_PLAYED,
        Left("nope"),
        "known_hand",
        {"card": "nope", "titles": ("defuse",)},
    ),
    "a Nope from a hand of the Defuse and a Skip or a Favor": (
        (
            *(DrewHidden(), DrewHidden(), DrewHidden(), TurnedUp("skip")),
            *(TurnedUp("favor"), Hidden(placed=False)),
            *(Left("nope"), Left("shuffle"), Left("shuffle"), Left("favor")),
            *(Left("see_future"), Left("see_future"), Left("see_future"), DrewHidden()),
        ),
        Left("nope"),
        "known_hand",
        {"card": "nope", "titles": ("defuse", "favor", "skip")},
    ),
    "a Nope turned up where the Kitten and a Skip were shuffled": (
        (
            *(DrewHidden(), DrewHidden(), DrewHidden(), DrewHidden()),
            *(TurnedUp("skip"), Hidden(placed=False)),
        ),
        TurnedUp("nope"),
        "known_cells",
        {"card": "nope", "titles": ("kitten", "skip")},
    ),
    "a card from an empty hand": (
        (*FOUR_PLAYED, *DEFUSED),
        Left("nope"),
        "empty_hand",
        {"card": "nope"},
    ),
    "a face-up Skip drawn that is not there": (
        (TurnedUp("nope"),),
        DrewFaceUp("skip"),
        "not_face_up",
        {"card": "skip"},
    ),
    "a face-up Kitten drawn in safety": (
        (TurnedUp("kitten"),),
        DrewFaceUp("kitten"),
        "up_is_the_kitten",
        {"card": "kitten"},
    ),
    "anything after what cannot be": (
        (TurnedUp("kitten"), TurnedUp("kitten")),
        DrewHidden(),
        "no_deal",
        {},
    ),
}

TWINS: dict[str, tuple[History, Observation]] = {
    "a third Nope": ((Left("nope"),), Left("nope")),
    "a Nope while one is gone and one is face up": (
        (Left("nope"), TurnedUp("favor")),
        Left("nope"),
    ),
    "a card of another game": ((), Left("see_future")),
    "a Nope while one is gone and one was shuffled into the grid": (
        (Left("nope"), TurnedUp("nope"), Hidden(placed=False), DrewHidden()),
        Left("nope"),
    ),
    "a Defuse turned up while one is face up and one in the hand since the deal": (
        (),
        TurnedUp("defuse"),
    ),
    "a Favor turned up while both were drawn face up": (
        (TurnedUp("favor"), DrewFaceUp("favor")),
        TurnedUp("favor"),
    ),
    "a second Defuse while that one lies in the grid": (
        (TurnedUp("defuse"), *DEFUSED, DrewHidden(), TurnedUp("kitten")),
        DEFUSE,
    ),
    "a Kitten in the hand": ((), Left("nope")),
    "a sixth safe draw": (FIVE_DRAWN[1:], DrewHidden()),
    "the last face-down card a Skip": (FIVE_DRAWN, TurnedUp("kitten")),
    "another Kitten": (
        (TurnedUp("kitten"), Hidden(placed=False)),
        TurnedUp("kitten"),
    ),
    "a safe draw from an open grid": (
        (*FIVE_DRAWN[1:], TurnedUp("kitten")),
        DrewHidden(),
    ),
    "a card turned up in an open grid": (
        (*FIVE_DRAWN[1:], TurnedUp("kitten")),
        TurnedUp("skip"),
    ),
    "a Nope from a hand with nothing but the first Defuse": (
        FOUR_PLAYED[1:],
        Left("nope"),
    ),
    "a Nope from a hand of the Defuse and a Skip or a Favor": (
        IMPOSSIBLE["a Nope from a hand of the Defuse and a Skip or a Favor"][0],
        Left("favor"),
    ),
    "a Nope turned up where the Kitten and a Skip were shuffled": (
        (*FIVE_DRAWN[2:], TurnedUp("skip"), Hidden(placed=False)),
        TurnedUp("nope"),
    ),
    "a card from an empty hand": ((*FOUR_PLAYED[1:], *DEFUSED), Left("nope")),
    "a face-up Skip drawn that is not there": (
        (TurnedUp("skip"),),
        DrewFaceUp("skip"),
    ),
    "a face-up Kitten drawn in safety": (
        (TurnedUp("kitten"), TurnedUp("skip")),
        DrewFaceUp("skip"),
    ),
    "anything after what cannot be": ((TurnedUp("kitten"),), DrewHidden()),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_each_impossibility_has_its_reason(name: str) -> None:
    history, observation, reason, facts = IMPOSSIBLE[name]
    state = knowledge(FIFTEEN, history)
    assert state.possible == (reason != "no_deal")
    assert not state.allows(observation)
    assert reason_against(state, observation) == (reason, facts)


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_similar_observation_is_possible(name: str) -> None:
    history, observation = TWINS[name]
    assert knowledge(FIFTEEN, history).allows(observation)
