"""Fixtures of the promises' tests: servers and proxies that are stopped after the test."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.guarantees.proxy import Proxy
from tests.support.servers.server import Party, RealServer


@pytest.fixture(autouse=True)
def collect_garbage() -> Iterator[None]:
    """Collect garbage after each test, so that warnings about its sockets appear in that test."""
    yield
    gc.collect()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., RealServer]]:
    """Return a function that starts a server from a module, with environment variables."""
    running: list[RealServer] = []

    def start(module: str = "companion", **variables: str) -> RealServer:
        folder = tmp_path / str(len(running))
        folder.mkdir()
        running.append(RealServer(folder, module, **variables))
        return running[-1]

    yield start
    for process in running:
        process.close()


@pytest.fixture
def faulty_server(serve: Callable[..., RealServer], tmp_path: Path) -> tuple[RealServer, Path]:
    """Start a server with injectable faults. Returns it and the file that names the fault."""
    fault = tmp_path / "fault"
    fault.write_text("")
    return serve("tests.guarantees.faulty", FAULT=str(fault)), fault


@pytest.fixture
def proxy() -> Iterator[Callable[..., Proxy]]:
    """Return a function that starts a proxy in front of a server's port."""
    running: list[Proxy] = []

    def start(port: int) -> Proxy:
        running.append(Proxy(port))
        return running[-1]

    yield start
    for process in running:
        process.close()


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RealServer, Party]]:
    """Start a server with a game in progress, for tests that change nothing."""
    server = RealServer(tmp_path_factory.mktemp("shared"))
    yield server, server.create_table("Ana", "Ben").begin()
    server.close()
