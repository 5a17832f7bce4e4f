"""A client in an asyncio loop, cheap enough to run hundreds beside the tested processes.

It behaves like any client of the protocol: it applies patches to its newest view; it reconnects
when its connection is lost or silent for too long, or when the server tells it to move; and it
resends a command under the same id until it gets an answer. A ``Record`` can store everything that
the client receives.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol
from uuid import uuid4

import msgspec

from companion.robots.client import RETRYABLE, SeatCredentials
from companion.robots.view import Command, Json, View, apply_patch
from tests.support.servers.wire import UPGRADE, Socket

SILENCE = 11.0
"""Seconds without data after which a connection is dead: the server's ping interval and timeout."""

PATIENCE = 3.0
"""Seconds after which the client tries another port."""

BETWEEN = 0.1
"""Seconds between two attempts to connect."""


class Recorder(Protocol):
    """Stores everything that a client receives."""

    def record_view(self, seat: str | None, view: View) -> None:
        """Record a whole view for this seat, or for a spectator (None)."""

    def record_answer(self, seat: str, command: Command, answer: Json) -> None:
        """Record a command and its final answer."""


class Wire(Socket):
    """A connection that notices when it ends and when data last arrived."""

    def __init__(self, greeting: bytes, on_packet: Callable[[Any, bytes], None]) -> None:
        super().__init__(greeting, on_packet)
        loop = asyncio.get_running_loop()
        self.end: asyncio.Future[None] = loop.create_future()
        self.at = loop.time()

    @classmethod
    async def connect(cls, port: int, auth: Any, on_packet: Callable[[Any, bytes], None]) -> "Wire":
        """Connect and authenticate. Returns once the client is admitted."""
        greeting = b"40" + msgspec.json.encode(auth)
        loop = asyncio.get_running_loop()
        transport, wire = await loop.create_connection(
            lambda: cls(greeting, on_packet), "127.0.0.1", port
        )
        try:
            transport.write(UPGRADE.format(host="127.0.0.1", port=port).encode())
            await wire.open
        except BaseException:
            wire.close()
            raise
        return wire

    def data_received(self, data: bytes) -> None:
        """Note the time, and process the data (called by asyncio)."""
        self.at = asyncio.get_running_loop().time()
        super().data_received(data)

    def connection_lost(self, problem: Exception | None) -> None:
        """End the connection (called by asyncio)."""
        self.abandon()
        super().connection_lost(problem)

    def abandon(self) -> None:
        """Give this connection up, so that the client opens another one."""
        if not self.end.done():
            self.end.set_result(None)


