"""The server copes with clock changes, and with failures of its disk or database."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.support.servers.server import ROOT, Client, RealServer, wait_until

Serve = Callable[..., RealServer]


def read_store_messages(server: RealServer) -> list[str]:
    """Return the messages about the store in the server's log."""
    lines = [json.loads(line) for line in list(server.log_lines)]
    return [line["text"] for line in lines if line["what"] == "store"]


def damage_table(file: Path, table: str) -> None:
    """Overwrite the first page of a database table."""
    with closing(sqlite3.connect(file)) as database:
        size = database.execute("PRAGMA page_size").fetchone()[0]
        root = database.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,))
        number = root.fetchone()[0]
    with file.open("r+b") as pages:
        pages.seek((number - 1) * size)
        pages.write(b"\xa5" * size)


def test_50_damage_is_logged_in_one_sentence_and_shown_by_readyz(serve: Serve) -> None:
    server = serve(COMPANION_KEEP_DAYS="0")
    table = server.create_table("Ana", "Ben").table
    server.stop()
    damage_table(server.database, "events")
    server.start()
    assert server.get("/readyz").status == 200
    for _ in range(5):
        assert server.get(f"/api/tables/{table}").error["code"] == "busy"
    assert server.get("/readyz").status == 503
    wait_until(lambda: read_store_messages(server))
    (message,) = read_store_messages(server)
    assert "damaged" in message and "malformed" in message and "backup" in message


@pytest.mark.parametrize("how", ["deleted", "replaced"])
def test_50_nothing_is_acknowledged_after_the_database_file_is_deleted(
    serve: Serve, tmp_path: Path, how: str
) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    answer = party.host.send_command("rename", name="Anabel")
    moved_file = tmp_path / "kept.sqlite3"
    server.database.rename(moved_file)
    if how == "replaced":
        shutil.copy(moved_file, server.database)
    refused = party.host.try_command("rename", name="Anita")
    assert (refused["error"]["code"], refused["version"]) == ("busy", answer["version"])
    assert server.post("/api/tables", {"name": "Dan"}).error["code"] == "busy"
    assert server.get("/readyz").status == 503 and server.get("/healthz").status == 200
    wait_until(lambda: read_store_messages(server))
    assert all("deleted or replaced" in message for message in read_store_messages(server))
    os.replace(moved_file, server.database)
    assert party.host.send_command("rename", name="Anna")["version"] == answer["version"] + 1
    wait_until(lambda: server.get("/readyz").status == 200)
    server.stop()
    server.start()
    party.reconnect()
    assert party.host.view["seats"][0]["name"] == "Anna"


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [-3600, pytest.param(3600, marks=pytest.mark.repetition)])
def test_51_setting_the_clock_moves_no_window_and_no_rate_limit(
    serve: Serve, tmp_path: Path, seconds: int
) -> None:
    turned = tmp_path / "turned"
    turned.write_text("0")
    rate = {"COMPANION_JOIN_RATE": "6/6 second"}
    server = serve("tests.guarantees.turned", TURNED=str(turned), **rate)
    party = server.create_table("Ana", "Ben", options={"nope_seconds": 30}).begin().instruct()
    window = party.host.send_command("play", card="skip")["version"]
    turned.write_text(str(seconds))
    party.clients[1].send_command("nope", window=window)
    turned.write_text("0")
    party.host.send_command("undo")
    party.host.send_command("undo")
    party.host.send_command("options", nope_seconds=3)
    began = time.monotonic()
    played = party.host.send_command("play", card="skip")["version"]
    turned.write_text(str(seconds))
    party.host.wait(lambda: party.host.view["version"] > played, 20)
    assert party.host.view["window"] is None
    assert time.monotonic() - began >= 3

    turned.write_text("0")
    wait_until(lambda: server.get("/api/tables/AAAAAA").status == 429)
    turned.write_text(str(seconds))
    wait_until(lambda: server.get("/api/tables/AAAAAA").status == 404)


def test_53_a_failed_backup_leaves_no_file_behind(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    server.create_table("Ana")
    server.stop()
    damage_table(server.database, "events")
    folder = tmp_path / "copies"
    folder.mkdir()
    ran = server.run("backup", str(folder / "copy.sqlite3"))
    assert ran.returncode == 1 and "The copy failed" in ran.stderr
    assert list(folder.iterdir()) == []


def test_54_games_go_on_if_nobody_reads_the_log(tmp_path: Path) -> None:
    import fcntl  # Windows doesn't have it

    read_end, write_end = os.pipe()
    fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, 4096)
    command = [sys.executable, "-m", "companion", "serve", "--port", "0", "--command-rate", "none"]
    command += ["--database", f"sqlite:///{tmp_path / 'tables.sqlite3'}"]
    with subprocess.Popen(
        command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=write_end
    ) as server:
        try:
            os.close(write_end)
            assert server.stdout
            url = server.stdout.readline().removeprefix("Ready: ").strip()
            kind = {"Content-Type": "application/json"}
            with urlopen(Request(f"{url}/api/tables", b'{"name": "Ana"}', kind)) as answer:
                table = json.load(answer)
            ana = Client(url, {"table": table["table"], "token": table["token"]})
            for number in range(80):
                ana.try_command("options", nope_seconds=3 + number % 20)
            log_text = os.read(read_end, 8192)
            # the pipe has room again, so the server reports the lost lines
            ana.try_command("options", nope_seconds=5)
            while b'"left_out"' not in log_text:
                log_text += os.read(read_end, 8192)
            ana.close()
        finally:
            server.kill()
            os.close(read_end)
