"""One simulated process. It runs the program's whole service on a server without sockets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from socketio.exceptions import ConnectionRefusedError

from companion.adapters.engineio import ClientSocket
from companion.adapters.hand_over import HandOver
from companion.rules.variants.variant import Variant
from companion.service import codec
from companion.service.clock import Timers
from companion.service.peers.messages import Peers
from companion.service.robot_hosting.worker_process import Posts
from companion.service.tables import Tables
from companion.web.live import Live
from companion.web.metrics import Metrics
from companion.web.rate_limits import ConnectionCounts, Joins
from tests.simulation import calls
from tests.simulation.bus import Bus, Network
from tests.simulation.hub import Hub, Machine
from tests.simulation.link import PING_MS, SILENT_MS, Link
from tests.simulation.robots import Workers
from tests.simulation.store import Database, Store

ROBOTS = 8
"""Largest number of robots at a process."""

Sent = Callable[[Link, str, bytes], None]
"""Called for each event that a server sends to a client, with the event's payload."""


class Engine:
    """The part of Engine.IO that the program uses. While ``full``, it accepts no connection."""

    def __init__(self, links: Mapping[str, Link]) -> None:
        self._links = links
        self.full = False
        self.client_address: Any = None
        self.make_packet_counter: Any = None
        self.now: Callable[[], int] = int

    @property
    def has_clients(self) -> bool:
        return bool(self._links)

    def end_polling(self) -> None:
        """Do nothing: simulated clients don't use long polling."""


class Server:
    """The part of Socket.IO that ``Live`` uses. If ``reads`` is False, incoming events are
    dropped."""

    def __init__(self, hub: Hub, machine: Machine, sent: Sent) -> None:
        self._hub = hub
        self._machine = machine
        self._sent = sent
        self.handlers: dict[str, Callable[..., Any]] = {}
        self.fast_handlers: Mapping[str, Callable[[str, msgspec.Raw], bytes]] = {}
        self.on_connected: Callable[[str], None]
        self.on_failure: Callable[[], None]
        self.links: dict[str, Link] = {}
        self.eio = Engine(self.links)
        self.reads = True
        self._asked: dict[str, int] = {}
        self._trips: dict[str, int] = {}
        self._count = 0

    def on(self, event: str, handler: Callable[..., Any]) -> None:
        self.handlers[event] = handler

    def post(self, sid: str, event: str, payload: object) -> None:
        if (link := self.links.get(sid)) and self._machine.alive:
            content = codec.encode(payload)
            self._sent(link, event, content)
            link.send_to_client((event, content))

    def send_all(self, event: str, payload: object) -> None:
        for sid in [*self.links]:
            self.post(sid, event, payload)

    def start_background_task(self, do: Callable[..., Any], *given: Any) -> None:
        self._hub.spawn(self._machine, "background", lambda: do(*given))

    def hang_up(self, sid: str) -> None:
        if link := self.links.get(sid):
            link.send_to_client(None)
            link.server.arrive(None)

    def requested_at(self, sid: str) -> int:
        return self._asked[sid]

    def keep_slot(self, _sid: str, _holder: object) -> None:
        """Do nothing, since a simulated server has a slot for every connection."""

    def round_trip(self, sid: str) -> int:
        return self._trips.get(sid, ClientSocket.trip_ms)

    def serve(self, link: Link) -> None:
        """Serve one connection until it closes."""
        if self.eio.full:
            return link.send_to_client(("refused", {"code": "busy"}))
        self._count += 1
        sid = f"{self._machine.name} {self._count}"
        self._asked[sid] = self.eio.now() - (self._hub.now - link.requested_at)
        try:
            environ = {"REMOTE_ADDR": "192.0.2.1", "wsgi.url_scheme": "http"}
            self.handlers["connect"](sid, environ, link.auth)
        except ConnectionRefusedError as no:
            return link.send_to_client(("refused", no.error_args["data"]))
        self.links[sid] = link
        self._trips[sid] = self._hub.chance.randint(1, 80)
        link.send_to_client(("connect", b""))
        self.on_connected(sid)
        try:
            self._listen(sid, link)
        finally:
            if self._machine.alive:
                del self.links[sid], self._asked[sid], self._trips[sid]
                self.handlers["disconnect"](sid, "gone")
                link.send_to_client(None)

    def _listen(self, sid: str, link: Link) -> None:
        while (
            not link.server.closed and (ms_left := link.server.last + SILENT_MS - self._hub.now) > 0
        ):
            link.server.wait(min(PING_MS, ms_left))
            message = link.server.read()
            if message is None:
                link.send_to_client(("ping", b""))
            elif not self.reads:
                continue
            elif message[0] == "command":
                answer = self.fast_handlers["command"](sid, msgspec.Raw(message[2]))
                self._sent(link, "answer", answer)
                link.send_to_client(("answer", message[1], answer))
            elif message[0] == "sync":
                link.send_to_client(("view", bytes(self.handlers["sync"](sid))))
            elif message[0] == "replay":
                self.handlers["replay"](sid, message[1])


