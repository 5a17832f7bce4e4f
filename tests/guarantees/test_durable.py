"""Every acknowledged command is stored, once and completely, however the server ended."""

import json
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest

from tests.guarantees.kills import Kills
from tests.guarantees.speaker import new_command, next_command, send_command
from tests.support.iterations import scale_count
from tests.support.paths import DATA, ROOT
from tests.support.servers.server import Party, RealServer, wait_until
from tests.support.timed import limit_seconds

Serve = Callable[..., RealServer]
LOGS = DATA / "logs"
SCRIPTS = ROOT / "tests" / "scripts" / "grid"


@pytest.mark.slow
def test_01_a_kill_between_any_two_commands_loses_nothing(serve: Serve) -> None:
    kills = Kills(serve(), tables=3, seed=1)
    while kills.kills < scale_count(4) or kills.acknowledged_count < scale_count(40):
        kills.play_and_kill()
    kills.finish()


@pytest.mark.slow
def test_02_a_command_sent_again_with_its_id_takes_effect_once(serve: Serve) -> None:
    server = serve()
    chance = Random(2)
    party = server.create_table("Ana", "Ben")
    names = [f"Ana {number}" for number in range(scale_count(20))]
    commands = [new_command(chance, type="rename", name=name) for name in names]
    copies = [item for item in commands for _ in range(chance.randint(1, 5))]
    chance.shuffle(copies)
    answers: dict[str, list[Any]] = {}
    for number, command in enumerate(copies):
        if number % 25 == 24:
            party.clients[0] = server.connect_client(party.table, party.tokens[0])
        if number == len(copies) // 2:
            server.kill()
            server.start()
            party.reconnect()
        answers.setdefault(command["id"], []).append(send_command(party.host, command))
    assert all(
        item == received[0] and item["ok"] for received in answers.values() for item in received
    )
    log = server.get(f"/api/tables/{party.table}/log").json
    renamed = [event["facts"]["name"] for event in log if event["type"] == "seat_renamed"]
    assert sorted(renamed) == sorted(command["name"] for command in commands)


