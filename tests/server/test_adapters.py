"""Tests for the library internals that companion/adapters relies on.

If a new version of a library lacks one of them, a test here fails instead of a game.
"""

import inspect
import json
import re
import subprocess
import sys
import time
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import engineio
import msgspec
import pytest
import simple_websocket
import socketio
from engineio import base_socket, exceptions
from engineio.async_drivers import threading as driver
from engineio.async_drivers._websocket_wsgi import SimpleWebSocketWSGI
from engineio.packet import MESSAGE, PING, Packet
from engineio.payload import Payload
from engineio.socket import Socket
from limits.storage.redis import RedisStorage
from msgspec import Struct, defstruct
from redis import connection
from socketio import packet
from socketio.manager import Manager
from websocket import ABNF
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from companion.adapters import CLIENTS, direct_engineio, direct_socketio, monotonic_patch
from companion.adapters.connection_slots import ConnectionSlots
from companion.adapters.direct_engineio import DirectSocket, text_frame
from companion.adapters.engineio import ClientSocket, Engine
from companion.adapters.msgspec import parse_error
from companion.adapters.socketio import Server, SocketIO
from companion.adapters.tested_versions import find_untested
from tests.support.paths import ROOT

PATCHED_LIBRARIES = (
    "eventlet flask-socketio limits msgspec python-engineio python-socketio redis".split()
)


def get_parameter_names(borrowed: Any) -> list[str]:
    return [*inspect.signature(borrowed).parameters]


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (engineio.Server._trigger_event, ["self", "event", "args", "kwargs"]),
        (engineio.Server._service_task, ["self"]),
        (engineio.Server._bad_request, ["self", "message"]),
        (engineio.Server.handle_request, ["self", "environ", "start_response"]),
        (
            engineio.Server._handle_connect,
            ["self", "environ", "start_response", "transport", "jsonp_index"],
        ),
        (engineio.Server.disconnect, ["self", "sid"]),
        (Socket.receive, ["self", "pkt"]),
        (Socket.send, ["self", "pkt"]),
        (Socket.poll, ["self"]),
        (Socket._websocket_handler, ["self", "ws"]),
        (Socket.handle_get_request, ["self", "environ", "start_response"]),
        (Socket.handle_post_request, ["self", "environ"]),
        (Payload.__init__, ["self", "packets", "encoded_payload"]),
        (Socket.close, ["self", "wait", "abort", "reason"]),
        (Socket.schedule_ping, ["self"]),
        (Socket.check_ping_timeout, ["self"]),
        (socketio.Server._handle_connect, ["self", "eio_sid", "namespace", "data"]),
        (socketio.Server._handle_event, ["self", "eio_sid", "namespace", "id", "data"]),
        (socketio.Server._handle_eio_disconnect, ["self", "eio_sid", "reason"]),
        (socketio.Server._handle_eio_message, ["self", "eio_sid", "data"]),
        (socketio.Server._trigger_event, ["self", "event", "namespace", "args"]),
        (Manager.sid_from_eio_sid, ["self", "eio_sid", "namespace"]),
        (Manager.eio_sid_from_sid, ["self", "sid", "namespace"]),
        (Manager.is_connected, ["self", "sid", "namespace"]),
        (packet.Packet.data_is_binary, ["data"]),
        (packet.Packet.decode, ["self", "encoded_packet"]),
        (connection.ConnectionPool.make_connection, ["self"]),
        (connection.Connection.connect, ["self"]),
        (connection.Connection.send_command, ["self", "args", "kwargs"]),
        (connection.Connection.send_packed_command, ["self", "command", "check_health"]),
        (connection.Connection.disconnect, ["self", "args", "kwargs"]),
    ],
    ids=lambda function: getattr(function, "__qualname__", ""),
)
def test_every_internal_function_that_we_use_has_the_expected_parameters(
    function: Any, names: list[str]
) -> None:
    assert get_parameter_names(function) == names


def test_engineio_has_the_attributes_that_we_read() -> None:
    server = engineio.Server(async_mode="threading")
    socket = Socket(server, "sid")
    assert issubclass(Socket, base_socket.BaseSocket)
    assert {"closed", "closing", "last_ping", "queue", "upgraded"} <= vars(socket).keys()
    assert socket.queue.qsize() == 0 and not socket.queue.queue
    assert server.sockets == {} and server.service_task_event is None
    assert server.reason.SERVER_DISCONNECT
    assert issubclass(exceptions.SocketIsClosedError, exceptions.EngineIOError)