class Process:
    """A server process, which accepts connections while ``open``.

    ``bus`` is ``None`` if the world has only one process. ``workers`` runs the process's robots.
    """

    tables: Tables
    server: Server
    app: Any

    def __init__(
        self, hub: Hub, machine: Machine, database: Database, network: Network | None,
        variants: Mapping[str, Variant], sent: Sent,
    ) -> None:  # fmt: skip
        self._hub = hub
        self.machine = machine
        self._database = database
        self._variants = variants
        self._sent = sent
        self.bus = Bus(network, machine) if network else None
        self.workers = Workers(hub, machine)
        self.open = False
        self._hand_over = HandOver()
        self._links: list[Link] = []
        hub.spawn(machine, "start", self._start)

    def _start(self) -> None:
        store = Store(self._database, self._hub.chance)
        timers = Timers()
        store.open()
        peers = Peers(self.bus, timers.clock)
        posts = Posts(ROBOTS, self.workers)
        tables = Tables(store, self._variants, 50, posts=posts, peers=peers, timers=timers)
        self.tables = tables
        self.app = self._hand_over.track_requests(calls.make_app())
        self.server = Server(self._hub, self.machine, self._sent)
        crowd = ConnectionCounts(0, 0)
        free = Joins("none")
        server: Any = self.server
        self.live = Live(server, tables, free, Metrics(), free, crowd)
        self._hand_over.attach(server, self.live.unanswered)
        tables.open(self.live)
        self.open = True

    @property
    def alive(self) -> bool:
        """Return True if the process is running or frozen."""
        return self.machine.alive

    def accept_link(self, link: Link) -> None:
        """Accept a connection and serve it in its own fibre."""
        self._links = [one for one in self._links if not one.server.closed]
        self._links.append(link)
        self._hub.spawn(self.machine, "link", lambda: self.server.serve(link))

    def end_in_order(self, on_ended: Callable[[], object]) -> None:
        """Shut down gracefully, and call ``on_ended`` at the end."""
        if self.open and not self._hand_over.begun:
            self._hub.spawn(self.machine, "leave", lambda: self._hand_over_and_end(on_ended))

    def _hand_over_and_end(self, on_ended: Callable[[], object]) -> None:
        server = self.server
        hub = self._hub
        self._hand_over.begin()
        self._hand_over.drain(
            lambda: setattr(server, "reads", False),
            lambda: len(server.links),
            lambda seconds: hub.wait(round(seconds * 1000)),
        )
        self.tables.close()

        def end() -> None:
            if self.alive:
                self.kill(told=True)
                on_ended()

        hub.call(0, end)

    def kill(self, told: bool) -> None:
        """End at once.

        If ``told``, the operating system closes the connections. If not, clients don't notice the
        end.
        """
        self._hub.kill(self.machine)
        self.workers.end()
        if self.bus is not None:
            self.bus.close()
        self.open = False
        for link in self._links:
            link.sound = False
        if told:
            self.close_links()

    def close_links(self) -> None:
        """Close all connections and notify both sides."""
        for link in self._links:
            link.close()
