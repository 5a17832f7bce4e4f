"""A deck on a device stays closed until the game is over, and only that device uses its cards."""

import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest

from companion.device_decks.dealing import commitment
from companion.robots.view import apply_patch
from tests.support.servers.server import Client, Party, RealServer, wait_until

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

Serve = Callable[..., RealServer]
SECRETS = ("11" * 32, "22" * 32, "33" * 32)
OF_CARDS = {"play", "nope", "draw", "report", "reveal", "look", "shuffled", "defuse", "explode"}


def begin_with_decks(server: RealServer, *names: str, keep: tuple[int, ...] = (1,)) -> Party:
    """Begin a game in which the devices of the seats in ``keep`` keep their decks."""
    party = server.create_table(*names)
    for number in keep:
        party.clients[number].send_command(
            "deck", kind="device", commit=commitment(SECRETS[number])
        )
    return party.begin()


def list_open_decks(server: RealServer, party: Party) -> set[str]:
    return {entry["seat"] for entry in read_log(server, party) if entry["type"] == "deck_opened"}


def read_log(server: RealServer, party: Party) -> Any:
    """Return the table's log, which the host can read even when spectators are off."""
    bearer = {"Authorization": f"Bearer {party.tokens[0]}"}
    return server.get(f"/api/tables/{party.table}/log", **bearer).json


def expect_refused(client: Client, ruling: str, case: str, type: str, **more: Any) -> None:
    error = client.expect_refusal(type, **more)
    refusal = error["code"], error["ruling"], error["facts"].get("case")
    assert refusal == ("refused", ruling, case), error


def test_105_a_deck_can_be_opened_after_the_game_and_then_nothing_can_be_undone(
    server: RealServer,
) -> None:
    """Players who left or were removed can open their decks, too."""
    party = begin_with_decks(server, "Ana", "Ben", "Cleo", keep=(1, 2))
    ana, ben, cleo = party.clients
    ana.send_command("leave", **{"as": party.seats[1]})
    expect_refused(ben, "opens-what-it-committed", "playing", "open", secret=SECRETS[1])
    ana.send_command("undo")
    cleo.send_command("leave")
    expect_refused(cleo, "opens-what-it-committed", "playing", "open", secret=SECRETS[2])
    ben.send_command("leave")
    assert ana.socket.call("sync")["phase"] == "over"
    # an undo is possible, because no device has revealed its deck's secret yet
    ana.send_command("undo")
    ana.send_command("options", take_back="agreement")
    ben.send_command("leave")
    ana.send_command("ask_back", **{"as": party.seats[1]})
    ben.send_command("open", secret=SECRETS[1])
    view = ana.wait_for_version(ben.view["version"])
    assert view["asked"] is None and not {"undo", "ask_back", "agree"} & view["you"].keys()
    expect_refused(ana, "undo", "opened", "undo")
    expect_refused(ana, "undo", "opened", "ask_back")
    cleo.send_command("open", secret=SECRETS[2])
    assert list_open_decks(server, party) == {*party.seats[1:]}


@pytest.mark.parametrize("spectators", [True, False])
def test_105_a_player_who_left_can_open_their_deck_while_the_next_game_is_prepared(
    server: RealServer, spectators: bool
) -> None:
    """The seat no longer exists; its token is only good for opening the deck."""
    party = begin_with_decks(server, "Ana", "Ben", "Cleo")
    ana, ben = party.clients[:2]
    ana.send_command("options", spectators=spectators)
    ben.send_command("leave")
    ana.send_command("end_game")
    ana.send_command("prepare")
    again = server.connect_client(party.table, party.tokens[1])
    assert again.refused is None and again.view["you"] is None
    assert again.expect_refusal("ready", ready=True)["ruling"] == "spectators-watch"
    assert ana.expect_refusal("remove_seat", seat=party.seats[1])["code"] == "not_found"
    # With spectators off, the connection is closed before the answer, so don't wait for one.
    again.socket.emit("command", {"id": str(uuid4()), "type": "open", "secret": SECRETS[1]})
    wait_until(lambda: list_open_decks(server, party) == {party.seats[1]})
    entry = read_log(server, party)[-1]
    assert entry["text"] == "Ben opened their deck: now everyone can check it."
    late_client = server.connect_client(party.table, party.tokens[1])
    assert late_client.refused["data"]["code"] == "unauthenticated"