def test_the_librarys_websocket_handler_uses_only_methods_that_we_provide() -> None:
    source = inspect.getsource(Socket._websocket_handler)
    assert set(re.findall(r"\bws\.(\w+)", source)) == {"wait", "send", "close"}
    assert "packets = self.poll()" in source and "ws.send(pkt.encode())" in source
    assert "['_sock', 'socket']" in source and "self.upgraded = True" in source
    assert "except exceptions.QueueEmpty:" in source and "self.queue.put(None)" in source
    assert "raise exceptions.QueueEmpty()" in inspect.getsource(Socket.poll)
    packet = Packet(MESSAGE, "2[]")
    assert packet.encode() == "42[]" and inspect.signature(packet.encode).parameters.keys() == {
        "b64"
    }


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_a_text_frame_equals_that_of_another_library(size: int) -> None:
    packet = ("4" + "é" * size)[:size].encode()[:size]
    ours = text_frame(packet)
    theirs = ABNF.create_frame(packet, ABNF.OPCODE_TEXT)
    theirs.mask_value = 0
    assert ours == theirs.format()


class FakeWebSocket:
    """A WebSocket that never waits. It accepts ``room`` bytes, then no more."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.sent = b""

    def write(self, frame: bytes) -> Any:
        accepted = frame[: self.room]
        self.room = max(0, self.room - len(frame))
        self.sent += accepted
        return Packet(MESSAGE, "rest") if len(accepted) < len(frame) else None


def make_client_socket(room: int) -> tuple[Any, FakeWebSocket]:
    client = DirectSocket(Engine(async_mode="threading"), "sid")
    wire = FakeWebSocket(room)
    client._wire = wire
    client._idle = True
    return client, wire


def test_an_idle_client_gets_its_output_at_once() -> None:
    client, wire = make_client_socket(1000)
    client.send_text(b"42[1]")
    client.send(Packet(PING))
    assert wire.sent == text_frame(b"42[1]") + text_frame(b"2") and client.queue.empty()


def test_messages_queue_in_order_behind_a_frame_that_was_partly_sent() -> None:
    client, wire = make_client_socket(len(text_frame(b"42[1]")) + 2)
    for number in range(1, 5):
        client.send_text(b"42[%d]" % number)
    wire.room = 1000
    client.send(Packet(PING))
    assert wire.sent == text_frame(b"42[1]") + text_frame(b"42[2]")[:2]
    queued = [client.queue.get(block=False).encode() for _ in range(client.queue.qsize())]
    assert queued == ["4rest", "42[3]", "42[4]", "2"]
    client.send_text(b"42[5]")
    assert wire.sent.endswith(text_frame(b"42[5]"))
    client.closed = True
    client.send_text(b"42[6]")
    assert wire.sent.endswith(text_frame(b"42[5]")) and client.queue.empty()


def test_the_service_task_skips_a_socket_that_is_still_being_admitted() -> None:
    """With plain threads, the service task can find a socket whose client has no slot yet. If the
    task raised an error at such a socket, it would end for good."""
    server = Engine(async_mode="threading")
    new = ClientSocket(server, "new")
    closed, _ = make_client_socket(0)
    closed.closed = True
    server.sockets |= {"new": new, "gone": closed}
    sweeps = iter([False, True])

    class Twice:
        def wait(self, timeout: float) -> bool:
            return next(sweeps)

    server.create_event = Twice
    server._service_task()
    assert [*server.sockets] == ["new"]
    server.slots = ConnectionSlots(1)
    server.end_polling()
    assert new.closed


def test_every_part_of_the_socket_server_is_created_in_our_class() -> None:
    from flask import Flask

    app = Flask("plain")
    server = SocketIO(app, async_mode="threading").server
    assert type(server) is Server and type(server.eio) is Engine
    assert server.eio.handlers["message"] == server._handle_eio_message
    assert app.extensions["socketio"].server is server
    assert type(app.wsgi_app) is socketio.WSGIApp
    assert "__class__ =" not in "".join(
        file.read_text("utf-8") for file in (ROOT / "companion").rglob("*.py")
    )


def test_our_handshake_does_what_the_librarys_does() -> None:
    """``Engine._handle_connect`` replaces the library's method. If this fails, compare both."""
    steps = """
        self.start_service_task self.start_background_task self._service_task self.generate_id
        self.sockets self._upgrades self.ping_timeout self.ping_interval
        self.ping_interval_grace_period self.max_http_buffer_size self._trigger_event
        self._unauthorized self._ok s.send s.schedule_ping s.handle_get_request s.closed
        s.connected s.poll
        """.split()
    theirs = inspect.getsource(engineio.Server._handle_connect)
    others = "self.service_task_handle self.logger self.cookie self._generate_sid_cookie"
    others += " self._bad_request"
    used = {*re.findall(r"\b(?:self|s)\.\w+", theirs)}
    assert used == {*steps, *others.split()}
    ours = inspect.getsource(Engine._handle_connect).replace("client.", "s.")
    assert {*steps} <= {*re.findall(r"\b(?:self|s)\.\w+", ours)}


