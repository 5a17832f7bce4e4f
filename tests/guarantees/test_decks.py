"""Decks that devices keep: the server doesn't know their cards, and refuses forged commands."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from companion.device_decks.dealing import commitment, seal
from tests.support.servers.server import Client, Party, RealServer

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

Serve = Callable[..., RealServer]
CELLS = [[row, column] for row in (0, 1) for column in (0, 1, 2)]
TIMED = ("at", "now", "closes_at", "left_ms")


def commit_decks(party: Party, *secrets: str) -> None:
    for client, secret in zip(party.clients, secrets, strict=True):
        client.send_command("deck", kind="device", commit=commitment(secret))


def pass_for_all(party: Party) -> None:
    """Pass for everyone who can still Nope."""
    window = party.host.socket.call("sync")["window"]
    for seat in window["may_nope"] if window else ():
        party.clients[party.seats.index(seat)].send_command("pass", window=window["id"])


def play_game(party: Party, secrets: tuple[str, ...]) -> None:
    """Play a game with every command that a device sends about its cards.

    The commands are the same for all secrets.
    """
    ana, ben, cleo = party.clients
    commit_decks(party, *secrets)
    party.begin()

    def instruct(by: Client, cell: list[int]) -> None:
        by.send_command("instruct", cell=cell)

    instruct(cleo, [0, 0])
    ana.send_command("play", card="see_future")
    pass_for_all(party)
    ana.send_command("look", cell=[1, 1])
    ana.send_command("note", cell=[1, 1], card="skip")
    ana.send_command("play", card="favor", target=party.seats[1], cell=[0, 2])
    pass_for_all(party)
    ben.send_command("reveal", card="shuffle")
    ana.send_command("play", card="shuffle")
    window = ana.socket.call("sync")["window"]
    ben.send_command("nope", window=window["id"])
    pass_for_all(party)
    ana.send_command("undo")  # undoes the Nope, which reopens the window
    pass_for_all(party)
    ana.send_command("shuffled")
    instruct(cleo, [0, 0])
    ana.send_command("draw", cell=[0, 0])
    ana.send_command("report", outcome="safe")
    instruct(ana, [0, 2])
    ben.send_command("play", card="shuffle")
    pass_for_all(party)
    ben.send_command("shuffled", cells=CELLS)
    instruct(ana, [1, 0])
    ben.send_command("draw", cell=[1, 0])
    ben.send_command("report", outcome="kitten")
    ben.send_command("defuse", cells=CELLS, hidden=seal(secrets[1], 7, (0, 1)))
    instruct(ben, [0, 0])
    cleo.send_command("draw", cell=[0, 0])
    cleo.send_command("report", outcome="kitten")
    cleo.send_command("explode")


def mask_differences(content: Any) -> Any:
    """Replace ids, times and everything that depends on a deck's secret, such as commitments."""
    if isinstance(content, dict):
        hidden = ("commit", "hidden", "salt", "epoch", "table", *TIMED)
        return {
            key: "–" if key in hidden else mask_differences(value) for key, value in content.items()
        }
    return [mask_differences(entry) for entry in content] if isinstance(content, list) else content


def collect_revealed(server: RealServer, secrets: tuple[str, ...]) -> dict[str, Any]:
    """Play a game and return everything that the server reveals before a deck's secret is public.

    That is the views, the log, the metrics and the server's log lines.
    """
    party = server.create_table("Ana", "Ben", "Cleo")
    watcher = server.connect_client(party.table)
    play_game(party, secrets)
    last = party.host.socket.call("sync")["version"]
    views_by_viewer = {}
    for name, client in zip(("Ana", "Ben", "Cleo", "who watches"), (*party.clients, watcher),
                            strict=True):  # fmt: skip
        client.wait_for_version(last)
        views_by_viewer[name] = {
            view["version"]: mask_differences(view) for view in client.get_received("view")
        }
    path = f"/api/tables/{party.table}"
    logs = [server.get(f"{path}/log", Authorization=f"Bearer {token}") for token in party.tokens]
    metrics = server.get("/metrics").body.decode().splitlines()
    server.stop()  # makes the server write its last log lines
    log_lines = [
        mask_differences({**json.loads(line), "id": 0, "ms": 0}) for line in server.log_lines
    ]
    return {
        "views": views_by_viewer,
        "logs": [mask_differences(log.json) for log in logs],
        "sizes": [len(re.sub(rb'"at":\d+|"closes_at":\d+', b"", log.body)) for log in logs],
        "metrics": [line for line in metrics if not re.match("companion_command_seconds", line)
                    and "_created" not in line],
        "lines": log_lines,
    }  # fmt: skip


def test_74_nothing_on_the_server_depends_on_a_devices_cards(serve: Serve) -> None:
    """Two servers play the same game with decks from different secrets. The test compares
    everything that they reveal."""
    first, second = (
        collect_revealed(serve(), tuple(digit * 64 for digit in digits))
        for digits in ("123", "abc")
    )
    for viewer, views in first["views"].items():
        both = views.keys() & second["views"][viewer].keys()
        assert max(both) == max(views) and len(both) > 5
        for version in both:
            assert json.dumps(views[version]) == json.dumps(second["views"][viewer][version]), (
                version
            )
    for kind in ("logs", "sizes", "metrics", "lines"):
        assert json.dumps(first[kind]) == json.dumps(second[kind]), kind


