"""Tests for finished games as files (docs/game-file.md) and as replays of what spectators saw."""

import gzip
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import msgspec
import pytest
from click.testing import CliRunner, Result

from companion import cli
from companion.service import codec
from companion.service.clock import Clock
from companion.service.errors import Fault
from companion.service.peers.messages import Peers
from companion.service.replays import file
from companion.service.replays import reading as files
from companion.service.replays.reading import Unreadable
from companion.web.shared_replay import SharedReplays
from tests.support.in_memory_table import InMemoryTable
from tests.support.iterations import scale_count
from tests.support.servers.recorded_games import RecordedGame
from tests.support.servers.server import ROOT, Client, Party, RealServer

SAVED_GAMES = sorted(Path("tests/data/replays").glob("*.json"))


def open_game(content: bytes) -> Any:
    return files.parse_and_replay(content)


def play_game(server: RealServer) -> Party:
    """Play a game that Ana wins because Ben and Cleo leave. Ana has noted a card."""
    party = server.create_table("Ana", "Ben", "Cleo").begin()
    party.host.send_command("note", cell=[0, 1], card="skip")
    party.instruct()
    party.host.send_command("undo")
    party.clients[1].send_command("leave")
    gone = party.clients[2].send_command("leave")
    assert party.host.wait_for_version(gone["version"])["phase"] == "over"
    return party


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "robots", "seed"),
    [
        ("quarantined", 3, 1),
        ("party-120", 3, 2),
        pytest.param("assault", 3, 3, marks=pytest.mark.repetition),
    ],
)
def test_every_moment_is_the_view_that_spectators_had(
    server: RealServer, variant: str, robots: int, seed: int
) -> None:
    for number in range(scale_count(1)):
        game = RecordedGame(server, variant, robots, seed + 10 * number)
        assert game.check_views() > 5  # the first of three players may explode early
        assert game.check_export() > 1000


def test_a_game_is_a_file_with_every_event_and_a_checksum(server: RealServer) -> None:
    party = play_game(server)
    answer = server.get(f"/api/tables/{party.table}/games/1")
    assert answer.status == 200 and answer.headers["Content-Type"] == "application/json"
    document = answer.json
    rest = {key: value for key, value in document.items() if key != "checksum"}
    encoded = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert document["checksum"] == sha256(encoded.encode()).hexdigest()
    assert (document["format"], document["version"]) == ("hiss-game", 1)
    assert [seat["name"] for seat in document["seats"]] == ["Ana", "Ben", "Cleo"]
    form = server.get("/api/variants/quarantined").json["house"]
    variant = server.get(f"/api/tables/{party.table}/variant").json
    assert {**document["variant"], "house": form} == variant
    assert open_game(answer.body).bytes == answer.body
    log = server.get(f"/api/tables/{party.table}/log").json
    start = document["table"]["version"]
    assert [entry["type"] for entry in log if entry["version"] == start] == ["prepared"]
    expected = [entry for entry in log if entry["version"] > start]
    assert [entry["version"] for entry in document["events"]] == [
        entry["version"] for entry in expected
    ]
    for event, line in zip(document["events"], expected, strict=True):
        facts = {key: value for key, value in line["facts"].items() if key != "place"}
        assert event == {"version": line["version"], "at": line["at"], "type": line["type"],
                         "facts": facts}  # fmt: skip


def test_private_events_are_in_nobodys_file(server: RealServer) -> None:
    """A player's own note isn't in the file that they download either (ruling private-notes)."""
    party = play_game(server)
    own_headers = {"Authorization": f"Bearer {party.tokens[0]}"}
    path = f"/api/tables/{party.table}"
    assert "note_made" in server.get(f"{path}/log", **own_headers).body.decode()
    for headers in ({}, own_headers):
        for call, key in (("games/1", "events"), ("games/1/moments", "moments")):
            answer = server.get(f"{path}/{call}", **headers).json
            content = json.dumps(answer[key])
            assert "card_touched" not in content and "undone" in content, "the game that was played"
            assert "note_made" not in content and '"notes"' not in content
            assert not any(token in json.dumps(answer) for token in party.tokens)