def test_a_library_that_was_not_tested_with_the_short_way_is_named() -> None:
    installed = version("python-engineio")
    numbers = tuple(map(int, installed.split(".")[:2]))
    newer = (numbers[0], numbers[1] + 1)
    assert find_untested(("python-engineio", newer)) == []
    assert find_untested(("python-engineio", numbers), ("eventlet", (99, 0))) == [
        f"python-engineio {installed}"
    ]


FALLBACK_SCRIPT = """
import logging, sys
from companion.adapters import eventlet as adapter
adapter.patch()
from companion.adapters import direct_engineio, direct_eventlet
from companion.adapters.engineio import ClientSocket

logging.basicConfig(level=logging.WARNING, format="%(message)s")
assert adapter._choose_client_class(False) is direct_eventlet.EventletSocket
assert adapter._choose_client_class(True) is ClientSocket
direct_engineio.BEFORE = ("python-engineio", (4, 0))
assert adapter._choose_client_class(False) is ClientSocket
"""


def test_an_untested_version_turns_the_short_way_off_with_a_line_in_the_log() -> None:
    command = [sys.executable, "-c", FALLBACK_SCRIPT]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    line = {"what": "plain_sockets", "untested": f"python-engineio {version('python-engineio')}"}
    assert [json.loads(line) for line in result.stderr.splitlines()] == [line]


def test_commands_of_a_disconnected_client_are_ignored() -> None:
    handled: list[str] = []
    server = Server(async_mode="threading", async_handlers=False)
    server.on_failure = lambda: handled.append("failed")
    server.on("sync", handled.append)
    server._sockets["here"] = make_client_socket(0)[0]
    server._trigger_event("sync", "/", "here")
    server._trigger_event("sync", "/", "gone")
    assert handled == ["here"]


def test_eventlets_source_has_the_lines_that_we_patch() -> None:
    """This test reads eventlet's source, because these tests must not import eventlet."""
    import importlib.util

    spec = importlib.util.find_spec("eventlet")
    assert spec is not None and spec.origin is not None
    folder = Path(spec.origin).parent
    websocket = (folder / "websocket.py").read_text()
    wsgi = (folder / "wsgi.py").read_text()
    for line in ("def _recv_frame(self, message=None)", "def _apply_mask(data, mask, length=None",
                 "class FailedConnectionError", "class RFC6455WebSocket", "def wait(self)",
                 "self._sendlock = semaphore.Semaphore()", "self.socket = sock",
                 "self._sendlock.acquire()", "self.socket.recv("):  # fmt: skip
        assert line in websocket
    green = (folder / "greenio" / "base.py").read_text()
    for line in ("self.fd = fd", "set_nonblocking(fd)"):
        assert line in green
    hub = (folder / "hubs" / "hub.py").read_text()
    assert "def schedule_call_global(self, seconds, cb, *args, **kw)" in hub
    assert "self.counter = value" in (folder / "semaphore.py").read_text()
    for line in ("def server(sock, site,", "custom_pool=None", "socket_timeout=None",
                 "(pool.spawn(serv.process_request, connection)", "def _read_request_line(self)",
                 "def handle_one_request(self)", "def get_environ(self)", "conn_state = conn_state",
                 "self.environ = self.get_environ()",
                 "def _do_read(self, reader, length=None)", "def setup(self)", "def finish(self)",
                 "def _chunked_read(self, rfile, length=None, use_readline=False)",
                 "return self._chunked_read(self.rfile, length)",
                 "class ChunkReadError(ValueError)",
                 "def should_send_hundred_continue(self)", "is_hundred_continue_response_sent",
                 "self.rfile = FileObjectForHeaders(self.rfile)", "self.rfile = orig_rfile",
                 "except ChunkReadError as e:", "if self.close_connection == 0:",
                 "connection = [client_addr, client_socket, STATE_IDLE]"):  # fmt: skip
        assert line in wsgi
    hubs = (folder / "hubs" / "__init__.py").read_text()
    assert "def trampoline(fd, read=None, write=None, timeout=None,\n" in hubs
    assert "timeout_exc=" in hubs
    assert "reuse_port=None" in (folder / "convenience.py").read_text()


