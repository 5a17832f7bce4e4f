"""Logs, metrics, health checks, clean-up, and the container's settings."""

import json
import os
import re
import sqlite3
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from prometheus_client.parser import text_string_to_metric_families

from companion.robots.demo import free_port
from companion.service.requests import hash_secret
from companion.settings import Settings
from companion.storage.schema import metadata
from tests.support.servers.server import ROOT, RealServer, open_websocket, wait_until
from tests.support.timed import LENIENCE

Serve = Callable[..., RealServer]
DAY = 24 * 3600 * 1000


def read_metrics(server: RealServer) -> dict[tuple[str, str], float]:
    """Return the value of each sample of the metrics by the sample's name and labels."""
    families = text_string_to_metric_families(server.get("/metrics").body.decode())
    return {(sample.name, json.dumps(sample.labels, sort_keys=True)): sample.value
            for family in families for sample in family.samples}  # fmt: skip


def test_26_each_command_and_each_refusal_has_one_log_line(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    party.host.send_command("prepare")
    party.clients[1].expect_refusal("draw", cell=[0, 0])
    party.host.send(type="fly")
    server.get("/api/tables/AAAAAA")
    server.connect_client("AAAAAA")
    wait_until(lambda: len(server.log_lines) >= 5)
    lines = [json.loads(line) for line in server.log_lines]
    summaries = [
        (line["what"], line["type"], line.get("code"), line.get("ruling")) for line in lines
    ]
    assert summaries == [
        ("accepted", "prepare", None, None),
        ("refused", "draw", "refused", summaries[1][3]),
        ("refused", "unknown", "bad_request", None),
        ("refused", "http", "not_found", None),
        ("refused", "connect", "not_found", None),
    ]
    assert summaries[1][3]
    first = lines[0]
    assert first["table"] == party.table and first["seat"] == party.seats[0]
    assert first["version"] == party.host.view["version"] and first["ms"] >= 0
    assert not re.search("Ana|Ben", "\n".join(server.log_lines))


@pytest.mark.parametrize("sockets", ["", "1"], ids=["", "plain"])
@pytest.mark.parametrize("fault", ["answered", "let_in", "gone"])
def test_26_a_connection_closed_by_a_server_fault_has_a_log_line(
    serve: Serve, tmp_path: Path, fault: str, sockets: str
) -> None:
    fault_file = tmp_path / "wrong"
    fault_file.write_text("")
    server = serve(
        "tests.guarantees.broken", FAULT=str(fault_file), COMPANION_PLAIN_SOCKETS=sockets or "0"
    )
    party = server.create_table("Ana", "Ben")
    party.host.send_command("rename", name="Anna")
    server.log_lines.clear()
    fault_file.write_text(fault)
    if fault == "gone":
        party.clients[1].close()
    elif fault == "let_in":
        server.connect_client(party.table)
    else:
        party.host.socket.emit("command", {"id": str(uuid4()), "type": "rename", "name": "A"})
        party.host.wait(lambda: party.host.get_received("disconnect"))
    wait_until(lambda: "RuntimeError: on purpose" in server.log_lines)
    json_lines = [line for line in server.log_lines if line.startswith("{")]
    assert [json.loads(line)["what"] for line in json_lines if '"socket"' in line] == ["socket"]
    fault_file.write_text("")
    server.log_lines.clear()  # otherwise the fixture would report the fault
    assert party.clients[1 if fault == "answered" else 0].send_command("rename", name="Benjamin")


def test_a_clients_invalid_input_is_not_logged_as_a_server_fault(serve: Serve) -> None:
    server = serve()
    table = server.create_table("Ana").table
    for nonsense in ("420[", "42[1]", '420["command",' + "[" * 3000, "451-[]", "4", "49", "40/x,"):
        with open_websocket(server, table, None) as connection:
            connection.recv()
            connection.send(nonsense)
            while connection.recv():
                pass
    assert [line for line in server.log_lines if '"accepted"' not in line] == []


@pytest.mark.timed
def test_26_the_metrics_have_the_right_values(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    other = server.create_table("Dan")
    party.host.send_command("prepare")
    for _ in range(3):
        ruling = party.clients[1].expect_refusal("draw", cell=[0, 0])["ruling"]
    now = read_metrics(server)
    accepted = '{"outcome": "accepted", "type": "prepare"}'
    assert now["companion_commands_total", accepted] == 1
    assert now["companion_commands_total", '{"outcome": "refused", "type": "draw"}'] == 3
    assert now["companion_refusals_total", json.dumps({"ruling": ruling})] == 3
    assert now["companion_command_seconds_count", "{}"] == 4
    assert 0 < now["companion_command_seconds_sum", "{}"] < 4 * LENIENCE
    assert now["companion_connections", "{}"] == 3
    assert now["companion_open_tables", "{}"] == 2
    other.host.close()
    wait_until(lambda: read_metrics(server)["companion_connections", "{}"] == 2)


def test_26_health_and_readiness_state_the_servers_condition(
    faulty_server: tuple[RealServer, Path],
) -> None:
    server, fault = faulty_server
    for trouble, status in (("readonly", 503), ("", 200), ("fail", 503), ("", 200)):
        fault.write_text(trouble)
        wait_until(lambda status=status: server.get("/readyz").status == status)
        answer = server.get("/readyz")
        assert answer.json["ok"] is (status == 200)
        assert server.get("/healthz").json["ok"] is True
    stored = sqlite3.connect(server.database)
    assert {key for (key,) in stored.execute("SELECT key FROM meta")} == {"epoch", "mark"}
    stored.close()


def _backdate(server: RealServer, table: str, days: float) -> None:
    """Backdate the table's events and the last connections to all tables by this many days."""
    then = int(time.time() * 1000 - days * DAY)
    with sqlite3.connect(server.database) as database:
        database.execute("UPDATE events SET at = ? WHERE code = ?", (then, table))
        database.execute("UPDATE tables SET created = ? WHERE code = ?", (then, table))
        database.execute("UPDATE errands SET expires = ?", (then,))
        database.execute("UPDATE visits SET expires = ?", (then + DAY,))
    database.close()


def _count_rows(server: RealServer, table: str) -> dict[str, int]:
    """Return the number of rows that mention this table, per database table."""
    with closing(sqlite3.connect(server.database)) as stored:
        counts = {
            kind: sum(table in str(row) for row in stored.execute(f"SELECT * FROM {kind}"))
            for kind in metadata.tables
        }
    return {kind: count for kind, count in counts.items() if count}


@pytest.mark.slow
@pytest.mark.parametrize(("variables", "days"), [({}, 30), ({"COMPANION_KEEP_DAYS": "3"}, 3)])
def test_27_tables_unused_for_days_are_deleted(
    serve: Serve, variables: dict[str, str], days: int
) -> None:
    server = serve("tests.guarantees.sweeping", SWEEP="0.5", **variables)
    old = server.create_table("Ana", "Ben")
    young = server.create_table("Dan")
    old.host.send_command("prepare")
    path = f"/api/tables/{old.table}/seats/{old.seats[1]}/claim"
    server.post(path, Authorization=f"Bearer {old.tokens[1]}")
    server.stop()
    _backdate(server, old.table, days + 0.01)
    _backdate(server, young.table, days - 0.01)
    server.start()
    wait_until(lambda: not _count_rows(server, old.table))
    assert server.get(f"/api/tables/{old.table}").status == 404
    assert (
        server.connect_client(old.table, old.tokens[0]).refused["data"]["code"] == "unauthenticated"
    )
    assert server.get(f"/api/tables/{young.table}").status == 200
    assert any('"deleted"' in line and old.table in line for line in server.log_lines)


def test_27_deleting_a_table_deletes_everything_stored_for_it(serve: Serve) -> None:
    """The games, their replays and the remarks in the replays are deleted with the table."""
    server = serve("tests.guarantees.sweeping", SWEEP="0.5", COMPANION_KEEP_DAYS="3")
    party = server.create_table("Ana", "Ben").begin().instruct()
    party.host.send_command("draw", cell=[0, 0])
    party.host.send_command("report", outcome="kitten")
    version = party.host.send_command("explode")["version"]
    party.host.send_command("rematch")
    party.host.send_command("to_lobby")
    path = f"/api/tables/{party.table}"
    mine = {"Authorization": f"Bearer {party.tokens[0]}"}
    note = {"moment": version, "text": "Well played!"}
    for call, body in (
        (f"{path}/games/1/remarks", note),
        (f"{path}/robots", {}),
        (f"{path}/seats/{party.seats[0]}/claim", None),
    ):
        once = {"Idempotency-Key": call}
        assert server.post(call, body, **mine, **once).status == 201, call
    with closing(sqlite3.connect(server.database)) as stored, stored:
        stored.execute("INSERT INTO rooms (hash, code) VALUES ('x', ?)", (party.table,))
    calls = ("", "/log", "/variant", "/evening", "/games/1", "/games/1/moments", "/games/1/remarks")
    assert {server.get(f"{path}{call}").status for call in calls} == {200}
    tables_with_code = {name for name, table in metadata.tables.items() if "code" in table.columns}
    assert tables_with_code <= _count_rows(server, party.table).keys(), (
        "each table of the store has a part in this"
    )
    server.stop()
    _backdate(server, party.table, 3.01)
    server.start()
    wait_until(lambda: not _count_rows(server, party.table))
    assert {server.get(f"{path}{call}").status for call in calls} == {404}
    assert server.post(f"{path}/games/1/remarks", note).status == 404
    assert not _count_rows(server, party.table)


def test_27_a_table_is_kept_if_its_players_return_after_the_server_was_off(serve: Serve) -> None:
    """The server deletes no table when it starts, and later none that a player has opened again."""
    server = serve(COMPANION_KEEP_DAYS="3")
    opened = server.create_table("Ana")
    unopened = server.create_table("Ben")
    server.stop()
    for party in (opened, unopened):
        _backdate(server, party.table, 31)
    with closing(sqlite3.connect(server.database)) as stored, stored:
        stored.execute("INSERT INTO claims (hash, code, seat, expires) VALUES ('x', 'x', 'x', 0)")
    server.start()
    wait_until(lambda: not _count_rows(server, "'x', 'x', 'x'"))  # expired rows are deleted at once
    assert server.get(f"/api/tables/{unopened.table}").status == 200
    returned = server.connect_client(opened.table, opened.tokens[0])
    wait_until(lambda: "visits" in _count_rows(server, hash_secret(opened.tokens[0])))
    returned.close()
    server.stop()
    server.module = "tests.guarantees.sweeping"
    server.variables["SWEEP"] = "0.5"
    server.start()
    wait_until(lambda: not _count_rows(server, unopened.table))
    assert server.get(f"/api/tables/{opened.table}").status == 200


def test_27_keep_days_0_keeps_tables_for_ever(serve: Serve) -> None:
    server = serve("tests.guarantees.sweeping", SWEEP="0.5", COMPANION_KEEP_DAYS="0")
    table = server.create_table("Ana").table
    server.stop()
    _backdate(server, table, 1000)
    with closing(sqlite3.connect(server.database)) as stored, stored:
        stored.execute("INSERT INTO claims (hash, code, seat, expires) VALUES ('x', ?, 's1', 0)",
                       (table,))  # fmt: skip
    server.start()

    def count_claims() -> int:
        with closing(sqlite3.connect(server.database)) as stored:
            return int(stored.execute("SELECT count(*) FROM claims").fetchone()[0])

    # the table is kept, but its expired claims are deleted
    wait_until(lambda: count_claims() == 0, 60)
    assert server.get(f"/api/tables/{table}").status == 200


def test_28_the_container_is_started_only_with_existing_settings() -> None:
    docker = (ROOT / "deploy/Dockerfile").read_text()
    compose = (ROOT / "compose.yaml").read_text()
    known_names = {f"COMPANION_{name.upper()}" for name in Settings.__struct_fields__}
    assert set(re.findall(r"COMPANION_[A-Z_]+", docker + compose)) <= known_names
    steps = [line for line in docker.splitlines() if line and not line.startswith("#")]
    user = max(number for number, line in enumerate(steps) if line.startswith("USER"))
    assert steps[user] == "USER companion"
    assert next(i for i, line in enumerate(steps) if line.startswith("CMD")) > user
    assert "VOLUME /data" in steps and "sqlite:////data/" in docker
    assert "HEALTHCHECK" in docker and "/healthz" in docker
    images = re.findall(r"(?m)^FROM python:([\d.]+)-slim(@sha256:[0-9a-f]{64})", docker)
    assert len(images) == 2 and len({*images}) == 1 and images[0][0] in _list_python_versions()
    assert "COPY pyproject.toml uv.lock" in docker and (ROOT / "uv.lock").exists()
    assert "data:/data" in compose and "8000:8000" in compose and "EXPOSE 8000" in docker
    ignored = (ROOT / "deploy/Dockerfile.dockerignore").read_text().splitlines()
    assert ".*" in ignored and "node_modules" in ignored


def _list_python_versions() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return [
        classifier.rpartition(" ")[2]
        for classifier in project["classifiers"]
        if "Python :: 3." in classifier
    ]


def test_28_the_containers_port_is_published_and_its_health_check_uses_it(tmp_path: Path) -> None:
    docker = (ROOT / "deploy/Dockerfile").read_text()
    # COMPANION_PORT would override PORT, which the hosting provider sets
    assert "COMPANION_PORT=" not in docker
    match = re.search(r"HEALTHCHECK CMD (\[.*\])", docker)
    assert match
    check = [sys.executable, *json.loads(match[1])[1:]]
    port = str(free_port())
    database = f"sqlite:///{tmp_path}/tables.sqlite3"
    here = {**os.environ, "PORT": port, "COMPANION_DATABASE": database}
    command = [sys.executable, "-m", "companion", "serve"]
    with subprocess.Popen(command, env=here, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        assert server.stdout.readline() == f"Ready: http://127.0.0.1:{port}\n"
        assert subprocess.run(check, env=here, check=False).returncode == 0
        server.kill()
    assert subprocess.run(check, env=here, capture_output=True, check=False).returncode == 1


def test_29_security_md_states_the_promises_and_the_locks_hold_the_minimum_versions() -> None:
    text = (ROOT / ".github/SECURITY.md").read_text()
    assert "## Protection" in text and "## Not promised" in text
    floors = dict(re.findall(r"([a-z.-]+) (\d+\.\d+\.\d+)", text.split("## Dependencies")[1]))
    assert len(floors) == 7
    lock = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]
    pinned = {package["name"]: _parse_version(package["version"]) for package in lock
              if re.fullmatch(r"[\d.]+", package.get("version", ""))}  # fmt: skip
    requirements = (ROOT / "pyproject.toml").read_text()
    parser = floors.pop("socket.io-parser")
    for name, floor in floors.items():
        assert pinned[name] >= _parse_version(floor)
        assert re.search(rf'"{name}(\[client\])?>={floor}[",]', requirements), name
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    version = packages["node_modules/socket.io-parser"]["version"]
    assert _parse_version(version) >= _parse_version(parser)
    assert "python3 tests" in (ROOT / ".ci" / "run").read_text()  # CI must run this test, too


def _parse_version(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def test_every_promise_is_listed_with_its_tests() -> None:
    rows = re.findall(r"(?m)^\| (\d+) \|.*\|$", (ROOT / "docs" / "promises.md").read_text())
    numbers = [int(row) for row in rows]
    assert len(numbers) == len(set(numbers)) >= 52
    text = (ROOT / "docs" / "promises.md").read_text()
    modules = [*Path(__file__).parent.glob("test_*.py")]
    tests = {name for module in modules
             for name in re.findall(r"(?m)^def (test_\d\d_\w+)", module.read_text())}  # fmt: skip
    named = set(re.findall(r"`(test_\d\d_\w+)`", text))
    assert named == tests, named ^ tests
