"""The cost of a command in function calls, which has no noise, unlike its cost in time."""

import sys
from itertools import chain

import pytest

from benchmarks.calls import BOUND, OLDEST, figures, play_game

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.version_info < OLDEST, reason="calls are counted from Python 3.12 on"),
]


def test_a_command_calls_no_more_than_it_may() -> None:
    """``python -m benchmarks.calls`` names the functions with the most calls."""
    found = figures([*chain(*play_game().values())])
    assert not found.above(BOUND)
