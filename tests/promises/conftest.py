"""Fixtures of the promises' tests: servers and proxies that end with the test."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.promises.proxy import Proxy
from tests.server import Party, RealServer


@pytest.fixture(autouse=True)
def tidy() -> Iterator[None]:
    """Collect what a test's broken connections left behind, so that its warnings appear there."""
    yield
    gc.collect()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., RealServer]]:
    """A function that starts a server from this module, with these environment variables."""
    running: list[RealServer] = []

    def start(module: str = "companion", **variables: str) -> RealServer:
        folder = tmp_path / str(len(running))
        folder.mkdir()
        running.append(RealServer(folder, module, **variables))
        return running[-1]

    yield start
    for one in running:
        one.close()


@pytest.fixture
def faulty(serve: Callable[..., RealServer], tmp_path: Path) -> tuple[RealServer, Path]:
    """A server, and the file that names the fault of its next commits (see ``faulty``)."""
    fault = tmp_path / "fault"
    fault.write_text("")
    return serve("tests.promises.faulty", FAULT=str(fault)), fault


@pytest.fixture
def proxy() -> Iterator[Callable[..., Proxy]]:
    """A function that starts a proxy in front of a server's port."""
    running: list[Proxy] = []

    def start(port: int) -> Proxy:
        running.append(Proxy(port))
        return running[-1]

    yield start
    for one in running:
        one.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RealServer, Party]]:
    """A server with a game under way, shared by tests that must not change it."""
    server = RealServer(tmp_path_factory.mktemp("shared"))
    yield server, server.create_table("Ana", "Ben").begin()
    server.close()
