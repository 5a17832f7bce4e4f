"""Measures how much clients that stop reading slow down the others (promise 55: not at all)."""

import asyncio
import statistics
import time
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from companion.robots.demo import Server, free_port
from tests.support.servers.load import hang_up, warm_up
from tests.support.servers.load_tables import VERSION, VIEW, RealTable
from tests.support.servers.server import UNLIMITED
from tests.support.servers.wire import Socket

TABLES = 10
TRIES = 3
"""Number of attempts. A busy machine may spoil one of them, but real harm shows in all."""


SLICES = 15
"""Number of parts into which the measured time is divided. In each part, the tables with stuck
spectators and the tables without them are measured one after the other. So other load on the
machine affects both alike."""


class Noticed(NamedTuple):
    """The effect of stuck spectators on the players."""

    quiet: float  # 99th percentile of the players' waits in ms, without stuck spectators
    beside: float  # the same with stuck spectators
    disconnected: int  # number of stuck spectators that the server disconnected


class Hall:
    """The tables of one server, each with a spectator."""

    def __init__(self, server: Server) -> None:
        self.tables = [RealTable(server.url, seed, patches=True) for seed in range(TABLES)]
        self.port = int(server.url.rpartition(":")[2])
        self.watching: list[Socket] = []
        self.shown: dict[Socket, int] = {}
        self.waits: list[float] = []

    async def open(self) -> None:
        """Seat all players, play the first commands, and connect the spectators."""
        for table in self.tables:
            await table.open(self.port)
        await warm_up(self.tables, 60)
        for table in self.tables:
            auth = {"table": table.places[0].table}
            self.watching.append(await Socket.connect("127.0.0.1", self.port, auth, self.on_packet))

    def on_packet(self, socket: Socket, packet: bytes) -> None:
        """Record a view that a spectator received."""
        if packet.startswith(VIEW) and (found := VERSION.search(packet)):
            assert int(found[1]) >= self.shown.get(socket, 0), "out of order"
            self.shown[socket] = int(found[1])

    async def play(self, seconds: float) -> None:
        """Play slowly, and record the seconds until all five players have received each command."""
        end = time.monotonic() + seconds

        async def play_table(table: RealTable) -> None:
            while time.monotonic() < end:
                await asyncio.sleep(table.chance.uniform(0.05, 0.15))
                self.waits.append(await table.step())

        await asyncio.gather(*map(play_table, self.tables))

    @property
    def p99(self) -> float:
        """The 99th percentile of the waits, in ms."""
        return statistics.quantiles(self.waits, n=100)[98] * 1000

    async def catch_up(self) -> int:
        """Let the spectators read until they are up to date. Return how many were disconnected."""
        for socket in self.watching:
            socket.resume()
        began = time.monotonic()
        received = -1
        while received != (now := sum(socket.received for socket in self.watching)):
            received = now
            await asyncio.sleep(1)
            assert time.monotonic() < began + 60
        for table, socket in zip(self.tables, self.watching, strict=True):
            newest = max(table.versions.values())
            assert socket.gone or self.shown[socket] >= newest, "it never caught up"
        return sum(socket.gone for socket in self.watching)

    def close(self) -> None:
        """Hang up."""
        hang_up(self.tables)
        for socket in self.watching:
            socket.close()


async def _measure_side_by_side(servers: tuple[Server, Server], seconds: float) -> Noticed:
    quiet, beside = halls = Hall(servers[0]), Hall(servers[1])
    for hall in halls:
        await hall.open()
    for socket in beside.watching:
        socket.pause()
    alive = asyncio.create_task(_answer_pings(beside.watching))
    for number in range(SLICES):
        for hall in halls if number % 2 else reversed(halls):
            await hall.play(seconds / SLICES)
    alive.cancel()
    found = Noticed(quiet.p99, beside.p99, await beside.catch_up())
    for hall in halls:
        hall.close()
    return found


async def _answer_pings(stuck: list[Socket]) -> None:
    """Send pongs for clients that don't read, so that the server considers them connected."""
    while True:
        await asyncio.sleep(2)
        for socket in stuck:
            socket.send(b"3")


def measure_stuck_clients(folder: Path, seconds: float) -> Noticed:
    """Measure tables with and without a stuck spectator, for ``seconds`` each.

    Raise ``AssertionError`` if the players' waits differ too much in all attempts.
    """
    with ExitStack() as open:
        servers = [open.enter_context(_server(folder / f"{name}.sqlite3")) for name in "ab"]
        for _ in range(TRIES):
            found = asyncio.run(_measure_side_by_side((servers[0], servers[1]), seconds))
            if found.beside <= 1.2 * found.quiet:
                return found
    raise AssertionError(f"who doesn't read harms others: {found}")


def _server(database: Path) -> Server:
    return Server(port=free_port(), database=f"sqlite:///{database}", settings=UNLIMITED)
