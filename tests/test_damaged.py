"""Unreadable rows of the database close their own table; all others go on."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest

from tests.server import Party, RealServer, wait_until

Serve = Callable[..., RealServer]

WORDS = {"en": "record is damaged", "it": "dati di questo tavolo sono danneggiati"}
NO_TEXT = "CAST(x'7ba5ff' AS TEXT)"

EVENTS = {
    "no text": f"UPDATE events SET body = {NO_TEXT}",
    "cut off": "UPDATE events SET body = substr(body, 1, 9)",
    "unknown": """UPDATE events SET body = '{"type":"sang"}'""",
    "senseless": """UPDATE events SET body = '{"type":"shuffled","seat":"s9","cells":[]}'""",
    "missing": "DELETE FROM events",
}
VARIANTS = {
    "no text": f"UPDATE variants SET content = {NO_TEXT}",
    "cut off": "UPDATE variants SET content = substr(content, 1, 99)",
    "lost": "DELETE FROM variants",
    "empty log": "DELETE FROM events WHERE code = '{code}'",
}


@pytest.fixture(name="damaged")
def damaged_server(serve: Serve) -> Iterator[RealServer]:
    """Start a server whose log may contain ``internal`` errors, but no traceback."""
    server = serve(COMPANION_ROBOTS="2")
    yield server
    server.stop()
    assert not [line for line in server.log_lines if "Traceback" in line], server.log_lines
    server.log_lines.clear()


def execute(server: RealServer, statement: str, *values: Any) -> list[Any]:
    with closing(sqlite3.connect(server.database)) as database, database:
        return database.execute(statement, values).fetchall()


def lines(server: RealServer) -> list[Any]:
    """Return the log's lines about damage, once they are there: the log is written with a delay."""

    def damage_lines() -> list[Any]:
        every = [json.loads(line) for line in list(server.log_lines)]
        return [line for line in every if line["what"] == "damaged"]

    wait_until(damage_lines)
    return damage_lines()


def tables(server: RealServer) -> float:
    told = server.get("/metrics").body.decode().splitlines()
    return float(next(line.split()[1] for line in told if line.startswith("companion_damaged_t")))


def expect_closed(server: RealServer, party: Party) -> None:
    """A newcomer reads what is wrong, in their language."""
    path = f"/api/tables/{party.table}"
    for language, words in WORDS.items():
        for answer in (
            server.get(path, **{"Accept-Language": language}),
            server.post(f"{path}/seats", {"name": "Dan"}, **{"Accept-Language": language}),
        ):
            assert (answer.status, answer.error["code"]) == (500, "internal"), answer.json
            assert words in answer.error["text"]
        auth = {"table": party.table, "token": party.tokens[0], "language": language}
        client = server.connect_client(party.table)  # a spectator's is refused, too
        assert client.refused["data"]["code"] == "internal"
        seated = type(client)(server.url, auth)
        server.clients.append(seated)
        assert words in seated.refused["data"]["text"]


def _opens(server: RealServer, table: str) -> bool:
    return server.get(f"/api/tables/{table}").status == 200


@pytest.mark.parametrize("statement", EVENTS.values(), ids=EVENTS)
def test_50_a_table_with_an_unreadable_log_explains_it_and_others_go_on(
    damaged: RealServer, statement: str
) -> None:
    server = damaged
    parties = [server.create_table("Ana", "Ben"), server.create_table("Cleo", "Dan")]
    for party in parties:
        party.host.send_command("rename", name="Zoe")
    code = parties[0].table
    server.stop()
    kept = execute(server, "SELECT * FROM events WHERE code = ? AND version = 2", code)
    execute(server, f"{statement} WHERE code = ? AND version = 2", code)
    server.start()
    expect_closed(server, parties[0])
    parties[1].reconnect()
    assert parties[1].host.send_command("rename", name="Cleopatra")["ok"]
    assert server.get("/healthz").json == {"ok": True, "damaged": 1}
    assert server.get("/readyz").status == 200 and tables(server) == 1
    (told,) = lines(server)
    assert (told["table"], told["part"], told["version"]) == (code, "event", 2) and told["why"]
    execute(server, "INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?)", *kept[0])
    wait_until(lambda: _opens(server, code), 20)
    assert server.get("/healthz").json == {"ok": True} and tables(server) == 0


@pytest.mark.parametrize("statement", VARIANTS.values(), ids=VARIANTS)
def test_50_a_table_that_lost_its_variant_or_log_explains_it(
    damaged: RealServer, statement: str
) -> None:
    server = damaged
    party = server.create_table("Ana", "Ben")
    server.stop()
    execute(server, statement.format(code=party.table))
    server.start()
    expect_closed(server, party)
    assert [line["table"] for line in lines(server)] == [party.table]
    other = server.create_table("Cleo", variant="assault")
    assert other.host.send_command("rename", name="Cleopatra")["ok"]


def test_50_a_player_at_a_table_whose_log_is_damaged_is_notified(damaged: RealServer) -> None:
    server = damaged
    party = server.create_table("Ana", "Ben")
    newest = party.host.view["version"]
    execute(server, f"UPDATE events SET body = {NO_TEXT} WHERE version = ?", newest)
    assert WORDS["en"] in party.host.expect_refusal("rename", name="Anabel")["text"]
    for client in party.clients:
        client.wait(lambda c=client: c.get_received("disconnect"), 20)  # type: ignore[misc]
    expect_closed(server, party)


