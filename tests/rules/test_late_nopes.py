"""Nopes that come too late or hit a card that can't be Noped are refused with the right ruling."""

from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from companion.rules.core.commands import DecisionInputs
from companion.rules.core.referee import decide
from companion.rules.text.rulings import Refused
from tests.support.game_script import QUARANTINED, Script
from tests.support.pile_script import PARTY, PileScript
from tests.support.say import say


class Family(NamedTuple):
    """A family's script class and variant, and the lines of the script before Ana's Skip and after
    its window."""

    script: type[Script]
    variant: Any
    begins: tuple[str, ...]
    goes_on: tuple[str, ...]


GRID = Family(
    Script, QUARANTINED, ("players: ana ben cleo", "cleo tells top-left"), ("ana tells top-left",)
)
PILE = Family(PileScript, PARTY, ("players: ana ben cleo",), ("ben draws",))

either_family = pytest.mark.parametrize("family", [GRID, PILE], ids=["grid", "pile"])


def play_lines(family: Family, *lines: str, variant: Any = None) -> Script:
    script = family.script(variant or family.variant)
    for line in (*family.begins, *lines):
        script.run_line(line)
    return script


def get_refusal(script: Script, window: int) -> tuple[str, str | None]:
    """Send Cleo's Nope for this window. Returns the code and the ruling of its refusal."""
    nope = say.PlayNope(window=window)
    with pytest.raises(Refused) as refused:
        decide(
            script.table, nope, sender=script.seat("cleo"), inputs=DecisionInputs(now=script.now)
        )
    return refused.value.code, refused.value.ruling


@either_family
def test_a_nope_for_a_window_that_is_no_longer_open_is_stale(family: Family) -> None:
    script = play_lines(family, "ana plays skip")
    window = script.window()
    script.run_line("... 9s")
    assert get_refusal(script, window) == ("stale", "in-time")
    for line in family.goes_on:
        script.run_line(line)
    assert get_refusal(script, window) == ("stale", "un-nopeable")


@either_family
def test_a_nope_on_what_cannot_be_noped_is_refused_by_un_nopeable(family: Family) -> None:
    script = play_lines(family, "ana plays skip", "... 9s", *family.goes_on)
    for window in (0, script.table.version, script.table.version + 1):
        assert get_refusal(script, window) == ("refused", "un-nopeable")


@either_family
def test_a_nope_for_a_card_that_was_taken_back_is_stale(family: Family) -> None:
    script = play_lines(family, "ana plays skip")
    window = script.window()
    script.run_line("ana undoes")
    assert get_refusal(script, window)[0] == "stale"


@either_family
def test_a_nope_for_a_window_of_the_game_before_is_stale(family: Family) -> None:
    script = play_lines(family, "ana plays skip")
    window = script.window()
    lines = ["ana ends the game", "ana prepares"]
    lines += [f"{name} is ready" for name in ("ana", "ben", "cleo")]
    for line in (*lines, "ana begins with ana", *family.begins[1:]):
        script.run_line(line)
    assert get_refusal(script, window)[0] == "stale"


@either_family
def test_a_nope_on_an_un_nopeable_card_is_refused_by_un_nopeable(
    family: Family,
) -> None:
    cards = tuple(
        replace(card, nopeable=card.nopeable and card.id != "skip") for card in family.variant.cards
    )
    script = play_lines(family, "ana plays skip", variant=replace(family.variant, cards=cards))
    assert get_refusal(script, 0) == ("refused", "un-nopeable")