def test_106_only_a_present_device_may_act_on_its_cards(
    server: RealServer,
) -> None:
    party = begin_with_decks(server, "Ana", "Ben", "Cleo", keep=(0, 1))
    ana, ben, _ = party.clients
    bens = {"as": party.seats[1]}
    ana.send_command("instruct", cell=[0, 0], **{"as": party.seats[2]})
    # the host draws from her own grid, and her device keeps that deck
    ana.send_command("draw", cell=[0, 0])
    ana.send_command("report", outcome="safe")
    ana.send_command("instruct", cell=[0, 0])
    for command in (
        {"type": "draw", "cell": [0, 0]},
        {"type": "play", "card": "skip"},
        {"type": "report", "outcome": "safe"},
        {"type": "look", "cell": [0, 0]},
        {"type": "reveal", "card": "skip"},
        {"type": "shuffled"},
        {"type": "defuse"},
        {"type": "explode"},
    ):
        expect_refused(ana, "own-deck", "here", **command, **bens)
    ben.send_command("play", card="skip")
    window = ana.wait_for_version(ben.view["version"])["window"]["id"]
    assert list_commands_for(ana.view, party.seats[2]) >= {"nope", "pass", "hold"}
    ana.send_command("pass", window=window, **{"as": party.seats[2]})
    ana.send_command("nope", window=window)
    window = ana.view["window"]["id"]
    expect_refused(ana, "own-deck", "here", "nope", window=window, **bens)
    assert list_commands_for(ana.view, party.seats[1]) == {"pass", "hold"}
    # The host may still remove the seat, because that reveals no cards.
    for seat in party.seats[1:]:
        ana.send_command("pass", window=window, **{"as": seat})
    ana.send_command("remove_seat", seat=party.seats[1])


def request_claim(server: RealServer, party: Party, maker: int, seat: int) -> Any:
    """Request a link to a seat, as another seat. Returns the server's reply."""
    bearer = {"Authorization": f"Bearer {party.tokens[maker]}"}
    return server.post(f"/api/tables/{party.table}/seats/{party.seats[seat]}/claim", {}, **bearer)


def test_175_only_a_present_device_makes_a_link_to_the_seat_of_its_deck(
    server: RealServer,
) -> None:
    """The host can only make a link while the device is away.

    Once the seat's new device reports that it lacks the deck, the host can act for the seat, and
    the log tells both players the reason.
    """
    party = begin_with_decks(server, "Ana", "Ben", "Cleo")
    ana, ben, cleo = party.clients
    cleo.send_command("instruct", cell=[0, 0])
    ana.send_command("draw", cell=[0, 0])
    ana.send_command("report", outcome="safe")
    ana.send_command("instruct", cell=[0, 0])
    error = request_claim(server, party, maker=0, seat=1)
    assert error.status == 409, error
    assert (error.json["error"]["ruling"], error.json["error"]["facts"]["case"]) == (
        "own-deck", "moves",
    )  # fmt: skip
    # Cleo plays with real cards, so her seat may move
    assert request_claim(server, party, maker=0, seat=2).status == 201
    assert request_claim(server, party, maker=1, seat=1).status == 201
    ben.send_command("draw", cell=[0, 0])
    ben.socket.disconnect()
    wait_until(lambda: request_claim(server, party, maker=0, seat=1).status == 201)
    link = request_claim(server, party, maker=0, seat=1).json["claim"]
    token = server.post(f"/api/claims/{link}", {}).json["token"]
    ben = server.connect_client(party.table, token)
    assert get_deck_state(ben) == {"here": None}
    expect_refused(ana, "own-deck", "here", "report", outcome="safe", **{"as": party.seats[1]})
    assert (
        request_claim(server, party, maker=0, seat=1).status == 409
    )  # the new device may have the deck
    assert (
        ana.expect_refusal("deck_here", here=False, **{"as": party.seats[1]})["code"] == "forbidden"
    )
    version = ben.send_command("deck_here", here=False)["version"]
    assert get_deck_state(ben) == {"here": False}
    view = ana.wait_for_version(version)
    assert view["log"][-1]["text"].startswith("Ben’s deck isn’t on their device")
    assert list_commands_for(view, party.seats[1]) == {"report"}
    # a repetition changes nothing
    assert ben.send_command("deck_here", here=False)["version"] == version
    # Move the seat back to the device with the deck.
    link = request_claim(server, party, maker=0, seat=1).json["claim"]
    token = server.post(f"/api/claims/{link}", {}).json["token"]
    ben = server.connect_client(party.table, token)
    version = ben.send_command("deck_here", here=True)["version"]
    assert get_deck_state(ben) == {}
    assert list_commands_for(ana.wait_for_version(version), party.seats[1]) == set()
    ben.send_command("report", outcome="safe")


