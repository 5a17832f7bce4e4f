"""Fixtures: real servers, databases and a browser, some shared by tests and some that a test may
kill."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser

from tests.support.chromium import launch_chromium as chromium_on_the_path
from tests.support.servers import engines, fork_server
from tests.support.servers.server import RealServer

# The tests start many servers. Let Python cache the compiled modules for them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

RealServer.start_with = staticmethod(fork_server.fork)

# A slow example only shows that the machine is busy, so examples have no deadline.
slow = [HealthCheck.too_slow]
settings.register_profile("unhurried", deadline=None, suppress_health_check=slow)
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser, shared by all tests of a process."""
    with chromium_on_the_path() as browser:
        yield browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: Any) -> Iterator[RealServer]:
    """A server without rate limits, shared by the tests of a module."""
    running = RealServer(tmp_path_factory.mktemp("server"))
    yield running
    running.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., RealServer]]:
    """A function that starts a server with environment variables. All servers end with the test."""
    running: list[RealServer] = []

    def start(module: str = "companion", **more: str) -> RealServer:
        running.append(RealServer(tmp_path, module, **more))
        return running[-1]

    yield start
    for one in running:
        one.close()


@pytest.fixture
def cluster() -> Iterator[engines.Cluster]:
    """A PostgreSQL cluster that the test may stop and start."""
    with engines.postgresql() as running:
        yield running


@pytest.fixture
def redis() -> Iterator[engines.Redis]:
    """A Redis server that the test may stop and start."""
    running = engines.Redis()
    yield running
    running.stop()
