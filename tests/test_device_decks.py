"""Decks that devices keep, over the wire: committing, the server's salts, opening."""

import json
from typing import Any

from companion.fair.cards import Cards, Pack, commitment, deal
from tests.server import Client, RealServer

ANAS = "11" * 32
BENS = "22" * 32


def lines(server: RealServer, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = server.get(f"/api/tables/{table}/log").json
    return found


def commit(client: Client, secret: str) -> None:
    client.send_command("deck", kind="device", commit=commitment(secret).upper())


def shuffle(client: Client, told: Client, card: str = "shuffle") -> None:
    """Let the turn player shuffle, unless a window is open."""
    told.send_command("instruct", cell=[0, 0])
    window = client.send_command("play", card=card) and client.view["window"]
    if window:
        told.send_command("pass", window=window["id"])
    client.send_command("shuffled")


def test_a_device_commits_plays_and_opens_also_after_leaving(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben")
    ana, ben = party.clients
    kinds = [seat["deck"] for seat in ana.view["seats"]]
    assert kinds == [{"kind": "table"}] * 2
    commit(ben, BENS)
    shown = {"kind": "device", "commit": commitment(BENS), "secret": None}
    assert ben.view["seats"][1]["deck"] == shown
    party.begin()
    assert ana.expect_refusal("deck", kind="device", commit="ab" * 32)["ruling"] == "own-deck"
    early = ben.expect_refusal("open", secret=BENS)
    assert early["ruling"] == "opens-what-it-committed"
    assert early["text"].startswith("The game is still on")
    assert early["facts"] == {"seat": party.seats[1], "case": "playing"}
    shuffle(ana, ben)
    ben.send_command("instruct", cell=[0, 0])
    ana.send_command("draw", cell=[0, 0])
    ana.send_command("report", outcome="safe")
    shuffle(ben, ana)
    ben.send_command("leave")
    assert ben.expect_refusal("open", secret=ANAS)["ruling"] == "opens-what-it-committed"
    ben.send_command("open", secret=BENS)
    ana.wait_for_version(ben.view["version"])
    assert ana.view["seats"][1]["deck"] == shown | {"secret": BENS}
    facts = {line["type"]: line["facts"] for line in lines(server, party.table)}
    salts = [line["facts"].get("salt") for line in lines(server, party.table)]
    assert facts["deck_opened"] == {"seat": party.seats[1], "secret": BENS}
    assert len(facts["game_began"]["salt"]) == 64
    shuffles = [line for line in lines(server, party.table) if line["type"] == "grid_shuffled"]
    assert ["salt" in line["facts"] for line in shuffles] == [False, True]
    assert len({salt for salt in salts if salt}) == 2  # each drawn for itself


def test_a_malformed_deck_command_is_refused_as_such(server: RealServer) -> None:
    ana = server.create_table("Ana", "Ben").host
    for said in (
        {"kind": "device"},
        {"kind": "table", "commit": "ab" * 32},
        {"kind": "device", "commit": "ab" * 31},
        {"kind": "device", "commit": "ab" * 32 + "\n"},
        {"kind": "device", "commit": "xy" * 32},
        {"kind": "shoe", "commit": "ab" * 32},
    ):
        assert ana.expect_refusal("deck", **said)["code"] == "bad_request", said
    assert ana.expect_refusal("open", secret="ab")["code"] == "bad_request"
    assert ana.expect_refusal("defuse", hidden="ab")["code"] == "bad_request"


def plain(shown: Any) -> str:
    """Return the view without ids, times, and everything that depends on who keeps the deck."""
    if isinstance(shown, dict):
        left_out = ("deck", "salt", "hidden", "at", "now", "epoch", "table", "closes_at")
        shown = {key: plain(value) for key, value in shown.items() if key not in left_out}
    elif isinstance(shown, list):
        shown = [plain(one) for one in shown]
    return json.dumps(shown, sort_keys=True)


def a_game(server: RealServer, devices: int) -> list[str]:
    """The same words at a table where these seats' devices keep the decks: all that is shown."""
    party = server.create_table("Ana", "Ben")
    for number, (client, secret) in enumerate(zip(party.clients, (ANAS, BENS), strict=True)):
        if number < devices:
            commit(client, secret)
        else:
            client.send_command("deck", kind="table")
    party.begin()
    ana, ben = party.clients
    shuffle(ana, ben)
    ben.send_command("instruct", cell=[0, 1])
    ana.send_command("draw", cell=[0, 1])
    ana.send_command("report", outcome="kitten")
    ana.send_command("defuse", **({"hidden": "cd" * 32} if devices else {}))
    views = [party.clients[n].wait_for_version(ana.view["version"]) for n in (0, 1)]
    for view in views:
        view["log"] = [line for line in view["log"] if line["type"] != "deck_said"]
    told = [line for line in lines(server, party.table) if line["type"] != "deck_said"]
    return [plain(shown) for shown in (*views, told)]


def test_nothing_that_is_shown_depends_on_where_the_cards_are(server: RealServer) -> None:
    on_tables = a_game(server, devices=0)
    assert a_game(server, devices=1) == on_tables
    assert a_game(server, devices=2) == on_tables


def dealt_to(server: RealServer, table: str, secret: str) -> Cards:
    """Return the cards that a device deals when the game begins."""
    facts = {line["type"]: line["facts"] for line in lines(server, table)}
    variant = server.get(f"/api/tables/{table}/variant").json
    return deal(Pack.parse(variant), secret, facts["game_began"]["salt"])


def test_companion_check_confirms_true_reports_and_finds_false_ones(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben", "Cleo")
    ana, ben, cleo = party.clients
    link = f"{server.url}/t/{party.table}"
    assert "nothing to check" in server.run("check", link).stdout
    commit(ana, ANAS)
    commit(ben, BENS)
    party.begin()
    cards = dealt_to(server, party.table, ANAS)
    safe = next(cell for cell, card in cards.grid.items() if card != "kitten")
    cleo.send_command("instruct", cell=safe)
    ana.send_command("draw", cell=safe)
    ana.send_command("report", outcome="safe")
    lies = dealt_to(server, party.table, BENS)
    kitten = next(cell for cell, card in lies.grid.items() if card == "kitten")
    ana.send_command("instruct", cell=kitten)
    ben.send_command("draw", cell=kitten)
    ben.send_command("report", outcome="safe")
    ana.send_command("leave")
    ben.send_command("leave")
    ana.send_command("open", secret=ANAS)
    done = server.run("check", link + "?spoken=en")
    assert done.stdout.splitlines() == [
        "Game 1, Ana: dealt and reported honestly.",
        "Game 1, Ben: not opened, so it can't be checked.",
    ]
    assert done.returncode == 0
    ben.send_command("open", secret=BENS)
    done = server.run("check", link)
    place = f"row {kitten[0] + 1}, column {kitten[1] + 1}"
    drawn = [line["version"] for line in lines(server, party.table) if line["type"] == "card_drawn"]
    assert done.stdout.splitlines()[1:] == [
        "Game 1, Ben: does not fit.",
        f"  event {drawn[1]}: drawn as safe, kitten lay there ({place}).",
    ]
    assert done.returncode == 1


def test_companion_check_asks_for_a_tables_link(server: RealServer) -> None:
    assert server.run("check", "hello").returncode == 2
    gone = server.run("check", f"{server.url}/t/AAAAAA")
    assert (gone.returncode, gone.stderr) == (1, "Error: There’s no table with that code.\n")
    nobody = server.run("check", "http://127.0.0.1:9/t/AAAAAA")
    assert nobody.returncode == 1
    assert nobody.stderr.startswith("Error: No table answers there: ")
