"""Tests for the Socket.IO connection: who may connect, the answers to commands, and views."""

import json
import time
from typing import Any
from uuid import uuid4

import pytest

from tests.support.servers.server import Party, RealServer, open_websocket

VIEW = {
    "table", "epoch", "version", "now", "variant", "game", "phase", "options", "host", "seats",
    "waiting", "asked", "house", "roll_call", "turn", "played", "window", "winner", "log", "you",
}  # fmt: skip


def test_everyone_sees_the_whole_view_and_only_their_own_you(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben").begin()
    stranger = server.connect_client(party.table)
    views = [
        client.wait_for_version(party.host.view["version"]) for client in (*party.clients, stranger)
    ]
    assert all(set(view) == VIEW for view in views)
    assert [view["you"] and view["you"]["seat"] for view in views] == [*party.seats, None]
    shared = [{key: view[key] for key in VIEW - {"you", "now"}} for view in views]
    assert shared[0] == shared[1] == shared[2]


@pytest.mark.parametrize("transports", [["polling"], ["polling", "websocket"]])
def test_polling_works_where_a_network_blocks_websockets(
    server: RealServer, transports: list[str]
) -> None:
    party = server.create_table("Ana", "Ben")
    token = party.tokens[1]
    polling = server.connect_client(party.table, token, transports=transports)
    party.clients[1].wait(lambda: party.clients[1].get_received("superseded"))
    polling.send_command("rename", name="Benno")
    party.host.send_command("prepare")
    assert polling.wait_for_version(party.host.view["version"])["phase"] == "setup"


def test_host_can_act_for_every_seat_players_only_for_their_own(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben", "Cleo").begin()
    instructor = party.host.view["turn"]["instructor"]
    version = party.host.view["version"]
    may = [client.wait_for_version(version)["you"]["may"] for client in party.clients]
    assert len(may[0]) == 6
    assert all(one["as"] == instructor and one["type"] == "instruct" for one in may[0])
    assert [may[0] if seat == instructor else [] for seat in party.seats[1:]] == may[1:]


def test_legal_commands_are_accepted(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben").begin()
    for _ in range(12):
        view = party.host.view
        if view["phase"] == "over":
            break
        party.host.send_command(**view["you"]["may"][-1])


@pytest.mark.parametrize(
    ("auth", "code"),
    [
        ({"table": "AAAAAA"}, "not_found"),
        ({"table": "no"}, "not_found"),
        ({"table": 7}, "bad_request"),
        ({"seat": "s1"}, "bad_request"),
        (None, "bad_request"),
        ([], "bad_request"),
    ],
)
def test_a_refused_connection_gets_the_error(server: RealServer, auth: Any, code: str) -> None:
    client = server.connect_client("AAAAAA")
    client = type(client)(server.url, auth)
    assert client.refused["data"]["code"] == code
    assert client.refused["data"]["text"]
    client.close()


def test_a_refused_connection_gets_the_error_in_its_language(server: RealServer) -> None:
    client = type(server.connect_client("AAAAAA"))
    for language, text in (("it", "Non c’è nessun tavolo con questo codice."), (7, "There’s no")):
        stranger = client(server.url, {"table": "AAAAAA", "language": language})
        assert text in stranger.refused["data"]["text"]
        stranger.close()


def test_a_token_that_is_invalid_or_for_another_table_is_refused(server: RealServer) -> None:
    party = server.create_table("Ana")
    other = server.create_table("Ben")
    for token in ("nothing", "", other.tokens[0]):
        assert (
            server.connect_client(party.table, token).refused["data"]["code"] == "unauthenticated"
        )


def test_spectators_can_be_turned_off(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben")
    stranger = server.connect_client(party.table)
    assert stranger.view["you"] is None
    party.host.send_command("options", spectators=False)
    stranger.wait(lambda: stranger.get_received("disconnect"))
    refused = server.connect_client(party.table).refused["data"]
    assert (refused["code"], refused["ruling"]) == ("forbidden", "spectators-watch")
    path = f"/api/tables/{party.table}"
    assert server.get(path).error["ruling"] == "spectators-watch"
    # The error also states whether the client may still take a seat.
    assert refused["facts"]["door"] == "open"
    party.host.send_command("options", locked=True)
    assert server.get(path).error["facts"]["door"] == "locked"
    party.host.send_command("options", locked=False)
    party.host.send_command("prepare")
    zoe = server.post(f"{path}/seats", {"name": "Zoe"})
    assert zoe.status == 201
    party.seats.append(zoe.json["seat"])
    party.begin_prepared()
    assert server.get(path).error["facts"]["door"] == "next"
    assert server.get(path, Authorization=f"Bearer {party.tokens[1]}").status == 200


def test_a_latecomer_is_a_spectator_and_gets_a_seat_in_the_next_game(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben").begin()
    path = f"/api/tables/{party.table}"
    created = server.post(f"{path}/waiting", {"name": "Dora"})
    assert created.status == 201
    dora = server.connect_client(party.table, created.json["token"])
    assert dora.view["you"] is None
    waiting = [{"seat": created.json["seat"], "name": "Dora"}]
    assert dora.view["waiting"] == waiting
    assert dora.expect_refusal("draw", cell=[0, 0])["ruling"] == "spectators-watch"
    again = server.post(f"{path}/waiting", {"name": "dora"}).error
    assert (again["ruling"], "Dora" in again["text"]) == ("unique-names", True)
    assert server.get(path).json["waiting"] == waiting
    party.host.send_command("end_game")
    dora.wait(lambda: dora.view["you"] and dora.view["you"]["seat"] == created.json["seat"], 20)
    assert dora.view["waiting"] == []


def test_a_waiting_visitor_cannot_connect_with_spectators_off_or_after_removal(
    server: RealServer,
) -> None:
    party = server.create_table("Ana", "Ben", options={"spectators": False}).begin()
    path = f"/api/tables/{party.table}"
    created = server.post(f"{path}/waiting", {"name": "Dora"}).json
    refused = server.connect_client(party.table, created["token"]).refused["data"]
    assert (refused["code"], refused["facts"]["door"]) == ("forbidden", "waiting")
    party.host.send_command("remove_seat", seat=created["seat"])
    late = server.connect_client(party.table, created["token"]).refused["data"]
    assert late["code"] == "unauthenticated"


@pytest.mark.parametrize(
    ("command", "at"),
    [
        ({"type": "undo"}, "$.id"),
        ({"id": "7", "type": "undo"}, "$.id"),
        ({"id": None, "type": "undo"}, "$.id"),
        ({"id": "ID"}, "$.type"),
        ({"id": "ID", "type": "fly"}, "$.type"),
        ({"id": "ID", "type": "draw"}, "$.cell"),
        ({"id": "ID", "type": "draw", "cell": [0, "x"]}, "$.cell[1]"),
        ({"id": "ID", "type": "draw", "cell": [0, -1]}, "$.cell[1]"),
        ({"id": "ID", "type": "draw", "cell": [0, 1, 2]}, "$.cell"),
        ({"id": "ID", "type": "draw", "cell": [0, 1], "now": 1}, "$.now"),
        ({"id": "ID", "type": "report", "outcome": "both"}, "$.outcome"),
        ({"id": "ID", "type": "ready", "ready": 1}, "$.ready"),
        ({"id": "ID", "type": "tick"}, "$.type"),
        ({"id": "ID", "type": "add_seat", "name": "\u202e"}, "$.name"),
        ({"id": "ID", "type": "undo", "version": -1}, "$.version"),
        ([], "$"),
        ("undo", "$"),
        (None, "$"),
    ],
)
def test_a_malformed_command_is_reported_with_the_place(
    server: RealServer, command: Any, at: str
) -> None:
    party = _get_shared_table(server)
    if isinstance(command, dict) and command.get("id") == "ID":
        command = {**command, "id": str(uuid4())}
    answer = party.host.socket.call("command", command)
    assert answer["ok"] is False and answer["version"] == party.host.view["version"]
    assert answer["error"]["code"] == "bad_request"
    assert answer["error"]["facts"]["at"] == at


_parties: dict[str, Party] = {}


def _get_shared_table(server: RealServer) -> Party:
    """Return a table in a game, shared by all tests that change nothing."""
    if server.url not in _parties:
        _parties[server.url] = server.create_table("Ana", "Ben").begin()
    return _parties[server.url]


def test_an_unknown_event_is_answered_with_an_error(server: RealServer) -> None:
    party = _get_shared_table(server)
    answer = party.host.socket.call("whatever", {"id": 1})
    assert answer["error"]["code"] == "bad_request"
    assert party.host.socket.call("command", ())["error"]["code"] == "bad_request"


@pytest.mark.parametrize(
    ("command", "at"),
    [
        ({"type": "undo", "as": "s99"}, "$.as"),
        ({"type": "remove_seat", "seat": "s99"}, "$.seat"),
        ({"type": "pass_host", "seat": "s99"}, "$.seat"),
        ({"type": "call_next", "next": "s99"}, "$.next"),
        ({"type": "begin", "first": "s99"}, "$.first"),
        ({"type": "play", "card": "favor", "target": "s99", "cell": [0, 0]}, "$.target"),
    ],
)
def test_an_unknown_seat_is_not_found(server: RealServer, command: Any, at: str) -> None:
    error = _get_shared_table(server).host.expect_refusal(**command)
    assert error["code"] == "not_found" and error["facts"]["at"] == at


def test_forbidden_is_about_the_sender_and_refused_about_the_command(server: RealServer) -> None:
    party = _get_shared_table(server)
    stranger = server.connect_client(party.table)
    assert stranger.expect_refusal("draw", cell=[0, 0])["code"] == "forbidden"
    assert stranger.expect_refusal("draw", cell=[0, 0])["ruling"] == "spectators-watch"
    other = party.clients[1].expect_refusal("draw", **{"as": party.seats[0], "cell": [0, 0]})
    assert (other["code"], other["ruling"]) == ("forbidden", "host-acts-for")
    early = party.host.expect_refusal("draw", cell=[0, 0])
    assert (early["code"], early["ruling"]) == ("refused", "wait-to-be-told")
    assert early["text"] and "{" not in early["text"]


def test_a_command_for_another_version_is_stale(server: RealServer) -> None:
    party = _get_shared_table(server)
    version = party.host.view["version"]
    error = party.host.expect_refusal("draw", cell=[0, 0], version=version - 1)
    assert error["code"] == "stale"
    assert party.host.expect_refusal("draw", cell=[0, 0], version=version)["code"] == "refused"


def test_a_repeated_command_takes_effect_once_and_gets_the_same_answer(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben")
    once = {"id": str(uuid4()), "type": "add_seat", "name": "Cleo"}
    first = party.host.send(**once)
    assert first["ok"]
    party.host.send_command("prepare")
    assert party.host.send(**once) == first
    assert party.host.send(**{**once, "as": party.seats[0]}) == first
    reused = party.host.send(**{**once, "name": "Dan"})
    assert reused["error"]["code"] == "id_reused"
    assert party.clients[1].send(**once)["error"]["code"] == "id_reused"
    assert len(party.host.view["seats"]) == 3


def test_a_refused_command_stays_refused_when_it_is_repeated(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben")
    early = {"id": str(uuid4()), "type": "begin", "first": "lot"}
    refused = party.host.send(**early)
    assert refused["error"]["ruling"] == "prepare-in-order"
    party.host.send_command("prepare")
    for seat in party.seats:
        party.host.send_command("ready", **{"as": seat, "ready": True})
    assert party.host.send(**early) == refused
    assert party.host.view["phase"] == "setup"


def test_nothing_but_an_accepted_command_changes_the_version(server: RealServer) -> None:
    party = _get_shared_table(server)
    before = party.host.view["version"]
    party.host.expect_refusal("draw", cell=[0, 0])
    party.host.send(type="nonsense")
    assert party.host.socket.call("sync")["version"] == before


def test_sync_returns_the_whole_view(server: RealServer) -> None:
    party = _get_shared_table(server)
    view = party.clients[1].socket.call("sync")
    assert set(view) == VIEW
    assert view["you"]["seat"] == party.seats[1]


def test_sync_returns_the_head_to_a_client_with_the_newest_version(server: RealServer) -> None:
    party = _get_shared_table(server)
    view = party.clients[1].socket.call("sync")
    has = {"epoch": view["epoch"], "version": view["version"]}
    head = party.clients[1].socket.call("sync", has)
    assert head == {**has, "now": head["now"]}
    others = [{**has, "version": has["version"] - 1}, {**has, "epoch": "x"}, {}, [], "?", None, 7]
    for other in others:
        assert set(party.clients[1].socket.call("sync", other)) == VIEW


def test_the_server_sends_the_head_every_five_seconds(server: RealServer) -> None:
    party = _get_shared_table(server)
    view = party.host.view
    heads = len(party.host.get_received("head"))
    party.host.wait(lambda: len(party.host.get_received("head")) > heads, 20)
    head = party.host.get_received("head")[-1]
    assert set(head) == {"epoch", "version", "now"}
    assert (head["epoch"], head["version"]) == (view["epoch"], view["version"])


def test_presence_lists_the_connected_seats(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben")
    ana, ben = party.seats

    def presence_is(seats: dict[str, str], spectators: int) -> bool:
        presences = party.host.get_received("presence")
        return bool(presences) and presences[-1] == {"seats": seats, "spectators": spectators}

    party.host.wait(lambda: presence_is({ana: "here", ben: "here"}, 0))
    stranger = server.connect_client(party.table)
    party.host.wait(lambda: presence_is({ana: "here", ben: "here"}, 1))
    assert (
        stranger.get_received("presence")
        or stranger.wait(lambda: stranger.get_received("presence")) is None
    )
    stranger.close()
    party.clients[1].close()
    party.host.wait(lambda: presence_is({ana: "here", ben: "away"}, 0))


def test_a_removed_player_becomes_a_spectator_and_their_token_is_invalid(
    server: RealServer,
) -> None:
    party = server.create_table("Ana", "Ben")
    party.host.send_command("remove_seat", seat=party.seats[1])
    ben = party.clients[1]
    assert ben.wait_for_version(party.host.view["version"])["you"] is None
    assert ben.expect_refusal("ready", ready=True)["code"] == "forbidden"
    again = server.connect_client(party.table, party.tokens[1])
    assert again.refused["data"]["code"] == "unauthenticated"


def test_a_repeated_leave_gets_the_same_answer(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben")
    leave = {"id": str(uuid4()), "type": "leave"}
    answer = party.clients[1].send(**leave)
    assert answer["ok"] and party.clients[1].send(**leave) == answer


def test_leaving_a_table_without_spectators_is_answered_before_the_disconnect(
    server: RealServer,
) -> None:
    party = server.create_table("Ana", "Ben", options={"spectators": False})
    with open_websocket(server, party.table, party.tokens[1]) as ben:
        ben.send("421" + json.dumps(["command", {"id": str(uuid4()), "type": "leave"}]))
        last = [frame[:10] for frame in iter(ben.recv, "")][-4:]
    assert last[1:] == ['431[{"ok":', "41", "1"]


def test_every_client_receives_every_version_in_order(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben", "Cleo")
    for number in range(20):
        party.host.send_command("rename", name=f"Ana {number}")
    for client in party.clients:
        client.wait_for_version(party.host.view["version"])
        versions = [view["version"] for view in client.get_received("view")]
        assert versions[-21:] == list(range(versions[-1] - 20, versions[-1] + 1))


def test_a_window_closes_by_itself(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben", options={"nope_seconds": 3}).begin().instruct()
    played = party.host.send_command("play", card="skip")
    view = party.clients[1].wait_for_version(played["version"])
    assert view["window"]["id"] == played["version"]
    assert view["window"]["left_ms"] <= view["window"]["seconds"] * 1000 == 3000
    after = party.host.wait_for_version(played["version"] + 1)
    assert after["window"] is None and after["turn"]["seat"] == party.seats[1]
    assert 0 <= after["now"] - view["window"]["closes_at"] < 700
    late = party.clients[1].expect_refusal("nope", window=played["version"])
    assert late["code"] == "stale"


@pytest.mark.parametrize(
    "frame",
    [
        "2" + "[" * 2000,
        '2["command",',
        "9",
        "2" * 200,
        "2[]",
        '2{"command":1}',
        '2["disconnect"]',
        '2["connect",{"REMOTE_ADDR":"1.2.3.4"},{"table":"AAAAAA"}]',
        '2["command","' + "x" * 5000 + '"]',
    ],
)
def test_an_invalid_frame_ends_the_connection(server: RealServer, frame: str) -> None:
    client = server.connect_client(_get_shared_table(server).table)
    assert client.view["you"] is None
    client.socket.eio.send(frame)
    client.wait(lambda: client.get_received("disconnect"))
    assert server.get("/healthz").json["ok"]


def test_players_and_spectators_can_send_signs_which_are_not_stored(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben").begin()
    watcher = server.connect_client(party.table)
    version = watcher.view["version"]

    def send_sign(client: Any, content: Any) -> Any:
        return client.socket.call("sign", content, timeout=120)

    assert send_sign(watcher, {"sign": "laugh"}) == {"ok": True, "version": version}
    for client in (*party.clients, watcher):
        client.wait(lambda client=client: client.get_received("sign"))
        assert client.get_received("sign") == [{"seat": None, "sign": "laugh"}]
    for seated, client in zip(party.seats[:2], party.clients, strict=True):
        assert send_sign(client, {"sign": "cry"}) == {"ok": True, "version": version}
        watcher.wait(
            lambda seated=seated: {"seat": seated, "sign": "cry"} in watcher.get_received("sign")
        )
    for wrong in ({"sign": "no such"}, {"sign": "cry", "text": "hi"}, "cry", None):
        assert send_sign(watcher, wrong)["error"]["code"] == "bad_request"
    answers = [send_sign(watcher, {"sign": "gasp"}) for _ in range(30)]
    assert {answer.get("error", {}).get("code") for answer in answers} >= {"rate_limited"}
    party.host.send_command("options", signs=False)
    assert watcher.wait_for_version(version + 1)["options"]["signs"] is False
    time.sleep(0.6)
    assert send_sign(watcher, {"sign": "love"})["error"]["code"] in ("forbidden", "rate_limited")
    assert send_sign(party.clients[1], {"sign": "love"})["error"]["code"] == "forbidden"
    log = server.get(f"/api/tables/{party.table}/log").json
    assert "sign" not in {event["type"] for event in log}


def test_only_the_checked_player_is_notified_in_the_camera_check(
    server: RealServer,
) -> None:
    party = server.create_table("Ana", "Ben", "Cleo")
    ana, ben, cleo = party.clients
    watcher = server.connect_client(party.table)

    def send_camera_sign(client: Any, to: Any, sign: str = "camera") -> Any:
        client.socket.sleep(0.55)
        return client.socket.call("sign", {"sign": sign, "to": to}, timeout=120)

    first, second, _ = party.seats
    assert send_camera_sign(ana, second)["error"]["code"] == "forbidden"
    # "signs" turns off the reactions. Players can still check each other's camera.
    ana.send_command("options", signs=False)
    version = ana.send_command("prepare")["version"]
    assert send_camera_sign(ana, second) == {"ok": True, "version": version}
    ben.wait(lambda: ben.get_received("sign"))
    assert ben.get_received("sign") == [{"seat": first, "sign": "camera"}]
    assert [who.get_received("sign") for who in (ana, cleo, watcher)] == [[], [], []]
    for who, to in ((ana, first), (ana, "s99"), (watcher, second)):
        assert send_camera_sign(who, to)["error"]["code"] == "forbidden"
    for wrong in (None, 7, ""):
        assert send_camera_sign(ana, wrong)["error"]["code"] in ("bad_request", "forbidden")
    assert send_camera_sign(watcher, second, "laugh")["error"]["code"] == "bad_request"
    answers = [ana.socket.call("sign", {"sign": "camera", "to": second}) for _ in range(9)]
    assert sum(answer["ok"] for answer in answers) <= 2
    party.begin_prepared()
    assert send_camera_sign(ana, second)["error"]["code"] == "forbidden"
    log = server.get(f"/api/tables/{party.table}/log").json
    assert "sign" not in {event["type"] for event in log}
