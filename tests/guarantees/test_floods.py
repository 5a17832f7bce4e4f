"""The server refuses floods and oversized or invalid input, and nobody else is affected."""

import json
import os
import socket
import statistics
import struct
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
import websocket
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.adapters.socketio import TextPacket
from companion.rules.grid.family import GRID
from companion.service import codec
from companion.service.errors import Fault
from tests.guarantees import fuzz
from tests.support.iterations import scale_count
from tests.support.servers.server import Client, Party, RealServer, open_websocket, wait_until
from tests.support.timed import LENIENCE

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

Serve = Callable[..., RealServer]


# --- Promises 20 and 21 in docs/promises.md: rates and sizes --------------------------


def test_20_http_calls_and_events_are_rate_limited(serve: Serve) -> None:
    server = serve(COMPANION_COMMAND_RATE="10/5 second", COMPANION_JOIN_RATE="6/minute")
    party = server.create_table("Ana", "Ben")
    answers = [party.clients[1].try_command("draw", cell=[0, 0]) for _ in range(12)]
    codes = [answer["error"]["code"] for answer in answers]
    assert codes == ["refused"] * 10 + ["rate_limited"] * 2
    assert party.host.try_command("prepare")["ok"]  # each connection has its own rate limit
    results = [server.get("/api/tables/AAAAAA").status,
             server.connect_client("AAAAAC").refused["data"]["code"],
             server.post("/api/claims/nothing").status,
             server.connect_client(party.table, "nothing").refused["data"]["code"]]  # fmt: skip
    assert results == [404, "not_found", 404, "unauthenticated"]
    for answer in (server.post("/api/tables", {"name": "Dan"}), server.get("/api/tables/AAAAAA"),
                   server.post(f"/api/tables/{party.table}/seats", {"name": "Dan"}),
                   server.post("/api/claims/nothing")):  # fmt: skip
        assert (answer.status, answer.error["code"]) == (429, "rate_limited")
    assert server.connect_client(party.table, "nothing").refused["data"]["code"] == "rate_limited"
    time.sleep(5)
    assert party.clients[1].expect_refusal("draw", cell=[0, 0])["code"] == "refused"


class Raw:
    """A WebSocket that can send frames that no proper client would send."""

    def __init__(self, server: RealServer) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port))
        self.socket.settimeout(3)
        self.socket.sendall(
            b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\n"
            b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            b"Sec-WebSocket-Version: 13\r\n\r\n"
        )
        assert b" 101 " in self.socket.recv(4096)

    @staticmethod
    def frame(data: bytes, kind: int = 1, final: bool = True) -> bytes:
        size = len(data)
        head = bytes([kind | (0x80 if final else 0)])
        if size < 126:
            head += bytes([0x80 | size])
        else:
            head += struct.pack(
                "!BH" if size < 65536 else "!BQ", 0xFE if size < 65536 else 0xFF, size
            )
        return head + b"\0\0\0\0" + data

    def flood(self, data: bytes, seconds: float) -> bool:
        """Send the data again and again for some seconds. Returns True if the server closed the
        connection during that time."""
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                self.socket.sendall(data)
        except OSError:
            return True
        return False

    def wait_until_closed(self) -> bool:
        try:
            while self.socket.recv(65536):
                pass
        except TimeoutError:
            return False
        except OSError:
            pass
        return True


def _list_floods(party: Party) -> Iterator[tuple[str, bytes, bytes]]:
    auth = json.dumps({"table": party.table, "token": party.tokens[1]}).encode()
    hello = Raw.frame(b"40" + auth)
    yield "junk", b"", Raw.frame(b"49junk") * 50
    yield "pongs", hello, Raw.frame(b"3") * 50
    yield "commands", hello, Raw.frame(b'420["command",{}]') * 50
    yield "syncs", hello, Raw.frame(b'420["sync"]') * 50
    yield "connects", b"", hello * 50
    yield "attachments", hello, Raw.frame(b'459-["command",{"_placeholder":true,"num":0}]') + (
        Raw.frame(b"x" * 4000, kind=2) * 9)  # fmt: skip
    yield "pings", hello, Raw.frame(b"", kind=9) * 500
    yield "answers to no ping", hello, Raw.frame(b"x" * 125, kind=10) * 100
    yield "empty pieces", hello, (Raw.frame(b"", final=False) + Raw.frame(b"", 0)) * 100
    yield "pieces", Raw.frame(b"4x", final=False), Raw.frame(b"x" * 4000, 0, final=False) * 10


