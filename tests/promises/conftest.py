"""Servers for the promises' tests: started as each test wants them, gone when it ends."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.promises.proxy import Proxy
from tests.server import Party, RealServer


@pytest.fixture(autouse=True)
def tidy() -> Iterator[None]:
    """What a test's broken connections left behind goes with it, not with the next one."""
    yield
    gc.collect()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., RealServer]]:
    """Starts a server by this module with these variables set."""
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
    """A server, and the file that says what goes wrong with its next commits."""
    fault = tmp_path / "fault"
    fault.write_text("")
    return serve("tests.promises.faulty", FAULT=str(fault)), fault


@pytest.fixture
def proxy() -> Iterator[Callable[..., Proxy]]:
    """Starts proxies before a server's port."""
    running: list[Proxy] = []

    def start(port: int) -> Proxy:
        running.append(Proxy(port))
        return running[-1]

    yield start
    for one in running:
        one.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RealServer, Party]]:
    """One server for what must not change anything."""
    server = RealServer(tmp_path_factory.mktemp("shared"))
    yield server, server.table("Ana", "Ben").begin()
    server.close()
