"""Tests that disconnected clients and deleted tables leave nothing in the server's memory."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.support.aio import run_coroutine
from tests.support.iterations import scale_count
from tests.support.servers.load import read_resident_bytes
from tests.support.servers.server import RealServer
from tests.support.servers.turnover import measure_memory
from tests.support.servers.wire import Socket

SETTINGS = {"COMPANION_ADDRESS_CONNECTIONS": "0", "COMPANION_ROBOTS": "0"}

WARM_UP_ROUNDS = 400
COUNTED_ROUNDS = 200

MOST_BYTES_LEFT = 5_000
"""Most bytes that a visit may leave behind. For comparison, the objects of a single request take
18,000 bytes."""


def measure_bytes_left(server: RealServer, visit: Callable[[], Awaitable[None]]) -> float:
    """Return the bytes that each visit leaves behind, counted after a warm-up."""

    async def run_rounds() -> float:
        sizes = []
        for times in (WARM_UP_ROUNDS, COUNTED_ROUNDS):
            for _ in range(times):
                await visit()
            # by then, the server has dropped the last connection's pending ping
            await asyncio.sleep(2)
            sizes.append(read_resident_bytes(server.process.pid))
        return (sizes[1] - sizes[0]) / COUNTED_ROUNDS

    return run_coroutine(run_rounds())


@pytest.mark.slow
def test_132_a_disconnected_client_leaves_nothing_for_the_collector(tmp_path: Path) -> None:
    server = RealServer(tmp_path, module="tests.guarantees.uncollected", **SETTINGS)
    created = server.post("/api/tables", {"name": "Ana"}).json
    auth = {"table": created["table"], "token": created["token"]}

    async def visit() -> None:
        received = asyncio.Event()
        socket = await Socket.connect("127.0.0.1", server.port, auth, lambda *_: received.set())
        await received.wait()
        socket.close()

    assert measure_bytes_left(server, visit) < MOST_BYTES_LEFT
    server.close()


@pytest.mark.slow
def test_132_an_http_caller_leaves_nothing_for_the_collector(tmp_path: Path) -> None:
    server = RealServer(tmp_path, module="tests.guarantees.uncollected", **SETTINGS)
    code = server.post("/api/tables", {"name": "Ana"}).json["table"]

    async def request_view() -> None:
        assert server.get(f"/api/tables/{code}").status == 200

    assert measure_bytes_left(server, request_view) < MOST_BYTES_LEFT
    server.close()


@pytest.mark.slow
def test_132_memory_stops_growing_while_tables_come_and_go(tmp_path: Path) -> None:
    """This is the short form of ``python -m tools.benchmarks.turnover``."""
    server = RealServer(tmp_path, **SETTINGS)
    megabytes = run_coroutine(
        measure_memory(server.url, server.process.pid, scale_count(40), scale_count(6), 20)
    )
    assert megabytes[-1] - megabytes[len(megabytes) // 2] < 20, megabytes
    server.close()