def test_there_is_no_replay_while_a_game_is_played(server: RealServer) -> None:
    """Undoing the end resumes the game, so the game's replay is gone until the game ends again."""
    party = server.create_table("Ana", "Ben").begin()

    def get_statuses(number: Any) -> list[int]:
        path = f"/api/tables/{party.table}/games/{number}"
        return [server.get(path).status, server.get(f"{path}/moments").status]

    assert get_statuses(1) == [404, 404]
    party.instruct()
    party.host.send_command("draw", cell=[0, 0])
    party.host.send_command("report", outcome="kitten")
    party.host.send_command("explode")
    assert get_statuses(1) == [200, 200]
    for number in (0, 2, "01x", "-1", "9" * 30, "%C2%B2"):
        assert get_statuses(number) == [404, 404]
    error = server.get(f"/api/tables/{party.table}/games/2").error
    assert error["code"] == "not_found" and "game" in error["text"]
    party.host.send_command("undo")
    assert get_statuses(1) == [404, 404]
    party.host.send_command("explode")
    assert get_statuses(1) == [200, 200]


def test_only_games_that_were_won_are_counted(server: RealServer) -> None:
    """A game that the host ends isn't counted."""
    party = server.create_table("Ana", "Ben").begin()
    path = f"/api/tables/{party.table}/games"
    party.host.send_command("end_game")
    assert server.get(f"{path}/1").status == 404
    for number in (1, 2):
        party.begin().instruct()
        party.host.send_command("draw", cell=[0, 0])
        party.host.send_command("report", outcome="kitten")
        party.host.send_command("explode")
        document = server.get(f"{path}/{number}").json
        kinds = [event["type"] for event in document["events"]]
        assert kinds.count("game_began") == 1 and kinds[-1] == "game_won"
        assert "game_ended" not in kinds and document["table"]["games"] == number
        first = server.get(f"{path}/{number}/moments").json["view"]
        assert (first["phase"], first["game"]) == ("setup", number)
        party.host.send_command("rematch")
        party.host.send_command("to_lobby")


def test_replays_of_a_game_stay_the_same_during_the_next_game(server: RealServer) -> None:
    """The file and the moments of the earlier game stay the same for everybody."""
    party = server.create_table("Ana", "Ben").begin().instruct()
    party.host.send_command("draw", cell=[0, 0])
    party.host.send_command("report", outcome="kitten")
    party.host.send_command("explode")
    path = f"/api/tables/{party.table}/games"
    calls = [f"{path}/1", f"{path}/1/moments", f"{path}/1/remarks"]
    calls.append(f"/api/tables/{party.table}/evening")
    before = [server.get(call).body for call in calls]
    party.host.send_command("rematch")
    party.begin_prepared().instruct()
    party.host.send_command("note", cell=[0, 1], card="skip")
    everybody = [{}, *({"Authorization": f"Bearer {token}"} for token in party.tokens)]
    for viewer in everybody:
        answers = [server.get(call, **viewer) for call in calls]
        assert [answer.body for answer in answers] == before
        assert {answer.headers["Cache-Control"] for answer in answers} == {"no-store"}
        for call in ("", "/moments", "/remarks"):
            assert server.get(f"{path}/2{call}", **viewer).status == 404
        for game, moment in ((1, party.host.view["version"]), (2, party.host.view["version"])):
            body = {"moment": moment, "text": "I know!"}
            refused = server.post(f"{path}/{game}/remarks", body, **viewer).status
            assert refused in ((400, 404) if viewer else (401, 403, 404))
    assert [server.get(call).body for call in calls] == before


def test_a_visitor_who_may_not_watch_may_not_watch_a_replay(server: RealServer) -> None:
    party = play_game(server)
    party.host.send_command("options", spectators=False)
    path = f"/api/tables/{party.table}/games/1"
    mine = {"Authorization": f"Bearer {party.tokens[0]}"}
    for call in (path, f"{path}/moments"):
        assert server.get(call).status == 403
        assert server.get(call, **mine).status == 200


