"""What a command costs in calls, which is watched like what it costs in time and has no noise."""

import sys
from itertools import chain

import pytest

from benchmarks.calls import BOUND, OLDEST, figures, played

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.version_info < OLDEST, reason="calls are counted from Python 3.12 on"),
]


def test_a_command_calls_no_more_than_it_may() -> None:
    """What calls most is told by ``python -m benchmarks.calls``."""
    found = figures([*chain(*played().values())])
    assert not found.above(BOUND)
