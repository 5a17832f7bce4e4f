"""Iteration counts of randomised tests. ``python3 tests all`` multiplies them by ten.

Most bugs show within a few hundred games. The nightly run and each release also look for bugs that
only one game in thousands has.
"""

import os

EVERYTHING = os.environ.get("COMPANION_TESTS") == "all"
"""True in the larger run, which tests every size, theme and language, and more seeds."""


def scale_count(count: int) -> int:
    """Return the number of iterations in this run."""
    return count * 10 if EVERYTHING else count
