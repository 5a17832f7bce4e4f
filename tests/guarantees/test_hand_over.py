"""A server that ends makes its clients reconnect elsewhere, and the clients lose nothing."""

import json
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from pathlib import Path
from socket import SO_RCVBUF, SOL_SOCKET, create_connection
from typing import Any
from uuid import uuid4

import psutil
import pytest

from companion.robots.client import Connection, SeatCredentials
from tests.guarantees.test_floods import read_frame
from tests.support.servers.server import Client, Party, RealServer, open_websocket, wait_until
from tests.support.timed import limit_seconds

Serve = Callable[..., RealServer]
MODE = "tests.guarantees.leaving"
AN_HOUR = "3600"
LONGEST = 10
"""Maximum time in seconds that the server takes to end, even with clients connected."""


@pytest.fixture
def fault(tmp_path: Path) -> Path:
    """Return the file that names the fault of the next commits."""
    file = tmp_path / "fault"
    file.write_text("")
    return file


def play_to_the_end(server: RealServer) -> Party:
    """Create a table and play the table's first game to the end."""
    party = server.create_table("Ana", "Ben").begin()
    party.clients[1].send_command("leave")
    return party


def wait_for_moving(client: Client) -> None:
    client.wait(lambda: client.get_received("moving") == [{}])


def get_seat_states(client: Client) -> set[str]:
    """Return the states of all seats in the client's newest presence, such as ``"here"``."""
    presences = client.get_received("presence")
    return set(presences[-1]["seats"].values()) if presences else set()


def request_path(connection: HTTPConnection, path: str) -> tuple[int, Any, str | None]:
    connection.request("GET", path)
    with connection.getresponse() as got:
        return got.status, json.loads(got.read() or b"null"), got.headers["Connection"]


def open_kept_connection(server: RealServer) -> HTTPConnection:
    """Return a connection that has been used once and stays open, like those that a proxy keeps."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    assert request_path(connection, "/readyz") == (200, {"ok": True, "store": True}, None)
    return connection


def test_90_clients_leave_when_notified_and_the_server_ends_with_the_last(
    serve: Serve, fault: Path
) -> None:
    """The clients are players, spectators, a replay's viewer and a robot."""
    server = serve(MODE, MOVE=AN_HOUR, FAULT=str(fault))
    table = play_to_the_end(server).table
    party = server.create_table("Ana", "Ben")
    spectator = server.connect_client(party.table)
    viewer = Client(server.url, {"table": table, "replay": 1})
    server.clients.append(viewer)
    credentials = SeatCredentials(table=party.table, seat=party.seats[1], token=party.tokens[1])
    robot = Connection(server.url, credentials)
    robot.open()
    assert server.stop() == 0
    for client in (party.host, spectator, viewer):
        wait_for_moving(client)
    server.start()
    assert robot.send_command({"type": "rename", "name": "Benny"})["ok"]
    robot.close()


def test_90_readyz_fails_first_and_new_connections_are_refused(serve: Serve, fault: Path) -> None:
    """A client that stays is still served, and doesn't see the others leave.

    A second SIGTERM ends the server without waiting for it.
    """
    server = serve(MODE, MOVE=AN_HOUR, FAULT=str(fault))
    party = server.create_table("Ana", "Ben")
    deaf_client = server.connect_client(party.table, party.tokens[0], deaf=True)
    version = deaf_client.view["version"]
    deaf_client.wait(lambda: get_seat_states(deaf_client) == {"here"})
    kept_connections = [open_kept_connection(server) for _ in range(4)]
    server.process.send_signal(signal.SIGTERM)
    wait_for_moving(deaf_client)
    assert request_path(kept_connections[0], "/readyz") == (
        503,
        {"ok": False, "moving": True},
        "close",
    )
    assert request_path(kept_connections[1], "/healthz") == (200, {"ok": True}, "close")
    assert request_path(kept_connections[2], f"/api/tables/{party.table}")[0] == 200
    new = "/socket.io/?EIO=4&transport=polling"
    assert request_path(kept_connections[3], new) == (503, None, "close")
    with pytest.raises(ConnectionRefusedError):
        create_connection(("127.0.0.1", server.port), timeout=20).close()
    wait_until(lambda: not any(client.socket.connected for client in party.clients))
    assert deaf_client.send_command("rename", name="Anabel") == {"ok": True, "version": version + 1}
    assert get_seat_states(deaf_client) == {"here"}
    assert server.stop() == 0


