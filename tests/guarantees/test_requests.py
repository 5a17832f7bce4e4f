"""Tests for malformed and endless requests, handshakes and frames: the server refuses them and
closes the connection."""

import json
import re
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from websocket import ABNF, WebSocketConnectionClosedException, create_connection

from tests.support.servers.server import ROOT, Party, RealServer, open_websocket, wait_until
from tests.support.timed import LENIENCE

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

Serve = Callable[..., RealServer]

MEGABYTE = 1 << 20


@pytest.fixture(params=["eventlet", pytest.param("threads", marks=pytest.mark.repetition)])
def fresh_server(request: pytest.FixtureRequest, serve: Serve) -> RealServer:
    """Start a server on eventlet, then one on threads."""
    return serve(COMPANION_SERVER=request.param)


# --- Promise 150 in docs/promises.md: every line of a request has a limit -------------

CHUNKED = b"POST /nowhere HTTP/1.1\r\nHost: evil.example\r\nTransfer-Encoding: chunked\r\n\r\n"

ENDLESS_LINES = {
    "a chunk's extension": CHUNKED + b"c;x=",
    "a chunk's size": CHUNKED + b"0",
    "what ends a chunk": CHUNKED + b"1\r\nx",
    "a trailer": CHUNKED + b"0\r\nX-Trailer: ",
    "a header": b"GET / HTTP/1.1\r\nHost: x\r\nX-Header: ",
    "an address": b"GET /",
}


def _get_memory(server: RealServer, peak: bool = False) -> int:
    """Return the server's resident memory in bytes; with ``peak``, its maximum so far."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    match = re.search(r"VmHWM:\s+(\d+)" if peak else r"VmRSS:\s+(\d+)", status)
    assert match
    return int(match[1]) * 1024


def _send_endless_line(connection: socket.socket, begin: bytes, limit: int) -> int:
    """Send a line without an end. Returns the number of bytes that the server accepted."""
    sent = 0
    connection.settimeout(5)
    with suppress(OSError):
        connection.sendall(begin)
        while sent < limit:
            sent += connection.send(b"0" * 65536)
    return sent


@pytest.mark.slow
@pytest.mark.parametrize("begin", ENDLESS_LINES.values(), ids=ENDLESS_LINES)
def test_150_a_hundred_endless_lines_take_less_than_twenty_megabytes(
    fresh_server: RealServer, begin: bytes
) -> None:
    server = fresh_server
    assert server.get("/healthz").status == 200
    before = _get_memory(server)
    with ExitStack() as connections, ThreadPoolExecutor(100) as pool:
        open_connections = [
            connections.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            for _ in range(100)
        ]
        sending = [
            pool.submit(_send_endless_line, connection, begin, 4 * MEGABYTE)
            for connection in open_connections
        ]
        accepted = sum(future.result() for future in sending)
        time.sleep(0.5)
        grown = _get_memory(server, peak=True) - before
    print(f"{grown / MEGABYTE:.1f} MB grown, {accepted / MEGABYTE:.1f} MB sent")  # seen with -s
    assert grown < 20 * MEGABYTE
    assert server.get("/healthz").status == 200


NAME = b'{"name": "Ana"}'  # 15 bytes, which is F in hexadecimal, as in the size of a chunk
POST = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
CHUNKS = POST + b"Transfer-Encoding: chunked\r\n\r\n"
STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


def _send_and_read(server: RealServer, request: bytes) -> bytes:
    """Send these bytes and then a valid request. Returns everything that the server answers."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(request + GET + b"Connection: close\r\n\r\n")
        received = b""
        with suppress(ConnectionError):
            while more := connection.recv(65536):
                received += more
        return received