def insert_table_with_log(server: RealServer, code: str, game: InMemoryTable) -> None:
    """Store this game's log as a table, as if it had been played here."""
    bodies = [codec.encode(event).decode() for event in game.events]
    digest = game.table.variant.digest
    rows = [(code, version, 1, body) for version, body in enumerate(bodies, 1)]
    with closing(sqlite3.connect(server.database)) as stored, stored:
        stored.execute("INSERT INTO tables (code, variant, created) VALUES (?, ?, 1)",
                       (code, digest))  # fmt: skip
        stored.executemany("INSERT INTO events (code, version, at, body) VALUES (?, ?, ?, ?)", rows)


@pytest.mark.slow
def test_opening_a_long_replay_delays_no_other_table(serve: Callable[..., RealServer]) -> None:
    """The server computes the long game's moments while another table sends commands."""
    server = serve(COMPANION_KEEP_DAYS="0")
    long_game = InMemoryTable(6, 1)
    long_game.play_game()
    other_table = server.create_table("Ana", "Ben")
    insert_table_with_log(server, "GAMEAA", long_game)
    assert server.get("/api/tables/GAMEAA").json["phase"] == "over"
    commands = 0
    with ThreadPoolExecutor(1) as pool:
        pending = pool.submit(server.get, "/api/tables/GAMEAA/games/1/moments")
        while not pending.done():
            other_table.host.send_command("options", nope_seconds=3 + commands % 20)
            commands += 1
    assert len(pending.result().json["moments"]) > 500
    assert commands > 10, "whoever holds up others lets two or three through: before it and after"


def test_requests_for_replays_are_rate_limited(serve: Callable[..., RealServer]) -> None:
    server = serve(COMPANION_COMMAND_RATE="8/minute")
    created = server.post("/api/tables", {"name": "Ana"}).json
    path = f"/api/tables/{created['table']}/games/1/moments"
    assert [server.get(path).status for _ in range(12)][-1] == 429


@pytest.mark.parametrize("path", SAVED_GAMES, ids=lambda path: path.stem)
def test_files_of_every_earlier_version_can_be_opened(path: Path) -> None:
    """tests/data/replays has a file for each version and family."""
    content = path.read_bytes()
    record = open_game(content)
    assert record.bytes == content
    replay = json.loads(gzip.decompress(file.compress_moments(record, "")))
    assert replay["view"]["phase"] == "setup" and len(replay["moments"]) == len(record.events)
    log = [line for patch in replay["moments"] for line in patch["log"]]
    assert "game_won" in [line["type"] for line in log]
    assert all(line["text"] != line["type"] for line in log), "each has its sentence"


def test_there_is_a_file_of_each_family() -> None:
    assert {open_game(path.read_bytes()).start.family.id for path in SAVED_GAMES} == {
        "grid",
        "pile",
    }


def with_change(document: Any, place: str, value: Any) -> bytes:
    """Return the document with ``value`` at ``place`` (keys joined by dots) and with the right
    checksum."""
    *keys, last = [int(key) if key.isdecimal() else key for key in place.split(".")]
    container = document
    for key in keys:
        container = container[key]
    container[last] = value
    return with_new_checksum(document)


def with_new_checksum(document: Any) -> bytes:
    rest = {key: value for key, value in document.items() if key != "checksum"}
    plain = msgspec.json.encode(rest, order="sorted")
    return msgspec.json.encode({**rest, "checksum": sha256(plain).hexdigest()}, order="sorted")


