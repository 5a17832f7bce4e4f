"""Print the CPU-seconds of the tests, by folder and by test (``python3 tests --cpu``).

A test's figure includes its process and all processes that the tests started: servers, browsers and
databases. It includes what these compute in the background until the test ends. The figures come
from ``/proc``, so they are complete only on Linux.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 1
NAME = "cpu_seconds"
MOST = 30
"""Number of the most expensive tests that are listed."""


class Meter:
    """Measures each test, and prints the sums at the end of the run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.read_at_last = 0.0
        self.by_test = Counter[str]()
        self.has_started = False
        self.others = 0.0  # CPU-seconds of the workers that belong to no test

    def read_new(self) -> float:
        """Return the CPU-seconds since the last call."""
        now = read_cpu_seconds()
        # If a process is killed, the CPU time of its children can be lost from the sum.
        new = max(0.0, now - self.read_at_last)
        self.read_at_last = now
        return new

    def pytest_runtest_logstart(self) -> None:
        """Read the figures before the first test. Later ones begin where the one before ended."""
        if not self.has_started and not is_controller(self.config):
            self.has_started = True
            self.others += self.read_new()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Iterator[None]:
        """Read the figures once a test, since reading a browser's takes 2 ms."""
        report: pytest.TestReport = yield
        if report.when == "teardown":
            report.user_properties.append((NAME, self.read_new()))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == NAME:
                self.by_test[report.nodeid] += value

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.others += getattr(node, "workeroutput", {}).get(NAME, 0)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        if not is_controller(self.config):
            self.others += self.read_new()
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput[NAME] = self.others

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        write = terminalreporter.write_line
        by_folder = Counter[str]()
        for test, seconds in self.by_test.items():
            by_folder["/".join(test.partition("::")[0].split("/")[:2])] += seconds
        by_folder["start and end of the processes"] = self.others
        terminalreporter.section("CPU-seconds")
        for title, seconds in by_folder.most_common():
            write(f"{seconds:8.1f}  {title}")
        write(f"{by_folder.total():8.1f}  altogether")
        terminalreporter.section(f"CPU-seconds of the {MOST} most expensive tests")
        for test, seconds in self.by_test.most_common(MOST):
            write(f"{seconds:8.1f}  {test}")


def is_controller(config: pytest.Config) -> bool:
    """Return True in the process that leaves the tests to pytest-xdist's workers."""
    return not hasattr(config, "workerinput") and bool(config.getoption("dist", "no") != "no")


def read_cpu_seconds() -> float:
    """Return the CPU-seconds of this process and all its descendants, also of those that have
    ended."""
    import resource  # Windows doesn't have it

    spent = 0.0
    for kind in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        used = resource.getrusage(kind)
        spent += used.ru_utime + used.ru_stime
    return spent + sum(read_cpu_ticks(process) for process in list_descendants("self")) / TICKS


def read_cpu_ticks(process: str) -> int:
    """Return the CPU time of a process and of its children that have ended, or 0 if it is gone."""
    try:
        stat = Path("/proc", process, "stat").read_text()
    except OSError:
        return 0
    return sum(map(int, stat.rpartition(")")[2].split()[11:15]))


def list_descendants(process: str) -> Iterator[str]:
    """Yield the ids of the processes that a process started, and that they started."""
    with suppress(OSError):
        for thread in Path("/proc", process, "task").iterdir():
            with suppress(OSError):
                for child in (thread / "children").read_text().split():
                    yield child
                    yield from list_descendants(child)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Meter(config), "cpu_seconds_meter")
