"""The engines on which several processes share tables: a PostgreSQL and a Redis of our own.

Each starts in a second on a free port, keeps nothing for later, and can be stopped, started again
and silenced in the middle.
"""

import atexit
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import psutil
from sqlalchemy import create_engine, exc

from companion.robots.demo import free_port
from tests.server import until


class Cluster:
    """One PostgreSQL of our own, which can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"postgresql+psycopg2://companion@127.0.0.1:{self.port}/postgres"
        _run(folder, "cp", "-a", str(_empty()), "data").wait()
        self.start()

    def start(self) -> None:
        where = ["-D", str(self.folder / "data"), "-k", str(self.folder), "-p", str(self.port)]
        # What is written outlives a process that is killed; the machine itself doesn't lose power.
        self._process = _run(self.folder, "postgres", "-F", *where)
        until(self._answers, 20)

    def stop(self) -> None:
        """At once, as when the power goes."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()

    @contextmanager
    def silent(self) -> Iterator[None]:
        """It neither answers nor goes away, as behind a network that fell in two."""
        all_of_it = [psutil.Process(self._process.pid)]
        all_of_it += all_of_it[0].children(recursive=True)
        for one in all_of_it:
            with suppress(psutil.NoSuchProcess):  # some of them come and go
                one.suspend()
        try:
            yield
        finally:
            for one in all_of_it:
                with suppress(psutil.NoSuchProcess):
                    one.resume()

    def _answers(self) -> bool:
        assert self._process.poll() is None, "postgres did not start"
        try:
            create_engine(self.url).connect().close()
        except exc.OperationalError:
            return False
        return True


def _run(folder: Path, *command: str) -> "subprocess.Popen[bytes]":
    """Begins a command in a folder that is handed to whom it runs as: PostgreSQL is never root."""
    user = None if os.geteuid() else "nobody"
    if user:
        shutil.chown(folder, user, pwd.getpwnam(user).pw_gid)
    return subprocess.Popen(
        command, user=user, cwd=folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


@cache
def _empty() -> Path:
    """The files of a PostgreSQL that was never started: to copy them is sooner done."""
    folder = Path(tempfile.mkdtemp(prefix="empty"))
    atexit.register(shutil.rmtree, folder)
    made = ["--username=companion", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
    _run(folder, "initdb", *made, "data").wait()
    return folder / "data"


@contextmanager
def postgresql() -> Iterator[Cluster]:
    """One that is gone with all its tables when it is done with."""
    assert shutil.which("postgres"), "no postgres on the PATH: `python3 tests` sees to it"
    # Pytest's own folders are closed to other users.
    folder = Path(tempfile.mkdtemp(prefix="cluster"))
    running = Cluster(folder)
    try:
        yield running
    finally:
        running.stop()
        shutil.rmtree(folder)


class Redis:
    """One Redis of our own, which forgets everything when it is stopped."""

    def __init__(self) -> None:
        assert shutil.which("redis-server"), "no Redis on the PATH: `python3 tests` sees to it"
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        where = ["--port", str(self.port), "--bind", "127.0.0.1"]
        self._process = subprocess.Popen(
            ["redis-server", *where, "--save", "", "--appendonly", "no"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        until(self._answers, 20)

    def stop(self) -> None:
        """At once, as when the power goes."""
        self._process.kill()
        self._process.wait()

    @contextmanager
    def silent(self) -> Iterator[None]:
        """It neither answers nor goes away."""
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        assert self._process.poll() is None, "redis-server did not start"
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port)) as line:
            line.sendall(b"PING\r\n")
            return line.recv(100) == b"+PONG\r\n"
        return False
