"""Tests for a table's house rules, from the lobby to the game's file (ruling house-rules)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from tests.support.servers.server import Client, Party, RealServer

SNOOZY: dict[str, Any] = {
    "name": "Snoozy",
    "cards": {"skip": 4},
    "grid": {"rows": 3},
    "deal": {"put_away": 2, "grid": 8},
    "titles": {"skip": "Snooze"},
}
CHANGES = [
    {"key": "cards.skip", "from": 3, "to": 4},
    {"key": "deal.put_away", "from": 4, "to": 2},
    {"key": "deal.grid", "from": 5, "to": 8},
    {"key": "grid.rows", "from": 2, "to": 3},
    {"key": "titles.skip", "from": "Skip", "to": "Snooze"},
]


def get_variant(server: RealServer, table: str, query: str = "") -> Any:
    return server.get(f"/api/tables/{table}/variant{query}").json


def end_game(party: Party) -> None:
    """End the game: the turn player draws the Kitten and explodes."""
    for step in ("draw", "report", "explode"):
        view = party.host.view
        fields = {}
        seat = view["turn"]["seat"]
        if step == "draw":
            party.host.send_command(
                "instruct", **{"as": view["turn"]["instructor"], "cell": [0, 0]}
            )
            fields = {"cell": [0, 0]}
        elif step == "report":
            fields = {"outcome": "kitten"}
        party.host.send_command(step, **{"as": seat, **fields})


def test_everybody_sees_and_plays_the_hosts_house_rules_and_the_file_has_them(
    server: RealServer,
) -> None:
    party = server.create_table("Ana", "Ben")
    ana, ben = party.clients
    assert ana.view["house"] is None
    answer = ana.send_command("house_rules", rules=SNOOZY)
    view = ben.wait_for_version(answer["version"])
    assert view["house"] == {"name": "Snoozy", "changes": CHANGES}
    assert (view["variant"], view["log"][-1]["type"]) == ("quarantined", "house_rules_changed")
    assert view["log"][-1]["facts"]["changes"] == CHANGES
    assert view["log"][-1]["text"] == "The host set house rules: Snoozy."
    variant = get_variant(server, party.table)
    assert {card["id"]: card["count"] for card in variant["cards"]}["skip"] == 4
    assert variant["grid"] == {"rows": 3, "columns": 3}
    assert "4 Snooze" in variant["texts"]["it"]["rulings"]["deck-of-fifteen"]["text"]
    # The form shows the values of the unchanged variant, since house rules are always changes to
    # that variant and never to earlier house rules.
    values = {field["key"]: field["is"] for field in variant["house"]["fields"]}
    assert (values["cards.skip"], values["grid.rows"], values["titles.skip"]) == (3, 2, "Skip")
    assert "house" not in get_variant(server, party.table, "?brief")
    party.begin()
    assert ana.view["seats"][0]["grid"] == [["down"] * 3] * 3
    refused = ana.expect_refusal("house_rules", rules=None)
    assert (refused["code"], refused["ruling"]) == ("refused", "house-rules")
    end_game(party)
    ana.send_command("rematch")
    # House rules stay for the next game until the host removes them.
    assert ana.view["house"]["name"] == "Snoozy"
    ana.send_command("house_rules", rules=None)
    assert ana.view["house"] is None
    assert get_variant(server, party.table)["grid"] == {"rows": 2, "columns": 3}
    assert get_variant(server, party.table, "?game=1")["grid"] == {"rows": 3, "columns": 3}
    file = server.get(f"/api/tables/{party.table}/games/1").json
    assert file["variant"]["grid"] == {"rows": 3, "columns": 3}
    assert file["table"]["house"] == {"name": "Snoozy", "changes": CHANGES}
    moments = server.get(f"/api/tables/{party.table}/games/1/moments").json
    assert moments["view"]["house"]["changes"] == CHANGES


def test_the_file_has_house_rules_that_were_changed_during_the_setup(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben")
    party.host.send_command("prepare")
    for seat in party.seats:
        party.host.send_command("ready", **{"as": seat, "ready": True})
    changed = party.host.send_command("house_rules", rules=SNOOZY)
    assert not any(
        seat["ready"] for seat in party.clients[1].wait_for_version(changed["version"])["seats"]
    )
    party.begin_prepared()
    end_game(party)
    file = server.get(f"/api/tables/{party.table}/games/1").json
    assert file["table"]["version"] == changed["version"]
    assert file["variant"]["grid"] == {"rows": 3, "columns": 3}


def test_a_table_is_made_with_house_rules_and_has_them_after_a_restart(
    serve: Callable[..., RealServer],
) -> None:
    server = serve()
    created = server.post("/api/tables", {"name": "Ana", "rules": SNOOZY}).json
    before = get_variant(server, created["table"])
    client = server.connect_client(created["table"], created["token"])
    digest = client.view["log"][-1]["facts"]["digest"]
    server.kill()
    server.start()
    assert get_variant(server, created["table"]) == before
    client = server.connect_client(created["table"], created["token"])
    assert client.view["house"]["changes"] == CHANGES
    client.send_command("house_rules", rules={**SNOOZY, "name": "Again"})
    assert client.view["log"][-1]["facts"]["digest"] == digest
    refused = server.post("/api/tables", {"name": "Ana", "rules": {"hand": 3}})
    assert (refused.status, refused.error["code"]) == (400, "bad_request")
    assert refused.error["facts"]["faults"] == [{"key": "hand", "code": "unknown"}]


INVALID_TITLE = {"code": "bounds", "least": 1, "most": 24}

FAULTY_RULES: list[tuple[dict[str, Any], list[dict[str, Any]]]] = [
    ({"cards": {"skip": 4}}, [{"key": "deal.put_away", "code": "sum", "is": 13, "should": 14}]),
    ({"grid": {"rows": 3}}, [{"key": "deal.grid", "code": "sum", "is": 6, "should": 9}]),
    (
        {"cards": {"kitten": 2, "defuse": 0}, "grid": {"rows": 6}},
        [
            {"key": "cards.kitten", "code": "bounds", "is": 2, "least": 1, "most": 1},
            {"key": "cards.defuse", "code": "bounds", "is": 0, "least": 1, "most": 20},
            {"key": "grid.rows", "code": "bounds", "is": 6, "least": 1, "most": 5},
        ],
    ),
    ({"cards": {"skip": "4"}}, [{"key": "cards.skip", "code": "type", "should": "count"}]),
    ({"cards": {"skip": True}}, [{"key": "cards.skip", "code": "type", "should": "count"}]),
    ({"cards": {"constructor": 4}}, [{"key": "cards.constructor", "code": "unknown"}]),
    ({"cards": 4, "nose": {}}, [{"key": key, "code": "unknown"} for key in ("cards", "nose")]),
    ({"cards.skip": 4}, [{"key": "cards.skip", "code": "unknown"}]),
    ({"titles": {"skip": "\u202e"}}, [{"key": "titles.skip", **INVALID_TITLE}]),
    ({"titles": {"skip": "{deck.list}"}}, [{"key": "titles.skip", **INVALID_TITLE}]),
    ({"titles": {"skip": "x" * 25}}, [{"key": "titles.skip", **INVALID_TITLE}]),
    ({"name": "x" * 25}, [{"key": "name", **INVALID_TITLE}]),
    (
        {"titles": {"skip": "fávor "}},
        [{"key": "titles.skip", "code": "same", "other": "titles.favor"}],
    ),
    (
        {"titles": {"skip": "Mescola"}},  # "Mescola" is the Italian title of the Shuffle.
        [{"key": "titles.skip", "code": "same", "other": "titles.shuffle"}],
    ),
    (
        {"titles": {"skip": "Snooze", "nope": "snooze"}},
        [
            {"key": "titles.nope", "code": "same", "other": "titles.skip"},
            {"key": "titles.skip", "code": "same", "other": "titles.nope"},
        ],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "faults"), FAULTY_RULES)
def test_an_unbalanced_overlay_names_its_keys_and_changes_nothing(
    lobby: Client, rules: dict[str, Any], faults: list[dict[str, Any]]
) -> None:
    before = lobby.view
    error = lobby.expect_refusal("house_rules", rules=rules)
    assert (error["code"], error["facts"]["faults"]) == ("bad_request", faults)
    assert error["text"] == "These house rules don’t work out, so nothing has changed."
    assert error["facts"]["at"] == f"$.rules.{faults[0]['key']}"
    assert lobby.view["version"] == before["version"]


def test_two_titles_can_be_swapped(server: RealServer) -> None:
    host = server.create_table("Ana", "Ben").host
    host.send_command("house_rules", rules={"titles": {"skip": "Favor", "favor": "Skip"}})
    assert [change["to"] for change in host.view["house"]["changes"]] == ["Skip", "Favor"]


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_card_whose_count_is_zero_by_house_rules_is_not_in_the_game(
    server: RealServer, language: str
) -> None:
    party = server.create_table("Ana", "Ben")
    party.host.send_command("house_rules", rules={"cards": {"skip": 0}, "deal": {"put_away": 1}})
    texts = get_variant(server, party.table)["texts"][language]
    skip = texts["cards"]["skip"]["title"]
    assert f"0 {skip}" not in texts["rulings"]["deck-of-fifteen"]["text"]
    party.begin().instruct()
    error = party.host.expect_refusal("play", card="skip")
    assert (error["code"], error["ruling"]) == ("refused", "cards-of-this-game")
    assert "skip" not in error["facts"]["titles"] and "favor" in error["facts"]["titles"]
    assert error["text"].startswith("There’s no Skip in this game, only ")


@pytest.fixture(scope="module")
def lobby(server: RealServer) -> Client:
    """Return the host's client at a table in the lobby."""
    return server.create_table("Ana", "Ben").host