READER_SCRIPT = """
import socket, sys
from companion.adapters import eventlet as adapter
adapter.patch()
import eventlet
from eventlet.greenio import GreenSocket
from eventlet.websocket import RFC6455WebSocket
from companion.adapters import direct_eventlet, websocket

websocket.read_fairly()
sent, expected, piece_size = bytes.fromhex(sys.argv[1]), eval(sys.argv[2]), int(sys.argv[3])
here, there = (GreenSocket(end) for end in socket.socketpair())
received = []

def handle_message(message):
    received.append(message)
    eventlet.sleep(0)  # more data arrives while a command waits for its commit
    return True

wire = direct_eventlet.Wire(RFC6455WebSocket(here, {}, version=13), handle_message)

def feed():
    for at in range(0, len(sent), piece_size):
        there.sendall(sent[at : at + piece_size])
        eventlet.sleep(0)
    there.shutdown(socket.SHUT_WR)

eventlet.spawn(feed)
with eventlet.Timeout(60):
    assert wire.wait() is None
assert received == expected, (received, expected)
"""


@pytest.mark.parametrize(
    "piece_size",
    [3, 4096, *(pytest.param(size, marks=pytest.mark.repetition) for size in (1, 50, 100_000))],
)
def test_messages_arrive_whole_in_pieces_of_any_size(piece_size: int) -> None:
    messages = [
        "42[]",
        "é" * 62,
        "x" * 126,
        "y" * 4000,
        "z" * 5000,
        "in two pieces",
        "",
        *"abcdefghijkl",
    ]
    frames = [ABNF.create_frame(text, ABNF.OPCODE_TEXT) for text in messages]
    frames[5:6] = [
        ABNF.create_frame("in two ", ABNF.OPCODE_TEXT, 0),
        ABNF.create_frame("are you there?", ABNF.OPCODE_PING),
        ABNF.create_frame("pieces", ABNF.OPCODE_CONT),
    ]
    sent = b"".join(frame.format() for frame in frames).hex()
    command = [sys.executable, "-c", READER_SCRIPT, sent, ascii(messages), str(piece_size)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    "module", [*monotonic_patch.PINGS, *monotonic_patch.RATES], ids=lambda module: module.__name__
)
def test_a_module_with_a_patched_clock_uses_only_time_of_the_time_module(module: Any) -> None:
    source = inspect.getsource(module)
    assert "import time\n" in source
    assert set(re.findall(r"\btime\.(\w+)", source)) == {"time"}


def test_counters_in_redis_use_the_given_clock() -> None:
    monotonic_patch.install(lambda: 7.0)
    assert base_socket.time.time() <= time.monotonic()
    storage: Any = RedisStorage("redis://127.0.0.1")  # creating the storage doesn't connect yet
    calls: list[list[float]] = []
    storage.lua_acquire_moving_window = lambda _keys, arguments: calls.append(arguments)
    storage.lua_moving_window = storage.lua_acquire_moving_window
    storage.acquire_entry("join", 6, 60)
    storage.get_moving_window("join", 6, 60)
    assert calls == [[7.0, 6, 60, 1], [7.0 - 60, 6]]


class Seat(Struct, forbid_unknown_fields=True):
    name: str
    color: Literal["red", "blue"] = "red"
    notes: dict[Literal["a"], int] = {}


