"""A client of the server: HTTP requests, and the Socket.IO connection of one seat.

If the connection breaks, the client reconnects by itself. The client sends a command again, with
the same id, until the server acknowledges the command. docs/protocol.md describes the messages.
"""

import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from random import random
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

import engineio
import socketio
import websocket

from companion.robots.view import Command, Json, View, apply_patch

RETRYABLE = ("busy", "rate_limited", "internal")  # error codes worth retrying
# error codes for which a retry is useless
PERMANENT = ("unauthenticated", "forbidden", "not_found")

RETRY_SECONDS = 0.5  # pause before a retry, if the server demands none
# mean pause before the client connects again; each attempt that fails doubles it, up to a limit
RECONNECT_SECONDS = 0.1
LONGEST_RECONNECT_SECONDS = 1.0
# clients of a stopping server reconnect at a random time within these seconds
SPREAD_SECONDS = 0.25
PATIENCE = 60.0  # seconds of retrying before the client gives up


class NoAnswer(Exception):
    """Raised if the server didn't answer in spite of all retries."""


class RequestRefused(Exception):
    """Raised if the server refused a request. ``error`` is the error object in the answer."""

    def __init__(self, error: Json) -> None:
        super().__init__(error.get("text", error))
        self.error = error


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatCredentials:
    """A seat at a table, and the token that gives access to it."""

    table: str
    seat: str
    token: str


def make_table(url: str, name: str, **settings: object) -> SeatCredentials:
    """Create a table hosted by ``name``.

    ``settings`` can contain ``variant``, ``rules`` and ``options``.
    """
    return SeatCredentials(**request_json(f"{url}/api/tables", {"name": name, **settings}))


def take_seat(url: str, table: str, name: str) -> SeatCredentials:
    """Take a seat at a table that is still in its lobby."""
    return SeatCredentials(**request_json(f"{url}/api/tables/{table}/seats", {"name": name}))


def fetch_variant(url: str, id: str) -> Json:
    """Fetch a variant as the server offers it, without house rules."""
    variant: Json = request_json(f"{url}/api/variants/{id}")
    return variant


def fetch_table_variant(url: str, credentials: SeatCredentials) -> Json:
    """Fetch the variant that a table plays now, with its house rules."""
    variant: Json = request_json(
        f"{url}/api/tables/{credentials.table}/variant?brief&language=en", token=credentials.token
    )
    return variant


def retry_after_seconds(error: Json) -> float:
    """Return the pause in seconds that the server demands, or 0 if it demands none."""
    return float(error.get("facts", {}).get("retry_after_ms", 0)) / 1000


def request_json(address: str, body: Json | None = None, *, token: str = "") -> Any:
    """Send a GET, or a POST if there is a body, and return the decoded answer.

    If the server demands a short pause, wait and retry. Raise ``RequestRefused`` for every other
    error, and if the pause is longer than ``PATIENCE``.
    """
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None if body is None else json.dumps(body).encode()
    request = Request(address, data, {"Content-Type": "application/json", **headers})
    while True:
        try:
            with urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except HTTPError as problem:
            with problem:
                error = json.load(problem)["error"]
            wait = retry_after_seconds(error)
            if not 0 < wait <= PATIENCE or "what" in error["facts"]:
                raise RequestRefused(error) from problem
            time.sleep(wait)


def fetch_log(url: str, credentials: SeatCredentials) -> list[Json]:
    """Fetch the whole log of the seat's table. Return an empty list if the request fails."""
    try:
        log: list[Json] = request_json(
            f"{url}/api/tables/{credentials.table}/log", token=credentials.token
        )
        return log
    except (OSError, ValueError, RequestRefused):
        return []


class _Engine(engineio.Client):  # type: ignore[misc]
    """An Engine.IO client that closes without delay.

    To stop its writer thread, the library puts an item into the send queue, but then empties the
    queue. If the writer hasn't read the item by then, the writer waits 11 seconds for a packet, and
    so does the thread that closes the connection. This class puts the item into the queue again
    after the queue was emptied.
    """

    def _reset(self) -> None:
        super()._reset()
        close_socket(self)
        self.queue.put(None)


