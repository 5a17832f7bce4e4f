"""Tests for the messages of a table with one pile: its commands, its view, and the facts that only
one seat may see."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args
from uuid import uuid4

import pytest

from companion.rules.pile.family import PILE
from tests.support.servers.server import Party, RealServer, wait_until

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

COMMANDS: dict[str, dict[str, Any]] = {
    "seating": {"order": []}, "play": {"card": "skip"},
    "combo": {"kind": "pair", "cards": ["skip", "skip"]}, "look": {"saw": ["skip"]},
    "shuffled": {}, "give": {}, "take": {}, "answer": {"has": True}, "pick": {"card": "skip"},
    "draw": {}, "report": {"outcome": "safe"}, "defuse": {"place": 1}, "explode": {"cards": []},
    "note": {"place": 1, "card": None}, "nope": {"window": 1}, "pass": {"window": 1},
    "hold": {"window": 1}, "release": {"window": 1}, "see_imploding": {}, "put_back": {"place": 1},
}  # fmt: skip

MALFORMED: list[dict[str, Any]] = [
    {"type": "draw", "cell": [0, 0]}, {"type": "play", "card": "skip", "cell": [0, 0]},
    {"type": "call_next", "next": "s1"}, {"type": "instruct", "cell": [0, 0]},
    {"type": "reveal", "card": "skip"}, {"type": "skip_roll_call"},
    {"type": "options", "roll_call": True}, {"type": "options", "device_decks": True},
    {"type": "combo", "kind": "six", "cards": []},
    {"type": "combo", "kind": "pair", "cards": ["skip"], "targets": ["s1"]},
    {"type": "note", "place": 0, "card": None}, {"type": "defuse", "place": -1},
    {"type": "put_back", "place": 0}, {"type": "report", "outcome": "imploded"},
    {"type": "answer"}, {"type": "seating"}, {"type": "look", "saw": "skip"},
]  # fmt: skip


def begin_party(server: RealServer, *names: str, variant: str = "party-120") -> Party:
    party = server.create_table(*names, variant=variant, options={"nope_seconds": 30})
    party.host.send_command("prepare")
    for seat in party.seats:
        party.host.send_command("ready", **{"as": seat, "ready": True})
    party.host.send_command("begin", first=party.seats[0])
    return party


def close_window(party: Party) -> None:
    """Let the host pass for everybody who could Nope, and wait until the window has closed."""

    def window() -> Any:
        return party.host.socket.call("sync")["window"]

    opened = window()
    for seat in opened["may_nope"] if opened else ():
        party.host.try_command("pass", window=opened["id"], **{"as": seat})
    wait_until(lambda: window() is None, 60)


def test_every_pile_command_is_documented_and_checks_its_sender(server: RealServer) -> None:
    documented = Path("docs/protocol.md").read_text().split("### Commands of a pile")[1]
    tables = Path("docs/protocol.md").read_text().split("### Commands")[1].split("###")[0]
    for tag in {kind.__struct_config__.tag for kind in get_args(PILE.command)}:
        assert f"`{tag}`" in documented.split("###")[0] or f"`{tag}`" in tables, tag
    party = begin_party(server, "Ana", "Ben", "Cleo")
    stranger = server.connect_client(party.table)
    ben = party.clients[1]
    before = party.host.socket.call("sync")["version"]
    for kind, more in COMMANDS.items():
        assert stranger.expect_refusal(kind, **more)["code"] == "forbidden", kind
        error = ben.expect_refusal(kind, **more, **{"as": party.seats[2]})
        ruling = "private-notes" if kind == "note" else "host-acts-for"
        assert (error["code"], error["ruling"]) == ("forbidden", ruling), kind
    for command in MALFORMED:
        assert party.host.expect_refusal(**command)["code"] == "bad_request", command
    assert party.host.expect_refusal("play", card="favor", target="nobody")["code"] == "not_found"
    assert party.host.socket.call("sync")["version"] == before


def test_the_pile_view_has_the_documented_fields(server: RealServer) -> None:
    party = begin_party(server, "Ana", "Ben", "Cleo", variant="party-122")
    view = party.host.socket.call("sync")
    ana = party.seats[0]
    assert view["variant"] == "party-122"
    assert not {"roll_call"} & {*view}
    assert view["options"]["special_combos"] is True and "roll_call" not in view["options"]
    seat = view["seats"][0]
    assert {"grid", "discard"}.isdisjoint(seat)
    assert (seat["hand"], seat["known"], seat["never"]) == (8, {"defuse": 1}, [])
    even = {"state": "shuffled", "even": 0.090909, "least": 0.090909, "most": 0.090909}
    pile = {"cards": 22, "kittens": 2, "exact": True, "top": even, "bottom": even}
    assert view["pile"] == pile
    assert view["discard"] == {"cards": [], "unnoted": 0}
    turn = {"number": 1, "seat": ana, "owed": 1, "attacked": False, "step": "act", "end": None}
    assert view["turn"] == turn
    assert view["you"]["odds"] == {"top": even, "bottom": even}
    assert {"type": "draw", "as": ana} in view["you"]["may"]
    assert {"type": "combo", "as": ana, "kind": "five"} in view["you"]["may"]
    pair = {"type": "combo", "as": ana, "kind": "pair", "cards": ["tacocat", "feral_cat"]}
    assert {**pair, "targets": party.seats[1:]} in view["you"]["may"]
    triple = {"kind": "triple", "cards": ["skip"] * 3, "target": party.seats[1], "name": "defuse"}
    party.host.send_command("combo", **triple)
    played = party.host.view["played"]
    assert played == {**triple, "by": ana, "nopes": [], "counts": True}


def test_private_facts_reach_nobody_else(serve: Callable[..., RealServer]) -> None:
    server = serve()
    party = begin_party(server, "Ana", "Ben", "Cleo")
    ana = party.host
    stranger = server.connect_client(party.table)
    marker = f"marker-{uuid4().hex[:20]}"
    ana.send_command("play", card="see_future")
    close_window(party)
    assert marker in json.dumps(ana.try_command("look", saw=[marker]))
    ana.send_command("look", saw=["beard_cat", "hairy_potato_cat", "kitten"])
    ana.send_command("note", place=7, card="cattermelon")
    ana.send_command("draw")
    ana.send_command("report", outcome="kitten")
    last = ana.send_command("defuse", place=5)["version"]
    noted = ana.wait_for_version(last)["you"]["notes"]
    assert {"place": 5, "card": "kitten"} in noted and {"place": 7, "card": "cattermelon"} in noted
    others = [*party.clients[1:], stranger]
    for client in others:
        client.wait_for_version(last)
        client.socket.call("sync")
    path = f"/api/tables/{party.table}"
    bodies = [server.get(path).body, server.get(f"{path}/log").body]
    for token in party.tokens[1:]:
        bodies.append(server.get(f"{path}/log", Authorization=f"Bearer {token}").body)
    texts = [json.dumps(client.received) for client in others] + [body.decode() for body in bodies]
    texts += ["\n".join(server.log_lines), server.get("/metrics").body.decode()]
    for text in texts:
        assert marker not in text
        for secret in ("top_noted", "kitten_placed", "note_made"):
            assert secret not in text
        assert '"notes":[{' not in text.replace(" ", "") and '"place":' not in text
    assert all(b"cattermelon" not in body for body in bodies[1:]), "in a log"
    mine = server.get(f"{path}/log", Authorization=f"Bearer {party.tokens[0]}").body.decode()
    assert "kitten_placed" in mine and "top_noted" in mine
    # The restarted server must read the variant and the notes from the database.
    server.stop()
    server.start()
    party.reconnect()
    assert party.host.view["you"]["notes"] == noted
    assert party.host.view["pile"]["top"]["state"] == "placed"
