"""The borrowed internals of the libraries that companion/adapters relies on, one by one.

A library version that lacks one of them fails here, not in the middle of a game.
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
from threading import get_ident
from typing import Any, Literal

import engineio
import flask_socketio
import msgspec
import pytest
import simple_websocket
import socketio
from engineio import base_socket, exceptions
from engineio.async_drivers import threading as driver
from engineio.async_drivers._websocket_wsgi import SimpleWebSocketWSGI
from engineio.packet import CLOSE, MESSAGE, PING, Packet
from engineio.payload import Payload
from engineio.socket import Socket
from limits.storage.redis import RedisStorage
from msgspec import Struct, defstruct
from redis import connection
from socketio import packet
from socketio.manager import Manager
from websocket import ABNF
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from companion.adapters import CLIENTS, monotonic_patch
from companion.adapters.connection_slots import ConnectionSlots
from companion.adapters.engineio import ClientSocket, Engine, text_frame
from companion.adapters.msgspec import misfit
from companion.adapters.socketio import Server

ROOT = Path(__file__).resolve().parent.parent
INSIDE = "eventlet flask-socketio limits msgspec python-engineio python-socketio redis".split()


def parameters(borrowed: Any) -> list[str]:
    return [*inspect.signature(borrowed).parameters]


@pytest.mark.parametrize(
    ("borrowed", "taking"),
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
    ids=lambda borrowed: getattr(borrowed, "__qualname__", ""),
)
def test_every_borrowed_internal_exists(borrowed: Any, taking: list[str]) -> None:
    assert parameters(borrowed) == taking


def test_a_socket_has_what_is_read_of_it() -> None:
    server = engineio.Server(async_mode="threading")
    one = Socket(server, "sid")
    assert issubclass(Socket, base_socket.BaseSocket)
    assert {"closed", "closing", "last_ping", "queue", "upgraded"} <= vars(one).keys()
    assert one.queue.qsize() == 0 and not one.queue.queue
    assert server.sockets == {} and server.service_task_event is None
    assert server.reason.SERVER_DISCONNECT
    assert issubclass(exceptions.SocketIsClosedError, exceptions.EngineIOError)


def test_a_sockets_writer_asks_it_what_waits_and_knows_of_the_websocket_what_wire_has() -> None:
    """The methods that ``ClientSocket`` and ``Wire`` replace, as the library's source has them."""
    source = inspect.getsource(Socket._websocket_handler)
    assert set(re.findall(r"\bws\.(\w+)", source)) == {"wait", "send", "close"}
    assert "packets = self.poll()" in source and "ws.send(pkt.encode())" in source
    assert "['_sock', 'socket']" in source and "self.upgraded = True" in source
    assert "except exceptions.QueueEmpty:" in source and "self.queue.put(None)" in source
    assert "raise exceptions.QueueEmpty()" in inspect.getsource(Socket.poll)
    said = Packet(MESSAGE, "2[]")
    assert said.encode() == "42[]" and inspect.signature(said.encode).parameters.keys() == {"b64"}


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_a_frame_is_as_another_library_reads_it(size: int) -> None:
    packet = ("4" + "é" * size)[:size].encode()[:size]
    ours = text_frame(packet)
    theirs = ABNF.create_frame(packet, ABNF.OPCODE_TEXT)
    theirs.mask_value = 0
    assert ours == theirs.format()