def close_socket(client: engineio.Client) -> None:
    """Close the WebSocket of a client that gave up its connection.

    If the client's reader or writer gives up, for example because the server sent nothing for too
    long, the library doesn't close the socket. It stays open until Python frees it.
    """
    if client.ws is not None:
        client.ws.shutdown()


class ClosingSocket(websocket.WebSocket):
    """A WebSocket that closes its socket as soon as nothing more can be read from it.

    The library closes the socket only at the end of the server's stream. But if the server is
    killed, the connection may be reset, and then there is no such end. And if the server refuses
    the connection after the handshake, it sends a close frame. The library returns a close frame as
    an empty message, and Engine.IO raises ``ValueError`` for an empty message. This class raises
    ``WebSocketConnectionClosedException`` instead.
    """

    def recv(self) -> str | bytes:
        try:
            message = super().recv()
            if not message:
                raise websocket.WebSocketConnectionClosedException("the server sent a close frame")
            return message
        except Exception:
            self.shutdown()  # type: ignore[no-untyped-call]
            raise


class _Client(socketio.Client):  # type: ignore[misc]
    def _engineio_client_class(self) -> type[_Engine]:
        return _Engine


class Connection:
    """The connection of one seat. Keeps the newest view and sends commands.

    It opens a new socket whenever the last one ends. The library could reconnect as well, but it
    stops for ever if a connection ends in the moment in which the server accepts it.

    The condition ``changes`` is notified when the view or the state of the connection changes.
    """

    def __init__(self, url: str, credentials: SeatCredentials) -> None:
        self.url = url
        self.credentials = credentials
        self.changes = threading.Condition()
        self.view: View | None = None
        # the last view that arrived over the current connection; patches are applied to it
        self._base: View | None = None
        self.closed = False
        self.lost_seat = False  # the seat was opened elsewhere, or its token is no longer valid
        self._hung_up = threading.Lock()
        self._moves = False  # True if the server process is about to stop and said so
        self._socket = self._make_socket()
        self._thread = threading.Thread(target=self._stay_connected, daemon=True)

    def _make_socket(self) -> _Client:
        socket = _Client(
            handle_sigint=False,  # the program itself handles Ctrl-C, and closes the connection
            reconnection=False,
            request_timeout=10,
            # Validating each byte of a view in Python costs more than all other work.
            websocket_extra_options={"skip_utf8_validation": True, "class_": ClosingSocket},
        )
        handlers = {
            "connect": self._on_connect,
            "disconnect": self._notify,
            "connect_error": self._on_refusal,
            "view": self._on_view,
            "patch": self._on_patch,
            "head": self._on_head,
            "moving": self._on_moving,
            "superseded": self._lose_seat,
        }
        for event, handle in handlers.items():
            socket.on(event, handle)
        return socket

    def open(self) -> None:
        """Connect, and wait up to 10 seconds for the first view."""
        self._thread.start()
        self.wait(lambda: self.view is not None, 10)

    def _stay_connected(self) -> None:
        """Connect, and connect again whenever the connection ends, until ``close()`` is called."""
        pause = RECONNECT_SECONDS
        try:
            while not self.closed:
                self._base = None
                self._moves = False
                # A ValueError is raised if something other than Socket.IO answers.
                with suppress(socketio.exceptions.SocketIOError, ValueError):
                    self._connect_once()
                failed = self._base is None
                pause = min(2 * pause, LONGEST_RECONNECT_SECONDS) if failed else RECONNECT_SECONDS
                self._socket = self._make_socket()
                self._notify()
                if not self._moves:
                    self.wait(lambda: False, pause * (0.5 + random()))
        finally:  # also after a bug, so that the robot doesn't wait for ever
            self.close()

    def _connect_once(self) -> None:
        """Connect, and return when the connection has ended.

        Raise a ``SocketIOError`` if the server doesn't accept the connection.
        """
        auth = {"table": self.credentials.table, "token": self.credentials.token, "patches": "keys"}
        self._socket.connect(self.url, auth=auth, transports=["websocket"], wait_timeout=10)
        if self.closed:  # close() was called while connecting
            self._socket.disconnect()
        self._socket.eio.wait()

    def close(self) -> None:
        """Close the connection, unless it is closed already, and wake all waiting threads."""
        self.closed = True
        self._notify()
        if self._hung_up.acquire(blocking=False):
            self._socket.shutdown()

    def wait(self, until: Callable[[], bool], seconds: float | None) -> bool:
        """Wait until ``until()`` is true, the connection is closed or the time is over.

        Return False only if the time is over.
        """
        with self.changes:
            return self.changes.wait_for(lambda: self.closed or until(), seconds)

    def send_command(self, command: Command) -> Json:
        """Send a command repeatedly until the server answers. Return the answer.

        Raise ``NoAnswer`` after ``PATIENCE`` seconds, or if the connection is closed.
        """
        request = {"id": str(uuid4()), **command}
        give_up = time.monotonic() + PATIENCE
        while not self.closed and time.monotonic() < give_up:
            answer = self._send_once(request)
            if answer is not None:
                if answer["ok"] or answer["error"]["code"] not in RETRYABLE:
                    return answer
                pause = retry_after_seconds(answer["error"])
                give_up += pause  # the pause that the server demands isn't part of the time limit
                self.wait(lambda: False, pause or RETRY_SECONDS)
        raise NoAnswer(f"no answer to {command}")

    def _send_once(self, request: Json) -> Json | None:
        """Send a command once. Return the answer, or None if none arrives in 5 seconds or the
        connection is lost."""
        # The library fires the connect event shortly before it stores the session id.
        if not self.wait(lambda: self._socket.get_sid() is not None, 5) or self.closed:
            return None
        connection = self._socket.get_sid()
        answers = list[Json]()

        def on_answer(answer: Json) -> None:
            answers.append(answer)
            self._notify()

        try:
            self._socket.emit("command", request, callback=on_answer)
        except socketio.exceptions.SocketIOError:
            return None
        self.wait(lambda: bool(answers) or self._socket.get_sid() != connection, 5)
        return answers[0] if answers else None

    def _on_connect(self) -> None:
        self._base = None
        self._notify()

    def _on_view(self, view: View) -> None:
        # Ignore an error (rate-limited, busy): after the next "head" message, which reports the
        # table's epoch and version, this client sends another "sync" to request the view.
        if "ok" not in view:
            self._store_view(view)

    def _on_patch(self, patch: View) -> None:
        view = self._base and apply_patch(self._base, patch)
        if view:
            self._store_view(view)
        else:
            self._on_head(patch)

    def _on_head(self, head: Json) -> None:
        """Compare the table's epoch and version (its *head*) with the last view.

        If the last view is missing or out of date, request the view. Otherwise use the last view of
        this connection.
        """
        base = self._base
        if not base or head["epoch"] != base["epoch"] or head["version"] > base["version"]:
            # If the connection is lost, the next connection begins with a view anyway.
            with suppress(socketio.exceptions.SocketIOError):
                self._socket.emit("sync", callback=self._on_view)
        else:
            self._store_view(base, rolled_back=True)

    def _store_view(self, view: View, *, rolled_back: bool = False) -> None:
        """Store a view that a server process sent.

        A view with an older version than the newest view is ignored, because its server process
        hasn't read the newest events yet. But if ``rolled_back`` is true, the older view is stored:
        the server process is up to date, and the database has lost the later versions.
        """
        with self.changes:
            self._base = view
            newest = self.view or view
            behind = newest["epoch"] == view["epoch"] and newest["version"] > view["version"]
            if rolled_back or not behind:
                self.view = view
                self.changes.notify_all()

    def _on_refusal(self, reason: object = None) -> None:
        error = reason.get("data", reason) if isinstance(reason, dict) else {}
        if isinstance(error, dict) and error.get("code") in PERMANENT:
            self._lose_seat()

    def _on_moving(self, *_: object) -> None:
        """Reconnect at once, because this server process is about to stop and another one takes
        over."""
        socket = self._socket
        time.sleep(SPREAD_SECONDS * random())
        self._moves = True
        socket.disconnect()

    def _lose_seat(self, *_: object) -> None:
        self.closed = True
        self.lost_seat = True
        self._notify()

    def _notify(self, *_: object) -> None:
        with self.changes:
            self.changes.notify_all()