MALFORMED = {
    "a size with a sign": CHUNKS + b"+f\r\n" + NAME + b"\r\n0\r\n\r\n",
    "a size with 0x": CHUNKS + b"0xf\r\n" + NAME + b"\r\n0\r\n\r\n",
    "a size with an underscore": CHUNKS + b"0_f\r\n" + NAME + b"\r\n0\r\n\r\n",
    "a size with a blank": CHUNKS + b"f \r\n" + NAME + b"\r\n0\r\n\r\n",
    "a size below 0": CHUNKS + b"-f\r\n" + NAME + b"\r\n0\r\n\r\n",
    "a size of 17 digits": CHUNKS + b"0" * 16 + b"f\r\n" + NAME + b"\r\n0\r\n\r\n",
    "no size": CHUNKS + b"\r\n" + NAME + b"\r\n0\r\n\r\n",
    "an extension": CHUNKS + b"f;x=y\r\n" + NAME + b"\r\n0\r\n\r\n",
    "a bare line feed after a size": CHUNKS + b"f\n" + NAME + b"\r\n0\r\n\r\n",
    "a bare carriage return after a size": CHUNKS + b"f\r" + NAME + b"\r\n0\r\n\r\n",
    "a bare line feed after a chunk": CHUNKS + b"f\r\n" + NAME + b"\n0\r\n\r\n",
    "a chunk that is longer than said": CHUNKS + b"e\r\n" + NAME + b"\r\n0\r\n\r\n",
    "a trailer": CHUNKS + b"f\r\n" + NAME + b"\r\n0\r\nX-Trailer: 1\r\n\r\n",
    "a bare line feed at the end": CHUNKS + b"f\r\n" + NAME + b"\r\n0\n\n",
    "more chunks than a body needs": CHUNKS + b"1\r\nx\r\n" * 9000 + b"0\r\n\r\n",
    "chunks of HTTP/1.0": CHUNKS.replace(b"1.1", b"1.0", 1) + b"f\r\n" + NAME + b"\r\n0\r\n\r\n",
    "a bare line feed after a header": GET + b"X-Header: 1\n\r\n",
    "a bare carriage return after a header": GET + b"X-Header: 1\rX-Other: 2\r\n\r\n",
    "a header behind a carriage return": GET + b"X: 1\rContent-Length: 9\r\n\r\n",
    "a NUL in a header": GET + b"X-Header: \0\r\n\r\n",
    "a header that goes on in the next line": GET + b"X-Header: 1\r\n 2\r\n\r\n",
    "a blank before a header's colon": GET + b"X-Header : 1\r\n\r\n",
    "a line that is no header": GET + b"X-Header\r\n\r\n",
    "a bare line feed after the request line": GET.replace(b"\r", b"", 1) + b"\r\n",
    "a bare carriage return in the request line": GET.replace(b" ", b"\r", 1) + b"\r\n",
}


