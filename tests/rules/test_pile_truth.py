"""Tests that play whole classic games with real cards: no true report is refused (ruling
possible-report)."""

import pytest

from tests.support.iterations import scale_count
from tests.support.pile_script import WITH_EXPANSION
from tests.support.pile_truthful import OF_A_PILE, play_games


@pytest.mark.parametrize("box", OF_A_PILE)
def test_the_truth_is_accepted_and_what_is_known_is_so(box: str) -> None:
    games = scale_count(1, 40)
    said, _ = play_games(box, games * OF_A_PILE.index(box), games)
    assert said.total() > games * 20


@pytest.mark.slow
@pytest.mark.parametrize("box", WITH_EXPANSION)
def test_the_truth_is_accepted_with_an_expansion(box: str) -> None:
    games = scale_count(1, 40)
    said, _ = play_games(box, 1 + games * WITH_EXPANSION.index(box), games)
    assert said.total() > games * 20


def test_beyond_its_limit_the_deduction_refuses_no_true_report() -> None:
    """Beyond its limit, the deduction keeps only facts that are true for every layout of the cards.
    The view then says that the odds aren't exact."""
    games = scale_count(1, 90)
    _, exact = play_games("party-122", 100, games, most=1)
    assert exact < games
