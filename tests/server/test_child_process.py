"""A child process is talked to over a socket, or on Windows over a pipe and a file."""

import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from companion.adapters import child_process
from companion.adapters.child_process import ChildProcess
from companion.settings import child_environment
from tests.support.servers.server import wait_until

ECHO = """
import sys
for line in sys.stdin:
    print("heard", line.strip(), flush=True)
"""


@pytest.fixture(params=[True, False], ids=["socket", "file"], autouse=True)
def hands_over_sockets(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(child_process, "HANDS_OVER_SOCKETS", request.param)
    return bool(request.param)


def receive_until(child: ChildProcess, text: bytes) -> bytes:
    received = b""
    until = time.monotonic() + 30
    while text not in received or not received.endswith(b"\n"):
        assert time.monotonic() < until, received
        received += child.receive(1) or b""
    return received


def test_a_child_answers_what_is_sent_to_it() -> None:
    child = ChildProcess([sys.executable, "-u", "-c", ECHO], child_environment())
    assert child.receive(0.01) is None, "nothing is printed yet"
    child.send(b"one\n")
    receive_until(child, b"heard one")
    child.send(b"two\n")
    receive_until(child, b"heard two")
    child.close()
    child.close()
    assert child.program.wait(120) == 0, "the child's input ends with this end of it"
    assert child.receive() == b""


def test_all_output_of_a_child_that_has_ended_is_received() -> None:
    child = ChildProcess([sys.executable, "-c", "print('x' * 100_000)"], child_environment())
    received = b""
    while data := child.receive():
        received += data
    assert received.strip() == b"x" * 100_000
    assert child.program.wait(120) == 0
    child.close()


FLOOD = """
import pathlib, sys
for place, text in zip(sys.argv[1:], ("x" * 1_000_000, "after")):
    sys.stdin.readline()
    print(text, flush=True)
    pathlib.Path(place).touch()
sys.stdin.readline()
"""
"""Prints a megabyte after the first line of input, and a word after the second. Creates a file
after each."""


def test_dropped_output_takes_no_room_while_the_program_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "output"
    output.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(output))
    signs = [tmp_path / "flooded", tmp_path / "again"]
    command = [sys.executable, "-c", FLOOD, *map(str, signs)]
    child = ChildProcess(command, child_environment())
    dropping = threading.Thread(target=child.drop_output)
    dropping.start()

    def size() -> int:
        return sum(file.stat().st_size for file in output.glob("*/*"))

    child.send(b"print\n")
    wait_until(signs[0].exists)
    wait_until(lambda: size() < 100)
    child.send(b"print\n")
    wait_until(signs[1].exists)
    assert size() < 100, "it goes on at the beginning of the emptied file, not behind a gap"
    child.send(b"end\n")
    dropping.join(30)
    assert not dropping.is_alive()
    assert child.program.wait(120) == 0
    child.close()


def test_a_program_that_is_missing_raises_an_error_and_leaves_nothing_open() -> None:
    with pytest.raises(FileNotFoundError):
        ChildProcess(["/nowhere/program"], child_environment())
