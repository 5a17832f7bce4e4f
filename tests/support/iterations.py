"""Iteration counts of randomised tests; ``python3 tests all`` multiplies them by ten.

Most bugs show within some hundred games. The nightly run and a release also look for bugs that only
one game in thousands has.
"""

import os

EVERYTHING = os.environ.get("COMPANION_TESTS") == "all"
"""True in the second tier, which repeats proofs: every size, theme and language, more seeds."""


def scale_count(count: int) -> int:
    """Return the number of iterations in this run of the tests."""
    return count * 10 if EVERYTHING else count
