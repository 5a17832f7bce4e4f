"""After any network trouble, all clients have the same table, and each has its own view."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import socketio

from tests.guarantees.proxy import Proxy
from tests.guarantees.speaker import new_command, send_command
from tests.support.servers.server import ROOT, Client, Party, RealServer, open_websocket, wait_until
from tests.support.timed import limit_seconds

# python-socketio's client doesn't close a socket whose other end is gone.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

Serve = Callable[..., RealServer]
Through = Callable[[int], Proxy]
NAMES = ["Ana", "Ben", "Cleo", "Dan", "Élodie", "Finn", "Gus", "Hal", "Ida", "Jo"]


def connect_patient_clients(
    server: RealServer, party: Party, url: str, first: int = 0
) -> list[Client]:
    """Connect a client for each seat from ``first`` on. The clients reconnect by themselves."""
    return [_connect_client(server, url, party.table, token) for token in party.tokens[first:]]


def _connect_client(server: RealServer, url: str, table: str, token: str) -> Client:
    client = Client(url, {"table": table, "token": token}, patient=True, wait_timeout=3)
    server.clients.append(client)
    return client


def are_in_step(clients: list[Client], party: Party, version: int) -> bool:
    """Return True if all clients have this version of the same table, and each has its own seat's
    view."""
    views = [
        max(client.get_received("view"), key=lambda view: view["version"]) for client in clients
    ]
    shared = [{k: v for k, v in view.items() if k not in ("you", "now", "window")}
              for view in views]  # fmt: skip
    seats_match = [view["you"]["seat"] for view in views] == party.seats[-len(clients) :]
    return (
        seats_match
        and shared[0]["version"] == version
        and all(view == shared[0] for view in shared)
    )


@pytest.mark.slow
@pytest.mark.timed
def test_08_ten_clients_agree_within_two_seconds_of_a_restart(serve: Serve) -> None:
    server = serve()
    party = server.create_table(*NAMES)
    clients = connect_patient_clients(server, party, server.url)
    version = clients[0].send_command("prepare")["version"]
    for client in clients:
        client.wait_for_version(version)
    server.kill()
    wait_until(lambda: not any(client.socket.connected for client in clients))
    view_counts = [len(client.get_received("view")) for client in clients]
    server.start()
    with limit_seconds(2):
        wait_until(
            lambda: all(
                len(c.get_received("view")) > n for c, n in zip(clients, view_counts, strict=True)
            )
        )
    assert are_in_step(clients, party, version)


@pytest.mark.slow
@pytest.mark.timed
def test_09_through_a_bad_network_everyone_ends_in_step(serve: Serve, proxy: Through) -> None:
    server = serve()
    chance = Random(9)
    party = server.create_table(*NAMES[:6])
    bad = proxy(server.port)
    host = party.host
    clients = connect_patient_clients(server, party, bad.url, first=1)
    for trouble in ("delay", "stall", "reset", "cut_next_chunk", "lose", "refuse"):
        if trouble == "delay":
            bad.delay = 0.3
        else:
            getattr(bad, trouble)()
        for number in range(6):
            command = new_command(chance, type="options", nope_seconds=3 + number)
            answer = send_command(host, command)
            assert answer["ok"]
            time.sleep(0.25)
        bad.delay = 0.0
        bad.mend()
        version = answer["version"]
        with limit_seconds(5):
            wait_until(lambda version=version: _have_caught_up(clients, party, version), 60)


def _have_caught_up(clients: list[Client], party: Party, version: int) -> bool:
    return all(client.get_received("view") for client in clients) and are_in_step(
        clients, party, version
    )


@pytest.mark.slow
@pytest.mark.timed
@pytest.mark.parametrize("transport", ["websocket", "polling"])
def test_10_a_dead_connection_is_noticed_within_twelve_seconds(
    serve: Serve, proxy: Through, transport: str
) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    bad = proxy(server.port)
    sleeper = socketio.Client(handle_sigint=False, reconnection=False)
    auth = {"table": party.table, "token": party.tokens[1]}
    sleeper.connect(bad.url, auth=auth, transports=[transport], wait_timeout=60)
    seat = party.seats[1]
    wait_until(lambda: party.host.presence["seats"].get(seat) == "here")
    time.sleep(2)
    bad.lose()
    with limit_seconds(12):
        wait_until(lambda: party.host.presence["seats"].get(seat) == "away", 60)
    bad.mend()
    sleeper.disconnect()


SLEEPER = """
import sys
from tests.support.servers.server import Client
client = Client(sys.argv[1], {"table": sys.argv[2], "token": sys.argv[3]}, patient=True)
print("here", flush=True)
seen = 0
while True:
    client.wait(lambda: len(client.received) > seen, 3600)
    event, payload = client.received[seen]
    seen += 1
    if event == "view":
        print(payload["version"], flush=True)
