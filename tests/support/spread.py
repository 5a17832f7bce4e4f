"""Spread the tests over the processes that run them at the same time."""

from __future__ import annotations

from itertools import groupby

import pytest

LONG = ("browser", "cluster", "guarantees", "repository", "robots", "simulation")
"""The folders whose tests take seconds."""


def spread_over_processes(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """Return the tests in an order in which each process has equally many of them, and begins with
    long ones.

    pytest-xdist cuts the list into pieces of equal length, one for each process. In the usual
    order, one piece would compute all the time and another one mostly wait, and the processes would
    end with long tests, which nobody else could take over. Files with long tests stay whole,
    because their tests share a server.
    """
    files = [list(group) for _, group in groupby(items, lambda item: item.path)]
    long = [file for file in files if file[0].path.parent.name in LONG]
    short = [item for file in files if file not in long for item in file]
    spread: list[pytest.Item] = []
    for process in range(processes):
        piece = [item for file in long[process::processes] for item in file]
        ends_at = len(items) * (process + 1) // processes
        missing = max(0, ends_at - len(spread) - len(piece))
        spread += [*piece, *short[:missing]]
        del short[:missing]
    return spread + short
