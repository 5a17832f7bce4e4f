"""What is promised in seconds and proportions: taken at its word where nothing else runs.

``python3 tests timed`` sees to that and runs what has the marker ``timed``, one after the other.
Everywhere else others share the machine, and what is late says little of ours: there it has ten
times as long, and what only measures is left out.
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
def within(seconds: float) -> Iterator[None]:
    """What is done here takes no longer."""
    began = time.monotonic()
    yield
    took = time.monotonic() - began
    assert took < seconds * LENIENCE, f"{took:.1f} s"
