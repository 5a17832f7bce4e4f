"""Tests that damaged rows in the database close only the table they belong to."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest

from tests.support.servers.server import Party, RealServer, wait_until

Serve = Callable[..., RealServer]

NOTICES = {"en": "record is damaged", "it": "dati di questo tavolo sono danneggiati"}
INVALID_UTF8 = "CAST(x'7ba5ff' AS TEXT)"

EVENTS = {
    "no text": f"UPDATE events SET body = {INVALID_UTF8}",
    "cut off": "UPDATE events SET body = substr(body, 1, 9)",
    "unknown": """UPDATE events SET body = '{"type":"sang"}'""",
    "senseless": """UPDATE events SET body = '{"type":"shuffled","seat":"s9","cells":[]}'""",
    "missing": "DELETE FROM events",
}
OF_VARIANT = """WHERE content LIKE '%"id":"{variant}"%'"""
VARIANTS = {
    "quarantined": f"UPDATE variants SET content = {INVALID_UTF8} {OF_VARIANT}",
    "party-120": f"UPDATE variants SET content = substr(content, 1, 99) {OF_VARIANT}",
    "party-122": f"DELETE FROM variants {OF_VARIANT}",
    "original-56": "DELETE FROM events WHERE code = '{code}'",
}
"""For each variant, the statement that destroys the variant or the log of a table."""


@pytest.fixture(name="damaged")
def damaged_server(serve: Serve) -> Iterator[RealServer]:
    """Start a server. Afterwards check that its log has no traceback. Logged ``internal`` errors
    are allowed."""
    server = serve(COMPANION_ROBOTS="2")
    yield server
    server.stop()
    assert not [line for line in server.log_lines if "Traceback" in line], server.log_lines
    server.log_lines.clear()


def execute(server: RealServer, statement: str, *values: Any) -> list[Any]:
    with closing(sqlite3.connect(server.database)) as database, database:
        return database.execute(statement, values).fetchall()


def wait_for_damage_lines(server: RealServer) -> list[Any]:
    """Wait until the log has entries about damage and return them."""

    def find_damage_lines() -> list[Any]:
        entries = [json.loads(line) for line in list(server.log_lines)]
        return [line for line in entries if line["what"] == "damaged"]

    wait_until(find_damage_lines)
    return find_damage_lines()


def count_damaged_tables(server: RealServer) -> float:
    metrics = server.get("/metrics").body.decode().splitlines()
    return float(
        next(line.split()[1] for line in metrics if line.startswith("companion_damaged_t"))
    )


def expect_closed(server: RealServer, party: Party) -> None:
    """Check that the table is closed, with an error in the client's language."""
    path = f"/api/tables/{party.table}"
    for language, notice in NOTICES.items():
        for answer in (
            server.get(path, **{"Accept-Language": language}),
            server.post(f"{path}/seats", {"name": "Dan"}, **{"Accept-Language": language}),
        ):
            assert (answer.status, answer.error["code"]) == (500, "internal"), answer.json
            assert notice in answer.error["text"]
        auth = {"table": party.table, "token": party.tokens[0], "language": language}
        client = server.connect_client(party.table)  # spectators are refused as well
        assert client.refused["data"]["code"] == "internal"
        seated = type(client)(server.url, auth)
        server.clients.append(seated)
        assert notice in seated.refused["data"]["text"]


def can_open(server: RealServer, table: str) -> bool:
    return server.get(f"/api/tables/{table}").status == 200


def test_50_tables_with_unreadable_logs_explain_it_and_others_go_on(damaged: RealServer) -> None:
    server = damaged
    broken = {kind: server.create_table("Ana", "Ben") for kind in EVENTS}
    other = server.create_table("Cleo", "Dan")
    for party in (*broken.values(), other):
        party.host.send_command("rename", name="Zoe")
    server.stop()
    rows = []
    for kind, party in broken.items():
        row = "WHERE code = ? AND version = 2"
        rows += execute(server, f"SELECT * FROM events {row}", party.table)
        execute(server, f"{EVENTS[kind]} {row}", party.table)
    server.start()
    for party in broken.values():
        expect_closed(server, party)
    other.reconnect()
    assert other.host.send_command("rename", name="Cleopatra")["ok"]
    assert server.get("/healthz").json == {"ok": True, "damaged": len(EVENTS)}
    assert server.get("/readyz").status == 200 and count_damaged_tables(server) == len(EVENTS)
    entries = wait_for_damage_lines(server)
    assert sorted(entry["table"] for entry in entries) == sorted(
        party.table for party in broken.values()
    )
    for entry in entries:
        assert (entry["part"], entry["version"]) == ("event", 2) and entry["why"]
    for row in rows:
        execute(server, "INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?)", *row)
    for party in broken.values():
        wait_until(lambda code=party.table: can_open(server, code))  # type: ignore[misc]
    assert server.get("/healthz").json == {"ok": True} and count_damaged_tables(server) == 0


def test_50_tables_that_lost_their_variant_or_log_explain_it(damaged: RealServer) -> None:
    server = damaged
    broken = {name: server.create_table("Ana", "Ben", variant=name) for name in VARIANTS}
    server.stop()
    for name, party in broken.items():
        execute(server, VARIANTS[name].format(code=party.table, variant=name))
    server.start()
    for party in broken.values():
        expect_closed(server, party)
    assert sorted(line["table"] for line in wait_for_damage_lines(server)) == sorted(
        party.table for party in broken.values()
    )
    other = server.create_table("Cleo", variant="assault")
    assert other.host.send_command("rename", name="Cleopatra")["ok"]


