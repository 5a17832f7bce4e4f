"""Games go on after a failure of the server or its database.

Promises with figures are tested in ``tests/guarantees``.
"""

import sqlite3
import time
from collections.abc import Callable

import pytest

from tests.support.servers.server import RealServer

Serve = Callable[..., RealServer]


def test_clients_go_on_after_a_kill_with_an_open_window(serve: Serve) -> None:
    server = serve()
    party = (
        server.create_table("Ana", "Ben", "Cleo", options={"nope_seconds": 30}).begin().instruct()
    )
    ana, ben = party.seats[:2]
    patient = server.connect_client(party.table, party.tokens[1], patient=True)
    favor = party.host.send_command("play", card="favor", target=ben, cell=[0, 0])
    before = patient.wait_for_version(favor["version"])["window"]
    server.kill()
    server.start()

    patient.wait(lambda: len([v for v in patient.get_received("view") if v["window"]]) >= 2)
    after = patient.view
    assert after["version"] == favor["version"]
    assert after["window"] == before | {"left_ms": after["window"]["left_ms"]}
    assert 3000 <= after["window"]["left_ms"] <= before["left_ms"]
    assert after["played"]["card"] == "favor" and after["played"]["target"] == ben
    patient.close()
    party.reconnect()
    for client in party.clients[1:]:
        client.send_command("pass", window=after["window"]["id"])
    assert party.host.wait_for_version(favor["version"] + 3)["turn"]["step"] == "reveal"

    server.kill()
    server.start()
    party.reconnect()
    assert party.clients[1].view["turn"]["step"] == "reveal"
    party.clients[1].send_command("reveal", card="skip")
    assert party.clients[1].view["seats"][1]["grid"][0][0] == "skip"
    assert party.host.view["seats"][0]["seat"] == ana


def test_a_window_waits_for_a_locked_database(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben", options={"nope_seconds": 3}).begin().instruct()
    played = party.host.send_command("play", card="skip")
    other = sqlite3.connect(server.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    time.sleep(4)
    assert party.host.socket.call("sync")["version"] == played["version"]
    other.execute("ROLLBACK")
    other.close()
    assert party.host.wait_for_version(played["version"] + 1)["window"] is None


@pytest.mark.repetition
def test_the_same_service_runs_on_plain_threads(serve: Serve) -> None:
    server = serve(COMPANION_SERVER="threads")
    party = server.create_table("Ana", "Ben", options={"nope_seconds": 20}).begin().instruct()
    played = party.host.send_command("play", card="skip")
    server.kill()
    server.start()
    party.reconnect()
    window = party.clients[1].view["window"]
    party.clients[1].send_command("nope", window=window["id"])
    party.host.send_command("pass", window=party.host.view["window"]["id"])
    assert party.host.view["turn"]["seat"] == party.seats[0]
    assert party.host.view["version"] > played["version"]
    assert server.stop() == 0
