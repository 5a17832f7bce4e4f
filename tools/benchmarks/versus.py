"""Compares the server with boardgame.io, on which the same game is played.

    python -m tools.benchmarks.versus [--peer memory|file|postgresql]
                                      [--tables 1 --tables 10 --tables 50]
                                      [--rounds 5] [--seconds 2]

Starts the real server (all rules, odds, a view for each player, a durable log) and the peer:
boardgame.io 0.50 with the same game and only a few of its rules (tools/benchmarks/peer). Plays on
both in turn, with five clients per table and one command at a time, and prints the ratios. On the
real server it also plays at tables whose clients get whole views instead of patches (``whole``).

The peer stores its games in memory, in files (FlatFile, while our server uses SQLite), or in
PostgreSQL (bgio-postgres, while our server uses the same database). npm fetches the peer into the
user's cache; the repository contains none of its code.
"""

import asyncio
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import Request, urlopen

import click
import msgspec
from platformdirs import user_cache_path

from companion.robots.demo import Server, free_port
from tests.support.servers.engines import postgresql
from tests.support.servers.load import (
    Figures,
    hang_up,
    measure_tables,
    open_tables,
    print_figures,
    print_ratios,
    warm_up,
)
from tests.support.servers.load_tables import CLIENTS, RealTable, Refused, Round
from tests.support.servers.wire import Socket

PEER = Path(__file__).with_name("peer")
WARM_UP = 80
GAME = b"/draw-grid,"
UPDATE = b"42" + GAME + b'["update",'
SYNC = b"42" + GAME + b'["sync",'
CARDS = ("skip", "shuffle", "see_future", "favor")


class PeerTable(Round):
    """A table on boardgame.io. Its five clients play random legal moves.

    Create such tables one after the other: boardgame.io's PostgreSQL storage fails if two are
    created at once.
    """

    def __init__(self, port: int, seed: int) -> None:
        super().__init__()
        self.chance = Random(seed)
        self.port = port
        made = _post(port, "/games/draw-grid/create", {"numPlayers": CLIENTS})
        self.match = made["matchID"]
        self.credentials = [
            _post(port, f"/games/draw-grid/{self.match}/join", {"playerID": id, "playerName": id})
            for id in map(str, range(CLIENTS))
        ]

    async def open(self, port: int) -> None:
        """Connect the five clients and wait for their first states."""
        for number, joined in enumerate(self.credentials):
            socket = await Socket.connect("127.0.0.1", port, None, self.on_event, GAME)
            self.sockets.append(socket)
            ask = ["sync", self.match, str(number), joined["playerCredentials"], CLIENTS]
            socket.send(b"42" + GAME + json.dumps(ask).encode())
        while len(self.newest) < CLIENTS:
            await asyncio.sleep(0.01)

    def on_event(self, socket: Socket, packet: bytes) -> None:
        """Store a state that a client received."""
        if not packet.startswith((UPDATE, SYNC)):
            return
        self.newest[socket] = packet
        self.versions[socket] = 1
        if self.over is not None and len(self.versions) == CLIENTS and not self.over.done():
            self.over.set_result(time.perf_counter())

    async def step(self) -> float:
        """Make the next move of the game. Return the seconds until the last state has arrived."""
        event = msgspec.json.decode(self.newest[self.sockets[0]][len(b"42" + GAME) :])
        state = event[2]["state"] if event[0] == "sync" else event[2]
        player, move, args = self._choose_move(state["G"])
        payload = {"type": move, "args": args, "playerID": player}
        payload["credentials"] = self.credentials[int(player)]["playerCredentials"]
        action = {"type": "MAKE_MOVE", "payload": payload}
        said = ["update", action, state["_stateID"], self.match, player]
        self.answer = {"ok": True}
        packet = b"42" + GAME + msgspec.json.encode(said)
        self.versions.clear()
        self.over = asyncio.get_running_loop().create_future()
        began = time.perf_counter()
        self.sockets[int(player)].send(packet)
        try:
            return await asyncio.wait_for(self.over, 60) - began
        except TimeoutError:
            raise Refused(f"{move} {args} of {player} in {state['G']}") from None

    def _choose_move(self, game: dict[str, Any]) -> tuple[str, str, list[Any]]:
        """Choose the next player and move. Each kind of move is as frequent as with robots."""
        turn = game["turn"]
        window = game["window"]
        if window:
            left = [id for id in window["may"] if id not in window["passed"]]
            nopes = self.chance.random() < 0.05
            return self.chance.choice(left), "nope" if nopes else "pass", []
        if turn["step"] == "tell":
            grid = game["players"][turn["seat"]]["grid"]
            cells = [[r, c] for r, row in enumerate(grid) for c, there in enumerate(row) if there]
            return turn["instructor"], "instruct", [self.chance.choice(cells)]
        if turn["step"] == "report":
            return turn["seat"], "report", ["safe"]
        if game["players"][turn["seat"]]["hand"] and self.chance.random() < 0.3:
            return turn["seat"], "play", [self.chance.choice(CARDS)]
        return turn["seat"], "draw", [turn["told"]]