def get_deck_state(client: Client) -> Any:
    """Return a dict with the entry ``here`` of the second seat's deck in this client's view.

    The entry is true if the deck is on the seat's device. If the view has no such entry, return an
    empty dict.
    """
    deck = client.socket.call("sync")["seats"][1]["deck"]
    return {key: value for key, value in deck.items() if key == "here"}


def list_commands_for(view: Any, seat: str) -> set[str]:
    """Return the types of the legal commands for this seat, from ``you.may`` in the view."""
    return {entry["type"] for entry in view["you"]["may"] if entry["as"] == seat}


def test_106_the_hosts_commands_for_a_seat_depend_on_whether_its_device_is_connected(
    server: RealServer,
) -> None:
    """When the device connects or disconnects, the host's view changes at once, although no event
    happened. No other view changes."""
    party = begin_with_decks(server, "Ana", "Ben", "Cleo")
    ana, ben, cleo = party.clients
    cleo.send_command("instruct", cell=[0, 0])
    ana.send_command("draw", cell=[0, 0])
    ana.send_command("report", outcome="safe")
    version = ana.send_command("instruct", cell=[0, 0])["version"]
    ana = Client(server.url, {"table": party.table, "token": party.tokens[0], "patches": True})
    server.clients.append(ana)
    view = ana.view
    assert list_commands_for(view, party.seats[1]) == set()

    def wait_for_patch(number: int) -> Any:
        ana.wait(lambda: len(ana.get_received("patch")) >= number)
        patch = ana.get_received("patch")[number - 1]
        assert patch.keys() == {"epoch", "version", "now", "from", "log", "you"}
        assert patch["from"] == patch["version"] == version and patch["log"] == []
        return patch

    ben.close()
    view = apply_patch(view, wait_for_patch(1))
    assert view is not None and list_commands_for(view, party.seats[1]) == {"play", "draw"}
    assert view["you"] == ana.socket.call("sync")["you"]
    again = server.connect_client(party.table, party.tokens[1])
    view = apply_patch(view, wait_for_patch(2))
    assert view is not None and list_commands_for(view, party.seats[1]) == set()
    expect_refused(ana, "own-deck", "here", "draw", cell=[0, 0], **{"as": party.seats[1]})
    assert list_commands_for(again.view, party.seats[1]) == {"play", "draw"}
    # If a player with real cards disconnects, the host's commands stay the same.
    cleo.close()
    ana.wait(lambda: ana.presence["seats"].get(party.seats[2]) == "away")
    assert len(ana.get_received("patch")) == 2


def test_106_clients_without_patches_get_the_whole_view(server: RealServer) -> None:
    party = begin_with_decks(server, "Ana", "Ben", keep=(1,))
    ana, ben = party.clients
    ben.send_command("instruct", cell=[0, 0])
    ana.send_command("draw", cell=[0, 0])
    ana.send_command("report", outcome="safe")
    version = ana.send_command("instruct", cell=[0, 0])["version"]
    assert list_commands_for(ana.wait_for_version(version), party.seats[1]) == set()
    ben.close()
    ana.wait(lambda: list_commands_for(ana.view, party.seats[1]) == {"play", "draw"})
    assert ana.view["version"] == version


