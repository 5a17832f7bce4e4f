"""Tests for decks kept on devices: commitments, the server's salts and opening."""

import json
from typing import Any

from companion.device_decks.dealing import Cards, Pack, commitment, deal
from tests.support.servers.server import Client, RealServer

ANAS = "11" * 32
BENS = "22" * 32


def get_log(server: RealServer, table: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = server.get(f"/api/tables/{table}/log").json
    return entries


def commit_to_deck(client: Client, secret: str) -> None:
    client.send_command("deck", kind="device", commit=commitment(secret).upper())


def play_shuffle(client: Client, instructor: Client, card: str = "shuffle") -> None:
    """Let the turn player play and carry out a Shuffle."""
    instructor.send_command("instruct", cell=[0, 0])
    window = client.send_command("play", card=card) and client.view["window"]
    if window:
        instructor.send_command("pass", window=window["id"])
    client.send_command("shuffled")


def test_a_device_commits_plays_and_opens_also_after_leaving(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben")
    ana, ben = party.clients
    kinds = [seat["deck"] for seat in ana.view["seats"]]
    assert kinds == [{"kind": "table"}] * 2
    commit_to_deck(ben, BENS)
    deck = {"kind": "device", "commit": commitment(BENS), "secret": None}
    assert ben.view["seats"][1]["deck"] == deck
    party.begin()
    assert ana.expect_refusal("deck", kind="device", commit="ab" * 32)["ruling"] == "own-deck"
    early = ben.expect_refusal("open", secret=BENS)
    assert early["ruling"] == "opens-what-it-committed"
    assert early["text"].startswith("The game is still on")
    assert early["facts"] == {"seat": party.seats[1], "case": "playing"}
    play_shuffle(ana, ben)
    ben.send_command("instruct", cell=[0, 0])
    ana.send_command("draw", cell=[0, 0])
    ana.send_command("report", outcome="safe")
    play_shuffle(ben, ana)
    ben.send_command("leave")
    assert ben.expect_refusal("open", secret=ANAS)["ruling"] == "opens-what-it-committed"
    ben.send_command("open", secret=BENS)
    ana.wait_for_version(ben.view["version"])
    assert ana.view["seats"][1]["deck"] == deck | {"secret": BENS}
    facts = {line["type"]: line["facts"] for line in get_log(server, party.table)}
    salts = [line["facts"].get("salt") for line in get_log(server, party.table)]
    assert facts["deck_opened"] == {"seat": party.seats[1], "secret": BENS}
    assert len(facts["game_began"]["salt"]) == 64
    shuffles = [line for line in get_log(server, party.table) if line["type"] == "grid_shuffled"]
    assert ["salt" in line["facts"] for line in shuffles] == [False, True]
    assert len({salt for salt in salts if salt}) == 2  # each salt is a new random value


def test_a_malformed_deck_command_is_a_bad_request(server: RealServer) -> None:
    ana = server.create_table("Ana", "Ben").host
    for fields in (
        {"kind": "device"},
        {"kind": "table", "commit": "ab" * 32},
        {"kind": "device", "commit": "ab" * 31},
        {"kind": "device", "commit": "ab" * 32 + "\n"},
        {"kind": "device", "commit": "xy" * 32},
        {"kind": "shoe", "commit": "ab" * 32},
    ):
        assert ana.expect_refusal("deck", **fields)["code"] == "bad_request", fields
    assert ana.expect_refusal("open", secret="ab")["code"] == "bad_request"
    assert ana.expect_refusal("defuse", hidden="ab")["code"] == "bad_request"


def without_deck_details(content: Any) -> str:
    """Return the content as a string, without ids, times and the fields about device decks."""
    if isinstance(content, dict):
        excluded = ("deck", "salt", "hidden", "at", "now", "epoch", "table", "closes_at")
        content = {
            key: without_deck_details(value)
            for key, value in content.items()
            if key not in excluded
        }
    elif isinstance(content, list):
        content = [without_deck_details(item) for item in content]
    return json.dumps(content, sort_keys=True)


def play_game(server: RealServer, devices: int) -> list[str]:
    """Play a game in which this number of devices keep a deck. Returns the views and the log."""
    party = server.create_table("Ana", "Ben")
    for number, (client, secret) in enumerate(zip(party.clients, (ANAS, BENS), strict=True)):
        if number < devices:
            commit_to_deck(client, secret)
        else:
            client.send_command("deck", kind="table")
    party.begin()
    ana, ben = party.clients
    play_shuffle(ana, ben)
    ben.send_command("instruct", cell=[0, 1])
    ana.send_command("draw", cell=[0, 1])
    ana.send_command("report", outcome="kitten")
    ana.send_command("defuse", **({"hidden": "cd" * 32} if devices else {}))
    views = [party.clients[n].wait_for_version(ana.view["version"]) for n in (0, 1)]
    for view in views:
        view["log"] = [line for line in view["log"] if line["type"] != "deck_said"]
    log = [line for line in get_log(server, party.table) if line["type"] != "deck_said"]
    return [without_deck_details(content) for content in (*views, log)]


def test_views_and_log_do_not_depend_on_where_the_cards_are(server: RealServer) -> None:
    without_devices = play_game(server, devices=0)
    assert play_game(server, devices=1) == without_devices
    assert play_game(server, devices=2) == without_devices


def deal_cards(server: RealServer, table: str, secret: str) -> Cards:
    """Return the cards that a device with this secret deals when the table's game begins."""
    facts = {line["type"]: line["facts"] for line in get_log(server, table)}
    variant = server.get(f"/api/tables/{table}/variant").json
    return deal(Pack.parse(variant), secret, facts["game_began"]["salt"])


def test_companion_check_confirms_true_reports_and_finds_false_ones(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben", "Cleo")
    ana, ben, cleo = party.clients
    link = f"{server.url}/t/{party.table}"
    assert "nothing to check" in server.run("check", link).stdout
    commit_to_deck(ana, ANAS)
    commit_to_deck(ben, BENS)
    party.begin()
    cards = deal_cards(server, party.table, ANAS)
    safe = next(cell for cell, card in cards.grid.items() if card != "kitten")
    cleo.send_command("instruct", cell=safe)
    ana.send_command("draw", cell=safe)
    ana.send_command("report", outcome="safe")
    hidden_cards = deal_cards(server, party.table, BENS)
    kitten = next(cell for cell, card in hidden_cards.grid.items() if card == "kitten")
    ana.send_command("instruct", cell=kitten)
    ben.send_command("draw", cell=kitten)
    ben.send_command("report", outcome="safe")
    ana.send_command("leave")
    ben.send_command("leave")
    ana.send_command("open", secret=ANAS)
    result = server.run("check", link + "?spoken=en")
    assert result.stdout.splitlines() == [
        "Game 1, Ana: dealt and reported honestly.",
        "Game 1, Ben: not opened, so it can't be checked.",
    ]
    assert result.returncode == 0
    ben.send_command("open", secret=BENS)
    result = server.run("check", link)
    place = f"row {kitten[0] + 1}, column {kitten[1] + 1}"
    drawn = [
        line["version"] for line in get_log(server, party.table) if line["type"] == "card_drawn"
    ]
    assert result.stdout.splitlines()[1:] == [
        "Game 1, Ben: does not fit.",
        f"  event {drawn[1]}: drawn as safe, kitten lay there ({place}).",
    ]
    assert result.returncode == 1


def test_companion_check_reports_a_wrong_link(server: RealServer) -> None:
    assert server.run("check", "hello").returncode == 2
    missing = server.run("check", f"{server.url}/t/AAAAAA")
    assert (missing.returncode, missing.stderr) == (1, "Error: There’s no table with that code.\n")
    unreachable = server.run("check", "http://127.0.0.1:9/t/AAAAAA")
    assert unreachable.returncode == 1
    assert unreachable.stderr.startswith("Error: No table answers there: ")
