"""Tests for the cost of a command, counted in function calls because timings vary."""

import sys
from itertools import chain

import pytest

from tests.support.servers.calls import BOUND, OLDEST, average_calls, play_game

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.version_info < OLDEST, reason="calls are counted from Python 3.12 on"),
]


def test_a_command_stays_within_its_bound_of_function_calls() -> None:
    counted = average_calls([*chain(*play_game().values())])
    assert not counted.describe_excesses(BOUND)
