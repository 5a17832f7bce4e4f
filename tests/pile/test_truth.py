"""The truth is never refused at one pile: whole games with real cards, every word of them true
(ruling possible-report)."""

import pytest

from tests.pile.truthful import OF_A_PILE, play


@pytest.mark.parametrize("box", OF_A_PILE)
def test_the_truth_is_accepted_and_what_is_known_is_so(box: str) -> None:
    said, _ = play(box, 12 * OF_A_PILE.index(box), 12)
    assert said.total() > 12 * 20


def test_past_its_bound_the_deduction_refuses_no_truth() -> None:
    """It falls back to what holds in all worlds, and says so."""
    _, exact = play("party-122", 100, 9, most=1)
    assert exact < 9