def test_02_a_refusal_is_remembered_until_a_restart_and_then_decided_again(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    early = {"id": str(uuid4()), "type": "ready", "ready": True}
    refused = party.host.send(**early)
    assert refused["error"]["code"] == "refused"
    party.host.send_command("prepare")
    assert party.host.send(**early) == refused
    assert party.host.send(**{**early, "ready": False})["error"]["code"] == "id_reused"
    assert server.stop() == 0
    server.start()
    party.reconnect()
    accepted = party.host.send(**early)
    assert accepted["ok"]
    party.host.send_command("ready", ready=False)
    for _ in range(2):
        assert party.host.send(**early) == accepted
        server.kill()
        server.start()
        party.reconnect()


def test_02_refused_commands_are_not_stored(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    first = {"id": str(uuid4()), "type": "rename", "name": "Anabel"}
    accepted = party.host.send(**first)

    def count_answers() -> int:
        with closing(sqlite3.connect(server.database)) as database:
            return int(database.execute("SELECT count(*) FROM answers").fetchone()[0])

    assert count_answers() == 1
    for client in party.clients:
        for _ in range(300):
            assert client.expect_refusal("ready", ready=True)["code"] == "refused"
    assert count_answers() == 1
    # These refusals have pushed the earlier answers out of memory, so the server must read the
    # earlier answers from the database.
    party.host.send_command("prepare")
    assert party.host.send(**first) == accepted and count_answers() == 2


def test_03_nothing_is_sent_before_it_is_committed(faulty_server: tuple[RealServer, Path]) -> None:
    server, fault = faulty_server
    party = server.create_table("Ana", "Ben")
    version = party.host.view["version"]
    fault.write_text("slow")
    answers: list[Any] = []
    command = new_command(Random(3), type="rename", name="Anabel")
    party.host.socket.emit("command", command, callback=answers.append)
    time.sleep(0.7)
    assert not answers and all(c.view["version"] == version for c in party.clients)
    fault.write_text("")
    party.clients[1].wait_for_version(version + 1)
    wait_until(lambda: answers == [{"ok": True, "version": version + 1}])


def test_03_a_failed_commit_shows_nothing_and_a_successful_one_everything(
    faulty_server: tuple[RealServer, Path],
) -> None:
    server, fault = faulty_server
    party = server.create_table("Ana", "Ben")
    chance = Random(3)
    version = party.host.view["version"]
    command = new_command(chance, type="rename", name="Anabel")
    fault.write_text("fail")
    answer = send_command(party.host, command)
    assert (answer["error"]["code"], answer["version"]) == ("busy", version)
    fault.write_text("before")
    assert send_command(party.host, command) is None
    assert not [v for c in party.clients for v in c.get_received("view") if v["version"] > version]
    fault.write_text("")
    _restart(server, party)
    assert party.host.view["version"] == version

    fault.write_text("after")
    assert send_command(party.host, command) is None
    fault.write_text("")
    _restart(server, party)
    assert party.host.view["version"] == version + 1
    assert send_command(party.host, command) == {"ok": True, "version": version + 1}


def _restart(server: RealServer, party: Party) -> None:
    """Wait for the server's process to end, then start it again."""
    server.process.wait(120)
    server.kill()
    server.start()
    party.reconnect()


def test_04_a_locked_database_answers_busy_and_recovers_by_itself(
    faulty_server: tuple[RealServer, Path],
) -> None:
    """The same is true of a database that is read-only or full."""
    server, fault = faulty_server
    party = server.create_table("Ana", "Ben", "Cleo")
    for trouble in ("locked", "readonly", "full"):
        _check_trouble(server, fault, party, trouble)


def _check_trouble(server: RealServer, fault: Path, party: Party, trouble: str) -> None:
    """Disturb the database, and check the answers until it is usable again."""
    chance = Random(trouble)
    before = party.host.view
    other = sqlite3.connect(server.database, isolation_level=None)
    if trouble == "locked":
        other.execute("BEGIN IMMEDIATE")
    else:
        fault.write_text(trouble)
    refused = []
    wait_until(lambda: refused.append(_rename_seat(party, chance)) or not refused[-1][1]["ok"], 20)
    command, answer = refused[-1]
    view = party.host.socket.call("sync")
    assert answer["error"]["code"] == "busy" and answer["version"] == view["version"]
    assert view["version"] == before["version"] + len(refused) - 1
    if trouble != "full":  # a full database may still have room for a new table
        assert server.post("/api/tables", {"name": "Dan"}).error["code"] == "busy"
    wait_until(lambda: server.get("/readyz").status == 503)
    assert server.get("/healthz").status == 200

    other.close()
    fault.write_text("")
    assert send_command(party.host, command) == {"ok": True, "version": view["version"] + 1}
    wait_until(lambda: server.get("/readyz").status == 200)


def _rename_seat(party: Party, chance: Random) -> tuple[Any, Any]:
    command = new_command(chance, type="rename", name=f"Ana {chance.randrange(10**9)}")
    return command, send_command(party.host, command)


@pytest.mark.slow
@pytest.mark.timed
def test_04_tables_wait_for_a_locked_database_at_the_same_time(serve: Serve) -> None:
    server = serve()
    parties = [server.create_table("Ana") for _ in range(12)]
    other = sqlite3.connect(server.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    busy: list[Any] = []
    with limit_seconds(2):
        for party in parties:
            command = new_command(Random(party.table), type="rename", name="Bo")
            party.host.socket.emit("command", command, callback=busy.append)
        wait_until(lambda: len(busy) == len(parties))
    other.close()
    assert {answer["error"]["code"] for answer in busy} == {"busy"}


@pytest.mark.slow
@pytest.mark.parametrize(("waited", "most"), [(0, 5000), (3, 3000)])
def test_05_a_window_keeps_its_remaining_time_over_a_restart(
    serve: Serve, waited: float, most: int
) -> None:
    """After the restart the window stays open for at least three seconds, so that clients can
    reconnect."""
    server = serve()
    party = server.create_table("Ana", "Ben", options={"nope_seconds": 5}).begin().instruct()
    party.host.send_command("play", card="skip")
    closes_at = party.host.view["window"]["closes_at"]
    time.sleep(waited)
    server.kill()
    began = time.time() * 1000
    server.start()
    party.reconnect()
    window = party.clients[1].view["window"]
    assert window["left_ms"] <= most
    assert window["closes_at"] >= max(closes_at, began + 3000)
    assert party.clients[1].try_command("nope", window=window["id"])["ok"]


@pytest.mark.slow
def test_06_a_backup_of_a_running_server_is_consistent(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    chance = Random(6)
    stopped = threading.Event()

    def play_at_random() -> None:
        while not stopped.is_set():
            answer = send_command(party.host, next_command(party.host.view, chance))
            party.host.wait_for_version(answer["version"])

    player = threading.Thread(target=play_at_random)
    player.start()
    for number in range(2):
        copy = tmp_path / f"copy{number}.sqlite3"
        party.host.wait_for_version(party.host.view["version"] + 5)
        assert server.run("backup", str(copy)).returncode == 0
        with sqlite3.connect(copy) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            versions = [v for (v,) in database.execute("SELECT version FROM events")]
            answers = database.execute("SELECT answer FROM answers").fetchall()
        database.close()
        assert versions == list(range(1, len(versions) + 1))
        assert max(json.loads(answer)["version"] for (answer,) in answers) == len(versions)
    stopped.set()
    player.join()

    follower = server.connect_client(party.table, party.tokens[1], patient=True)
    newest = follower.wait_for_version(party.host.view["version"])
    server.stop()
    shutil.copy(copy, server.database)
    server.start()
    follower.wait(lambda: follower.view["epoch"] != newest["epoch"])
    assert follower.view["version"] == len(versions) <= newest["version"]
    assert follower.view["you"]["seat"] == party.seats[1]


@pytest.mark.slow
@pytest.mark.parametrize("how", ["copied over it", "moved in its place"])
def test_06_restoring_an_older_plain_copy_changes_the_epoch(
    serve: Serve, tmp_path: Path, how: str
) -> None:
    server = serve()
    party = server.create_table("Ana")
    server.stop()
    copy = shutil.copy(server.database, tmp_path / "copy.sqlite3")
    server.start()
    party.reconnect()
    party.host.send_command("rename", name="Anabel")
    epoch = party.host.view["epoch"]
    server.kill()
    server.start()
    party.reconnect()
    assert party.host.view["epoch"] == epoch  # a restart alone keeps the epoch
    server.kill()
    for wal in server.database.parent.glob("*.sqlite3-*"):
        wal.unlink()
    (shutil.copy if how == "copied over it" else shutil.move)(copy, server.database)
    server.start()
    party.reconnect()
    assert party.host.view["epoch"] != epoch
    assert party.host.view["seats"][0]["name"] == "Ana"


@pytest.mark.parametrize("file", sorted(LOGS.glob("*.json")), ids=lambda file: file.stem)
def test_07_logs_of_earlier_versions_replay(server: RealServer, file: Path) -> None:
    recorded = json.loads(file.read_text())
    code = recorded["table"]
    with sqlite3.connect(server.database) as database:
        content = json.dumps(recorded["variant"])
        database.execute("INSERT INTO variants VALUES (?, ?)", (file.stem, content))
        database.execute("INSERT INTO tables VALUES (?, ?, ?)", (code, file.stem, 0))
        rows = [(code, number, at, json.dumps(body))
                for number, (at, body) in enumerate(recorded["events"], 1)]  # fmt: skip
        database.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", rows)
    database.close()
    view = server.get(f"/api/tables/{code}").json
    assert {key: view[key] for key in recorded["ends"]} == recorded["ends"]
    log = server.get(f"/api/tables/{code}/log").json
    public = [n for n, (_, body) in enumerate(recorded["events"], 1) if body["type"] != "note_made"]
    assert [event["version"] for event in log] == public
    assert all(event["text"] for event in log)


def test_07_the_stored_logs_have_every_kind_of_event() -> None:
    """For a type of event that hasn't been released yet, it is enough that a script has it."""
    from typing import get_args, get_origin

    from companion.rules.grid.events import Event
    from tests.support.record_log import list_event_types

    recorded = [json.loads(file.read_text()) for file in LOGS.glob("*.json")]
    recorded_types = {body["type"] for log in recorded for _, body in log["events"]}
    known_types = {get_origin(kind) or kind for kind in get_args(Event)}
    known_types = {kind.__struct_config__.tag for kind in known_types}
    assert recorded_types <= known_types
    new_types = known_types - recorded_types
    if "## Unreleased" in (ROOT / "CHANGELOG.md").read_text("utf-8"):
        for game in SCRIPTS.glob("*.game") if new_types else ():
            new_types -= list_event_types(game)
    assert not new_types, f"no log has {new_types}: use python -m tests.support.record_log"