FORGED: tuple[dict[str, Any], ...] = (
    {"type": "deck", "kind": "device"},
    {"type": "deck", "kind": "device", "commit": "ab" * 31},
    {"type": "deck", "kind": "device", "commit": "ab" * 32 + "\n"},
    {"type": "deck", "kind": "device", "commit": "xy" * 32},
    {"type": "deck", "kind": "device", "commit": 7},
    {"type": "deck", "kind": "device", "commit": ["ab" * 32]},
    {"type": "deck", "kind": "device", "commit": "ab" * 32, "secret": "ab" * 32},
    {"type": "deck", "kind": "table", "commit": "ab" * 32},
    {"type": "deck", "kind": "shoe"},
    {"type": "open"},
    {"type": "open", "secret": ""},
    {"type": "open", "secret": "ab" * 33},
    {"type": "open", "secret": "\u0661" * 64},
    {"type": "open", "secret": None},
    {"type": "defuse", "hidden": "ab" * 31},
    {"type": "defuse", "hidden": "g" * 64},
    {"type": "defuse", "hidden": {}},
)


def test_75_a_forged_deck_command_is_refused_and_changes_nothing(serve: Serve) -> None:
    """The commands are malformed, or sent twice, too early, too late or for another seat."""
    server = serve()
    party = server.create_table("Ana", "Ben", "Cleo")
    ana, ben, cleo = party.clients
    secrets = "11" * 32, "22" * 32, "33" * 32
    stranger = server.connect_client(party.table)
    last = 0

    def expect_refused(
        by: Client, command_type: str, ruling: str, code: str = "refused", **more: Any
    ) -> None:
        error = by.expect_refusal(**{"type": command_type, **more})
        assert (error["code"], error.get("ruling")) == (code, ruling), (command_type, more, error)
        assert ana.socket.call("sync")["version"] == last, (command_type, more)

    commits = [commitment(secret) for secret in secrets]
    device = {"kind": "device", "commit": commits[1]}
    last = ana.send_command("deck", kind="device", commit=commits[0])["version"]
    for command in FORGED:
        assert ben.expect_refusal(**command)["code"] == "bad_request", command
    expect_refused(stranger, "deck", "spectators-watch", "forbidden", **device)
    for host in (ana, cleo):  # nobody can commit for another seat, not even the host
        expect_refused(host, "deck", "own-deck", "forbidden", **device, **{"as": party.seats[1]})
    expect_refused(
        ben, "deck", "own-deck", kind="device", commit=commits[0]
    )  # another seat's commitment
    expect_refused(ben, "deck", "own-deck", kind="device", commit=commits[0].upper())
    expect_refused(ana, "open", "opens-what-it-committed", secret=secrets[0])  # no game has begun
    for client, commit in ((ben, commits[1]), (cleo, commits[2])):
        client.send_command("deck", kind="device", commit=commit)
    last = party.begin().host.view["version"]
    expect_refused(ben, "deck", "own-deck", **device)  # too late
    expect_refused(ben, "open", "opens-what-it-committed", secret=secrets[1])  # too early
    expect_refused(
        ana, "open", "opens-what-it-committed", secret=secrets[1], **{"as": party.seats[1]}
    )
    expect_refused(cleo, "open", "host-acts-for", "forbidden", secret=secrets[1],
            **{"as": party.seats[1]})  # fmt: skip
    expect_refused(ben, "defuse", "own-turn", hidden="ab" * 32)  # no Kitten
    cleo.send_command("leave")
    refusal = ("open", "opens-what-it-committed")
    last = ana.socket.call("sync")["version"]
    expect_refused(cleo, *refusal, secret=secrets[2])  # the game isn't over
    ben.send_command("leave")
    last = ana.socket.call("sync")["version"]
    expect_refused(cleo, *refusal, secret=secrets[0])  # another seat's secret
    expect_refused(stranger, "open", "spectators-watch", "forbidden", secret=secrets[2])
    last = cleo.send_command("open", secret=secrets[2].upper())["version"]
    expect_refused(cleo, *refusal, secret=secrets[2])  # twice
    last = ana.send_command("rematch")["version"]
    expect_refused(ana, *refusal, secret=secrets[1])
    last = ana.send_command("open", secret=secrets[0])[
        "version"
    ]  # the last game's deck can be opened until the next game
    expect_refused(ana, *refusal, secret=secrets[0])
    expect_refused(
        ana, "deck", "own-deck", kind="device", commit=commits[0]
    )  # this secret is public now
    log = server.get(f"/api/tables/{party.table}/log").json
    secrets_by_seat = {entry["seat"]: entry["facts"]["secret"] for entry in log
                       if entry["type"] == "deck_opened"}  # fmt: skip
    assert secrets_by_seat == {party.seats[0]: secrets[0], party.seats[2]: secrets[2]}
