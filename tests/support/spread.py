"""Spread the tests over the processes that run them at the same time."""

from __future__ import annotations

from itertools import groupby

import pytest

FOLDERS_WITH_LONG_TESTS = ("robots", "browser", "cluster", "guarantees", "repository", "simulation")
"""Folders whose tests take seconds each, in the order in which they run. Robots come first, because
their tests wait most: at the end, such a test would keep the others waiting."""


def spread_over_processes(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """Order the tests so that each process begins with long tests, and has about the same number.

    With ``--dist worksteal``, pytest-xdist first gives each process one contiguous piece of the
    list. An idle process later steals from the end of another one's piece. In the usual order, one
    piece would be mostly CPU-bound and another one mostly idle, and the long tests at the end of a
    piece would run when it is too late to steal them. The long tests of a file stay together,
    because they share a server.
    """
    files = [list(group) for _, group in groupby(items, lambda item: item.path)]
    long_files = [
        file for folder in FOLDERS_WITH_LONG_TESTS for file in files
        if file[0].path.parent.name == folder
    ]  # fmt: skip
    short_tests = [item for file in files if file not in long_files for item in file]
    spread: list[pytest.Item] = []
    for process in range(processes):
        piece = [item for file in long_files[process::processes] for item in file]
        ends_at = len(items) * (process + 1) // processes
        missing = max(0, ends_at - len(spread) - len(piece))
        spread += [*piece, *short_tests[:missing]]
        del short_tests[:missing]
    return spread + short_tests
