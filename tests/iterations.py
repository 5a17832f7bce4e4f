"""Iteration counts of randomised tests; ``make soak`` multiplies them by ten.

A regression shows within some hundred games. Faults that only one game in thousands has are
searched for before a release, by the same tests, which have the marker ``soak``.
"""

import os

TIMES = int(os.environ.get("COMPANION_TESTS_TIMES", "1"))


def scale_count(count: int) -> int:
    return count * TIMES