@pytest.fixture(
    scope="module", params=["eventlet", pytest.param("threads", marks=pytest.mark.repetition)]
)
def any_server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Start a server of each kind, for tests that don't change the server's state."""
    server = RealServer(tmp_path_factory.mktemp("any_server"), COMPANION_SERVER=request.param)
    yield server
    server.close()


@pytest.mark.parametrize("request_", MALFORMED.values(), ids=MALFORMED)
def test_150_a_malformed_request_is_refused_and_its_connection_closed(
    any_server: RealServer, request_: bytes
) -> None:
    answers = _send_and_read(any_server, request_)
    # The server notices that a request is too large before it notices that it is malformed.
    expected = [b"413" if len(request_) > 9000 else b"400"]
    assert STATUS.findall(answers) == expected and b'"bad_request"' in answers, answers


@pytest.mark.parametrize("pieces", [[15], [1, 14], [1] * 15, [7, 8]])
def test_150_a_properly_chunked_body_is_read_and_its_connection_stays_open(
    any_server: RealServer, pieces: list[int]
) -> None:
    body = b""
    at = 0
    for size in pieces:
        body += b"%X\r\n%b\r\n" % (size, NAME[at : at + size])
        at += size
    answers = _send_and_read(any_server, CHUNKS + body + b"000\r\n\r\n")
    # On threads, the server closes each connection after the first answer.
    expected = [b"201", b"200"][: 1 if any_server.variables["COMPANION_SERVER"] == "threads" else 2]
    assert STATUS.findall(answers) == expected, answers


UPLOAD = CHUNKS.replace(b"/api/tables", b"/api/replays")
GAME = (ROOT / "tests/data/replays/1-grid.json").read_bytes()


def _encode_chunks(content: bytes, size: int = 32 * 1024) -> bytes:
    """Encode a body in chunks, as cloudflared does. The last chunk is empty."""
    pieces = [content[at : at + size] for at in range(0, len(content), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in (*pieces, b""))


def test_150_a_chunked_file_is_opened_like_one_with_a_length(any_server: RealServer) -> None:
    with closing(HTTPConnection("127.0.0.1", any_server.port, timeout=20)) as connection:
        connection.request("POST", "/api/replays", iter([GAME[:5000], GAME[5000:]]),
                     {"Content-Type": "application/json"}, encode_chunked=True)  # fmt: skip
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (200, any_server.post("/api/replays", GAME).body)
    largest = GAME.ljust(512 * 1024)
    assert STATUS.findall(_send_and_read(any_server, UPLOAD + _encode_chunks(largest)))[0] == b"200"
    for content in (largest + b" ", 3 * largest):
        answers = _send_and_read(any_server, UPLOAD + _encode_chunks(content))
        assert STATUS.findall(answers)[0] == b"400" and b"file-large" in answers, answers


def test_150_a_malformed_chunk_of_a_file_is_refused_and_its_connection_closed(
    any_server: RealServer,
) -> None:
    malformed = _encode_chunks(GAME).replace(b"\r\n8000\r\n", b"\r\n0x8000\r\n", 1)
    answers = _send_and_read(any_server, UPLOAD + malformed)
    assert STATUS.findall(answers) == [b"400"] and b'"Transfer-Encoding"' in answers, answers
    form = UPLOAD.replace(b"Content-Type: application/json\r\n", b"")
    answers = _send_and_read(any_server, form + _encode_chunks(GAME))
    assert STATUS.findall(answers)[0] == b"400" and b'"Content-Type"' in answers, answers


def test_150_a_client_that_sends_an_endless_body_delays_nobody(serve: Serve) -> None:
    server = serve()
    over = threading.Event()

    def flood(begin: bytes, body: bytes) -> None:
        address = "127.0.0.1", server.port
        with suppress(OSError), socket.create_connection(address, timeout=5) as connection:
            connection.sendall(begin)
            while not over.is_set():
                connection.sendall(body)

    bodies = (
        (CHUNKS, b"1\r\nx\r\n" * 10_000),
        (CHUNKS + b"ffffffffffffff\r\n", b"x" * 65536),
        (POST + b"Content-Length: 99999999999999\r\n\r\n", b"x" * 65536),
    )
    with ThreadPoolExecutor(3) as pool:
        sending = [pool.submit(flood, *parts) for parts in bodies]
        try:
            seconds = []
            for _ in range(30):
                began = time.monotonic()
                assert server.get("/healthz").status == 200
                seconds.append(time.monotonic() - began)
                time.sleep(0.02)
        finally:
            over.set()
        for future in sending:
            future.result()
    print(f"{max(seconds) * 1000:.0f} ms at most")
    assert max(seconds) < LENIENCE * 0.5


# --- Promise 152 in docs/promises.md: input that Engine.IO can't read -----------------

SOCKETS = "/socket.io/?EIO=4&transport=websocket"
POLLING = "/socket.io/?EIO=4&transport=polling"
UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def _get_unreadable_count(server: RealServer, kind: str) -> float:
    """Return the value of a counter in the server's metrics."""
    match = re.search(
        rb'companion_unreadable_total{what="%b"} (\S+)' % kind.encode(), server.get("/metrics").body
    )
    return float(match[1]) if match else 0.0


def _send_handshake(server: RealServer, headers: dict[str, str], path: str = SOCKETS) -> bytes:
    """Send a handshake with these headers. Returns the status of the answer."""
    header_lines = [f"{name}: {value}" for name, value in headers.items()]
    request = "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *header_lines, "", ""])
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(request.encode())
        return connection.recv(65536).split()[1]


@pytest.mark.parametrize("header", UPGRADE)
@pytest.mark.parametrize("value", [None, "", "nonsense", "8"])
def test_152_an_invalid_handshake_is_refused_and_counted(
    any_server: RealServer, header: str, value: str | None
) -> None:
    if header == "Sec-WebSocket-Key" and value:
        return  # any non-empty key is valid
    headers = {name: value for name, value in UPGRADE.items() if name != header}
    if value is not None:
        headers[header] = value
    before = _get_unreadable_count(any_server, "handshake")
    assert _send_handshake(any_server, headers) == b"400"
    assert _get_unreadable_count(any_server, "handshake") == before + 1
    sid = json.loads(any_server.get(POLLING).body[1:])["sid"]
    assert _send_handshake(any_server, headers, f"{SOCKETS}&sid={sid}") == b"400"
    assert _send_handshake(any_server, UPGRADE) == b"101"


