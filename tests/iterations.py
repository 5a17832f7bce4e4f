"""How much of what is tried at random: ten times as much under ``make soak``.

What a change broke shows in some hundred games; what only one of thousands shows is looked for
before a release, by the same tests, which have the marker ``soak``.
"""

import os

TIMES = int(os.environ.get("COMPANION_TESTS_TIMES", "1"))


def often(count: int) -> int:
    return count * TIMES
