"""The server's memory after clients and tables are gone."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from benchmarks.load import resident
from benchmarks.turnover import turnover
from benchmarks.wire import Socket
from tests.server import RealServer

ONE_BY_ONE = {"COMPANION_ADDRESS_CONNECTIONS": "0", "COMPANION_ROBOTS": "0"}

WARM = 400
COUNTED = 200

LEFT_BY_EACH = 5_000
"""Bytes that who comes and goes may leave; what is known of one request is 18,000."""


def bytes_left_by(server: RealServer, come_and_go: Callable[[], Awaitable[None]]) -> float:
    """Return the bytes that each of a hundred leaves behind, after as many for warming up."""

    async def often() -> float:
        seen = []
        for times in (WARM, COUNTED):
            for _ in range(times):
                await come_and_go()
            await asyncio.sleep(2)  # until then its next ping knows the connection
            seen.append(resident(server.process.pid))
        return (seen[1] - seen[0]) / COUNTED

    return asyncio.run(often())


@pytest.mark.slow
def test_132_a_disconnected_client_leaves_nothing_for_the_collector(tmp_path: Path) -> None:
    server = RealServer(tmp_path, module="tests.uncollected", **ONE_BY_ONE)
    made = server.post("/api/tables", {"name": "Ana"}).json
    auth = {"table": made["table"], "token": made["token"]}

    async def come_and_go() -> None:
        seen = asyncio.Event()
        socket = await Socket.connect("127.0.0.1", server.port, auth, lambda *_: seen.set())
        await seen.wait()
        socket.close()

    assert bytes_left_by(server, come_and_go) < LEFT_BY_EACH
    server.close()


@pytest.mark.slow
def test_132_an_http_caller_leaves_nothing_for_the_collector(tmp_path: Path) -> None:
    server = RealServer(tmp_path, module="tests.uncollected", **ONE_BY_ONE)
    code = server.post("/api/tables", {"name": "Ana"}).json["table"]

    async def ask() -> None:
        assert server.get(f"/api/tables/{code}").status == 200

    assert bytes_left_by(server, ask) < LEFT_BY_EACH
    server.close()


@pytest.mark.slow
def test_132_tables_that_were_left_take_no_more_and_more(tmp_path: Path) -> None:
    """The short form of ``python -m benchmarks.turnover``."""
    server = RealServer(tmp_path, **ONE_BY_ONE)
    found = asyncio.run(turnover(server.url, server.process.pid, 160, 16, 30))
    assert found[-1] - found[len(found) // 2] < 20, found
    server.close()