@pytest.mark.slow
@pytest.mark.timed
def test_20_a_flooding_client_is_disconnected_and_slows_no_other_table(serve: Serve) -> None:
    server = serve(COMPANION_COMMAND_RATE="40/10 second")
    party = server.create_table("Ana", "Ben")
    seconds: list[float] = []

    def measure(rounds: int, calm: Party) -> float:
        for _ in range(rounds):
            began = time.perf_counter()
            assert "seats" in calm.host.socket.call("sync")
            seconds.append(time.perf_counter() - began)
            time.sleep(0.05)
        return statistics.quantiles(seconds[-rounds:], n=100)[-1]

    def measure_under_attack(name: str, hello: bytes, frames: bytes) -> float:
        # a new table each time, because each seat has a rate limit
        calm = server.create_table("Dan", "Eva")
        attackers = [Raw(server) for _ in range(3)]
        for raw in attackers:
            raw.socket.sendall(hello)
        with ThreadPoolExecutor(len(attackers)) as pool:
            ends = [pool.submit(raw.flood, frames, 5) for raw in attackers]
            p99 = measure(20, calm)
        for raw in attackers:
            raw.socket.close()
        assert all(end.result() for end in ends), f"{name}: nobody hung up"
        return p99

    quiet = measure(30, server.create_table("Dan", "Eva"))
    for flood in _list_floods(party):
        p99 = measure_under_attack(*flood)
        assert p99 < LENIENCE * (0.3 + 5 * quiet), (flood[0], p99, quiet)
    assert _get_memory(server) < 200_000_000


NO_MESSAGES = {
    "pings": Raw.frame(b"", kind=9),
    "long pings": Raw.frame(b"x" * 125, kind=9),
    "answers to no ping": Raw.frame(b"", kind=10),
    "empty pieces": Raw.frame(b"3", final=False) + Raw.frame(b"", 0, final=False) * 9 + (
        Raw.frame(b"", 0)
    ),
}  # fmt: skip


def _count_spectators(party: Party) -> int | None:
    """Return the number of spectators in the newest presence that the host received, or None before
    the first one."""
    presences = party.host.get_received("presence")
    return presences[-1]["spectators"] if presences else None


def _drain(raw: Raw) -> None:
    with suppress(OSError):
        while raw.socket.recv(65536):
            pass


KINDS = {
    "eventlet": {},
    "plain": {"COMPANION_PLAIN_SOCKETS": "1"},
    "threads": {"COMPANION_SERVER": "threads"},
}


@pytest.fixture(
    scope="module",
    params=["eventlet", "plain", pytest.param("threads", marks=pytest.mark.repetition)],
)
def limited_server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealServer]:
    """Start a server of each kind in ``KINDS``, with a low command rate."""
    folder = tmp_path_factory.mktemp("limited_server")
    server = RealServer(folder, COMPANION_COMMAND_RATE="40/10 second", **KINDS[request.param])
    yield server
    server.close()


@pytest.mark.parametrize("frame", NO_MESSAGES.values(), ids=NO_MESSAGES)
def test_151_control_frames_count_in_the_limit_like_text_frames(
    limited_server: RealServer, frame: bytes
) -> None:
    server = limited_server
    party = server.create_table("Ana")
    raw = Raw(server)
    raw.socket.sendall(Raw.frame(b"40" + json.dumps({"table": party.table}).encode()))
    wait_until(lambda: _count_spectators(party) == 1)
    used = _get_cpu_seconds(server)
    with ThreadPoolExecutor(2) as pool:
        # read the answers, so that a full buffer doesn't slow the flood down
        pool.submit(_drain, raw)
        closed = pool.submit(raw.flood, frame * 500, 3).result()
        raw.socket.close()
    used = _get_cpu_seconds(server) - used
    print(f"{used:.2f} s of a core, of 3")
    assert closed and used < LENIENCE * 0.3
    wait_until(lambda: _count_spectators(party) == 0)


