"""A progress bar in place of pytest's dots, for a terminal (``-p tests.support.progress_bar``)."""

import time
from collections.abc import Generator
from typing import Any

import pytest

WIDTH = 30


class Bar:
    """Shows how many tests have run and failed, and an estimate of the remaining time."""

    def __init__(self, config: pytest.Config) -> None:
        self.writer = config.get_terminal_writer()
        self.all = self.run = self.failed = 0
        self.begun = time.monotonic()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.expect(len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        self.expect(len(ids))

    def expect(self, tests: int) -> None:
        self.all = max(self.all, tests)
        self.begun = time.monotonic()

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(self) -> Generator[None, Any, Any]:
        category, _dot, word = yield
        return category, "", word

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed += report.failed
        if report.when == "teardown":
            self.run += 1
            self.writer.write("\r" + self.line(), flush=True)

    def pytest_sessionfinish(self) -> None:
        self.writer.line()

    def line(self) -> str:
        full = WIDTH * self.run // max(self.all, self.run, 1)
        bar = "█" * full + "·" * (WIDTH - full)
        took = time.monotonic() - self.begun
        left = round(took / max(self.run, 1) * (self.all - self.run) / 60)
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{bar} {self.run} of {self.all}{failed}, {left} min left "


@pytest.hookimpl(trylast=True)  # after pytest has created its terminal reporter
def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Bar(config), "bar")
