"""The process of a server's robots. It runs the program's own worker on simulated connections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import msgspec
from socketio.exceptions import ConnectionError as NotConnected

from companion.robots import client, worker
from companion.service.robot_hosting.worker_process import Post
from tests.simulation import calls
from tests.simulation.hub import Hub, Machine
from tests.simulation.link import SILENT_MS, Link
from tests.simulation.standard import Event

if TYPE_CHECKING:
    from tests.simulation.process import Process

ROBOT = "robot"
"""The seat under which a robot's connection is recorded. Only the robot knows its real seat."""

PACE = 0.25

AGAIN_MS = 1_000
"""Time in ms until a robots' process that has failed is started again."""


class Workers:
    """Stands in for ``Workers`` of ``companion.service.robot_hosting``, and runs a server's
    robots."""

    def __init__(self, hub: Hub, server: Machine) -> None:
        self.failing = False
        self._hub = hub
        self._server = server
        self._posts: Sequence[Post] = ()
        self._machine: Machine | None = None
        self._threads = dict[str, worker.PostThread]()

    def set_posts(self, posts: Sequence[Post]) -> None:
        self._posts = posts
        self._hub.spawn(self._server, "workers", self._fill_posts)

    def _fill_posts(self) -> None:
        if self._machine is None:
            self._machine = Machine(f"{self._server.name}'s robots")
            self._threads = {}
            self.failing = False
        url = self._server.name
        posts = msgspec.to_builtins(self._posts)
        filled = partial(worker.fill_posts, self._threads, url, posts)
        self._hub.spawn(self._machine, "robots", filled)

    def end(self) -> None:
        """End the robots' process, together with its server or alone."""
        machine = self._machine
        self._machine = None
        if machine is not None:
            self._hub.kill(machine)

    def fail(self) -> None:
        """Let the robots' process fail. It is started again later."""
        if self._machine is None:
            return
        self.end()
        self.failing = True
        self._hub.call(AGAIN_MS, lambda: self._server.alive and self.set_posts(self._posts))


class Socket:
    """The part of Socket.IO's client that a robot uses. ``doors`` has the processes by name. A
    process's name stands for its address."""

    def __init__(self, hub: Hub, doors: Mapping[str, Process]) -> None:
        self.eio = self  # the client has its connection in an object of its own
        self._hub = hub
        self._doors = doors
        self._handlers: dict[str, Callable[..., Any]] = {}
        self._answers: dict[str, Callable[..., Any]] = {}
        self._link: Link | None = None
        self._ended = Event(hub)

    def on(self, event: str, handler: Callable[..., Any]) -> None:
        self._handlers[event] = handler

    @property
    def connected(self) -> bool:
        return self._link is not None

    def get_sid(self) -> str | None:
        return None if self._link is None else f"{id(self._link)}"

    def connect(self, url: str, auth: dict[str, Any], **_: Any) -> None:
        process = self._doors[url]
        if not process.open:
            raise NotConnected("nobody is there")
        link = Link(self._hub, (auth["table"], ROBOT), url, auth)
        process.accept_link(link)
        link.client.wait(calls.PATIENCE_MS)
        message = link.client.read()
        if message is None or message[0] == "refused":
            link.send_to_process(None)
            self._handlers["connect_error"](message and {"data": message[1]})
            raise NotConnected("not let in")
        self._link = link
        machine = self._hub.current_fibre.machine
        self._hub.spawn(machine, "socket", lambda: self._listen(link))
        self._handlers["connect"]()

    def wait(self) -> None:
        """Wait until the connection has ended."""
        self._ended.wait()

    def disconnect(self) -> None:
        if (link := self._link) is not None:
            self._link = None
            link.send_to_process(None)
            link.client.arrive(None)

    shutdown = disconnect

    def emit(self, event: str, command: Any = None, callback: Any = None) -> None:
        if self._link is None:
            raise NotConnected("it is gone")
        if event == "command":
            self._answers[command["id"]] = callback
            self._link.send_to_process(("command", command["id"], msgspec.json.encode(command)))
        else:
            self._link.send_to_process((event,))

    def _listen(self, link: Link) -> None:
        while not link.client.closed and self._hub.now < link.client.last + SILENT_MS:
            link.client.wait(500)
            while (message := link.client.read()) is not None:
                self._handle_event(link, *message)
        link.send_to_process(None)
        if self._link is link:
            self._link = None
            self._handlers["disconnect"]()
        self._ended.set()

    def _handle_event(self, link: Link, event: str, content: Any = b"", *more: Any) -> None:
        if event == "ping":
            link.send_to_process(("pong",))
        elif event == "answer":
            if callback := self._answers.pop(content, None):
                callback(msgspec.json.decode(more[0]))
        elif event == "moving":  # which waits
            self._hub.spawn(self._hub.current_fibre.machine, event, self._handlers[event])
        elif content and (handler := self._handlers.get(event)):
            handler(msgspec.json.decode(content))


@contextmanager
def run_robots_in_world(hub: Hub, doors: Mapping[str, Process]) -> Iterator[None]:
    """Connect the program's robots to the world's processes for the duration of the block."""

    def request_json(address: str, *, token: str) -> Any:
        name, slash, path = address.partition("/api")
        return calls.send_request(hub, doors[name], slash + path, token=token)

    def start(thread: worker.PostThread) -> None:
        hub.spawn(hub.current_fibre.machine, "robot", thread.run)

    replacements = (
        (client, "_Client", lambda **_: Socket(hub, doors)),
        (client, "request_json", request_json),
        (worker, "Random", lambda: Random(hub.chance.random())),
        (worker, "PACE", PACE),
        (worker.PostThread, "start", start),
    )
    with ExitStack() as stack:
        for where, what, replacement in replacements:
            stack.enter_context(patch.object(where, what, replacement))
        yield
