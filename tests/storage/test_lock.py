"""Tests for the lock on a SQLite file, including the lock that Windows uses."""

import subprocess
import sys
from io import FileIO
from pathlib import Path

import pytest

from companion.storage.database import Busy
from companion.storage.lock import AlreadyLocked, lock
from tests.support.paths import ROOT

HOLD = """
import sys
from companion.storage.lock import lock
held = lock(sys.argv[1], print)
held.take()
print("locked", flush=True)
sys.stdin.read()
"""


class UnreadableFirstByte(FileIO):
    """A file whose first byte can't be read, as on Windows while another process locks it."""

    def read(self, size: int | None = -1) -> bytes:
        if self.tell() == 0:
            raise PermissionError(13, "Permission denied")
        return super().read(-1 if size is None else size)


def hold(url: str) -> "subprocess.Popen[str]":
    """Return a process that holds the lock of this database until its input ends."""
    program = subprocess.Popen(
        [sys.executable, "-c", HOLD, url], cwd=ROOT, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert program.stdout
    assert program.stdout.readline() == "locked\n"
    return program


def test_a_locked_file_names_its_holder_and_is_free_once_the_holder_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/tables.sqlite3"
    with hold(url) as holder:
        holder_named = rf"Another companion \(process {holder.pid}\) has the tables in"
        with pytest.raises(AlreadyLocked, match=holder_named):
            lock(url, print).take()
        with monkeypatch.context() as windows:
            windows.setattr(Path, "open", lambda path, mode, **_: UnreadableFirstByte(path, "a+"))
            with pytest.raises(AlreadyLocked, match=holder_named):
                lock(url, print).take()
        holder.kill()
    free = lock(url, print)
    free.take()
    free.release()


def test_the_id_that_an_earlier_version_wrote_is_named(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.sqlite3"
    with hold(url) as holder:
        (tmp_path / "tables.sqlite3.lock").write_bytes(b"4711\n")
        with pytest.raises(AlreadyLocked, match=r"\(process 4711\)"):
            lock(url, print).take()
        holder.kill()


def test_a_system_without_locks_is_refused_instead_of_serving_unlocked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_file: int, *, blocking: bool) -> bool:
        raise OSError(38, "fcntl is unavailable")

    monkeypatch.setattr("companion.storage.lock.lock_descriptor", fail)
    with pytest.raises(Busy, match=r"tables\.sqlite3\.lock can't be locked: fcntl is unavailable"):
        lock(f"sqlite:///{tmp_path}/tables.sqlite3", print).take()