def test_a_table_can_change_its_house_rules_ten_times_a_minute(server: RealServer) -> None:
    """Refused and repeated commands aren't counted."""
    host = server.create_table("Ana", "Ben").host
    host.expect_refusal("house_rules", rules={"hand": 1})
    for number in range(10):
        rules = {"titles": {"skip": f"S{number}"}}
        command = {"id": str(uuid4()), "type": "house_rules", "rules": rules}
        assert host.send(**command)["ok"]
        assert number or host.send(**command)["ok"]
    error = host.expect_refusal("house_rules", rules=None)
    assert error["code"] == "rate_limited" and error["facts"]["retry_after_ms"] <= 60_000
    assert host.view["house"]["changes"][0]["to"] == "S9"


def test_one_address_can_have_house_rules_at_fifty_tables(serve: Callable[..., RealServer]) -> None:
    server = serve()
    hosts = [server.create_table(f"Host {number}").host for number in range(51)]
    for host in hosts[:50]:
        host.send_command("house_rules", rules=SNOOZY)
    refused = hosts[50].expect_refusal("house_rules", rules=SNOOZY)
    assert (refused["code"], refused["facts"]["what"]) == ("rate_limited", "house_rules")
    assert refused["text"].startswith("50 tables from your network")
    assert server.post("/api/tables", {"name": "Eve", "rules": SNOOZY}).status == 429
    hosts[0].send_command("house_rules", rules={**SNOOZY, "name": "Again"})
    hosts[1].send_command("house_rules", rules=None)
    hosts[50].send_command("house_rules", rules=SNOOZY)
