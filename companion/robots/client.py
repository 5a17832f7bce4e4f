"""One seat's connection, as protocol.md describes it, and the calls over HTTP. It reconnects by
itself and says a thing again, with the same id, until the server has answered."""

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

from companion.robots.view import Command, Json, View, apply_patch

RETRYABLE = (
    "busy",
    "rate_limited",
    "internal",
)  # what a client does well to say again a little later
PERMANENT = ("unauthenticated", "forbidden", "not_found")  # however often one asks

RETRY_SECONDS = 0.5  # after this it is said again, where the server names no time
SPREAD_SECONDS = 0.25  # within this a server's clients connect again when it ends, not all at once
PATIENCE = 60.0  # seconds for which a thing is said again before the robot gives up


class Unanswered(Exception):
    """The server did not answer, however often it was asked."""


class Unwelcome(Exception):
    """The server said no; ``error`` is the wire's error object."""

    def __init__(self, error: Json) -> None:
        super().__init__(error.get("text", error))
        self.error = error


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A seat at a table and the token that opens it."""

    table: str
    seat: str
    token: str


def make_table(url: str, name: str, **more: object) -> Place:
    """A new table whose host is ``name``; ``more``: ``variant``, ``options``."""
    return Place(**ask(f"{url}/api/tables", {"name": name, **more}))


def take_seat(url: str, table: str, name: str) -> Place:
    return Place(**ask(f"{url}/api/tables/{table}/seats", {"name": name}))


def variant(url: str, id: str) -> Json:
    found: Json = ask(f"{url}/api/variants/{id}")
    return found


def tables_variant(url: str, place: Place) -> Json:
    """What the table plays now: its variant, with its house rules."""
    found: Json = ask(
        f"{url}/api/tables/{place.table}/variant?brief&language=en", token=place.token
    )
    return found


def named_wait(error: Json) -> float:
    """Seconds after which whoever was too fast goes on, as the server says; 0: it says none."""
    return float(error.get("facts", {}).get("retry_after_ms", 0)) / 1000


def ask(address: str, body: Json | None = None, *, token: str = "") -> Any:
    """GET, or POST of a JSON body; whoever was too fast waits and asks again. Raises Unwelcome with
    the server's error object, also where it names a long time."""
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
            wait = named_wait(error)
            if not 0 < wait <= PATIENCE or "what" in error["facts"]:
                raise Unwelcome(error) from problem
            time.sleep(wait)


def whole_log(url: str, place: Place) -> list[Json]:
    """The log of a seat's table from its beginning; empty where the server is away."""
    try:
        log: list[Json] = ask(f"{url}/api/tables/{place.table}/log", token=place.token)
        return log
    except (OSError, ValueError, Unwelcome):
        return []


class _Engine(engineio.Client):  # type: ignore[misc]
    """The library's, whose writer hears in any case that it is to end. The library tells it so by
    the queue of what is to be sent, and then empties that: who did not hear it in time waited for a
    packet for 11 seconds, and whoever hung up for the writer."""

    def connect(self, *args: object, **more: object) -> None:
        """Connects, with nothing left of the connection before."""
        self.queue = self.create_queue()
        super().connect(*args, **more)

    def _reset(self) -> None:
        super()._reset()
        self.queue.put(None)


class _Client(socketio.Client):  # type: ignore[misc]
    def _engineio_client_class(self) -> type[_Engine]:
        return _Engine