def _post(port: int, path: str, body: dict[str, Any]) -> dict[str, Any]:
    request = Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    with urlopen(request) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def start_peer(storage: str, where: str) -> tuple["subprocess.Popen[str]", int]:
    """Start boardgame.io's server. Return its process and port.

    npm fetches the server the first time. ``where`` is a folder for storage in files, an address
    for PostgreSQL.
    """
    folder = user_cache_path("draw-grid-companion") / "peer"
    folder.mkdir(parents=True, exist_ok=True)
    installed = folder / "node_modules" / "package.json"
    for file in PEER.iterdir():
        shutil.copy(file, folder)
    wanted = (PEER / "package.json").read_bytes()
    if not installed.is_file() or installed.read_bytes() != wanted:
        subprocess.run(["npm", "install", "--ignore-scripts", "--no-fund"], cwd=folder, check=True)
        installed.write_bytes(wanted)
    port = free_port()
    command = ["node", "server.js", str(port), storage, where]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    if not process.stdout.readline().startswith("Ready:"):
        raise click.ClickException("boardgame.io's server did not start.")
    return process, port


async def compare_servers(
    real: Server, peer: tuple["subprocess.Popen[str]", int], count: int, rounds: int, seconds: float
) -> dict[str, list[Figures]]:
    """Measure both servers in turn with this number of tables, and print the figures."""
    port = int(real.url.rpartition(":")[2])
    ours: list[Round] = [RealTable(real.url, seed, patches=True) for seed in range(count)]
    whole: list[Round] = [RealTable(real.url, seed) for seed in range(count)]
    theirs: list[Round] = [PeerTable(peer[1], seed) for seed in range(count)]
    sides = (
        ("real", ours, real.process.pid, port),
        ("whole", whole, real.process.pid, port),
        ("peer", theirs, peer[0].pid, peer[1]),
    )
    figures: dict[str, list[Figures]] = {name: [] for name, *_ in sides}
    memory = {}
    for name, tables, process, at in sides:
        memory[name] = await open_tables(tables, at, process)
        await warm_up(tables, WARM_UP)
    for _ in range(rounds):
        for name, tables, process, _at in sides:
            found = await measure_tables(tables, process, seconds)
            figures[name].append(found)
            print_figures(name, found, memory[name])
    hang_up([*ours, *whole, *theirs])
    return figures


@contextmanager
def prepare_storages(storage: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Prepare the storage of both servers.

    Yield the URL of our server's database, and the folder or address of the peer's storage.
    """
    if storage == "postgresql":
        with postgresql() as cluster:
            yield cluster.url, cluster.url.replace("+psycopg2", "")
    else:
        yield f"sqlite:///{folder / 'load.sqlite3'}", str(folder / "peer")


@click.command
@click.option("--peer", type=click.Choice(["memory", "file", "postgresql"]), default="memory",
              show_default=True, help="Where the peer keeps its games.")  # fmt: skip
@click.option("--tables", type=int, multiple=True, default=(1, 10, 50), show_default=True)
@click.option("--rounds", type=int, default=5, show_default=True)
@click.option("--seconds", type=float, default=2.0, show_default=True)
def main(peer: str, tables: tuple[int, ...], rounds: int, seconds: float) -> None:
    """Measure the server and compare it with boardgame.io."""
    rates = {"COMPANION_COMMAND_RATE": "none", "COMPANION_JOIN_RATE": "none"}
    rates["COMPANION_ADDRESS_CONNECTIONS"] = "0"
    for count in tables:
        with (
            tempfile.TemporaryDirectory() as name,
            prepare_storages(peer, Path(name)) as (database, where),
            Server(port=free_port(), database=database, settings=rates) as real,
        ):
            click.echo(
                f"{count} tables of {CLIENTS}, the peer's in {peer}\n"
                "      cmd/s   p50 ms   p95 ms   p99 ms  CPU ms/c  kB/conn kB/cmd  client"
            )
            other = start_peer(peer, where)
            try:
                figures = asyncio.run(compare_servers(real, other, count, rounds, seconds))
            finally:
                other[0].terminate()
                other[0].wait(10)
        print_ratios(count, figures)
        print_ratios(count, {name: figures[name] for name in ("real", "whole")})


if __name__ == "__main__":
    main()
