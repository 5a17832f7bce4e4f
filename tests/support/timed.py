"""Time limits in seconds for the promises about speed.

``python3 tests timed`` runs the tests with the marker ``timed``, one after the other. Other runs
share the machine, so their limits are ten times as long, and pure measurements are skipped.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

QUIET = bool(os.environ.get("COMPANION_TESTS_QUIET"))
LENIENCE = 1 if QUIET else 10

only_measures = pytest.mark.skipif(not QUIET, reason="it measures: python3 tests timed")


@contextmanager
def limit_seconds(seconds: float) -> Iterator[None]:
    """Fail if the block takes longer than ``seconds``, or ten times as long on a shared machine."""
    began = time.monotonic()
    yield
    took = time.monotonic() - began
    assert took < seconds * LENIENCE, f"{took:.1f} s"