"""


@pytest.mark.slow
@pytest.mark.timed
@pytest.mark.parametrize("seconds", [1, 13])
def test_11_a_client_that_slept_is_current_within_two_seconds_of_waking(
    serve: Serve, seconds: int
) -> None:
    """The server drops a silent connection after 12 s, so a sleep of 13 s stands for every longer
    sleep."""
    server = serve()
    party = server.create_table("Ana", "Ben")
    command = [sys.executable, "-c", SLEEPER, server.url, party.table, party.tokens[1]]
    sleeper = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    lines: list[str] = []
    assert sleeper.stdout
    assert sleeper.stdout.readline() == "here\n"
    sleeper.send_signal(signal.SIGSTOP)
    party.host.send_command("rename", name="Anabel")
    time.sleep(seconds)
    party.host.send_command("prepare")
    sleeper.send_signal(signal.SIGCONT)
    with limit_seconds(2):
        while not lines or int(lines[-1]) < party.host.view["version"]:
            lines.append(sleeper.stdout.readline())
    sleeper.kill()
    sleeper.wait()
    sleeper.stdout.close()


def test_11_a_silent_client_may_reconnect(serve: Serve) -> None:
    """The server must not send Engine.IO's CLOSE ("1"): after that a client doesn't reconnect."""
    server = serve("tests.guarantees.brisk")
    party = server.create_table("Ana", "Ben")
    with open_websocket(
        server, party.table, party.tokens[1]
    ) as silent:  # this client answers no pings
        frames = list(iter(silent.recv, ""))
    assert frames.count("2") >= 1
    assert "1" not in frames


def test_12_the_older_of_two_tabs_is_notified_and_yields_the_seat(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    with open_websocket(server, party.table, party.tokens[1]) as older:
        wait_until(lambda: party.clients[1].get_received("disconnect"))
        newer = server.connect_client(party.table, party.tokens[1])
        frames = list(iter(older.recv, ""))  # to its end
    assert [frame for frame in frames if frame.startswith("42")][-1] == '42["superseded",{}]'
    assert newer.view["you"]["seat"] == party.seats[1]
    assert newer.try_command("rename", name="Benno")["ok"]
    wait_until(lambda: party.host.presence["seats"].get(party.seats[1]) == "here")


def test_13_a_claim_moves_a_seat_and_voids_the_old_token_at_once(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    bearer = {"Authorization": f"Bearer {party.tokens[1]}"}
    path = f"/api/tables/{party.table}/seats/{party.seats[1]}/claim"
    claim = server.post(path, **bearer).json
    picture = server.get(f"/t/{party.table}/qr.svg?claim={claim['claim']}")
    assert picture.headers["Content-Type"].startswith("image/svg+xml")
    assert picture.body != server.get(f"/t/{party.table}/qr.svg").body

    moved = server.post(f"/api/claims/{claim['claim']}").json
    assert (
        server.connect_client(party.table, party.tokens[1]).refused["data"]["code"]
        == "unauthenticated"
    )
    assert server.post(path, **bearer).error["code"] == "unauthenticated"
    assert server.get(f"/api/tables/{party.table}/log", **bearer).status == 401
    party.clients[1].wait(lambda: party.clients[1].get_received("superseded"))
    party.clients[1].wait(lambda: party.clients[1].get_received("disconnect"))
    assert send_command(party.clients[1], new_command(Random(13), type="rename", name="Bo")) is None
    assert server.connect_client(party.table, moved["token"]).view["you"]["seat"] == party.seats[1]
    assert server.post(f"/api/claims/{claim['claim']}").status == 404


def test_13_a_connection_with_the_old_token_is_closed_while_the_seat_moves(
    faulty_server: tuple[RealServer, Path],
) -> None:
    server, fault = faulty_server
    party = server.create_table("Ana", "Ben")
    bearer = {"Authorization": f"Bearer {party.tokens[1]}"}
    claim = server.post(f"/api/tables/{party.table}/seats/{party.seats[1]}/claim", **bearer).json
    moved: list[Any] = []
    fault.write_text("slow")
    mover = threading.Thread(
        target=lambda: moved.append(server.post(f"/api/claims/{claim['claim']}").json)
    )
    mover.start()
    time.sleep(0.3)  # enough time for the claim's commit to begin
    threading.Timer(0.7, fault.write_text, [""]).start()
    with open_websocket(server, party.table, party.tokens[1]) as connection:
        frames = list(iter(connection.recv, ""))
    mover.join()
    assert not [frame for frame in frames if frame.startswith("42")], frames
    assert (
        server.connect_client(party.table, moved[0]["token"]).view["you"]["seat"] == party.seats[1]
    )
