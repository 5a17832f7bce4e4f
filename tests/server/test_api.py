"""Tests for the HTTP requests and the errors that answer them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.service.errors import Answer
from companion.web.metrics import MOST_NOTED, Metrics
from tests.support.renamed_variant import RENAMED, rename_ids
from tests.support.servers.server import Client, RealServer

ODD_NAMES = ["", "   ", "x" * 25, "A\u0000", "A\u202eB", "A\u200bB", "\u3164", "a" + "\u0301" * 30]
GOOD_NAMES = ["Ana", "  Ana  ", "Élodie", "x" * 24, "山田 太郎", "<b>Bo</b>", "e\u0301" * 24]


def test_the_creator_of_a_table_is_its_host(server: RealServer) -> None:
    created = server.post("/api/tables", {"name": " Ana "})
    assert created.status == 201
    assert set(created.json) == {"table", "seat", "token"}
    view = server.get(f"/api/tables/{created.json['table']}").json
    assert view["host"] == created.json["seat"]
    assert [seat["name"] for seat in view["seats"]] == ["Ana"]
    assert view["you"] is None
    assert view["version"] == view["log"][-1]["version"]
    assert view["phase"] == "lobby"


def test_the_cookie_opens_the_seat_and_is_hidden_from_scripts(server: RealServer) -> None:
    created = server.post("/api/tables", {"name": "Ana"})
    cookie = created.headers["Set-Cookie"]
    assert created.json["token"] in cookie
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Secure" not in cookie
    name = cookie.split(";")[0]
    client = server.connect_client(created.json["table"], headers={"Cookie": name})
    assert client.view["you"]["seat"] == created.json["seat"]


def test_a_client_with_an_invalid_cookie_is_a_spectator(server: RealServer) -> None:
    table = server.post("/api/tables", {"name": "Ana"}).json["table"]
    client = server.connect_client(table, headers={"Cookie": f"companion_{table}=nothing"})
    assert client.view["you"] is None


def test_a_table_is_created_with_a_variant_and_options(server: RealServer) -> None:
    options = {"nope_seconds": 5, "roll_call": False, "locked": True, "remind_seconds": 60}
    created = server.post(
        "/api/tables", {"name": "Ana", "variant": "quarantined", "options": options}
    ).json
    view = server.get(f"/api/tables/{created['table']}").json
    assert options.items() <= view["options"].items()
    assert view["variant"] == "quarantined"


@pytest.mark.parametrize(
    ("body", "at"),
    [
        (b"{", "$"),
        (b"\xff", "$"),
        (b"[" * 3000, "$"),
        ([], "$"),
        ({}, "$.name"),
        ({"name": 7}, "$.name"),
        ({"name": "Ana", "colour": "red"}, "$.colour"),
        ({"name": "Ana", "options": {"nope_seconds": "8"}}, "$.options.nope_seconds"),
        ({"name": "Ana", "options": {"remind_seconds": 31}}, "$.options.remind_seconds"),
        ({"name": "Ana", "options": {"jokers": 2}}, "$.options.jokers"),
        *[({"name": name}, "$.name") for name in ODD_NAMES],
    ],
)
def test_a_malformed_body_is_reported_with_the_place(
    server: RealServer, body: object, at: str
) -> None:
    answer = server.post("/api/tables", body)
    assert answer.status == 400
    assert answer.error["code"] == "bad_request"
    assert answer.error["facts"]["at"] == at
    assert answer.error["text"]


@pytest.mark.parametrize("name", GOOD_NAMES)
def test_a_name_is_1_to_24_visible_characters(server: RealServer, name: str) -> None:
    assert server.post("/api/tables", {"name": name}).status == 201


def test_rulings_also_apply_to_http_requests(server: RealServer) -> None:
    table = server.post("/api/tables", {"name": "Élodie"}).json["table"]
    answer = server.post(f"/api/tables/{table}/seats", {"name": "elo die"})
    assert answer.status == 409
    assert answer.error["code"] == "refused"
    assert answer.error["ruling"] == "unique-names"
    odd = server.post("/api/tables", {"name": "Ana", "options": {"nope_seconds": 99}})
    assert odd.status == 409 and odd.error["ruling"] == "in-time"


def test_case_spaces_and_dashes_in_a_tables_code_are_ignored(server: RealServer) -> None:
    code = server.post("/api/tables", {"name": "Ana"}).json["table"]
    assert len(code) == 6
    typed = f"{code[:3].lower()}%20-{code[3:].lower()}"
    assert server.get(f"/api/tables/{typed}").json["table"] == code


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/tables/AAAAAA", 404, "not_found"),
        ("GET", "/api/tables/0O1I", 404, "not_found"),
        ("GET", "/api/tables/AAAAAA/log", 404, "not_found"),
        ("POST", "/api/claims/nothing", 404, "not_found"),
        ("GET", "/api/variants/nothing", 404, "not_found"),
        ("GET", "/nothing", 404, "not_found"),
        ("GET", "/static/nothing.js", 404, "not_found"),
        ("GET", "/static/../pyproject.toml", 404, "not_found"),
        ("DELETE", "/api/tables/AAAAAA", 405, "bad_request"),
        ("POST", "/healthz", 405, "bad_request"),
    ],
)
def test_all_errors_have_the_same_format(
    server: RealServer, method: str, path: str, status: int, code: str
) -> None:
    answer = server.request(method, path)
    assert (answer.status, answer.error["code"]) == (status, code)
    assert answer.error["text"] and "{" not in answer.error["text"]
    assert answer.headers["Content-Type"] == "application/json"


def test_errors_are_in_the_language_that_the_client_accepts(server: RealServer) -> None:
    headers = {"Accept-Language": "it-IT,it;q=0.9,en;q=0.8"}
    unknown = server.get("/api/tables/AAAAAA", **headers)
    assert unknown.error["text"] == "Non c’è nessun tavolo con questo codice."
    unnamed = server.post("/api/tables", {"name": "\u202e"}, **headers)
    assert unnamed.error["text"] == "Un nome ha da 1 a 24 caratteri visibili."
    strange = server.get("/api/tables/AAAAAA", **{"Accept-Language": "tlh"})
    assert strange.error["text"] == "There’s no table with that code."


@pytest.mark.parametrize(
    ("ranges", "italian"),
    [
        ("en-GB,it;q=0.5", False),
        ("it-CH,en;q=0.3", True),
        ("en;q=0.3,it-CH-1996", True),
        ("IT", True),
        ("ita,it;q=0.5", True),
        ("de-CH,it;q=0.5,en;q=0.4", True),
        ("it;q=0,en-GB", False),
        ("*,it;q=0.1", True),
        ("i" * 40 + "-" * 8000, False),
    ],
)
def test_a_regional_language_falls_back_to_its_language_first(
    server: RealServer, ranges: str, italian: bool
) -> None:
    headers = {"Accept-Language": ranges}
    error = server.get("/api/tables/AAAAAA", **headers).error["text"]
    assert (error == "Non c’è nessun tavolo con questo codice.") is italian
    page = server.get("/", **headers).body.decode()
    assert ('"lang":"it"' in page) is italian


def test_a_socket_client_can_state_a_language_with_a_region(server: RealServer) -> None:
    refused = Client(server.url, {"table": "AAAAAA", "language": "it-CH"}).refused
    assert refused["data"]["text"] == "Non c’è nessun tavolo con questo codice."
    table = server.post("/api/tables", {"name": "Ana"}).json["table"]
    variant = server.get(f"/api/tables/{table}/variant?language=it-CH,en").json
    assert set(variant["texts"]) == {"it", "en"}


def test_a_body_over_four_kilobytes_is_refused(server: RealServer) -> None:
    answer = server.post("/api/tables", {"name": "x" * 5000})
    assert answer.status == 413
    assert answer.error["code"] == "bad_request"


def test_variants_can_be_listed_and_read(server: RealServer) -> None:
    listed = server.get("/api/variants").json
    assert "quarantined" in [variant["id"] for variant in listed]
    shown = server.get("/api/variants/quarantined").json
    assert {"cards", "texts"} <= shown.keys()
    by_id = {variant["id"]: variant for variant in listed}
    assert by_id["imploding-party-122"]["expands"] == "party-122"
    assert by_id["party-122"]["expansions"] == [
        {
            "id": "imploding",
            "titles": {"en": "Imploding Kittens", "it": "Imploding Kittens"},
            "variant": "imploding-party-122",
        }
    ]
    assert "expansions" not in by_id["quarantined"]
    assert "expands" not in by_id["quarantined"]


def test_a_table_keeps_the_variant_that_it_was_created_with(
    serve: Callable[..., RealServer], tmp_path: Path
) -> None:
    """Anyone can read the variant, even with spectators off: players need to know which cards to
    bring."""
    folder = rename_ids(tmp_path / "variants")
    server = serve(COMPANION_VARIANTS_DIR=str(folder.parent))
    created = server.post("/api/tables", {"name": "Ana", "options": {"spectators": False}}).json
    path = f"/api/tables/{created['table']}/variant"
    shown = server.get(path).json
    assert [card["id"] for card in shown["cards"]] == [*RENAMED.values()]
    text = (folder / "variant.toml").read_text("utf-8").replace("seconds = 8", "seconds = 9")
    (folder / "variant.toml").write_text(text, "utf-8")
    assert server.stop() == 0
    server.start()
    assert server.get(path).json == shown
    assert server.get("/api/variants/house").json["window"]["seconds"] == 9
    for language, texts in (("en", ["en"]), ("it", ["en", "it"]), ("xx", ["en"])):
        assert [*server.get(f"{path}?language={language}").json["texts"]] == texts
    brief = server.get(f"{path}?language=it&brief").json
    assert brief["texts"]["it"]["refused"] == shown["texts"]["it"]["refused"]
    assert not any(words.get("rulings") for words in brief["texts"].values())
    assert server.get("/api/tables/AAAAAA/variant").status == 404


def test_the_log_has_all_events_of_the_table_in_order(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben").begin()
    log = server.get(f"/api/tables/{party.table}/log").json
    assert [event["version"] for event in log] == list(range(1, party.host.view["version"] + 1))
    assert log[0]["type"] == "seat_taken"
    assert log[-50:] == party.host.view["log"]


def test_only_its_author_finds_a_private_note_in_the_log(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben").begin()
    party.host.send_command("note", cell=[0, 1], card="skip")
    path = f"/api/tables/{party.table}/log"

    def list_event_types(**headers: str) -> list[str]:
        return [event["type"] for event in server.get(path, **headers).json]

    assert "note_made" in list_event_types(Authorization=f"Bearer {party.tokens[0]}")
    assert "note_made" not in list_event_types(Authorization=f"Bearer {party.tokens[1]}")
    assert "note_made" not in list_event_types()
    notes = [{"cell": [0, 1], "card": "skip"}]
    assert party.host.view["you"]["notes"] == notes
    assert party.clients[1].wait_for_version(party.host.view["version"])["you"]["notes"] == []
    assert "note_made" not in json.dumps(party.clients[1].received)


def test_a_claim_moves_the_seat_and_invalidates_its_old_token(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben")
    path = f"/api/tables/{party.table}/seats/{party.seats[1]}/claim"
    assert server.post(path).status == 401
    assert server.post(path, Authorization="Bearer nothing").error["code"] == "unauthenticated"
    claim = server.post(path, Authorization=f"Bearer {party.tokens[1]}")
    assert claim.status == 201
    assert set(claim.json) == {"claim", "url", "expires_at"}
    assert claim.json["url"] == f"{server.url}/t/{party.table}#claim={claim.json['claim']}"

    moved = server.post(f"/api/claims/{claim.json['claim']}")
    assert moved.status == 201
    assert (moved.json["table"], moved.json["seat"]) == (party.table, party.seats[1])
    party.clients[1].wait(lambda: party.clients[1].get_received("superseded"))
    party.clients[1].wait(lambda: party.clients[1].get_received("disconnect"))
    old = server.connect_client(party.table, party.tokens[1])
    assert old.refused["data"]["code"] == "unauthenticated"
    new = server.connect_client(party.table, moved.json["token"])
    assert new.view["you"]["seat"] == party.seats[1]
    assert server.post(f"/api/claims/{claim.json['claim']}").status == 404


def test_only_the_host_and_the_player_can_create_a_claim_for_a_seat(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben", "Cleo")
    path = f"/api/tables/{party.table}/seats/{{}}/claim"
    ben = {"Authorization": f"Bearer {party.tokens[1]}"}
    denied = server.post(path.format(party.seats[2]), **ben)
    assert (denied.status, denied.error["ruling"]) == (403, "host-acts-for")
    host = {"Authorization": f"Bearer {party.tokens[0]}"}
    assert server.post(path.format(party.seats[2]), **host).status == 201
    assert server.post(path.format("s99"), **host).error["code"] == "not_found"


def test_a_claim_gives_a_panel_to_a_seat_that_the_host_added(server: RealServer) -> None:
    party = server.create_table("Ana")
    party.host.send_command("add_seat", name="Ben")
    seat = next(seat for seat in party.host.view["seats"] if seat["name"] == "Ben")
    assert seat["panel"] is False
    path = f"/api/tables/{party.table}/seats/{seat['seat']}/claim"
    claim = server.post(path, Authorization=f"Bearer {party.tokens[0]}").json["claim"]
    token = server.post(f"/api/claims/{claim}").json["token"]
    assert server.connect_client(party.table, token).view["seats"][1]["panel"] is True


def test_the_metrics_count_every_command_once() -> None:
    metrics = Metrics()
    for number in range(2 * MOST_NOTED + 5):
        metrics.command("draw", Answer(ok=True, version=1), 0.001 * (number % 2))
    figures = metrics.text().decode()
    assert 'companion_commands_total{outcome="accepted",type="draw"} 2005.0' in figures
    assert 'companion_command_seconds_bucket{le="0.0005"} 1003.0' in figures
    assert 'companion_command_seconds_bucket{le="0.001"} 2005.0' in figures
    assert "companion_command_seconds_count 2005.0" in figures
    assert metrics.text().decode() == figures


def test_health_readiness_and_metrics_are_served(server: RealServer) -> None:
    assert server.get("/healthz").json["ok"] is True
    assert server.get("/readyz").json["ok"] is True
    party = server.create_table("Ana", "Ben")
    party.host.send_command("prepare")
    party.clients[1].expect_refusal("draw", cell=[0, 0])
    figures = server.get("/metrics").body.decode()
    assert 'companion_commands_total{outcome="accepted",type="prepare"}' in figures
    assert 'companion_commands_total{outcome="refused",type="draw"}' in figures
    assert 'companion_refusals_total{ruling="' in figures
    assert "companion_command_seconds_bucket" in figures
    assert "companion_connections " in figures and "companion_open_tables " in figures
