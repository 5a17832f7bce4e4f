"""Tests for the draw of lots for the first player."""

import pytest

from companion.rules.variants.variant import Variant
from tests.panel.scenes import VARIANT, prepare_game
from tests.support.own_variants import load_own

PILE = load_own("party-120")


@pytest.mark.parametrize("variant", [VARIANT, PILE], ids=["grid", "pile"])
@pytest.mark.parametrize("first", ["lot", "Cleo"])
def test_the_log_says_if_lots_were_drawn_for_the_first_player(variant: Variant, first: str) -> None:
    play = prepare_game(variant=variant)
    play.send("Ana", "begin", first=first if first == "lot" else play.seat(first))
    log = play.view(None)["log"]
    began = next(entry for entry in log if entry["type"] == "game_began")
    assert began["facts"].get("by_lot", False) is (first == "lot")
    assert began["facts"]["first"] in {seat["seat"] for seat in play.view(None)["seats"]}