def test_151_pings_within_the_rate_are_answered(limited_server: RealServer) -> None:
    party = limited_server.create_table("Ana")
    with open_websocket(limited_server, party.table, None) as connection:
        for number in range(60):
            connection.ping(f"{number}")
        pongs = 0
        while pongs < 60:
            code, _ = connection.recv_data(control_frame=True)
            pongs += code == websocket.ABNF.OPCODE_PONG
        connection.send('420["sync"]')
        while not connection.recv().startswith("430"):
            pass


def _get_cpu_seconds(server: RealServer) -> float:
    """Return the processor time in seconds that the server has used."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _get_memory(server: RealServer) -> int:
    """Return the server's resident memory in bytes."""
    fields = Path(f"/proc/{server.process.pid}/statm").read_text().split()
    return int(fields[1]) * 4096


@pytest.mark.slow
def test_20_a_client_that_never_reads_is_disconnected(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana")
    for number in range(9):  # more seats make a longer view
        server.post(f"/api/tables/{party.table}/seats", {"name": f"Somebody with a name {number}"})
    raw = Raw(server)
    raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.socket.sendall(Raw.frame(b"40" + json.dumps({"table": party.table}).encode()))
    wait_until(lambda: party.host.presence["spectators"] == 1)
    number = 0
    while party.host.presence["spectators"] and number < 4000:
        number += 1
        party.host.try_command("options", nope_seconds=3 + number % 20)
    raw.socket.close()
    assert number < 4000


@pytest.mark.parametrize(
    "plain",
    [
        pytest.param("0", id="at once"),
        pytest.param("1", id="plain", marks=pytest.mark.repetition),
    ],
)
def test_55_a_client_that_stops_reading_harms_nobody_and_catches_up_or_is_disconnected(
    serve: Serve, plain: str
) -> None:
    """Every view that arrives is complete, and they arrive in order."""
    server = serve(COMPANION_PLAIN_SOCKETS=plain)
    party = server.create_table("Ana", "Ben")
    for number in range(8):  # more seats make a longer view
        server.post(f"/api/tables/{party.table}/seats", {"name": f"Somebody with a name {number}"})
    for number in range(60):
        party.host.send_command("options", nope_seconds=3 + number % 20)
    few = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),)
    with open_websocket(server, party.table, None, sockopt=few) as stuck:
        wait_until(lambda: party.host.presence["spectators"] == 1)
        for number in range(ASKED):  # the answers are more than the network can buffer
            stuck.send(f'42{number}["sync"]')
        for number in range(20):
            party.host.send_command("options", nope_seconds=3 + number % 20)
        newest = party.host.view["version"]
        versions = [newest - 20]
        answers = 0
        while (frame := read_frame(stuck)) and (versions[-1] < newest or answers < ASKED):
            if frame.startswith('42["view",'):
                versions.append(json.loads(frame[2:])[1]["version"])
            elif frame.startswith("43"):
                assert frame.startswith(f"43{answers}[") and json.loads(frame[frame.index("[") :])
                answers += 1
            elif frame == "2":
                stuck.send("3")
    # the client's first view can have any version; after that, the client must receive every
    # version
    versions = [*dict.fromkeys(versions)]
    assert answers > 10 and versions == [*range(versions[0], versions[-1] + 1)]
    assert not frame or (versions[-1], answers) == (newest, ASKED)


ASKED = 400


def read_frame(connection: websocket.WebSocket) -> str:
    """Return the next frame, or an empty string if the connection ends."""
    with suppress(ConnectionError, websocket.WebSocketConnectionClosedException):
        return str(connection.recv())
    return ""