def test_50_a_player_at_a_table_whose_log_is_damaged_is_notified(damaged: RealServer) -> None:
    server = damaged
    party = server.create_table("Ana", "Ben")
    newest = party.host.view["version"]
    execute(server, f"UPDATE events SET body = {INVALID_UTF8} WHERE version = ?", newest)
    assert NOTICES["en"] in party.host.expect_refusal("rename", name="Anabel")["text"]
    for client in party.clients:
        client.wait(lambda c=client: c.get_received("disconnect"), 20)  # type: ignore[misc]
    expect_closed(server, party)


def test_50_a_stored_answer_that_is_damaged_closes_no_table(damaged: RealServer) -> None:
    server = damaged
    party = server.create_table("Ana", "Ben")
    first = {"id": str(uuid4()), "type": "rename", "name": "Anabel"}
    assert party.host.send(**first)["ok"]
    server.stop()
    execute(server, f"UPDATE answers SET answer = {INVALID_UTF8}")
    server.start()
    party.reconnect()
    for _ in range(2):
        answer = party.host.send(**first)
        assert answer["error"]["code"] == "internal" and NOTICES["en"] in answer["error"]["text"]
    assert party.host.send_command("rename", name="Anita")["ok"]
    assert [(line["table"], line["part"]) for line in wait_for_damage_lines(server)] == [
        (party.table, "answer")
    ]


def test_50_a_calls_answer_that_is_damaged_harms_nobody_else(damaged: RealServer) -> None:
    server = damaged
    key = {"Idempotency-Key": str(uuid4())}
    created = server.post("/api/tables", {"name": "Ana"}, **key)
    assert created.status == 201
    for change in (f"answer = {INVALID_UTF8}", "expires = 'soon'"):
        execute(server, f"UPDATE errands SET {change}")
        repeated = server.post("/api/tables", {"name": "Ana"}, **key)
        assert (repeated.status, repeated.error["code"]) == (500, "internal")
    assert server.post("/api/tables", {"name": "Ana"}).status == 201
    assert [line["part"] for line in wait_for_damage_lines(server)] == ["request"]


@pytest.mark.parametrize(
    "change", [f"code = {INVALID_UTF8}", f"seat = {INVALID_UTF8}", "code = 'x'", "expires = 'soon'"]
)
def test_50_a_claim_that_is_damaged_is_none(damaged: RealServer, change: str) -> None:
    server = damaged
    party = server.create_table("Ana", "Ben")
    headers = {"Authorization": f"Bearer {party.tokens[0]}"}
    path = f"/api/tables/{party.table}/seats/{party.seats[0]}/claim"
    claim = server.post(path, **headers).json["claim"]
    execute(server, f"UPDATE claims SET {change}")
    response = server.post(f"/api/claims/{quote(claim)}")
    assert (response.status, response.error["code"]) == (404, "not_found"), response.json
    claim = server.post(path, **headers).json["claim"]
    assert server.post(f"/api/claims/{quote(claim)}").status == 201


@pytest.mark.parametrize("change", [f"key = {INVALID_UTF8}", "key = 'no key'"])
def test_50_a_robot_whose_key_is_damaged_stays_away_and_others_play(
    damaged: RealServer, change: str
) -> None:
    server = damaged
    first = server.post("/api/tables", {"name": "Ana"}).json
    headers = {"Authorization": f"Bearer {first['token']}"}
    assert server.post(f"/api/tables/{first['table']}/robots", {}, **headers).status == 201
    server.stop()
    execute(server, f"UPDATE robots SET {change}")
    server.start()
    ana = server.connect_client(first["table"], first["token"])
    assert ana.send_command("rename", name="Anabel")["ok"]
    other = server.post("/api/tables", {"name": "Ben"}).json
    headers = {"Authorization": f"Bearer {other['token']}"}
    robot = server.post(f"/api/tables/{other['table']}/robots", {}, **headers).json["seat"]
    ben = server.connect_client(other["table"], other["token"])
    ben.wait(lambda: ben.presence["seats"].get(robot) == "here", 30)
    assert [(line["table"], line["part"]) for line in wait_for_damage_lines(server)] == [
        (first["table"], "robot")
    ]


@pytest.mark.parametrize("change", [f"text = {INVALID_UTF8}", "moment = 'then'"])
def test_50_a_remark_that_is_damaged_is_left_out(damaged: RealServer, change: str) -> None:
    server = damaged
    party = server.create_table("Ana", "Ben").begin()
    party.clients[1].send_command("leave")
    path = f"/api/tables/{party.table}/games/1/remarks"
    moment = party.host.view["version"]
    headers = {"Authorization": f"Bearer {party.tokens[0]}"}
    for text in ("one", "two"):
        response = server.post(path, {"moment": moment, "text": text}, **headers)
        assert response.status == 201, response.json
    execute(server, f"UPDATE remarks SET {change} WHERE number = 1")
    assert [remark["text"] for remark in server.get(path).json] == ["two"]
    response = server.post(path, {"moment": moment, "text": "three"}, **headers)
    assert [remark["text"] for remark in response.json] == ["two", "three"]
    assert server.get(f"/api/tables/{party.table}/games/1").status == 200
    assert [(line["table"], line["part"]) for line in wait_for_damage_lines(server)] == [
        (party.table, "remark")
    ]


def test_50_a_finished_game_with_damaged_events_explains_it(damaged: RealServer) -> None:
    server = damaged
    party = server.create_table("Ana", "Ben").begin()
    party.clients[1].send_command("leave")
    path = f"/api/tables/{party.table}/games/1"
    execute(server, f"UPDATE events SET body = {INVALID_UTF8} WHERE version = 6")
    for address in (path, f"{path}/moments"):
        answer = server.get(address)
        assert (answer.status, answer.error["code"]) == (500, "internal"), answer.json
        assert NOTICES["en"] in answer.error["text"]