def test_107_the_log_shows_that_the_host_touched_a_devices_card(server: RealServer) -> None:
    """An entry of the log names the host if she touched the card. So a device can tell which cards
    its own player touched."""
    party = begin_with_decks(server, "Ana", "Ben", "Cleo")
    ana, ben, _ = party.clients
    for seat in (0, 1, 2):
        if seat == 1:
            for is_so in ("here", "away"):
                ana.wait(lambda so=is_so: ana.presence["seats"].get(party.seats[1]) == so)
                ben.close()
        instructor = {"as": party.seats[seat - 1]}
        ana.send_command("instruct", cell=[0, 0], **instructor)
        ana.send_command("draw", cell=[0, 0], **{"as": party.seats[seat]})
        ana.send_command("report", outcome="safe", **{"as": party.seats[seat]})
    touch_entries = [entry for entry in read_log(server, party) if entry["type"] == "card_touched"]
    assert [entry["facts"].get("by") for entry in touch_entries] == [None, party.seats[0], None]
    assert touch_entries[1]["text"].startswith("Ana touched the card for Ben")


def test_108_everybody_is_notified_of_what_an_undo_revealed(server: RealServer) -> None:
    """The undo's facts reach the players, the spectators and all readers of the log."""
    party = begin_with_decks(server, "Ana", "Ben")
    ana, ben = party.clients
    watcher = server.connect_client(party.table)
    ben.send_command("instruct", cell=[0, 0])
    ana.send_command("play", card="favor", target=party.seats[1], cell=[1, 2])
    ben.send_command("pass", window=ben.view["window"]["id"])
    ben.send_command("reveal", card="skip")
    version = ana.send_command("undo")["version"]
    for client in (ana, ben, watcher):
        entry = client.wait_for_version(version)["log"][-1]
        assert entry["type"] == "undone"
        facts = {key: entry["facts"][key] for key in ("known", "target", "cell", "card")}
        assert facts == {
            "known": "seen", "target": party.seats[1], "cell": [1, 2], "card": "skip",
        }  # fmt: skip
        assert entry["text"].endswith("Ben’s grid: Skip (bottom row, first from their right).")
    assert read_log(server, party)[-1]["facts"] == entry["facts"]


def create_table_with_robots(server: RealServer, robots: int) -> Client:
    """Create a table with robots. Returns the host's client."""
    ana = server.post("/api/tables", {"name": "Ana"}).json
    bearer = {"Authorization": f"Bearer {ana['token']}"}
    for _ in range(robots):
        path = f"/api/tables/{ana['table']}/robots"
        assert server.post(path, {"temper": "reckless"}, **bearer).status == 201
    return server.connect_client(ana["table"], ana["token"])


@pytest.fixture
def brisk_server(serve: Serve) -> Iterator[RealServer]:
    """Start a server whose robots play without a pause."""
    yield serve(COMPANION_ROBOT_PACE="0")


def test_105_robots_open_only_after_the_end_can_no_longer_be_undone_or_for_a_rematch(
    brisk_server: RealServer,
) -> None:
    """One of the two robots is removed during the game. The rule applies to its deck, too."""
    ana = create_table_with_robots(brisk_server, 2)
    ana.send_command("prepare")
    seats = [seat["seat"] for seat in ana.view["seats"] if "robot" in seat]
    report_ready(ana)
    ana.send_command("begin", first=ana.view["you"]["seat"])
    removed, other = seats
    ana.send_command("remove_seat", seat=removed)
    end_game(ana, other)
    time.sleep(3)
    assert get_opened_decks(ana) == {removed: False, other: False}
    ana.send_command("undo")
    assert ana.view["phase"] == "play"
    end_game(ana, other)
    ended = time.monotonic()
    ana.wait(lambda: all(get_opened_decks(ana).values()), 25)
    assert time.monotonic() - ended > 14
    expect_refused(ana, "undo", "opened", "undo")


def end_game(ana: Client, seat: str) -> None:
    """Remove the last robot as soon as no window is open, which ends the game."""
    wait_until(lambda: ana.try_command("remove_seat", seat=seat)["ok"])
    ana.wait(lambda: ana.view["phase"] == "over")


def report_ready(ana: Client) -> None:
    ana.send_command("ready", ready=True)
    ana.wait(lambda: all(seat["ready"] for seat in ana.view["seats"]), 30)


def get_opened_decks(ana: Client) -> dict[str, bool]:
    """Return, for each seat with a device deck, True if the deck has been opened."""
    decks = {seat["seat"]: seat["deck"] for seat in ana.view["seats"]}
    return {seat: bool(deck["secret"]) for seat, deck in decks.items() if "secret" in deck}