@pytest.mark.parametrize(
    "frames",
    [
        Raw.frame(b"42" + b"x" * 4100),
        Raw.frame(b'42["command","' + b"x" * 5000 + b'"]'),
        struct.pack("!BBQ", 0x81, 0xFF, 2**40) + b"\0\0\0\0" + b"x" * 5000,
        Raw.frame(b"42" + b"x" * 3000, final=False) + Raw.frame(b"x" * 3000, 0),
        Raw.frame(b"42" + b"[" * 4000),
        Raw.frame(b'42["command",' + b'{"a":' * 700 + b"1" + b"}" * 700 + b"]"),
        Raw.frame(b"4" + b"9" * 4000),
        Raw.frame(b'42{"command":1}'),
        Raw.frame(b"42[[1]]"),
        Raw.frame(b"bAAAA", 2),
        Raw.frame(b"\xff\xfe"),
    ],
    ids=["event", "command", "length", "pieces", "deep", "deep JSON", "digits", "no list",
         "no name", "binary", "no text"],
)  # fmt: skip
def test_21_input_too_long_too_deep_or_unreadable_is_refused(
    frames: bytes, shared_server: tuple[RealServer, Party]
) -> None:
    server, party = shared_server
    before = _get_version(server, party.table)
    raw = Raw(server)
    raw.socket.sendall(Raw.frame(b"40" + json.dumps({"table": party.table}).encode()))
    wait_until(lambda: raw.socket.recv(65536, socket.MSG_PEEK).find(b"view") > 0)
    raw.socket.sendall(frames)
    received = b""
    try:
        while True:
            more = raw.socket.recv(65536)
            received += more
            if not more or b'"bad_request"' in received:
                break
    except TimeoutError:
        raise AssertionError("neither refused nor closed") from None
    except ConnectionError:
        pass
    raw.socket.close()
    assert _get_version(server, party.table) == before


def _get_version(server: RealServer, table: str) -> int:
    """Return the table's version, as a new spectator sees it."""
    with closing(server.connect_client(table)) as watching:
        return int(watching.view["version"])


@pytest.mark.parametrize("kind", ["51000000000-", "52-", "60-", "5", "6"])
def test_30_a_packet_that_announces_attachments_is_closed_at_once(
    kind: str, shared_server: tuple[RealServer, Party]
) -> None:
    server, party = shared_server
    raw = Raw(server)
    raw.socket.settimeout(20)
    raw.socket.sendall(Raw.frame(b"40" + json.dumps({"table": party.table}).encode()))
    wait_until(lambda: raw.socket.recv(65536, socket.MSG_PEEK).find(b"view") > 0, 20)
    content = '["command",{"_placeholder":true,"num":0}]'
    raw.socket.sendall(Raw.frame(f"4{kind}{content}".encode()))
    assert raw.wait_until_closed()
    raw.socket.close()


def test_21_bodies_over_four_kilobytes_are_refused(shared_server: tuple[RealServer, Party]) -> None:
    server, _ = shared_server
    assert server.post("/api/tables", {"name": "x" * 5000}).status == 413
    assert server.post("/api/tables", b"[" * 4000).error["code"] == "bad_request"
    opened = server.get("/socket.io/?EIO=4&transport=polling").body[1:]
    sid = json.loads(opened)["sid"]
    polling = server.post(f"/socket.io/?EIO=4&transport=polling&sid={sid}", b"4" + b"x" * 5000)
    assert polling.status == 400


# --- Promises 34, 35 and 36 in docs/promises.md: spectators ---------------------------


