"""Iteration counts of randomised tests. ``python3 tests all`` multiplies them.

``python3 tests`` tries just enough at random to find a bug that many games have. The nightly run
and each release also look for bugs that only one game in thousands has.
"""

import os

EVERYTHING = os.environ.get("COMPANION_TESTS") == "all"
"""True in the larger run, which tests every size, theme and language, and more seeds."""


def scale_count(count: int, factor: int = 10) -> int:
    """Return the number of iterations in this run, which is ``factor`` times as large in ``python3
    tests all``."""
    return count * factor if EVERYTHING else count