class Plain:
    """A WebSocket that never waits, for a ``ClientSocket``; ``room``: bytes the network takes."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.sent = b""

    def write(self, frame: bytes) -> Any:
        took = frame[: self.room]
        self.room = max(0, self.room - len(frame))
        self.sent += took
        return Packet(MESSAGE, "rest") if len(took) < len(frame) else None

    def later(self, frame: bytes) -> Any:
        return Packet(MESSAGE, f"later {frame.hex()}")


def line(room: int) -> tuple[Any, Plain]:
    server = Engine(async_mode="threading")
    one = Socket(server, "sid")
    wire = Plain(room)
    one.__class__ = ClientSocket
    one._wire = wire
    one._idle = True
    return one, wire


def test_output_for_a_reading_client_goes_out_at_once_with_its_answer() -> None:
    one, wire = line(1000)
    one.send_text(b"42[1]")
    one.send(Packet(PING))
    assert wire.sent == text_frame(b"42[1]") + text_frame(b"2") and one.queue.empty()
    wire.sent = b""
    one.answering_thread = get_ident()
    one.send_text(b"42[2]")
    assert wire.sent == b""
    one.answering_thread = 0
    one.send_text(b"430[3]")
    assert wire.sent == text_frame(b"42[2]") + text_frame(b"430[3]")


def test_frames_attached_to_an_answer_go_out_before_the_librarys_own() -> None:
    one, wire = line(1000)
    one.answering_thread = get_ident()
    one.send_text(b"42[1]")
    one.send(Packet(CLOSE))
    waits = [one.queue.get(block=False).encode() for _ in range(one.queue.qsize())]
    assert waits == [f"4later {text_frame(b'42[1]').hex()}", "1"] and not wire.sent


def test_behind_what_the_network_did_not_take_everything_waits_in_order() -> None:
    one, wire = line(len(text_frame(b"42[1]")) + 2)
    for number in range(1, 5):
        one.send_text(b"42[%d]" % number)
    wire.room = 1000
    one.send(Packet(PING))
    assert wire.sent == text_frame(b"42[1]") + text_frame(b"42[2]")[:2]
    waits = [one.queue.get(block=False).encode() for _ in range(one.queue.qsize())]
    assert waits == ["4rest", "42[3]", "42[4]", "2"]
    one.send_text(b"42[5]")
    assert wire.sent.endswith(text_frame(b"42[5]"))
    one.closed = True
    one.send_text(b"42[6]")
    assert wire.sent.endswith(text_frame(b"42[5]")) and one.queue.empty()


def test_a_sweep_passes_over_a_socket_that_is_just_being_made_a_line() -> None:
    """With plain threads it comes at any moment; what ends it would end it for everybody."""
    server = Engine(async_mode="threading")
    bare = Socket(server, "bare")
    made = Socket(server, "made")
    made.__class__ = ClientSocket
    gone, _ = line(0)
    gone.closed = True
    server.sockets |= {"bare": bare, "made": made, "gone": gone}
    sweeps = iter([False, True])

    class Twice:
        def wait(self, timeout: float) -> bool:
            return next(sweeps)

    server.create_event = Twice
    server._service_task()
    assert [*server.sockets] == ["bare", "made"]
    server.slots = ConnectionSlots(1)
    server.end_polling()
    assert bare.closed and made.closed


def test_flask_socketio_wraps_a_server_that_can_be_turned_into_ours() -> None:
    from flask import Flask

    wrapped = flask_socketio.SocketIO(Flask("plain"), async_mode="threading").server
    assert type(wrapped) is socketio.Server and type(wrapped.eio) is engineio.Server
    assert wrapped.eio.handlers["message"] == wrapped._handle_eio_message


def test_commands_of_a_disconnected_client_are_ignored() -> None:
    heard: list[str] = []
    server = Server.adopt(socketio.Server(async_mode="threading", async_handlers=False))
    server.on_failure = lambda: heard.append("failed")
    server.on("sync", heard.append)
    server._sockets["here"] = line(0)[0]
    server._trigger_event("sync", "/", "here")
    server._trigger_event("sync", "/", "gone")
    assert heard == ["here"]


def test_eventlets_server_can_be_patched_where_we_patch_it() -> None:
    """Read from its files: eventlet itself is never imported beside these tests."""
    import importlib.util

    found = importlib.util.find_spec("eventlet")
    assert found is not None and found.origin is not None
    inside = Path(found.origin).parent
    websocket = (inside / "websocket.py").read_text()
    wsgi = (inside / "wsgi.py").read_text()
    for line in ("def _recv_frame(self, message=None)", "def _apply_mask(data, mask, length=None",
                 "class FailedConnectionError", "class RFC6455WebSocket", "def wait(self)",
                 "self._sendlock = semaphore.Semaphore()", "self.socket = sock",
                 "self._sendlock.acquire()", "self.socket.recv("):  # fmt: skip
        assert line in websocket
    green = (inside / "greenio" / "base.py").read_text()
    for line in ("self.fd = fd", "set_nonblocking(fd)", "def _mark_as_closed(self)",
                 "self.fileno = fd.fileno"):  # fmt: skip
        assert line in green
    hub = (inside / "hubs" / "hub.py").read_text()
    for line in ("def add(self, evtype, fileno, cb, tb, mark_as_closed)", "def switch(self)",
                 "def remove(self, listener)", "if listener.spent:", "listener.tb(",
                 "def schedule_call_global(self, seconds, cb, *args, **kw)"):  # fmt: skip
        assert line in hub
    assert "listener.cb(fileno)" in (inside / "hubs" / "poll.py").read_text()
    assert "self.counter = value" in (inside / "semaphore.py").read_text()
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
    hubs = (inside / "hubs" / "__init__.py").read_text()
    assert "def trampoline(fd, read=None, write=None, timeout=None,\n" in hubs
    assert "timeout_exc=" in hubs
    assert "reuse_port=None" in (inside / "convenience.py").read_text()


READS = """
import socket, sys
from companion.adapters import eventlet as adapter
adapter.patch()
import eventlet
from eventlet.greenio import GreenSocket
from eventlet.hubs import get_hub
from eventlet.websocket import RFC6455WebSocket
from companion.adapters import websocket

websocket.read_fairly()
sent, told, pieces = bytes.fromhex(sys.argv[1]), eval(sys.argv[2]), int(sys.argv[3])
here, there = (GreenSocket(one) for one in socket.socketpair())
heard = []

def hears(said):
    heard.append(said)
    eventlet.sleep(0)  # as a command that waits for its commit, while more comes
    return True

wire = websocket.Wire(RFC6455WebSocket(here, {}, version=13), hears)