def test_34_presence_is_sent_at_most_twice_a_second(serve: Serve) -> None:
    server = serve(COMPANION_SPECTATORS="0", COMPANION_ADDRESS_CONNECTIONS="0")
    party = server.create_table("Ana", "Ben")
    hello = Raw.frame(b"40" + json.dumps({"table": party.table}).encode())
    presence_count = len(party.host.get_received("presence"))
    began = time.monotonic()
    watching = [Raw(server) for _ in range(150)]
    for raw in watching:
        raw.socket.sendall(hello)
    wait_until(lambda: party.host.presence["spectators"] == len(watching), 60)
    for raw in watching:
        raw.socket.close()
    wait_until(lambda: party.host.presence["spectators"] == 0, 60)
    # The time measured here is never shorter than the time that has passed at the server. So on a
    # slow machine the limit below can be too high, but never too low.
    presence_count = len(party.host.get_received("presence")) - presence_count
    assert presence_count <= 2 * (time.monotonic() - began) + 3
    party.host.send_command("prepare")
    assert not party.clients[1].get_received("disconnect")


def _get_refusal_reason(client: Client) -> tuple[str, str]:
    why = client.refused["data"]
    return why["code"], why.get("facts", {}).get("what", "")


def test_35_spectators_per_table_and_connections_per_address_are_limited(serve: Serve) -> None:
    server = serve(COMPANION_SPECTATORS="3", COMPANION_ADDRESS_CONNECTIONS="6")
    party = server.create_table("Ana", "Ben")
    other = server.create_table("Eva")
    watching = [server.connect_client(party.table) for _ in range(3)]
    assert _get_refusal_reason(server.connect_client(party.table)) == ("rate_limited", "spectators")
    assert _get_refusal_reason(server.connect_client(other.table)) == (
        "rate_limited",
        "connections",
    )
    other.reconnect()  # a seat's new connection replaces the old one
    server.connect_client(party.table, party.tokens[1]).view  # noqa: B018 - it waits for one
    assert not any(client.get_received("disconnect") for client in watching)
    watching.pop().close()

    def try_to_join() -> bool:
        watching.append(server.connect_client(party.table))
        return watching[-1].refused is None

    wait_until(try_to_join, 30)
    assert _get_refusal_reason(server.connect_client(party.table)) == ("rate_limited", "spectators")


def test_36_switching_spectators_off_disconnects_them_in_mid_game(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben").begin()
    watcher = server.connect_client(party.table)
    assert watcher.view["you"] is None
    assert party.clients[1].expect_refusal("options", spectators=False)["code"] == "refused"
    party.host.send_command("options", spectators=False)
    watcher.wait(lambda: watcher.get_received("disconnect"), 20)
    assert server.connect_client(party.table).refused["data"]["code"] == "forbidden"
    party.instruct()
    assert not party.clients[1].get_received("disconnect")
    party.host.send_command("options", spectators=True)
    assert server.connect_client(party.table).view["phase"] == "play"


# --- Promise 25 in docs/promises.md: invalid input ------------------------------------


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(fuzz.KEYS) | st.text(), inner, max_size=6)
    ),
)


@pytest.mark.slow
@settings(max_examples=scale_count(20, 80), deadline=None)
@given(content=ANYTHING | st.fixed_dictionaries(
    {"type": st.sampled_from(fuzz.TYPES)},
    optional={key: ANYTHING for key in fuzz.KEYS if key != "type"}))  # fmt: skip
def test_25_any_json_is_a_command_or_a_bad_request(content: Any) -> None:
    try:
        command = codec.command(content, GRID)
    except Fault as fault:
        assert fault.code == "bad_request" and fault.facts["at"].startswith("$")
    else:
        assert command.id is not None
    with suppress(ValueError):
        TextPacket(encoded_packet="2" + json.dumps(["command", content]))


@pytest.mark.slow
def test_25_fuzzed_payloads_change_nothing(serve: Serve) -> None:
    report = fuzz.fuzz_in_process(scale_count(2_000, 100), seed=25)
    assert report.changed == 0 and report.grown < 20_000_000
    server = serve()
    sent = fuzz.fuzz_over_sockets(server, scale_count(500), seed=25)
    assert sent.answered >= scale_count(500) and sent.changed == 0
    assert sent.grown < 30_000_000
