"""The program and its fast tests with everything hidden that Windows lacks.

``tests/support/without_posix`` hides it from the project's modules, also in child processes.
"""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.__main__ import NEEDS_SERVERS
from tests.robots.test_lobby_robots import add_robot, make_end_condition, play_as_person
from tests.support.paths import ROOT
from tests.support.servers import server as servers
from tests.support.servers.server import RealServer
from tests.support.without_posix.sitecustomize import MODULES

HIDING = {
    "PYTHONPATH": os.pathsep.join([str(ROOT / "tests/support/without_posix"), str(ROOT)]),
    "PYTHONDONTWRITEBYTECODE": "1",
}
IN_ONE_PROCESS = """
import json, sys
commands = json.loads(sys.argv.pop())
from companion import __main__ as program
statuses = []
for sys.argv[1:] in commands:
    try:
        program.main()
    except SystemExit as end:
        statuses.append(end.code)
print(*statuses)
"""
"""Runs several commands of the program and prints their exit statuses."""
FAST = "not browser and not postgresql and not redis and not ssh and not slow"


def run(*arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run Python with these arguments, as on Windows."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env={**os.environ, **HIDING, **variables},
        text=True, encoding="utf-8", capture_output=True, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip


@pytest.fixture
def windows_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RealServer:
    """Return a server that runs without POSIX."""
    monkeypatch.setattr(RealServer, "start_with", staticmethod(servers.start))
    return RealServer(tmp_path, **HIDING, COMPANION_ROBOT_PACE="0")


def list_modules() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return [ROOT / name for name in listed if (ROOT / name).exists()]


def test_no_module_imports_at_its_top_what_windows_lacks() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in list_modules()
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        and MODULES & {name.name.partition(".")[0] for name in node.names}
        | MODULES & {str(getattr(node, "module", "")).partition(".")[0]}
    ]
    assert not found


@pytest.mark.slow
def test_posix_is_hidden_from_the_project_and_not_from_libraries(tmp_path: Path) -> None:
    module = ROOT / "tests/support/without_posix/probe.py"
    script = f"""
import importlib.util, os, sys
def probe(source):
    try:
        exec(compile(source, {str(module)!r}, "exec"), {{"__file__": {str(module)!r}}})
    except Exception as error:
        return type(error).__name__
print(*map(probe, ["import fcntl", "from os import fork", "import signal; signal.SIGHUP",
    "open('/proc/self/stat')", "import sys; assert sys.platform == 'win32'", "import os; os.kill"]))
import fcntl
print(os.fork is not None, sys.platform)
"""
    lines = run("-c", script).stdout.splitlines()
    assert lines == [
        "ModuleNotFoundError ImportError AttributeError FileNotFoundError None None",
        f"True {sys.platform}",
    ]


@pytest.mark.slow
def test_a_game_with_robots_is_served_without_posix(windows_server: RealServer) -> None:
    """The robots' process gets its posts through a pipe, and answers through a file."""
    try:
        host = windows_server.post("/api/tables", {"name": "Ana"}).json
        for _robot in range(2):
            assert add_robot(windows_server, host).status == 201
        with play_as_person(windows_server, host, games=1) as ana:
            ana.wait_for_view(make_end_condition(1))
        again = run("-m", "companion", "serve", "--port", "0",
                    "--database", windows_server.database_url)  # fmt: skip
        assert again.returncode == 1
        assert f"(process {windows_server.process.pid}) has the tables in" in again.stderr
        assert windows_server.stop() == 0
    finally:
        windows_server.close()


@pytest.mark.slow
def test_every_command_runs_without_posix(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.sqlite3"
    demo = run("-m", "companion", "demo", "--games", "1", "--pace", "0", "--players", "2",
               "--port", "0", "--database", url)  # fmt: skip
    assert demo.returncode == 0 and "wins game 1" in demo.stdout, demo
    backup = run("-m", "companion", "backup", "--database", url, str(tmp_path / "copy.sqlite3"))
    assert backup.returncode == 0, backup
    commands = [["variants"], ["check", "none.json"], ["replay", "none.json"]]
    others = run("-c", IN_ONE_PROCESS, json.dumps(commands))
    assert others.stdout.split()[-3:] == ["0", "2", "2"] and "Draw grid" in others.stdout, others


def test_a_console_without_a_character_prints_its_escape_instead_of_ending() -> None:
    script = (
        "from companion.adapters import streams; streams.print_any_character();"
        "from companion.terminal import print_line;"
        r"print_line('\u2068Zoë\u2069 wins 🐱'); print_line('→ ë', err=True)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=True,
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
    )  # fmt: skip
    assert (
        ended.stdout.split(b"\n")[0].rstrip() == rb"\u2068Zo" + b"\xeb" + rb"\u2069 wins \U0001f431"
    )
    assert ended.stderr.rstrip() == rb"\u2192 " + b"\xeb"


@pytest.mark.slow
@pytest.mark.repetition
def test_the_fast_tests_pass_without_posix() -> None:
    ignored = [f"--ignore=tests/{folder}" for folder in NEEDS_SERVERS]
    ended = run(
        "-m", "pytest", "-q", "-n", "2", "-m", FAST, "-p", "no:cacheprovider", *ignored,
        COMPANION_TESTS="",  # their repetitions would take longer than a test may
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout[-5000:]
    assert re.search(r"\d{3,} passed", ended.stdout)
