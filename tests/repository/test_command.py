"""Tests for the test command, ``python tests``: its announcement, progress bar and figures."""

import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from tests import __main__ as command
from tests.support.paths import ROOT


def test_it_announces_its_installs_and_its_duration(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("VENV", "NODE_MODULES"):
        monkeypatch.setattr(command, name, tmp_path)
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setattr(command, "newest_postgresql", lambda: None)
    command.print_plan(Namespace(what="all", without=["redis"]))
    installs, duration = capsys.readouterr().out.splitlines()
    assert all(name in installs for name in (".venv", "node_modules", "Chromium", "PostgreSQL"))
    assert "Redis" not in installs and command.LASTS["all"] in duration
    for inputs in (command.MADE_FROM, ["package-lock.json"]):
        (tmp_path / command.STAMP).write_text(command.hash_files(inputs))
        assert command.is_filled(tmp_path, inputs)
    command.print_plan(Namespace(what="fast", without=[*command.OPTIONAL]))
    assert ".venv" in capsys.readouterr().out, "filled for the panel's tools, not for Python's"


TESTS = """
import pytest
def test_passes(): pass
def test_fails(): assert not "this one"
def test_is_skipped(): pytest.skip("why")
"""


@pytest.mark.slow
@pytest.mark.parametrize("processes", [pytest.param("0", marks=pytest.mark.repetition), "2"])
def test_on_a_terminal_a_bar_counts_the_tests(tmp_path: Path, processes: str) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    options = ["-q", "-rs", "-n", processes, *command.BAR, "-c", "/dev/null", "--durations", "10"]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    bars = [line for line in result.stdout.splitlines() if "█" in line]
    assert [f"{number} of 3" in bar for number, bar in enumerate(bars, 1)] == [True] * 3, (
        result.stdout
    )
    assert "1 failed" in bars[-1] and "this one" in result.stdout and "why" in result.stdout
    assert "1 failed, 1 passed, 1 skipped" in result.stdout.splitlines()[-1]


BUSY = """
import subprocess, sys
LOOP = "import time\\nwhile time.process_time() < 0.5: pass"
def test_computes_in_another_process():
    subprocess.run([sys.executable, "-c", LOOP], check=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("processes", [pytest.param("0", marks=pytest.mark.repetition), "1"])
def test_a_tests_cpu_seconds_include_those_of_its_processes(tmp_path: Path, processes: str) -> None:
    (tmp_path / "test_busy.py").write_text(BUSY)
    options = ["-q", "-n", processes, "-p", "tests.support.cpu_seconds", "-c", "/dev/null"]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    lines = [line.split() for line in result.stdout.splitlines()]
    by_test = [float(line[0]) for line in lines if line and line[-1].endswith("another_process")]
    assert len(by_test) == 1, result.stdout
    assert 0.5 <= by_test[0] < 5