def feed():
    for at in range(0, len(sent), pieces):
        there.sendall(sent[at : at + pieces])
        eventlet.sleep(0)
    there.shutdown(socket.SHUT_WR)

eventlet.spawn(feed)
with eventlet.Timeout(60):
    assert wire.wait() is None
assert heard == told, (heard, told)
wire.leave()
assert here.fileno() not in get_hub().listeners["read"]
"""


@pytest.mark.parametrize("pieces", [1, 3, 50, 4096, 100_000])
def test_messages_are_read_however_the_network_cuts_them(pieces: int) -> None:
    told = [
        "42[]",
        "é" * 62,
        "x" * 126,
        "y" * 4000,
        "z" * 5000,
        "in two pieces",
        "",
        *"abcdefghijkl",
    ]
    frames = [ABNF.create_frame(text, ABNF.OPCODE_TEXT) for text in told]
    frames[5:6] = [
        ABNF.create_frame("in two ", ABNF.OPCODE_TEXT, 0),
        ABNF.create_frame("are you there?", ABNF.OPCODE_PING),
        ABNF.create_frame("pieces", ABNF.OPCODE_CONT),
    ]
    sent = b"".join(frame.format() for frame in frames).hex()
    command = [sys.executable, "-c", READS, sent, ascii(told), str(pieces)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize(
    "module", [*monotonic_patch.PINGS, *monotonic_patch.RATES], ids=lambda module: module.__name__
)
def test_a_library_with_the_steady_clock_queries_time_and_nothing_else(module: Any) -> None:
    source = inspect.getsource(module)
    assert "import time\n" in source
    assert set(re.findall(r"\btime\.(\w+)", source)) == {"time"}


def test_counters_in_redis_use_the_given_clock() -> None:
    monotonic_patch.install(lambda: 7.0)
    assert base_socket.time.time() <= time.monotonic()
    counted: Any = RedisStorage("redis://127.0.0.1")  # it connects when it is asked
    asked: list[list[float]] = []
    counted.lua_acquire_moving_window = lambda _keys, given: asked.append(given)
    counted.lua_moving_window = counted.lua_acquire_moving_window
    counted.acquire_entry("join", 6, 60)
    counted.get_moving_window("join", 6, 60)
    assert asked == [[7.0, 6, 60, 1], [7.0 - 60, 6]]


class Seat(Struct, forbid_unknown_fields=True):
    name: str
    color: Literal["red", "blue"] = "red"
    notes: dict[Literal["a"], int] = {}


@pytest.mark.parametrize(
    ("content", "said"),
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
def test_msgspecs_validation_errors_are_parsed(content: Any, said: Any) -> None:
    wanted = defstruct("Table", [("seats", list[Seat])])
    with pytest.raises(msgspec.ValidationError) as convert:
        msgspec.convert(content, wanted)
    with pytest.raises(msgspec.ValidationError) as decode:
        msgspec.json.decode(json.dumps(content), type=wanted)
    assert misfit(convert.value) == misfit(decode.value) == said


def test_threads_find_what_they_put_their_websocket_in_and_hang_up() -> None:
    assert driver._async["websocket"] is SimpleWebSocketWSGI
    assert parameters(SimpleWebSocketWSGI.__init__) == ["self", "handler", "server", "kwargs"]
    assert "thread_class" in parameters(simple_websocket.Server.__init__)
    source = inspect.getsource(simple_websocket.ws.Base)
    assert "self.event = " in source and "self.sock = " in source
    assert parameters(ThreadedWSGIServer.process_request) == ["self", "request", "client_address"]
    assert parameters(ThreadedWSGIServer.shutdown_request) == ["self", "request"]
    assert parameters(WSGIRequestHandler.make_environ) == ["self"]
    source = inspect.getsource(simple_websocket.ws.Base)
    assert "for event in self.ws.events():" in source and "except (OSError," in source
    assert parameters(WSGIRequestHandler.parse_request) == ["self"]
    assert "data = self.rfile.read(10_000_000)" in inspect.getsource(WSGIRequestHandler.run_wsgi)


def test_a_server_starts_without_what_only_clients_and_older_databases_need() -> None:
    needless = {*CLIENTS, "alembic", "companion.robots.client"}
    script = (
        "import sys; sys.argv[1:] = ['serve']; import companion.__main__\n"
        f"print(*sorted({needless!r} & sys.modules.keys()))\n"
        "import redis.connection, requests"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("", ""), done


def test_their_versions_have_an_upper_bound_and_the_lock_is_within() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["redis"]]
    needed = {re.split(r"[\[<>=]", line)[0]: line for line in wanted}
    locked = (ROOT / "requirements-dev.lock").read_text()
    for name in INSIDE:
        below = re.search(r"<(\d+)\.(\d+)", needed[name])
        assert below, f"{name} has no upper bound"
        most = (int(below[1]), int(below[2]))
        assert re.search(rf"^{name}==", locked, re.MULTILINE | re.IGNORECASE)
        assert tuple(map(int, version(name).split(".")[:2])) < most
