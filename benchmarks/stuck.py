"""Clients that stop reading beside tables that play on: they harm nobody (promise 55)."""

import asyncio
import statistics
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.load import hang_up, warm
from benchmarks.tables import VERSION, VIEW, RealTable
from benchmarks.wire import Socket
from companion.robots.wire.server import Server, free_port
from tests.server import UNLIMITED

TABLES = 10
TRIES = 3
"""A busy machine may spoil a measurement; what harms others does so each time."""


class Noticed(NamedTuple):
    """Others' p99 while they read and while they don't, in ms; how many were let go."""

    quiet: float
    beside: float
    gone: int


async def _beside(server: Server, seconds: float) -> Noticed:
    port = int(server.url.rpartition(":")[2])
    tables = [RealTable(server.url, seed, patches=True) for seed in range(TABLES)]
    for table in tables:
        await table.open(port)
    await warm(tables, 60)
    shown: dict[Socket, int] = {}

    def heard(socket: Socket, packet: bytes) -> None:
        if packet.startswith(VIEW) and (found := VERSION.search(packet)):
            assert int(found[1]) >= shown.get(socket, 0), "out of order"
            shown[socket] = int(found[1])

    stuck = [
        await Socket.connect("127.0.0.1", port, {"table": table.places[0].table}, heard)
        for table in tables
    ]
    quiet = await _p99(tables, seconds)
    for socket in stuck:
        socket.pause()
    alive = asyncio.create_task(_answer_pings(stuck))
    beside = await _p99(tables, seconds)
    alive.cancel()
    for socket in stuck:
        socket.resume()
    began, received = time.monotonic(), -1
    while received != (now := sum(socket.received for socket in stuck)):
        received = now
        await asyncio.sleep(1)
        assert time.monotonic() < began + 60
    gone = sum(socket.gone for socket in stuck)
    for table, socket in zip(tables, stuck, strict=True):
        assert socket.gone or shown[socket] >= max(table.versions.values()), "it never caught up"
    hang_up(tables)
    for socket in stuck:
        socket.close()
    return Noticed(quiet, beside, gone)


async def _p99(tables: list[RealTable], seconds: float) -> float:
    """How long a command takes to be heard by its table's five, where nobody hurries; in ms."""
    waits: list[float] = []
    end = time.monotonic() + seconds

    async def play(table: RealTable) -> None:
        while time.monotonic() < end:
            await asyncio.sleep(table.chance.uniform(0.05, 0.15))
            waits.append(await table.step())

    await asyncio.gather(*map(play, tables))
    return statistics.quantiles(waits, n=100)[98] * 1000


async def _answer_pings(stuck: list[Socket]) -> None:
    """Says that they are there, although they read nothing."""
    while True:
        await asyncio.sleep(2)
        for socket in stuck:
            socket.send(b"3")


def stuck(folder: Path, seconds: float) -> Noticed:
    """One beside each of some tables, for so long."""
    database = f"sqlite:///{folder / 'stuck.sqlite3'}"
    with Server(port=free_port(), database=database, settings=UNLIMITED) as server:
        for _ in range(TRIES):
            found = asyncio.run(_beside(server, seconds))
            if found.beside <= 1.2 * found.quiet:
                return found
    raise AssertionError(f"who doesn't read harms others: {found}")