FAULTY_FILES: list[tuple[str, Any, str, str]] = [
    ("format", "pgn", "$.format", "no file of a game"),
    ("version", 2, "$.version", "later program"),
    ("version", "1", "$.version", "number"),
    ("events", {}, "$.events", "Expected `array`"),
    ("events.3.at", "noon", "$.events[3].at", "Expected `int`"),
    ("events.3.version", 1, "$.events[3].version", "later"),
    ("events.5.type", "unheard_of", "$.events[5].facts.type", "Invalid value"),
    ("events.5.facts", {}, "$.events[5].facts", "missing required field"),
    ("events.30.facts.seat", "s99", "$.events[30].facts.seat", "there is no seat"),
    ("variant.family", "poker", "$.variant.family", "no family"),
    ("variant.cards", [], "$", ""),
    ("variant.gravity", 9, "$.variant", "unknown field `gravity`"),
    ("variant.texts", {}, "$.variant.texts", "no texts"),
    ("table.options", {"stakes": 5}, "$.table.options", ""),
    ("seats.0", {}, "$.table.seats[0]", "missing required field"),
]


@pytest.mark.parametrize(("place", "value", "expected_place", "reason"), FAULTY_FILES)
@pytest.mark.parametrize("path", SAVED_GAMES, ids=lambda path: path.stem)
def test_a_wrong_file_is_refused_with_the_fault_and_its_place(
    path: Path, place: str, value: Any, expected_place: str, reason: str
) -> None:
    with pytest.raises(Unreadable) as error:
        open_game(with_change(json.loads(path.read_bytes()), place, value))
    assert error.value.place.startswith(expected_place) and reason in error.value.why, error.value


@pytest.mark.parametrize("path", SAVED_GAMES, ids=lambda path: path.stem)
def test_a_file_of_an_impossible_game_is_not_opened(path: Path) -> None:
    document = json.loads(path.read_bytes())
    kinds = [event["type"] for event in document["events"]]
    index = kinds.index("game_began")
    document["events"][index]["facts"]["order"] = ["s99", "s98"]
    with pytest.raises(Unreadable, match="there is no seat 's99'") as error:
        open_game(with_new_checksum(document))
    assert error.value.place == f"$.events[{index}].facts.order"
    document["events"][index]["facts"]["order"] = []
    with pytest.raises(Unreadable, match="does not follow") as error:
        open_game(with_new_checksum(document))
    assert error.value.place.startswith("$.events[")


@pytest.mark.parametrize("path", SAVED_GAMES, ids=lambda path: path.stem)
def test_a_file_that_was_cut_or_changed_is_not_opened(path: Path) -> None:
    content = path.read_bytes()
    for cut in (0, 1, 100, len(content) // 2, len(content) - 1):
        with pytest.raises(Unreadable, match="cut off"):
            open_game(content[:cut])
    for old, new in ((b'"skip"', b'"nope"'), (b'"at":1', b'"at":2')):
        with pytest.raises(Unreadable, match=r"^\$\.checksum: the content was changed"):
            open_game(content.replace(old, new, 1))
    with pytest.raises(Unreadable, match="not JSON"):
        open_game(content[:50] + b"\xff\xfe" + content[50:])
    with pytest.raises(Unreadable, match="not JSON"):
        open_game(b"[" * 100_000)


def test_a_file_that_is_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 1000)
    with pytest.raises(Unreadable, match="too large"):
        open_game(SAVED_GAMES[0].read_bytes())


def test_a_file_formatted_differently_is_the_same_game() -> None:
    content = SAVED_GAMES[0].read_bytes()
    other = json.dumps(json.loads(content), indent=2, ensure_ascii=True).encode()
    assert open_game(other).bytes == content


# --- without a table ---------------------------------------------------------------------