def test_90_commands_under_way_are_committed_and_acknowledged(serve: Serve, fault: Path) -> None:
    """The commit takes two seconds, which is longer than the 0.1 seconds that clients get to leave.

    The test uses a bare WebSocket, because Socket.IO's client forgets pending answers when its
    connection ends.
    """
    server = serve(MODE, MOVE="0.1", FAULT=str(fault))
    table = server.post("/api/tables", {"name": "Ana"}).json
    command = {"id": str(uuid4()), "type": "rename", "name": "Anabel"}
    with open_websocket(server, table["table"], table["token"]) as connection:
        while not read_frame(connection).startswith('42["view"'):
            pass
        fault.write_text("once")
        connection.send("427" + json.dumps(["command", command]))
        wait_until(lambda: fault.read_text() == "")
        assert server.stop() == 0
        answers = [
            frame for frame in iter(lambda: read_frame(connection), "") if frame.startswith("437")
        ]
    (answer,) = answers
    server.start()
    again = server.connect_client(table["table"], table["token"]).send(**command)
    assert again["ok"] and json.loads(answer[3:]) == [again]


def test_90_a_client_waiting_for_a_commit_is_notified_at_once(serve: Serve, fault: Path) -> None:
    """The server tells the client to leave before it answers the command, because the answer waits
    for the commit."""
    server = serve(MODE, MOVE=AN_HOUR, FAULT=str(fault))
    table = server.post("/api/tables", {"name": "Ana"}).json
    command = {"id": str(uuid4()), "type": "rename", "name": "Anabel"}
    with open_websocket(server, table["table"], table["token"]) as connection:
        while not read_frame(connection).startswith('42["view"'):
            pass
        fault.write_text("once")
        connection.send("427" + json.dumps(["command", command]))
        wait_until(lambda: fault.read_text() == "")
        server.process.send_signal(signal.SIGTERM)
        while not read_frame(connection).startswith('42["moving"'):
            pass
        notified_at = time.monotonic()
        while not read_frame(connection).startswith("437"):
            pass
        assert time.monotonic() > notified_at + 0.2


def is_running(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


def expect_end_in_time(server: RealServer, prepare: Callable[[], None]) -> None:
    prepare()
    robots = psutil.Process(server.process.pid).children()
    with limit_seconds(LONGEST):
        assert server.stop() == 0
    wait_until(lambda: not any(map(is_running, robots)))


@pytest.mark.timed
def test_90_the_server_ends_in_time_although_clients_stay(serve: Serve) -> None:
    """Some clients ignore the notice, poll or don't read, and some are robots."""
    server = serve()

    def prepare() -> None:
        practice = server.post("/api/practice", {"name": "Ana"}).json
        party = server.create_table("Ana", "Ben")
        for number in range(8):  # more seats make a longer view
            name = {"name": f"Somebody with a name {number}"}
            server.post(f"/api/tables/{party.table}/seats", name)
        deaf = [
            server.connect_client(party.table, deaf=True),
            server.connect_client(party.table, deaf=True, transports=["polling"]),
            server.connect_client(practice["table"], practice["token"], deaf=True),
        ]
        assert all(client.view for client in deaf)
        wait_until(lambda: psutil.Process(server.process.pid).children())
        few = ((SOL_SOCKET, SO_RCVBUF, 4096),)
        stuck = stays.enter_context(open_websocket(server, party.table, None, sockopt=few))
        for number in range(350):
            stuck.send(f'42{number}["sync"]')

    with ExitStack() as stays:
        expect_end_in_time(server, prepare)


@pytest.mark.timed
def test_90_the_server_ends_in_time_while_the_database_is_busy(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    clients = [server.connect_client(party.table, token, deaf=True) for token in party.tokens]
    answers: list[Any] = []
    lock = sqlite3.connect(server.database, isolation_level=None)

    def prepare() -> None:
        lock.execute("BEGIN IMMEDIATE")
        for client in clients:
            command = {"id": str(uuid4()), "type": "rename", "name": "Somebody"}
            with suppress(Exception):
                client.socket.emit("command", command, callback=answers.append)

    try:
        expect_end_in_time(server, prepare)
    finally:
        lock.close()
    assert all(answer["error"]["code"] == "busy" for answer in answers)


def test_90_a_server_stopped_right_after_its_start_ends_at_once(serve: Serve) -> None:
    for _ in range(3):
        # the fixture checks the server's log lines at the end of the test
        assert serve().stop() == 0