def _count_spectators(party: Party) -> int | None:
    """Return the number of spectators in the newest presence that the host received, or None before
    the first one."""
    presences = party.host.get_received("presence")
    return presences[-1]["spectators"] if presences else None


def _wait_until_away(party: Party) -> None:
    """Wait until the spectator is gone.

    The time limit is too short for the server to notice a missed pong. So the server must have
    closed the connection because of the input.
    """
    wait_until(lambda: _count_spectators(party) == 0, 3 * LENIENCE)


def _wait_until_here(party: Party) -> None:
    wait_until(lambda: _count_spectators(party) == 1)


FRAMES: dict[str, str | bytes] = {
    "empty": "", "a letter": "x", "no kind of packet": "9", "a greeting": "0{}", "a ping": "2",
    "no base64": "bA", "base64 of nothing": "b", "an empty message": "4", "bytes": b"4",
    "no bytes": b"", "a Socket.IO packet that is none": "4x", "attachments": "451-[]",
}  # fmt: skip


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_152_an_unreadable_frame_closes_the_connection_at_once_and_is_counted(
    any_server: RealServer, frame: str | bytes
) -> None:
    party = any_server.create_table("Ana")
    before = _get_unreadable_count(any_server, "packet") + _get_unreadable_count(
        any_server, "event"
    )
    with open_websocket(any_server, party.table, None) as connection:
        _wait_until_here(party)
        connection.send(frame, ABNF.OPCODE_TEXT if isinstance(frame, str) else ABNF.OPCODE_BINARY)
        _wait_until_away(party)
        with suppress(ConnectionError, WebSocketConnectionClosedException):
            while connection.recv():
                pass
    assert (
        _get_unreadable_count(any_server, "packet") + _get_unreadable_count(any_server, "event")
        == before + 1
    )


def _open_polling_session(server: RealServer, table: str) -> str:
    """Open a polling session that watches this table. Returns the session's path."""
    path = f"{POLLING}&sid={json.loads(server.get(POLLING).body[1:])['sid']}"
    hello = "40" + json.dumps({"table": table})
    assert server.request("POST", path, hello.encode()).body == b"OK"
    return path


BODIES = {
    "nothing": b"", "a letter": b"x", "no letters": b"\xff\xfe", "no kind of packet": b"9",
    "two empty packets": b"\x1e", "no form": b"d", "an empty form": b"d=", "no base64": b"bA",
    "a ping": b"2", "17 packets": b"\x1e".join([b"3"] * 17), "too much": b"4" * 5000,
    "a packet and nonsense": b'42["sync"]\x1ex',
}  # fmt: skip


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_152_an_unreadable_poll_is_refused_closed_and_counted(
    any_server: RealServer, body: bytes
) -> None:
    party = any_server.create_table("Ana")
    path = _open_polling_session(any_server, party.table)
    _wait_until_here(party)
    before = _get_unreadable_count(any_server, "packet")
    assert any_server.request("POST", path, body).status == 400
    _wait_until_away(party)
    assert _get_unreadable_count(any_server, "packet") == before + 1
    assert any_server.request("POST", path, b"3").status == 400


@pytest.mark.parametrize("probe", ["", "x", "bA"])
def test_152_an_unreadable_upgrade_ends_its_session(any_server: RealServer, probe: str) -> None:
    party = any_server.create_table("Ana")
    path = _open_polling_session(any_server, party.table)
    _wait_until_here(party)
    before = _get_unreadable_count(any_server, "packet")
    address = f"ws://127.0.0.1:{any_server.port}{path.replace('=polling', '=websocket')}"
    with closing(create_connection(address, timeout=20)) as connection:
        connection.send(probe)
        _wait_until_away(party)
    assert _get_unreadable_count(any_server, "packet") == before + 1


def test_152_a_lost_upgrade_leaves_its_session_polling(any_server: RealServer) -> None:
    party = any_server.create_table("Ana")
    path = _open_polling_session(any_server, party.table)
    _wait_until_here(party)
    address = f"ws://127.0.0.1:{any_server.port}{path.replace('=polling', '=websocket')}"
    connection = create_connection(address, timeout=20)
    connection.send("2probe")
    assert connection.recv() == "3probe"
    connection.shutdown()
    wait_until(lambda: b'42["' in any_server.get(path).body)
    assert any_server.request("POST", path, b"3").body == b"OK"
    assert _count_spectators(party) == 1