class FleetClient:
    """A seat's client, which reconnects by itself. Without a seat it is a spectator's client."""

    def __init__(
        self,
        ports: Sequence[int],
        table: str,
        credentials: SeatCredentials | None,
        record: Recorder,
    ) -> None:
        self.ports = tuple(ports)
        self.record = record
        self.url = f"http://127.0.0.1:{ports[0]}"
        self.table = table
        self.credentials = credentials
        self.seat = credentials.seat if credentials else None
        token = {"token": credentials.token} if credentials else {}
        self.auth = {"table": table, "patches": "keys", **token}
        self.view: View | None = None
        self.presence: Any = None
        self.closed = self.sent_away = False
        self.pauses: list[float] = []  # seconds without a connection
        self.command_seconds: list[float] = []  # seconds until each command had its answer
        self.retry_answers = 0  # number of answers that asked for a retry
        self._wire: Wire | None = None
        self._asked: dict[int, Callable[[Any], None]] = {}
        self._number = 0
        self._news = asyncio.Event()

    async def open(self) -> None:
        """Connect, and return once the first view has arrived. Reconnects until ``close()``."""
        self._connection_task = asyncio.create_task(self._keep_connected())
        await self.wait_until(lambda: self.view is not None, 60)
        assert self.view is not None, f"no view of {self.table}"

    async def close(self) -> None:
        """Hangs up."""
        self.closed = True
        self._notify_waiting()
        self._connection_task.cancel()
        with suppress(asyncio.CancelledError):
            await self._connection_task

    @property
    def is_connected(self) -> bool:
        """Return True if a connection has delivered the table's view."""
        return self._wire is not None

    @property
    def newest_view(self) -> View:
        """The newest view, which must have arrived."""
        assert self.view is not None
        return self.view

    @property
    def version(self) -> int:
        """The version of the newest view; 0 without a view."""
        return int(self.view["version"]) if self.view else 0

    async def wait_for_other_view(self, known_view: View, seconds: float) -> bool:
        """Wait for a view that isn't ``known_view``. Returns False if none arrives within
        ``seconds``."""
        return await self.wait_until(lambda: self.view is not known_view, seconds)

    async def wait_for_version(self, version: int, seconds: float) -> bool:
        """Wait for a view of this version or a later one. Returns False if none arrives within
        ``seconds``."""
        return await self.wait_until(lambda: self.version >= version, seconds)

    def __str__(self) -> str:
        how = "sent away" if self.sent_away else "connected" if self.is_connected else "away"
        return f"{self.seat} at {self.version}, {how}, {self.presence}, pauses {self.pauses}"

    async def wait_until(self, true: Callable[[], Any], seconds: float) -> bool:
        """Wait until the condition holds, the client is closed or the time limit is reached.

        Returns True if the condition holds.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not (self.closed or true()):
                    await self._news.wait()
        return bool(true())

    async def send_command(self, command: Command) -> Json:
        """Send a command, repeatedly if necessary, until it has a final answer."""
        command = {"id": str(uuid4()), **command}
        began = asyncio.get_running_loop().time()
        while True:
            answer = await self.send_command_once(command)
            if answer is not None and (answer["ok"] or answer["error"]["code"] not in RETRYABLE):
                break
            self.retry_answers += answer is not None
            assert not self.closed, f"{command} was never answered"
            await asyncio.sleep(BETWEEN)
        self.command_seconds.append(asyncio.get_running_loop().time() - began)
        if self.seat is not None:
            self.record.record_answer(self.seat, command, answer)
        return answer

    async def send_command_once(self, command: Command) -> Json | None:
        """Send a command once. Returns None if the connection ended before the answer arrived."""
        await self.wait_until(lambda: self._wire, 60)
        wire = self._wire
        answers = list[Json]()
        if wire is None:
            return None

        def on_result(answer: Json) -> None:
            answers.append(answer)
            self._notify_waiting()

        self._send_request(wire, b"command", msgspec.json.encode(command), on_result)
        while not (answers or self._wire is not wire or self.closed):
            await self._news.wait()
        return answers[0] if answers else None

    # --- connections ---------------------------------------------------------------------

    async def _keep_connected(self) -> None:
        loop = asyncio.get_running_loop()
        ended_at = 0.0
        while not self.closed:
            self._asked.clear()
            try:
                wire = await self._connect()
            except (OSError, TimeoutError):
                self.ports = (*self.ports[1:], self.ports[0])
                await asyncio.sleep(BETWEEN)
                continue
            if ended_at:
                self.pauses.append(loop.time() - ended_at)
            try:
                await self._wait_for_end(wire)
            finally:
                ended_at = loop.time()
                self._wire = None
                self._notify_waiting()
                wire.close()

    async def _connect(self) -> Wire:
        """Open the next connection. Returns it once it has delivered a view."""
        view_arrived: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def on_packet(wire: Any, packet: bytes) -> None:
            if not view_arrived.done() and packet.startswith(b'42["view"'):
                view_arrived.set_result(None)
            self._handle_packet(wire, packet)

        async with asyncio.timeout(PATIENCE):
            wire = await Wire.connect(self.ports[0], self.auth, on_packet)
            try:
                await asyncio.wait([view_arrived, wire.end], return_when=asyncio.FIRST_COMPLETED)
                if not view_arrived.done():
                    raise ConnectionError("closed before it showed the table")
            except BaseException:  # the time limit can be reached after the view has arrived
                wire.close()
                raise
        self._wire = wire
        self._notify_waiting()
        return wire

    async def _wait_for_end(self, wire: Wire) -> None:
        loop = asyncio.get_running_loop()
        while not wire.end.done() and loop.time() < wire.at + SILENCE:
            await asyncio.wait([wire.end], timeout=wire.at + SILENCE - loop.time())

    # --- events from the server --------------------------------------------------------

    def _handle_packet(self, wire: Wire, packet: bytes) -> None:
        start = packet.index(b"[")
        content = msgspec.json.decode(packet[start:])
        if packet[:2] == b"43":
            answered = self._asked.pop(int(packet[2:start]), None)
            if answered is not None:
                answered(content[0])
            return
        event = content[0]
        payload = content[1] if len(content) > 1 else None
        if event == "view":
            self._take_view(payload)
        elif event == "patch":
            self._apply_patch(wire, payload)
        elif event == "head" and self._is_news(payload):
            self._sync(wire)
        elif event == "presence":
            self.presence = payload
        elif event == "superseded":
            self.closed = self.sent_away = True
        elif event == "moving":
            wire.abandon()
        self._notify_waiting()

    def _take_view(self, view: Any) -> None:
        # The store is busy. The client asks again after the next ``head`` (version and epoch).
        if "ok" in view:
            return
        self.record.record_view(self.seat, view)
        if self._is_news(view):
            self.view = view
            self._notify_waiting()

    def _apply_patch(self, wire: Wire, patch: Any) -> None:
        known_view = self.view
        if known_view is None or (patch["from"] < patch["version"] and not self._is_news(patch)):
            return
        view = apply_patch(known_view, patch)
        if view is None:
            self._sync(wire)
        # A patch that keeps the version changes only this seat's own part of the view.
        elif patch["from"] == patch["version"]:
            self.record.record_view(self.seat, view)
            self.view = view
        else:
            self._take_view(view)

    def _sync(self, wire: Wire) -> None:
        self._send_request(wire, b"sync", b"", self._take_view)

    def _send_request(
        self, wire: Wire, event: bytes, content: bytes, answered: Callable[[Any], None]
    ) -> None:
        self._number += 1
        self._asked[self._number] = answered
        message = b'"%b",%b' % (event, content) if content else b'"%b"' % event
        wire.send(b"42%d[%b]" % (self._number, message))

    def _is_news(self, head: Any) -> bool:
        known_view = self.view
        if known_view is None or head["epoch"] != known_view["epoch"]:
            return True
        return bool(head["version"] > known_view["version"])

    def _notify_waiting(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
