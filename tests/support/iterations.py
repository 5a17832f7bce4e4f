"""Iteration counts of randomised tests. ``python3 tests all`` multiplies them.

``python3 tests`` tries just enough at random to find a bug that many games have. The nightly run
and each release also look for bugs that only one game in thousands has.
"""

import os
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

EVERYTHING = os.environ.get("COMPANION_TESTS") == "all"
"""True in the larger run, which tests every size, theme and language, and more seeds."""


def scale_count(count: int, factor: int = 10) -> int:
    """Return the number of iterations in this run, which is ``factor`` times as large in ``python3
    tests all``."""
    return count * factor if EVERYTHING else count


def select_share(items: Sequence[Item], each: int) -> list[Item]:
    """Return one in ``each`` of the items, or all of them in ``python3 tests all``."""
    return list(items[:: 1 if EVERYTHING else each])
