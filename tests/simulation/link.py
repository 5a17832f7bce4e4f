"""Simulated connections. Messages arrive in order and with a delay, or are lost without notice."""

from __future__ import annotations

from collections import deque
from typing import Any

from tests.simulation.hub import Fibre, Hub

FAR_MS = 40
"""Longest time in ms that a message takes."""

PING_MS = 5_000
SILENT_MS = 11_000
"""Time without a message after which a connection is dead: ping interval plus pong timeout."""


class LinkSide:
    """One side of a connection, with its arrived messages and the fibre that waits for them."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._inbox = deque[tuple[int, Any]]()
        self.closed = False  # this side knows that the connection is closed
        self.last = hub.now  # time of the latest arrival
        self.sent = hub.now  # time at which the most recently read message was sent
        self._waiting: Fibre | None = None

    def arrive(self, what: Any, sent: int = 0) -> None:
        """Add a message and the time at which it was sent. ``None`` closes the connection."""
        self.closed |= what is None
        self.last = self._hub.now
        if what is not None:
            self._inbox.append((sent, what))
        if self._waiting is not None:
            self._hub.wake(self._waiting)

    def read(self) -> Any:
        """Return the first message that has arrived, or None."""
        if not self._inbox:
            return None
        self.sent, what = self._inbox.popleft()
        return what

    def wait(self, ms: int) -> None:
        """Wait until something arrives, for at most this many ms."""
        if not self._inbox and not self.closed:
            self._waiting = self._hub.current_fibre
            self._hub.wait(ms)
            self._waiting = None


class Link:
    """A connection between a client and a process.

    ``seat`` is the table's code and the seat, ``process`` the name of the process, and
    ``requested_at`` the time of the connection request in ms. If ``sound`` is False, all messages
    are lost.
    """

    def __init__(self, hub: Hub, seat: tuple[str, str], at: str, auth: dict[str, Any]) -> None:
        self._hub = hub
        self.seat = seat
        self.process = at
        self.auth = auth
        self.client = LinkSide(hub)
        self.server = LinkSide(hub)
        self.requested_at = hub.now
        self.sound = True
        self._due: dict[int, int] = {}
        self._on_their_way: dict[int, deque[tuple[int, Any]]] = {}

    def send_to_process(self, what: Any) -> None:
        """Send a message from the client to the process."""
        self._send(self.server, what)

    def send_to_client(self, what: Any) -> None:
        """Send a message from the process to the client."""
        self._send(self.client, what)

    def close(self) -> None:
        """Close the connection and notify both sides."""
        self.send_to_process(None)
        self.send_to_client(None)

    def _send(self, to: LinkSide, what: Any) -> None:
        due = max(self._due.get(id(to), 0), self._hub.now + self._hub.chance.randint(0, FAR_MS))
        self._due[id(to)] = due
        way = self._on_their_way.setdefault(id(to), deque())
        way.append((self._hub.now, what))

        def arrive() -> None:
            sent, first = way.popleft()
            if self.sound or first is None:
                to.arrive(first, sent)

        self._hub.call(due - self._hub.now, arrive)
