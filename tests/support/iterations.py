"""Iteration counts of randomised tests; ``make soak`` multiplies them by ten.

Most bugs show within some hundred games. Before a release, the tests with the marker ``soak`` look
for bugs that only one game in thousands has.
"""

import os

TIMES = int(os.environ.get("COMPANION_TESTS_TIMES", "1"))


def scale_count(count: int) -> int:
    """Return the number of iterations in this run of the tests."""
    return count * TIMES