class Connection:
    """One seat's connection: the newest view, and saying something and being answered.
    ``sent_away``: the seat was opened elsewhere, or isn't ours any more."""

    def __init__(self, url: str, place: Place) -> None:
        self.url = url
        self.place = place
        self.changes = threading.Condition()
        self.view: View | None = None
        self._base: View | None = None  # what this connection has sent: its patches build on it
        self.closed = self.sent_away = False
        self._hung_up = threading.Lock()
        self._socket = _Client(
            handle_sigint=False,  # whoever is interrupted closes it, as at any other end
            reconnection_delay=0.1,
            reconnection_delay_max=1,
            request_timeout=10,
            # Looking at each byte of each view in Python takes longer than all the rest.
            websocket_extra_options={"skip_utf8_validation": True},
        )
        for event, handle in {
            "view": self._show, "patch": self._patch, "head": self._head, "moving": self._move,
            "superseded": self._go, "connect_error": self._on_refusal, "connect": self._began,
            "disconnect": self._notify,
        }.items():  # fmt: skip
            self._socket.on(event, handle)

    def open(self) -> None:
        self._connect()
        self.wait(lambda: self.view is not None, 10)

    def _connect(self) -> None:
        auth = {"table": self.place.table, "token": self.place.token, "patches": "keys"}
        asked = {"auth": auth, "transports": ["websocket"], "wait_timeout": 10}
        while not self.closed and not self._socket.connected:
            try:
                self._socket.connect(self.url, **asked)
            except (socketio.exceptions.SocketIOError, ValueError):  # the last one still ends
                self.wait(lambda: False, SPREAD_SECONDS)
        if self.closed:
            self._hang_up()

    def close(self) -> None:
        """Hangs up, if nobody did before; whoever waits is woken."""
        self.closed = True
        self._notify()
        if self._hung_up.acquire(blocking=False):
            self._hang_up()

    def _hang_up(self) -> None:
        # Else it calls again, and for ever, if the line is lost meanwhile.
        self._socket.reconnection = False
        self._socket.reconnection_attempts = 1
        self._socket.shutdown()

    def wait(self, until: Callable[[], bool], seconds: float | None) -> bool:
        """Waits until something is so, or it is closed, or the time is over."""
        with self.changes:
            return self.changes.wait_for(lambda: self.closed or until(), seconds)

    def send_command(self, command: Command) -> Json:
        """Says a command until it is answered; the answer is the wire's acknowledgement."""
        said = {"id": str(uuid4()), **command}
        give_up = time.monotonic() + PATIENCE
        while not self.closed and time.monotonic() < give_up:
            answer = self._send_once(said)
            if answer is not None:
                if answer["ok"] or answer["error"]["code"] not in RETRYABLE:
                    return answer
                named = named_wait(answer["error"])
                give_up += named  # to wait as one is told is not to be impatient
                self.wait(lambda: False, named or RETRY_SECONDS)
        raise Unanswered(f"no answer to {command}")

    def _send_once(self, said: Json) -> Json | None:
        """None: the connection went away or stayed silent before the answer came."""
        # The library says that it is connected a little after it has told so.
        if not self.wait(lambda: self._socket.get_sid() is not None, 5) or self.closed:
            return None
        connection = self._socket.get_sid()
        answers = list[Json]()

        def on_answer(answer: Json) -> None:
            answers.append(answer)
            self._notify()

        try:
            self._socket.emit("command", said, callback=on_answer)
        except socketio.exceptions.SocketIOError:
            return None
        self.wait(lambda: bool(answers) or self._socket.get_sid() != connection, 5)
        return answers[0] if answers else None

    def _began(self) -> None:
        self._base = None
        self._notify()
        if self.closed:  # it was calling again as it was closed
            self._socket.disconnect()

    def _show(self, view: View) -> None:
        if "ok" not in view:  # asked too often, or the store is busy: the next head asks again
            self._take(view)

    def _patch(self, patch: View) -> None:
        view = self._base and apply_patch(self._base, patch)
        if view:
            self._take(view)
        else:
            self._head(patch)

    def _head(self, head: Json) -> None:
        base = self._base
        if not base or head["epoch"] != base["epoch"] or head["version"] > base["version"]:
            with suppress(socketio.exceptions.SocketIOError):  # gone: the next begins with a view
                self._socket.emit("sync", callback=self._show)
        else:
            self._take(base, lost=True)

    def _take(self, view: View, *, lost: bool = False) -> None:
        """Knows what the server sends, unless a process is behind; ``lost``: it has caught up, and
        what it lacks is lost."""
        with self.changes:
            self._base = view
            known = self.view or view
            behind = known["epoch"] == view["epoch"] and known["version"] > view["version"]
            if lost or not behind:
                self.view = view
                self.changes.notify_all()

    def _on_refusal(self, why: object = None) -> None:
        error = why.get("data", why) if isinstance(why, dict) else {}
        if isinstance(error, dict) and error.get("code") in PERMANENT:
            self._go()

    def _move(self, *_: object) -> None:
        """This server is about to end: whoever serves the table then is asked at once."""
        time.sleep(SPREAD_SECONDS * random())
        self._socket.disconnect()
        self._connect()

    def _go(self, *_: object) -> None:
        self.closed = self.sent_away = True
        self._notify()

    def _notify(self, *_: object) -> None:
        with self.changes:
            self.changes.notify_all()
