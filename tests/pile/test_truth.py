"""The truth is never refused at one pile: whole games with real cards, every word of them true
(ruling possible-report)."""

import pytest

from tests.pile.truthful import OF_A_PILE, play


@pytest.mark.parametrize("box", OF_A_PILE)
def test_the_truth_is_accepted_and_what_is_known_is_so(box: str) -> None:
    said, _ = play(box, 12 * OF_A_PILE.index(box), 12)
    assert said.total() > 12 * 20
