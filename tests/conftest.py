"""Settings and fixtures for the tests in all folders.

Only pytest, Hypothesis and the program's own dependencies are imported here. Fixtures that need a
browser or a database import it themselves, so that the other tests run without it.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.support.iterations import EVERYTHING
from tests.support.servers import fork_server
from tests.support.servers.server import RealServer
from tests.support.spread import spread_over_processes

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.support.servers.engines import Cluster, Redis

# The tests start many servers, so Python may cache their compiled modules.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell runs a background command with SIGINT ignored, but tests press Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

if hasattr(os, "fork"):
    RealServer.start_with = staticmethod(fork_server.fork)

# Examples have no deadline: a slow example only shows that the machine is busy.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the repetitions, except in ``python3 tests all``, and order the selected tests for
    pytest-xdist."""
    left_out = [item for item in items if item.get_closest_marker("repetition")]
    if left_out and not EVERYTHING:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in {*left_out}]
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if processes > 1:
        items[:] = spread_over_processes(items, processes)


def pytest_collection_finish() -> None:
    """Exempt everything that exists now from garbage collection, since it exists until the end.

    Otherwise each collection would visit all modules and tests again, which takes a tenth of a
    second.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Yield a browser that all tests of a process share."""
    from tests.support.chromium import launch_chromium

    with launch_chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """Yield a server without rate limits that the tests of a module share."""
    running = RealServer(tmp_path_factory.mktemp("server"))
    yield running
    running.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., RealServer]]:
    """Yield a function that starts a server with these environment variables.

    All its servers end with the test.
    """
    running: list[RealServer] = []

    def start(module: str = "companion", **variables: str) -> RealServer:
        running.append(RealServer(tmp_path, module, **variables))
        return running[-1]

    yield start
    for server in running:
        server.close()


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """Yield a PostgreSQL cluster that the test can stop and start."""
    from tests.support.servers.engines import postgresql

    with postgresql() as running:
        yield running


@pytest.fixture
def redis() -> Iterator[Redis]:
    """Yield a Redis server that the test can stop and start."""
    from tests.support.servers.engines import Redis

    running = Redis()
    yield running
    running.stop()