@pytest.mark.parametrize(
    ("content", "parsed"),
    [
        ([], ("Expected `object`, got `array`", "", None)),
        ({"seats": 5}, ("Expected `array`, got `int`", ".seats", None)),
        ({"seats": [{}]}, ("Object missing required field `name`", ".seats[0]", "name")),
        (
            {"seats": [{"name": "A", "a`b": 1}]},
            ("Object contains unknown field `a`b`", ".seats[0]", "a`b"),
        ),
        (
            {"seats": [{"name": "A", "color": "x - at `$.y`"}]},
            ("Invalid enum value 'x - at `$.y`'", ".seats[0].color", None),
        ),
        (
            {"seats": [{"name": "A", "notes": {"b": 1}}]},
            ("Invalid enum value 'b'", ".seats[0].notes", None),
        ),
    ],
)
def test_msgspecs_validation_errors_are_parsed(content: Any, parsed: Any) -> None:
    table_type = defstruct("Table", [("seats", list[Seat])])
    with pytest.raises(msgspec.ValidationError) as convert:
        msgspec.convert(content, table_type)
    with pytest.raises(msgspec.ValidationError) as decode:
        msgspec.json.decode(json.dumps(content), type=table_type)
    assert parse_error(convert.value) == parse_error(decode.value) == parsed


def test_the_threaded_server_has_the_internals_that_we_replace() -> None:
    assert driver._async["websocket"] is SimpleWebSocketWSGI
    assert get_parameter_names(SimpleWebSocketWSGI.__init__) == [
        "self",
        "handler",
        "server",
        "kwargs",
    ]
    assert "thread_class" in get_parameter_names(simple_websocket.Server.__init__)
    source = inspect.getsource(simple_websocket.ws.Base)
    assert "self.event = " in source and "self.sock = " in source
    assert get_parameter_names(ThreadedWSGIServer.process_request) == [
        "self",
        "request",
        "client_address",
    ]
    assert get_parameter_names(ThreadedWSGIServer.shutdown_request) == ["self", "request"]
    assert get_parameter_names(WSGIRequestHandler.make_environ) == ["self"]
    source = inspect.getsource(simple_websocket.ws.Base)
    assert "for event in self.ws.events():" in source and "except (OSError," in source
    assert get_parameter_names(WSGIRequestHandler.parse_request) == ["self"]
    assert "data = self.rfile.read(10_000_000)" in inspect.getsource(WSGIRequestHandler.run_wsgi)


def test_a_server_starts_without_importing_client_and_migration_libraries() -> None:
    unwanted = {*CLIENTS, "alembic", "companion.robots.client"}
    script = (
        "import sys; sys.argv[1:] = ['serve']; import companion.__main__\n"
        f"print(*sorted({unwanted!r} & sys.modules.keys()))\n"
        "import redis.connection, requests"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True
    )
    assert (result.stdout.strip(), result.stderr) == ("", ""), result


def test_the_robots_process_imports_no_library_that_it_does_not_need() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "companion.robots.worker"]
    ended = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True)
    imported = {line.split()[-1] for line in ended.stderr.decode().splitlines()}
    assert "socketio.client" in imported and not imported & {"aiohttp.client", "redis.client"}


def test_patched_libraries_have_an_upper_bound_that_the_lock_respects() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    dependencies = [*project["dependencies"], *project["optional-dependencies"]["redis"]]
    requirements = {re.split(r"[\[<>=]", line)[0]: line for line in dependencies}
    lock = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))
    # Read the source of ``direct_eventlet``, because these tests must not import eventlet.
    source = (ROOT / "companion" / "adapters" / "direct_eventlet.py").read_text("utf-8")
    eventlets = re.search(r'BEFORE = \("eventlet", \((\d+), (\d+)\)\)', source)
    assert eventlets
    short_way = dict([direct_engineio.BEFORE, direct_socketio.BEFORE])
    short_way["eventlet"] = (int(eventlets[1]), int(eventlets[2]))
    locked = {package["name"] for package in lock["package"]}
    for name in PATCHED_LIBRARIES:
        bound = re.search(r"<(\d+)\.(\d+)", requirements[name])
        assert bound, f"{name} has no upper bound"
        limit = (int(bound[1]), int(bound[2]))
        assert limit == short_way.get(name, limit), f"BEFORE of {name} differs from its bound"
        assert name.lower() in locked
        assert tuple(map(int, version(name).split(".")[:2])) < limit
