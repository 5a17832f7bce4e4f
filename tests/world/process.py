"""One process of the fleet: all of the program's service, behind a server without sockets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import msgspec
from socketio.exceptions import ConnectionRefusedError

from companion.adapters.engineio import Line
from companion.rules.core.variant import Variant
from companion.service import codec
from companion.service.clock import Timers
from companion.service.peers import Peers
from companion.service.tables import Tables
from companion.web.live import Live
from companion.web.metrics import Metrics
from companion.web.rates import Crowd, Rates
from tests.world.bus import Bus, Network
from tests.world.hub import Hub, Machine
from tests.world.link import Link
from tests.world.store import Database, Store

PING_MS, SILENT_MS = 5_000, 11_000
"""How often a server asks whether a client is there, and for how long it waits for a word."""

Sent = Callable[[Link, str, bytes], None]
"""Hears what a server sends to a client: the event and its payload."""


class Server:
    """What ``Live`` asks of Socket.IO, over links."""

    def __init__(self, hub: Hub, machine: Machine, sent: Sent) -> None:
        self._hub, self._machine, self._sent = hub, machine, sent
        self.handlers: dict[str, Callable[..., Any]] = {}
        self.speaks: Mapping[str, Callable[[str, msgspec.Raw], bytes]] = {}
        self.connected: Callable[[str], None]
        self.failed: Callable[[], None]
        self.eio = SimpleNamespace(full=False, whose=None, meter=None, now=lambda: 0)
        self.links: dict[str, Link] = {}
        self._asked: dict[str, int] = {}
        self._trips: dict[str, int] = {}
        self._count = 0

    def on(self, event: str, handler: Callable[..., Any]) -> None:
        self.handlers[event] = handler

    def post(self, sid: str, event: str, payload: object) -> None:
        if (link := self.links.get(sid)) and self._machine.alive:
            said = codec.encode(payload)
            self._sent(link, event, said)
            link.down((event, said))

    def start_background_task(self, do: Callable[..., Any], *given: Any) -> None:
        self._hub.spawn(self._machine, "background", lambda: do(*given))

    def hang_up(self, sid: str) -> None:
        if link := self.links.get(sid):
            link.down(None)
            link.server.arrive(None)

    def asked(self, sid: str) -> int:
        return self._asked[sid]

    def keep(self, _sid: str, *, seated: bool) -> None:
        """Everybody has a place."""

    def round_trip(self, sid: str) -> int:
        return self._trips.get(sid, Line.trip_ms)

    def serve(self, link: Link) -> None:
        """One connection, from its beginning to its end."""
        self._count += 1
        sid = f"{self._machine.name} {self._count}"
        self._asked[sid] = self.eio.now() - (self._hub.now - link.asked)
        try:
            self.handlers["connect"](sid, {"REMOTE_ADDR": "192.0.2.1"}, link.auth)
        except ConnectionRefusedError as no:
            return link.down(("refused", no.error_args["data"]["code"]))
        self.links[sid] = link
        self._trips[sid] = self._hub.chance.randint(1, 80)
        self.connected(sid)
        try:
            self._listen(sid, link)
        finally:
            if self._machine.alive:
                self.links.pop(sid, None)
                self._trips.pop(sid, None)
                self.handlers["disconnect"](sid, "gone")
                link.down(None)

    def _listen(self, sid: str, link: Link) -> None:
        while not link.server.closed and (left := link.server.last + SILENT_MS - self._hub.now) > 0:
            link.server.wait(min(PING_MS, left))
            heard = link.server.next()
            if heard is None:
                link.down(("ping", b""))
            elif heard[0] == "command":
                answer = self.speaks["command"](sid, msgspec.Raw(heard[2]))
                self._sent(link, "answer", answer)
                link.down(("answer", heard[1], answer))
            elif heard[0] == "sync":
                link.down(("view", bytes(self.handlers["sync"](sid))))


class Process:
    """``open``: links are served. ``tables``, ``server``: once they are; ``bus``: ``None`` where it
    is alone."""

    tables: Tables
    server: Server

    def __init__(
        self, hub: Hub, machine: Machine, database: Database, network: Network | None,
        variants: Mapping[str, Variant], sent: Sent,
    ) -> None:  # fmt: skip
        self._hub, self.machine, self._database = hub, machine, database
        self._variants, self._sent = variants, sent
        self.bus = Bus(network, machine) if network else None
        self.open = False
        self._links: list[Link] = []
        hub.spawn(machine, "start", self._start)

    def _start(self) -> None:
        store, timers = Store(self._database, self._hub.chance), Timers()
        store.open()
        peers = Peers(self.bus, timers.clock)
        self.tables = Tables(store, self._variants, 50, peers=peers, timers=timers)
        self.server = Server(self._hub, self.machine, self._sent)
        crowd, free = Crowd(0, 0), Rates(None)
        live: Any = self.server
        self.tables.open(Live(live, self.tables, free, Metrics(), free, crowd))
        self.open = True

    @property
    def alive(self) -> bool:
        """Whether it runs, be it frozen."""
        return self.machine.alive

    def take(self, link: Link) -> None:
        """Somebody connects."""
        self._links = [one for one in self._links if not one.server.closed]
        self._links.append(link)
        self._hub.spawn(self.machine, "link", lambda: self.server.serve(link))

    def kill(self, told: bool) -> None:
        """It is gone; its clients are told so by the system, or not."""
        self._hub.kill(self.machine)
        if self.bus is not None:
            self.bus.close()
        self.open = False
        for link in self._links:
            link.sound = False
        if told:
            self.end_links()

    def end_links(self) -> None:
        """All who are connected hear that they aren't any more."""
        for link in self._links:
            link.end()
