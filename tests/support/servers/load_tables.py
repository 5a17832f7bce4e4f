"""Tables of five clients that keep a server busy.

Robots with real cards play whole games with the commands in ``you.may``. They
send one command at a time, each over its own seat's connection. A step ends when the
acknowledgement and all five views have arrived.
"""

import asyncio
import re
import time
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any
from uuid import UUID

import msgspec

from companion.robots import client
from companion.robots.grid.player import Player, Secrets
from companion.robots.party import Plan, choose_host_command
from companion.robots.player import TEMPERS, Wish
from companion.robots.view import View, apply_patch, seat_of
from tests.support.servers.wire import Socket

CLIENTS = 5
UNDO = 0.01
"""Probability that the next command is an undo by the host."""

PLAN = Plan(robots=CLIENTS, games=0)
VIEW = b'42["view",'
PATCH = b'42["patch",'
VERSION = re.compile(rb'"version":\s*(\d+)')


class OnTheTable(Player):
    """A robot whose seat has real cards, so that the host's view also lists this seat's commands.

    If the seat had a device deck, only its own view would list them.
    """

    def _get_ready(self, view: View) -> Wish | None:
        ready = seat_of(view, self.seat)["ready"]
        return None if ready else self.make_wish({"type": "ready", "ready": True})


class Refused(Exception):
    """Raised if the server refused a command that was legal in the robot's view."""


class Late(Refused):
    """Raised if the command came after its Nope window had ended. Windows last 30 s."""


class Round:
    """The five connections of a table, and the command that was sent last."""

    def __init__(self) -> None:
        self.sockets: list[Socket] = []
        self.newest: dict[Socket, bytes] = {}
        self.patches: dict[Socket, list[bytes]] = {}
        self.views: dict[Socket, View] = {}
        self.versions: dict[Socket, int] = {}
        self.answer: dict[str, Any] | None = None
        self.over: asyncio.Future[float] | None = None

    async def open(self, port: int) -> None:
        """Open a connection for each of the five seats."""
        raise NotImplementedError

    async def step(self) -> float:
        """Send the next command. Return the seconds until the last view has arrived."""
        raise NotImplementedError

    async def connect(self, port: int, auths: Sequence[dict[str, Any]]) -> None:
        """Open a connection for each of the five seats."""
        for auth in auths:
            self.sockets.append(await Socket.connect("127.0.0.1", port, auth, self.on_packet))

    def on_packet(self, socket: Socket, packet: bytes) -> None:
        """Handle a view or an acknowledgement."""
        if packet.startswith(VIEW):
            found = VERSION.search(packet)
            assert found
            self.newest[socket] = packet
            self.views.pop(socket, None)
            self.patches[socket] = []
            self.versions[socket] = int(found[1])
        elif packet.startswith(PATCH):
            found = VERSION.search(packet)
            assert found
            self.patches[socket].append(packet)
            self.versions[socket] = int(found[1])
        elif packet.startswith(b"43"):
            self.answer = msgspec.json.decode(packet[packet.index(b"[") :])[0]
        else:
            return
        if self.over is not None and self._complete() and not self.over.done():
            self.over.set_result(time.perf_counter())

    def _complete(self) -> bool:
        if self.answer is None:
            return False
        if not self.answer["ok"]:
            return True
        version = self.answer["version"]
        return len(self.versions) == CLIENTS and min(self.versions.values()) >= version

    async def send_command(self, socket: Socket, packet: bytes) -> float:
        """Send a command and wait for all five views. Return the elapsed seconds."""
        self.versions.clear()
        self.answer = None
        self.over = asyncio.get_running_loop().create_future()
        began = time.perf_counter()
        socket.send(packet)
        ended = await asyncio.wait_for(self.over, 60)
        answer: dict[str, Any] = self.answer or {}
        if not answer["ok"]:
            late = answer["error"]["ruling"] == "in-time"
            raise (Late if late else Refused)(f"{packet.decode()}: {answer}")
        return ended - began

    @property
    def bytes_received(self) -> int:
        """Number of bytes of events and acknowledgements received so far."""
        return sum(socket.received for socket in self.sockets)

    def close(self) -> None:
        """Close all connections."""
        for socket in self.sockets:
            socket.close()


class RealTable(Round):
    """A table on the real server, played by five robots without thinking times."""

    def __init__(self, url: str, seed: int, patches: bool = False) -> None:
        super().__init__()
        self.asks = {"patches": "keys"} if patches else {}
        self.chance = Random(seed)
        names = ["Ana", "Ben", "Cleo", "Dan", "Élodie"]
        # Windows have to stay open while other tables are measured.
        first = client.make_table(url, names[0], options={"nope_seconds": 30})
        self.places = [first, *(client.take_seat(url, first.table, n) for n in names[1:])]
        variant = client.fetch_variant(url, "quarantined")
        self.players = {
            place.seat: OnTheTable(place.seat, temper, self.chance, variant)
            for place, temper in zip(self.places, TEMPERS, strict=False)
        }
        for place in self.places:
            self.players[place.seat].secrets = Secrets(self.chance.randbytes(32).hex())
            self.players[place.seat].log = partial(client.fetch_log, url, place)

    async def open(self, port: int) -> None:
        """Connect the five clients and wait for their first views."""
        auths = [{"table": place.table, "token": place.token, **self.asks} for place in self.places]
        await self.connect(port, auths)
        self.by_seat = {p.seat: s for p, s in zip(self.places, self.sockets, strict=True)}
        while len(self.newest) < CLIENTS:
            await asyncio.sleep(0.01)

    async def step(self) -> float:
        """Send the game's next command. Return the seconds until the last view has arrived."""
        while True:
            try:
                return await self._step()
            except Late:
                await asyncio.sleep(0.01)

    async def _step(self) -> float:
        view = self._get_newest_view(self.sockets[0])
        player, wish = self._choose_next_command(view)
        said = {"id": str(UUID(int=self.chance.getrandbits(128))), **wish.command}
        seat = player.seat if player else self.places[0].seat
        packet = b'420["command",' + msgspec.json.encode(said) + b"]"
        seconds = await self.send_command(self.by_seat[seat], packet)
        if player is not None:
            player.on_accepted(wish, 0)
        return seconds

    def _get_newest_view(self, socket: Socket) -> View:
        """Return the socket's newest view, with all its patches applied."""
        view = self.views.get(socket) or msgspec.json.decode(self.newest[socket][len(VIEW) : -1])
        for packet in self.patches[socket]:
            after = apply_patch(view, msgspec.json.decode(packet[len(PATCH) : -1]))
            assert after is not None, "a patch for another view"
            view = after
        self.views[socket] = view
        self.patches[socket] = []
        return view

    def _choose_next_command(self, view: View) -> tuple[Player | None, Wish]:
        """Return the next player and the command that this player sends.

        If the host has to send the command, for example to begin a game or to undo something,
        return None as the player.
        """
        command = choose_host_command(view, PLAN)
        if view["phase"] == "play" and view["you"].get("undo") and self.chance.random() < UNDO:
            command = {"type": "undo"}
        if command is not None:
            return None, Wish(command=command, seconds=0)
        may: dict[str, list[dict[str, Any]]] = {seat: [] for seat in self.players}
        for entry in view["you"]["may"]:
            may[entry["as"]].append(entry)
        for seat, player in self.players.items():
            wish = player.choose(view, may[seat])
            if wish is not None:
                return player, wish
        raise Refused(f"nobody has anything to say in {view}")
