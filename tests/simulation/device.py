"""A simulated device. It connects to a process, and to another process when the connection
breaks."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.json import decode

from companion.robots.client import PERMANENT
from companion.service.requests import Seated
from tests.simulation.hub import Hub, Machine
from tests.simulation.link import SILENT_MS, Link
from tests.simulation.process import Process

if TYPE_CHECKING:
    from tests.simulation.panel import Panel

PATIENCE_MS = 3_000
"""Time in ms that a device waits for an answer before the device sends the command again."""

IDLE_MS = 500
"""Longest time in ms between two checks for a command to send."""


class Watch(Protocol):
    """Callbacks that are called when a device does something."""

    def on_connect(self, device: Device, link: Link) -> None:
        """Called when a device connects."""

    def on_command(self, link: Link, command: dict[str, Any]) -> None:
        """Called each time a device sends a command."""

    def on_answer(self, panel: Panel, said: dict[str, Any], answer: dict[str, Any]) -> None:
        """Called when a device receives the final answer to a command."""

    def on_view(self, panel: Panel) -> None:
        """Called when a device shows a new view."""


class Device:
    """A device that stays connected.

    ``link`` is its connection to ``process``, and ``prefers`` is the process to try next.
    ``sent_away`` is true once another device has the seat (``superseded``) or the seat no longer
    exists.
    """

    welcome = "view"
    """The first event that the device receives when its connection is accepted."""

    gives_up = PERMANENT
    """Error codes after which the device doesn't connect again."""

    def __init__(
        self, hub: Hub, name: str, seated: Seated, processes: Sequence[Process], watch: Watch
    ) -> None:
        self.hub = hub
        self.chance = Random(hub.chance.random())
        self.seated = seated
        self.machine = Machine(name)
        self.watch = watch
        self.processes = processes
        self.link: Link | None = None
        self.process: Process | None = None
        self.prefers: Process | None = None
        self.sent_away = self.superseded = self.busy = False
        self.open()

    @property
    def key(self) -> tuple[str, str]:
        """Return the table's code and the seat."""
        return self.seated.table, self.seated.seat

    @property
    def connected(self) -> bool:
        """Return True if the device's connection works and has delivered a view."""
        link = self.link
        alive = self.process is not None and self.process.alive
        return link is not None and link.sound and not link.client.closed and alive

    def open(self) -> None:
        """Start connecting, for the first time or after the device was sent away."""
        self.sent_away = self.superseded = False
        self.hub.spawn(self.machine, "device", self._run)

    def auth(self) -> dict[str, Any]:
        """Return the payload of the connection request."""
        token = {"token": self.seated.token} if self.seated.token else {}
        return {"table": self.seated.table, "patches": "keys", **token}

    def handle_event(self, link: Link, event: str, content: Any, *more: Any) -> None:
        """Handle an event from the server."""

    def send_next(self, link: Link) -> None:
        """Send the next command, if there is one."""

    def on_connected(self) -> None:
        """Reset the state that belongs to a connection."""

    def on_sent_away(self) -> None:
        """Give up the command that is still unanswered."""

    def idle_ms(self) -> int:
        """Return the time in ms until the next check for a command to send."""
        return IDLE_MS

    def _run(self) -> None:
        while not self.sent_away:
            process = self.prefers or self.chance.choice(self.processes)
            self.prefers = None
            if not process.open or self.busy:
                self.hub.wait(self.chance.randint(50, 300))
                continue
            link = Link(self.hub, self.key, process.machine.name, self.auth())
            self.process = process
            self.link = link
            self.watch.on_connect(self, link)
            process.accept_link(link)
            self._use_link(link)
            link.send_to_process(None)
            link.client.closed = True
            self.hub.wait(self.chance.randint(20, 400))
        self.on_sent_away()

    def _use_link(self, link: Link) -> None:
        start = self.hub.now
        welcomed = False
        self.on_connected()
        while not self.sent_away:
            patience = SILENT_MS if welcomed else PATIENCE_MS
            if self.hub.now > link.client.last + patience or (
                not welcomed and self.hub.now > start + PATIENCE_MS
            ):
                return
            link.client.wait(self.idle_ms())
            while (message := link.client.read()) is not None:
                welcomed |= message[0] == self.welcome
                self._handle_any_event(link, *message)
            if link.client.closed:
                return
            if welcomed:
                self.send_next(link)

    def _handle_any_event(self, link: Link, event: str, *content: Any) -> None:
        if event == "ping":
            link.send_to_process(("pong",))
        elif event == "superseded":
            self.sent_away = self.superseded = True
        elif event == "refused":
            self.sent_away |= content[0]["code"] in self.gives_up
            link.client.closed = True
        elif event == "moving":
            link.client.closed = True
        else:
            self.handle_event(link, event, *content)


class Watcher(Device):
    """A device that watches a replay together with other devices.

    ``moment`` is the moment on its screen, and ``watcher_count`` the number of watchers that it
    shows.
    """

    welcome = "replay"
    gives_up = PERMANENT[:2]
    game = 1
    moment: int | None = None
    watcher_count = 0

    def auth(self) -> dict[str, Any]:
        return {**super().auth(), "replay": self.game}

    def handle_event(self, _link: Link, event: str, content: Any, *_: Any) -> None:
        if event == "replay":
            replay = decode(content)
            self.moment = replay["at"]
            self.watcher_count = replay["here"]

    def send_next(self, link: Link) -> None:
        if self.chance.random() < 0.1:
            self.moment = self.chance.randint(1, 1000)
            link.send_to_process(("replay", {"at": self.moment}))