def test_50_a_stored_answer_that_is_damaged_closes_no_table(damaged: RealServer) -> None:
    server = damaged
    party = server.create_table("Ana", "Ben")
    first = {"id": str(uuid4()), "type": "rename", "name": "Anabel"}
    assert party.host.send(**first)["ok"]
    server.stop()
    execute(server, f"UPDATE answers SET answer = {NO_TEXT}")
    server.start()
    party.reconnect()
    for _ in range(2):
        answer = party.host.send(**first)
        assert answer["error"]["code"] == "internal" and WORDS["en"] in answer["error"]["text"]
    assert party.host.send_command("rename", name="Anita")["ok"]
    assert [(line["table"], line["part"]) for line in lines(server)] == [(party.table, "answer")]


def test_50_a_calls_answer_that_is_damaged_harms_nobody_else(damaged: RealServer) -> None:
    server = damaged
    key = {"Idempotency-Key": str(uuid4())}
    made = server.post("/api/tables", {"name": "Ana"}, **key)
    assert made.status == 201
    for change in (f"answer = {NO_TEXT}", "expires = 'soon'"):
        execute(server, f"UPDATE errands SET {change}")
        again = server.post("/api/tables", {"name": "Ana"}, **key)
        assert (again.status, again.error["code"]) == (500, "internal")
    assert server.post("/api/tables", {"name": "Ana"}).status == 201
    assert [line["part"] for line in lines(server)] == ["request"]


@pytest.mark.parametrize(
    "change", [f"code = {NO_TEXT}", f"seat = {NO_TEXT}", "code = 'x'", "expires = 'soon'"]
)
def test_50_a_claim_that_is_damaged_is_none(damaged: RealServer, change: str) -> None:
    server = damaged
    party = server.create_table("Ana", "Ben")
    mine = {"Authorization": f"Bearer {party.tokens[0]}"}
    path = f"/api/tables/{party.table}/seats/{party.seats[0]}/claim"
    claim = server.post(path, **mine).json["claim"]
    execute(server, f"UPDATE claims SET {change}")
    used = server.post(f"/api/claims/{quote(claim)}")
    assert (used.status, used.error["code"]) == (404, "not_found"), used.json
    claim = server.post(path, **mine).json["claim"]
    assert server.post(f"/api/claims/{quote(claim)}").status == 201


@pytest.mark.parametrize("change", [f"key = {NO_TEXT}", "key = 'no key'"])
def test_50_a_robot_whose_key_is_damaged_stays_away_and_others_play(
    damaged: RealServer, change: str
) -> None:
    server = damaged
    one = server.post("/api/tables", {"name": "Ana"}).json
    mine = {"Authorization": f"Bearer {one['token']}"}
    assert server.post(f"/api/tables/{one['table']}/robots", {}, **mine).status == 201
    server.stop()
    execute(server, f"UPDATE robots SET {change}")
    server.start()
    ana = server.connect_client(one["table"], one["token"])
    assert ana.send_command("rename", name="Anabel")["ok"]
    other = server.post("/api/tables", {"name": "Ben"}).json
    mine = {"Authorization": f"Bearer {other['token']}"}
    robot = server.post(f"/api/tables/{other['table']}/robots", {}, **mine).json["seat"]
    ben = server.connect_client(other["table"], other["token"])
    ben.wait(
        lambda: (
            ben.get_received("presence")
            and ben.get_received("presence")[-1]["seats"][robot] == "here"
        ),
        30,
    )
    assert [(line["table"], line["part"]) for line in lines(server)] == [(one["table"], "robot")]


@pytest.mark.parametrize("change", [f"text = {NO_TEXT}", "moment = 'then'"])
def test_50_a_remark_that_is_damaged_is_left_out(damaged: RealServer, change: str) -> None:
    server = damaged
    party = server.create_table("Ana", "Ben").begin()
    party.clients[1].send_command("leave")
    path = f"/api/tables/{party.table}/games/1/remarks"
    moment = party.host.view["version"]
    mine = {"Authorization": f"Bearer {party.tokens[0]}"}
    for text in ("one", "two"):
        made = server.post(path, {"moment": moment, "text": text}, **mine)
        assert made.status == 201, made.json
    execute(server, f"UPDATE remarks SET {change} WHERE number = 1")
    assert [remark["text"] for remark in server.get(path).json] == ["two"]
    made = server.post(path, {"moment": moment, "text": "three"}, **mine)
    assert [remark["text"] for remark in made.json] == ["two", "three"]
    assert server.get(f"/api/tables/{party.table}/games/1").status == 200
    assert [(line["table"], line["part"]) for line in lines(server)] == [(party.table, "remark")]


def test_50_a_finished_game_with_damaged_events_explains_it(damaged: RealServer) -> None:
    server = damaged
    party = server.create_table("Ana", "Ben").begin()
    party.clients[1].send_command("leave")
    path = f"/api/tables/{party.table}/games/1"
    execute(server, f"UPDATE events SET body = {NO_TEXT} WHERE version = 6")
    for wanted in (path, f"{path}/moments"):
        answer = server.get(wanted)
        assert (answer.status, answer.error["code"]) == (500, "internal"), answer.json
        assert WORDS["en"] in answer.error["text"]