@contextmanager
def open_replay(path: Path) -> Iterator[str]:
    """Run ``companion replay`` for a file and yield the address that it shows."""
    command = [sys.executable, "-m", "companion", "replay", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        ready = process.stdout.readline()
        assert ready.startswith("Ready: http://127.0.0.1:"), ready
        try:
            yield ready.split()[1]
        finally:
            process.terminate()
    assert process.returncode == 0


@pytest.mark.parametrize("path", SAVED_GAMES, ids=lambda path: path.stem)
def test_companion_replay_opens_a_file_without_a_table(path: Path) -> None:
    with open_replay(path) as address:
        page = urlopen(address).read().decode()
        assert 'id="app"' in page
        calls = address.replace("/t/", "/api/tables/").removesuffix("/replay/1")
        assert urlopen(f"{calls}/games/1").read() == path.read_bytes()
        replay = json.load(urlopen(f"{calls}/games/1/moments"))
        assert len(replay["moments"]) == len(json.loads(path.read_bytes())["events"])
        variant = json.load(urlopen(f"{calls}/variant?language=it"))
        assert variant["texts"].keys() == {"en", "it"}
        with pytest.raises(HTTPError) as missing:
            urlopen(f"{calls}/games/2")
        assert json.load(missing.value)["error"]["code"] == "not_found"
        missing.value.close()


def run_companion(*arguments: str) -> Result:
    """Run the program in this process."""
    return CliRunner().invoke(cli.main, arguments)


def test_a_wrong_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    cut_file = tmp_path / "game.json"
    cut_file.write_bytes(SAVED_GAMES[0].read_bytes()[:-1])
    for command in ("replay", "check"):
        result = run_companion(command, str(cut_file))
        assert result.exit_code == 1 and not result.stdout
        assert result.stderr.startswith("Error: game.json: $: not JSON, or cut off")
    assert run_companion("replay", str(tmp_path / "none.json")).exit_code == 2


def test_companion_check_accepts_a_games_file(tmp_path: Path) -> None:
    """The check reads the decks from the file just as from a table's log."""
    grid = next(path for path in SAVED_GAMES if "grid" in path.stem)
    result = run_companion("check", str(grid))
    assert result.exit_code == 0 and result.stdout.count("dealt and reported honestly") == 4
    document = json.loads(grid.read_bytes())
    played = next(event for event in document["events"] if event["type"] == "card_played")
    played["facts"]["card"] = "skip" if played["facts"]["card"] != "skip" else "favor"
    changed_file = tmp_path / "false.json"
    changed_file.write_bytes(with_new_checksum(document))
    result = run_companion("check", str(changed_file))
    assert result.exit_code == 1 and "does not fit" in result.stdout


# --- watching together ---------------------------------------------------------------------


def watch_replay(server: RealServer, table: str, game: Any = 1, **auth: str) -> Client:
    """Connect a client that watches a replay."""
    client = Client(server.url, {"table": table, "replay": game, **auth})
    server.clients.append(client)
    return client


def get_position(client: Client) -> Any:
    return client.get_received("replay")[-1] if client.get_received("replay") else None


def get_moment_and_viewers(client: Client) -> Any:
    """Return the moment that is shown and the number of viewers."""
    return {key: (get_position(client) or {}).get(key) for key in ("at", "here")}


def test_a_step_moves_all_viewers(server: RealServer) -> None:
    """Watching changes nothing for clients at the table. The server keeps the position while
    anybody watches."""
    party = play_game(server)
    ana = watch_replay(server, party.table)
    ben = watch_replay(server, party.table)
    assert ana.socket.call("replay", {"at": 20}, timeout=120) == {"ok": True}
    ben.wait(lambda: get_moment_and_viewers(ben) == {"at": 20, "here": 2})
    assert ben.socket.call("replay", {"at": 12}, timeout=120) == {"ok": True}
    ana.wait(lambda: get_moment_and_viewers(ana) == {"at": 12, "here": 2})
    cleo = watch_replay(server, party.table)
    assert ben.socket.call("replay", {"at": 13}, timeout=120)["ok"]
    cleo.wait(lambda: get_moment_and_viewers(cleo) == {"at": 13, "here": 3})
    cleo.close()
    ana.wait(lambda: get_position(ana)["here"] == 2)
    assert not ana.get_received("view") and not party.host.get_received("replay")
    party.host.wait(lambda: party.host.presence["spectators"] == 0)


def test_a_page_reports_its_moment_only_if_nobody_has_chosen_one(server: RealServer) -> None:
    """That isn't steering, so no seat is named. The first report stays."""
    party = play_game(server)
    ana = watch_replay(server, party.table, token=party.tokens[0])
    ben = watch_replay(server, party.table)
    assert steer(ana, 3, on=True)["ok"]
    ben.wait(lambda: get_position(ben) == {"at": 3, "here": 2})
    assert steer(ben, 0, on=True)["error"]["code"] == "stale"
    assert steer(ana, 3)["ok"]
    ben.wait(lambda: get_position(ben) == {"at": 3, "here": 2, "by": party.seats[0]})


def test_an_invalid_step_is_refused(server: RealServer) -> None:
    party = play_game(server)
    ana = watch_replay(server, party.table)
    for wrong in (None, {}, {"at": "12"}, {"at": 1, "by": "ana"}, 7):
        answer = ana.socket.call("replay", wrong, timeout=120)
        assert answer["error"]["code"] == "bad_request"
    stranger = Client(server.url, {"table": party.table})
    server.clients.append(stranger)
    assert stranger.socket.call("replay", {"at": 3}, timeout=120)["error"]["code"] == "forbidden"
    refused = watch_replay(server, party.table, 2)
    assert refused.refused["data"]["code"] == "not_found"


def test_112_strangers_are_disconnected_from_a_replay_when_spectators_are_off(
    server: RealServer,
) -> None:
    party = play_game(server)
    ana = watch_replay(server, party.table, token=party.tokens[0])
    strangers = [watch_replay(server, party.table) for _ in range(2)]
    ana.wait(lambda: get_position(ana)["here"] == 3)
    party.host.send_command("rematch")
    party.host.send_command("options", spectators=False)
    for stranger in strangers:
        stranger.wait(lambda stranger=stranger: stranger.get_received("disconnect"))
    ana.wait(lambda: get_position(ana)["here"] == 1)
    assert ana.socket.call("replay", {"at": 12}, timeout=120) == {"ok": True}
    assert watch_replay(server, party.table).refused["data"]["code"] == "forbidden"
    mine = watch_replay(server, party.table, token=party.tokens[0])
    mine.wait(lambda: get_moment_and_viewers(mine) == {"at": 12, "here": 2})


def test_112_a_device_that_gave_its_seat_away_cannot_watch_with_it(server: RealServer) -> None:
    party = play_game(server)
    bearer = {"Authorization": f"Bearer {party.tokens[0]}"}
    path = f"/api/tables/{party.table}/seats/{party.seats[0]}/claim"
    claim = server.post(path, **bearer).json["claim"]
    old = watch_replay(server, party.table, token=party.tokens[0])
    old.wait(lambda: get_position(old))
    assert server.post(f"/api/claims/{claim}").status == 201
    old.wait(lambda: old.get_received("disconnect"))


def steer(client: Client, at: int, **more: Any) -> Any:
    return client.socket.call("replay", {"at": at, **more}, timeout=120)


def test_180_all_viewers_share_one_playback_and_anybody_can_stop_it(server: RealServer) -> None:
    """All viewers see who stopped the replay, and its former driver can't continue it."""
    party = play_game(server)
    ana = watch_replay(server, party.table, token=party.tokens[0])
    ben = watch_replay(server, party.table)
    cleo = watch_replay(server, party.table)
    cleo.wait(lambda: get_moment_and_viewers(cleo)["here"] == 3)
    assert steer(ana, 12, play="fast")["ok"]
    film = {"at": 12, "here": 3, "play": "fast", "by": party.seats[0]}
    for other in (ben, cleo):
        other.wait(lambda other=other: get_position(other) == film)
    assert steer(ana, 13, play="fast", on=True)["ok"]
    ben.wait(lambda: get_position(ben) == {**film, "at": 13})
    assert steer(ben, 14, on=True)["error"]["code"] == "stale", "Ben doesn't drive"
    assert steer(ben, 13)["ok"]
    for other in (ana, cleo):
        other.wait(lambda other=other: get_position(other) == {"at": 13, "here": 3, "by": None})
    assert steer(ana, 14, play="fast", on=True)["error"]["code"] == "stale"
    assert get_position(cleo)["at"] == 13
    assert steer(cleo, 13, play="loud")["error"]["code"] == "bad_request"


def test_180_playback_stops_when_its_driver_disconnects(server: RealServer) -> None:
    party = play_game(server)
    ana = watch_replay(server, party.table)
    ben = watch_replay(server, party.table)
    assert steer(ana, 12, play="slow")["ok"]
    ben.wait(lambda: (get_position(ben) or {}).get("play") == "slow")
    cleo = watch_replay(server, party.table)
    ana.wait(
        lambda: get_position(ana) == {"at": 12, "here": 3, "play": "slow", "by": None, "you": True}
    )
    ana.close()
    for other in (ben, cleo):
        other.wait(lambda other=other: get_position(other) == {"at": 12, "here": 2, "by": None})


def test_steps_are_counted() -> None:
    """The page sends at most seven steps a second; the server accepts ten."""
    sent: list[Any] = []
    replays = SharedReplays(
        lambda sid, event, payload: sent.append((sid, payload)), Peers(), Clock()
    )
    for sid in ("ana", "ben"):
        replays.enter(("KXQF7H", 1), sid)
    for at in range(100):
        replays.step(("KXQF7H", 1), "ana", "Ana's", {"at": at})
    with pytest.raises(Fault, match="rate_limited"):
        replays.step(("KXQF7H", 1), "ana", "Ana's", {"at": 100})
    assert sent[-1] == ("ben", {"at": 99, "here": 2, "by": None})
    replays.step(("KXQF7H", 1), "ben", "Ben's", {"at": 5}, "s2")
    assert sent[-1] == ("ana", {"at": 5, "here": 2, "by": "s2"})


# --- uploaded files ------------------------------------------------------------------------


def test_anybody_can_open_a_file_and_the_server_does_not_store_it(
    serve: Callable[..., RealServer],
) -> None:
    server = serve()
    for name in ("1-grid", "1-pile"):
        content = (ROOT / f"tests/data/replays/{name}.json").read_bytes()
        response = server.post("/api/replays", content)
        assert response.status == 200
        record = open_game(content)
        assert response.json == json.loads(gzip.decompress(file.compress_moments(record, "")))
    assert server.get("/api/tables/file/games/1").error["code"] == "not_found"


def test_a_files_fault_is_reported_with_its_place(serve: Callable[..., RealServer]) -> None:
    server = serve()
    content = (ROOT / "tests/data/replays/1-grid.json").read_bytes()
    misnumbered = json.loads(content)
    misnumbered["events"][12]["version"] = 1
    later = {**json.loads(content), "version": 99}
    faulty = {
        "cut": content[:5000],
        "changed": content.replace(b"Sprocket", b"Sprockit"),
        "later": json.dumps(later).encode(),
        "foreign": b'{"name": "a letter"}',
        "odd": json.dumps(misnumbered).encode(),
        "large": b"[" * (513 * 1024),
    }
    for fault, content in faulty.items():
        error = server.post("/api/replays", content).error
        assert (error["code"], error["facts"]["what"]) == ("bad_request", f"file-{fault}"), error
    assert server.post("/api/replays", faulty["odd"]).error["facts"]["at"] == "$.events[12].version"
    for _ in range(20):
        refused = server.post("/api/replays", b"{}")
        if refused.status == 429:
            break
    assert refused.error["facts"]["retry_after_ms"] > 0


def test_viewers_of_a_shared_replay_are_notified_of_new_remarks(server: RealServer) -> None:
    party = server.create_table("Ana", "Ben").begin().instruct()
    party.host.send_command("draw", cell=[0, 0])
    party.host.send_command("report", outcome="kitten")
    party.host.send_command("explode")
    ben = watch_replay(server, party.table)
    ben.wait(lambda: get_position(ben) is not None)
    body = {"moment": party.host.view["version"], "text": "Well drawn"}
    path = f"/api/tables/{party.table}/games/1/remarks"
    response = server.post(path, body, Authorization=f"Bearer {party.tokens[0]}")
    assert response.status == 201
    ben.wait(lambda: (get_position(ben) or {}).get("remarks") == 1)
