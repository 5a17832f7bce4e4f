"""Tests for the command line: output and exit codes."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.servers import fork_server
from tests.support.servers.server import ROOT, RealServer


def companion(*arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run the program and wait until it exits."""
    return fork_server.run_to_end("companion", arguments, variables)


def test_companion_without_a_command_serves_and_sigterm_stops_it_cleanly(
    serve: Callable[..., RealServer],
) -> None:
    server = serve()
    assert server.get("/healthz").json == {"ok": True}
    party = server.create_table("Ana", "Ben")
    party.host.send_command("prepare")
    assert server.stop() == 0
    assert not list(server.database.parent.glob("*-wal"))
    lines = [line for line in server.log_lines if '"accepted"' in line]
    assert len(lines) == 1 and '"type":"prepare"' in lines[0]
    assert all(line.startswith("{") for line in server.log_lines)


def test_companion_without_a_command_accepts_the_options_of_serve(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "--port", "0"]
    with subprocess.Popen(
        command, cwd=ROOT, text=True, stdout=subprocess.PIPE,
        env={**os.environ, "COMPANION_DATABASE": f"sqlite:///{tmp_path / 'new' / 'a.sqlite3'}"},
    ) as process:  # fmt: skip
        assert process.stdout
        assert process.stdout.readline().startswith("Ready: http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        reach, own_link = process.stdout.read().splitlines()
        assert reach == "Only this machine can reach it now."
        assert "/#operator=" in own_link
    assert process.returncode == 0
    assert (tmp_path / "new" / "a.sqlite3").is_file()


def test_an_address_in_use_is_one_plain_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        database = f"sqlite:///{tmp_path / 'a.sqlite3'}"
        result = companion("serve", "--port", port, "--database", database)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr and port in result.stderr


def test_the_built_in_variants_have_no_faults() -> None:
    result = companion("variants")
    assert result.returncode == 0
    assert "quarantined" in result.stdout


@pytest.mark.parametrize("command", ["variants", "serve"])
def test_faults_of_variants_are_listed_with_their_place(tmp_path: Path, command: str) -> None:
    shutil.copytree(ROOT / "variants" / "quarantined", tmp_path / "mine")
    file = tmp_path / "mine" / "variant.toml"
    file.write_text(file.read_text() + "\n[jokers]\nmany = 2\n")
    result = companion(
        command, "--variants-dir", str(tmp_path), COMPANION_DATABASE=f"sqlite:///{tmp_path}/a"
    )
    assert result.returncode == 2
    assert "mine/variant.toml: jokers" in result.stderr
    assert "Ready" not in result.stdout and "Traceback" not in result.stderr


def test_an_unreadable_rate_is_reported() -> None:
    result = companion("serve", "--command-rate", "often")
    assert result.returncode == 2 and "20/minute or none" in result.stderr


def test_a_backup_of_nothing_is_reported(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'nothing.sqlite3'}"
    missing = companion("backup", str(tmp_path / "copy"), "--database", database)
    assert missing.returncode == 1 and "no database" in missing.stderr
    foreign = companion("backup", str(tmp_path / "copy"), "--database", "postgresql://x/y")
    assert foreign.returncode == 1 and "pg_dump" in foreign.stderr


def test_every_option_of_serve_has_a_variable() -> None:
    text = companion("serve", "--help").stdout
    options = "host port database variants-dir command-rate join-rate".split()
    assert all(f"--{option}" in text for option in options)
    assert companion("--version").stdout.startswith("companion")
