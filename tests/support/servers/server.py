"""A real server in its own process, and clients that connect to it.

The server starts as a user would start it, so nothing in the pytest process is patched.
"""

import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import uniform
from socket import SHUT_RDWR
from typing import Any, ClassVar, Protocol
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

import websocket
from socketio.exceptions import ConnectionError as NotConnected
from socketio.exceptions import SocketIOError

from companion.robots.client import ClosingSocket
from tests.support.paths import ROOT
from tests.support.servers import fork_server
from tests.support.servers.fork_server import Forked
from tests.support.servers.in_order import InOrder

UNLIMITED = {
    "COMPANION_COMMAND_RATE": "none",
    "COMPANION_JOIN_RATE": "none",
    "COMPANION_GUESS_RATE": "none",
}

TRIES = 3
"""Maximum number of times that a client sends a command if its connection is lost before the answer
arrives."""

LONGEST_WAIT = 120
"""Seconds after which a server that doesn't start, answer or end makes its test fail.

A server that isn't ready by then is aborted. The log of a forked one then shows where each of its
threads was.
"""


class Reply:
    """The response to an HTTP request."""

    def __init__(self, status: int, headers: Any, body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> Any:
        assert set(self.json) == {"error"}, self.json
        return self.json["error"]


class Start(Protocol):
    """Start ``python -m module arguments`` with these environment variables."""

    def __call__(
        self, module: str, arguments: Sequence[str], variables: Mapping[str, str]
    ) -> "subprocess.Popen[str] | Forked": ...


def start(
    module: str, arguments: Sequence[str], variables: Mapping[str, str]
) -> "subprocess.Popen[str]":
    """Start the program in a new Python process."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments], cwd=ROOT, env=variables, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def count_unread_bytes(pipe: Any) -> int:
    """Return the number of bytes that a pipe holds, or 0 on Windows, which can't count them."""
    if sys.platform == "win32":
        return 0
    from array import array
    from fcntl import ioctl
    from termios import FIONREAD

    return array("i", ioctl(pipe, FIONREAD, bytes(4)))[0]


class RealServer:
    """A server and its database. Tests can kill the server and start it again."""

    start_with: ClassVar[Start] = staticmethod(start)
    """The function that starts the process. Tests replace it with a function that forks a process,
    which saves importing the program."""

    def __init__(
        self, folder: Path, module: str = "companion", database: str = "", **variables: str
    ) -> None:
        self.database = folder / "tables.sqlite3"
        self.database_url = database or f"sqlite:///{self.database}"
        self.variables = {**UNLIMITED, **variables}
        self.module = module
        self.port = 0
        self._log_lines: list[str] = []
        self.output_lines: list[str] = []  # printed on stdout after "Ready"
        self._output_reader: threading.Thread | None = None
        self.clients: list[Client] = []
        self.start()

    def start(self, *more: str) -> None:
        variables = {**os.environ, **self.variables}
        arguments = ["serve", "--port", str(self.port), *more, "--database", self.database_url]
        self.process = self.start_with(self.module, arguments, variables)
        assert self.process.stdout and self.process.stderr
        self._listener = threading.Thread(
            target=self._keep_lines, args=(self.process.stderr, self._log_lines)
        )
        self._listener.start()
        abort_timer = threading.Timer(LONGEST_WAIT, os.kill, [self.process.pid, signal.SIGABRT])
        abort_timer.start()
        ready = self.process.stdout.readline()
        abort_timer.cancel()
        if not ready.startswith("Ready: http://"):
            self.kill()
            raise AssertionError((ready, self.log_lines))
        self.port = int(ready.rsplit(":", 1)[1])
        self.output_lines = []
        self._output_reader = threading.Thread(
            target=self._keep_lines, args=(self.process.stdout, self.output_lines)
        )
        self._output_reader.start()

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run another command of the program on the same database."""
        return fork_server.run_to_end(
            "companion", arguments, {"COMPANION_DATABASE": self.database_url}
        )

    @staticmethod
    def _keep_lines(stream: Any, lines: list[str]) -> None:
        with stream:
            for line in stream:
                lines.append(line.rstrip())

    @property
    def log_lines(self) -> list[str]:
        """The server's log, including every line that it has written until now."""
        with suppress(ValueError):  # the process has ended and its output has been read
            wait_until(lambda: not count_unread_bytes(self.process.stderr))
            time.sleep(0.01)  # the listener may still be adding the last line
        return self._log_lines

    def kill(self) -> None:
        """Kill the process with SIGKILL, as a power cut would."""
        self.process.kill()
        self.process.wait(LONGEST_WAIT)
        self._close_output()

    def stop(self) -> int:
        """Stop the process with SIGTERM, as a service manager would. Returns the exit status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(LONGEST_WAIT)
        self._close_output()
        return status

    def _close_output(self) -> None:
        if self._output_reader is None:
            assert self.process.stdout
            self.process.stdout.close()
        else:
            self._output_reader.join(LONGEST_WAIT)
            assert not self._output_reader.is_alive(), "another process keeps the output open"
            self._output_reader = None
        self._listener.join(LONGEST_WAIT)
        assert not self._listener.is_alive(), "another process keeps the log open"

    def close(self) -> None:
        if self.process.poll() is None:
            self.kill()
        for client in self.clients:
            client.close()
        traces = [
            line for line in self.log_lines if "Traceback" in line or '"code":"internal"' in line
        ]
        assert not traces, "\n".join(self.log_lines)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    # --- the wire ----------------------------------------------------------------------

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        request = Request(self.url + path, data, headers, method=method)
        try:
            with urlopen(request, timeout=LONGEST_WAIT) as answer:
                return Reply(answer.status, answer.headers, answer.read())
        except HTTPError as answer:
            with answer:
                return Reply(answer.status, answer.headers, answer.read())

    def get(self, path: str, **headers: str) -> Reply:
        return self.request("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Reply:
        kind = {"Content-Type": "application/json"}
        return self.request("POST", path, b"" if body is None else body, **{**kind, **headers})

    def connect_client(self, table: str, token: str | None = None, **more: Any) -> "Client":
        auth = {"table": table} | ({} if token is None else {"token": token})
        client = Client(self.url, auth, **more)
        self.clients.append(client)
        return client

    def create_table(self, *names: str, **more: Any) -> "Party":
        """Create a table with these seats and connect a client to each."""
        credentials = [self.post("/api/tables", {"name": names[0], **more}).json]
        path = f"/api/tables/{credentials[0]['table']}/seats"
        credentials += [self.post(path, {"name": name}).json for name in names[1:]]
        return Party(self, credentials)


class Client:
    """A client that keeps everything it receives.

    A ``patient`` client reconnects. A ``deaf`` one stays connected when the server announces its
    end.
    """

    acknowledged: ClassVar[dict[tuple[str, str], int]] = {}
    """The last acknowledged version, by table and epoch."""

    def __init__(
        self, url: str, auth: Any, *, patient: bool = False, deaf: bool = False, **options: Any
    ) -> None:
        self.received: list[tuple[str, Any]] = []
        self.refused: Any = None
        self._news = threading.Condition()
        self._opened: list[ClosingSocket] = []
        self._closed = False
        self._patient = patient
        self._hangs_up = {"disconnect"} if deaf else {"disconnect", "moving"}
        usual = {"transports": ["websocket"], "wait_timeout": 60}
        self._how = {"url": url, "auth": auth, **usual, **options}
        try:
            self._connect()
        except NotConnected:
            assert self.refused is not None
        if patient:
            threading.Thread(target=self._stay_connected, daemon=True).start()

    def _connect(self) -> None:
        """Connect with a new client of the library. The old one may believe that it is still
        connected."""
        socket = self.socket = InOrder(
            reconnection=False,
            # Validating each byte in Python would take most of the tests' time.
            websocket_extra_options={"skip_utf8_validation": True, "class_": self._make_socket},
        )
        for event in (
            "view", "patch", "head", "presence", "replay", "superseded", "sign", "moving",
            "disconnect",
        ):  # fmt: skip
            socket.on(event, self._make_handler(event, socket))
        socket.on("connect_error", self._keep_refusal)
        socket.connect(**self._how)

    def _stay_connected(self) -> None:
        """Connect again whenever the connection ends, until the client is closed or superseded."""
        while not self.get_received("superseded"):
            self.socket.eio.wait()
            time.sleep(uniform(0.05, 0.2))
            if self._closed:
                break
            with suppress(NotConnected):
                self._connect()

    def _make_handler(self, event: str, socket: InOrder) -> Callable[..., None]:
        def keep(payload: Any = None, *_: Any) -> None:
            if event in self._hangs_up:
                self._close_socket(socket.eio.ws)
            with self._news:
                self.received.append((event, payload))
                self._news.notify_all()

        return keep

    def _keep_refusal(self, payload: Any) -> None:
        self.refused = payload

    @staticmethod
    def _close_socket(ws: Any) -> None:
        """Close a socket, which the client's library keeps open when the server has gone."""
        if ws and (sock := ws.sock):
            with suppress(OSError):  # nothing else wakes a thread that is reading from the socket
                sock.shutdown(SHUT_RDWR)
            ws.shutdown()

    def _make_socket(self, **options: Any) -> ClosingSocket:
        """Return the WebSocket for a new connection.

        If the client is closed during a handshake, its library leaves the socket open. So the
        client keeps all its sockets in order to close them.
        """
        client = self

        class Socket(ClosingSocket):
            def connect(self, *arguments: Any, **options: Any) -> None:
                super().connect(*arguments, **options)  # type: ignore[no-untyped-call]
                if client._closed:
                    self.shutdown()  # type: ignore[no-untyped-call]
                    raise ConnectionAbortedError("the client was closed meanwhile")

        self._opened.append(Socket(**options))
        return self._opened[-1]

    def close(self) -> None:
        self._closed = True
        self.socket.shutdown()
        for ws in self._opened:
            self._close_socket(ws)

    def wait(self, until: Callable[[], Any], seconds: float = 60) -> None:
        with self._news:
            assert self._news.wait_for(until, seconds), self.received[-3:]

    def forget(self) -> None:
        """Drop all views except the newest one, so that a long game doesn't fill the memory."""
        with self._news:
            self.received[:] = [("view", payload) for payload in self.get_received("view")[-1:]]

    def get_received(self, event: str) -> list[Any]:
        return [payload for name, payload in list(self.received) if name == event]

    @property
    def presence(self) -> Any:
        """The newest ``presence`` event. The first one arrives shortly after the view. Until then,
        ``seats`` is empty and ``spectators`` is None."""
        return (self.get_received("presence") or [{"seats": {}, "spectators": None}])[-1]

    @property
    def view(self) -> Any:
        """The newest view, after waiting up to 5 s for the commands acknowledged to any client."""
        self.wait(lambda: self.get_received("view"))
        with self._news:
            self._news.wait_for(self._is_up_to_date, 5)
        return self.get_received("view")[-1]

    def _is_up_to_date(self) -> bool:
        view = self.get_received("view")[-1]
        return bool(view["version"] >= self.acknowledged.get((view["table"], view["epoch"]), 0))

    def wait_for_version(self, version: int) -> Any:
        """Wait for a view of at least this version, and return the first such view.

        Connects again if the connection was lost, as ``send`` does.
        """

        def find_view() -> Any:
            views = self.get_received("view")
            return next((view for view in views if view["version"] >= version), None)

        self.wait(lambda: find_view() or self.is_lost)
        if not find_view():
            self._connect()
            self.wait(find_view)
        return find_view()

    @property
    def is_lost(self) -> bool:
        """True if the connection has ended and this client should connect again. It shouldn't if
        it was closed, refused or superseded, or if it is patient and reconnects by itself."""
        is_final = self._closed or self.refused or self.get_received("superseded")
        is_open = self.socket.connected and self.socket.eio.state == "connected"
        return not (is_open or self._patient or is_final)

    def send(self, **command: Any) -> Any:
        """Send a command under the id that it already has. Returns the acknowledgement.

        If the connection is lost before the acknowledgement arrives, connects again and sends the
        command again, as a panel does. On a busy machine, heartbeats can be so late that the server
        closes the connection.
        """
        answers: list[Any] = []

        def keep_answer(answer: Any) -> None:
            with self._news:
                answers.append(answer)
                self._news.notify_all()

        try:
            for _ in range(TRIES):
                if self.is_lost:
                    self._connect()
                self.socket.emit("command", command, callback=keep_answer)
                with self._news:
                    ended = self._news.wait_for(lambda: answers or self.is_lost, LONGEST_WAIT)
                if answers:
                    return answers[0]
                if not ended:
                    break
            raise TimeoutError(f"no answer to {command}")
        except (SocketIOError, TimeoutError) as error:
            error.add_note(f"Refused: {self.refused}; received last: {self.received[-3:]}")
            raise

    def send_command(self, type: str, **more: Any) -> Any:
        """Send a command under a new id and wait for its view. Fails if the command is refused."""
        answer = self.try_command(type, **more)
        assert answer["ok"], answer
        view = self.wait_for_version(answer["version"])
        self.acknowledged[view["table"], view["epoch"]] = answer["version"]
        return answer

    def try_command(self, type: str, **more: Any) -> Any:
        """Send a command under a new id, which may be refused. Returns the acknowledgement."""
        return self.send(**{"id": str(uuid4()), "type": type, **more})

    def expect_refusal(self, type: str, **more: Any) -> Any:
        """Send a command that must be refused. Returns the error."""
        answer = self.try_command(type, **more)
        assert not answer["ok"], answer
        return answer["error"]


@contextmanager
def open_websocket(
    server: RealServer, table: str, token: str | None, **options: Any
) -> Iterator[websocket.WebSocket]:
    """Yield a raw WebSocket to a table, with a seat's token or for a spectator.

    Tests use it where the client's library might report the end of a connection before the last
    frames.
    """
    path = "/socket.io/?EIO=4&transport=websocket"
    address = f"ws://127.0.0.1:{server.port}{path}"
    socket = websocket.create_connection(address, timeout=60, **options)
    socket.send("40" + json.dumps({"table": table} | ({} if token is None else {"token": token})))
    yield socket
    socket.shutdown()


class Party:
    """The seats of one table, with a connected client for each. The first client is the host's."""

    def __init__(self, server: RealServer, credentials: list[Any]) -> None:
        self.server = server
        self.table: str = credentials[0]["table"]
        self.seats: list[str] = [seat_credentials["seat"] for seat_credentials in credentials]
        self.tokens: list[str] = [seat_credentials["token"] for seat_credentials in credentials]
        self.clients = [server.connect_client(self.table, token) for token in self.tokens]

    @property
    def host(self) -> Client:
        return self.clients[0]

    def begin(self, first: int = 0) -> "Party":
        """Prepare the game, make everybody ready and begin. The host has the first turn, unless
        ``first`` is the place of another seat."""
        self.host.send_command("prepare")
        return self.begin_prepared(first)

    def begin_prepared(self, first: int = 0) -> "Party":
        """Make everybody ready and begin a game that has already been prepared."""
        for seat in self.seats:
            self.host.send_command("ready", **{"as": seat, "ready": True})
        self.host.send_command("begin", first=self.seats[first])
        return self

    def instruct(self) -> "Party":
        """Instruct the turn player to draw the top left card."""
        self.host.send_command(
            "instruct", **{"as": self.host.view["turn"]["instructor"], "cell": [0, 0]}
        )
        return self

    def reconnect(self) -> None:
        """Connect again with the same tokens, as after a restart."""
        self.clients = [self.server.connect_client(self.table, token) for token in self.tokens]


def wait_until(condition: Callable[[], Any], seconds: float = 60) -> None:
    """Wait until the condition is true. Fails after this many seconds."""
    deadline = time.monotonic() + seconds
    for _ in itertools.count():
        if condition():
            return
        assert time.monotonic() < deadline
        time.sleep(0.01)
