"""Starting the program in unusual conditions: it works, or ends with one sentence and status 1."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest

from tests.support.servers.fork_server import run_to_end
from tests.support.servers.server import ROOT, RealServer, wait_until

PROGRAM = f'{sys.executable} -m companion serve --database "$DATABASE" --port "$PORT"'


def _make_environment(folder: Path, **more: str) -> dict[str, str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    database = f"sqlite:///{folder / 'tables.sqlite3'}"
    settings = {"DATABASE": database, "PORT": port, "PYTHONPATH": str(ROOT)}
    return {**os.environ, **settings, **more}


def _run_to_end(script: str, folder: Path, **more: str) -> "subprocess.CompletedProcess[str]":
    """Run a shell script that starts the program, and wait until it ends by itself."""
    return subprocess.run(
        ["sh", "-c", script], cwd=folder, env=_make_environment(folder, **more), text=True,
        capture_output=True, timeout=120,
    )  # fmt: skip


@contextmanager
def _run_server(script: str, folder: Path, **more: str) -> Iterator[str]:
    """Run a shell command that starts the server, and stop it at the end.

    Yields the server's address. Checks that it ends with status 0.
    """
    variables = _make_environment(folder, **more)
    address = f"http://127.0.0.1:{variables['PORT']}"

    def is_answering() -> bool:
        assert program.poll() is None, program.returncode
        try:
            with urlopen(f"{address}/healthz", timeout=10) as answer:
                return bool(answer.status == 200)
        except HTTPError as answer:
            answer.close()
            return False
        except URLError:
            return False

    program = subprocess.Popen(
        ["sh", "-c", f"exec {script}"], cwd=folder, env=variables,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        wait_until(is_answering, 60)
        yield address
        program.send_signal(signal.SIGTERM)
        assert program.wait(60) == 0
    finally:
        program.kill()
        program.wait()


BAD = {
    "stdout takes nothing": f"{PROGRAM} > /dev/full",
    "nothing can be written": f"ulimit -f 0; {PROGRAM}",
    "the folder is gone": f"mkdir x; cd x; rmdir ../x; DATABASE=sqlite:///x.sqlite3; {PROGRAM}",
    "the home is a device": (
        f'HOME=/dev/null; unset XDG_DATA_HOME; {sys.executable} -m companion --port "$PORT"'
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("script", BAD.values(), ids=BAD)
def test_153_a_start_in_a_bad_place_ends_with_one_sentence(script: str, tmp_path: Path) -> None:
    ended = _run_to_end(script, tmp_path)
    assert ended.returncode == 1 and "Ready" not in ended.stdout, ended
    (sentence,) = ended.stderr.strip().splitlines()
    assert sentence.startswith("Error: "), sentence


BAD_SETTINGS = {
    "the lock is a folder": ["--database", "sqlite:///{folder}/locked.sqlite3"],
    "the folder is a file": ["--database", "sqlite:///{folder}/file/x.sqlite3"],
    "the address is no name": ["--host", "a..b"],
    "the address is another machine's": ["--host", "203.0.113.7"],
}


@pytest.mark.parametrize("options", BAD_SETTINGS.values(), ids=BAD_SETTINGS)
def test_153_a_start_with_bad_settings_ends_with_one_sentence(
    options: list[str], tmp_path: Path
) -> None:
    (tmp_path / "locked.sqlite3.lock").mkdir()
    (tmp_path / "file").touch()
    usual = ["--port", "0", "--database", "sqlite:///{folder}/tables.sqlite3"]
    command = [option.format(folder=tmp_path) for option in (*usual, *options)]
    ended = run_to_end("companion", ["serve", *command])
    assert ended.returncode == 1 and "Ready" not in ended.stdout, ended
    (sentence,) = ended.stderr.strip().splitlines()
    assert sentence.startswith("Error: "), sentence


@pytest.mark.slow
@pytest.mark.parametrize(
    "closed",
    [
        pytest.param("<&-", id="stdin", marks=pytest.mark.repetition),
        pytest.param(">&-", id="stdout", marks=pytest.mark.repetition),
        pytest.param("2>&-", id="stderr", marks=pytest.mark.repetition),
        pytest.param("<&- >&- 2>&-", id="all"),
        pytest.param("2>/dev/full", id="a full stderr"),
    ],
)  # fmt: skip
def test_153_the_server_runs_with_any_standard_stream_closed(closed: str, tmp_path: Path) -> None:
    with (
        _run_server(f"{PROGRAM} {closed}", tmp_path) as address,
        urlopen(f"{address}/readyz", timeout=60) as answer,
    ):
        assert answer.status == 200


@pytest.mark.slow
def test_153_a_listing_to_a_full_output_ends_with_one_sentence(tmp_path: Path) -> None:
    ended = _run_to_end(f"{sys.executable} -m companion variants > /dev/full", tmp_path)
    assert ended.returncode == 1
    assert ended.stderr == "Error: Nothing can be printed on stdout: No space left on device\n"


@pytest.mark.slow
def test_153_frame_ancestors_may_span_several_lines(
    tmp_path: Path, serve: Callable[..., RealServer]
) -> None:
    command = ["serve", "--port", "0", "--database", f"sqlite:///{tmp_path / 'other.sqlite3'}"]
    frames = "'self'\n  https://call.example\n"
    policy = serve(COMPANION_FRAME_ANCESTORS=frames).get("/").headers["Content-Security-Policy"]
    assert policy.endswith("frame-ancestors 'self' https://call.example")
    for value in ("'none'; script-src *", "https://a.example, https://b.example", "https://кот.рф"):
        ended = run_to_end("companion", command, {"COMPANION_FRAME_ANCESTORS": value})
        assert ended.returncode == 2 and "Ready" not in ended.stdout
        assert "--frame-ancestors" in ended.stderr and "Traceback" not in ended.stderr
