"""Temporary PostgreSQL and Redis servers, for tests that run several processes.

Each server starts within a second on a free port. Tests can stop, restart and pause it at any time.
Its data is deleted at the end.
"""

import atexit
import os
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
from sqlalchemy import NullPool, create_engine, exc

from companion.robots.demo import free_port
from tests.support.servers.server import wait_until


class Cluster:
    """A PostgreSQL cluster that tests can stop and start again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"postgresql+psycopg2://companion@127.0.0.1:{self.port}/postgres"
        _start_process(folder, "cp", "-a", str(_create_empty_cluster()), "data").wait()
        self.start()

    def start(self) -> None:
        where = ["-D", str(self.folder / "data"), "-k", str(self.folder), "-p", str(self.port)]
        # ``-F`` turns fsync off. Only a crash of the machine would need it.
        self._process = _start_process(self.folder, "postgres", "-F", *where)
        wait_until(self._is_answering, 20)

    def stop(self) -> None:
        """Stop the cluster at once, as a power cut would."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Pause the cluster with its connections open, as in a network partition."""
        processes = [psutil.Process(self._process.pid)]
        processes += processes[0].children(recursive=True)
        for process in processes:
            # one of the cluster's processes may just have ended
            with suppress(psutil.NoSuchProcess):
                process.suspend()
        try:
            yield
        finally:
            for process in processes:
                with suppress(psutil.NoSuchProcess):
                    process.resume()

    def _is_answering(self) -> bool:
        assert self._process.poll() is None, "postgres did not start"
        try:
            create_engine(self.url, poolclass=NullPool).connect().close()
        except exc.OperationalError:
            return False
        return True


def _start_process(folder: Path, *command: str) -> "subprocess.Popen[bytes]":
    """Start a command in a folder, as ``nobody`` if the tests run as root: PostgreSQL
    refuses root."""
    user = None if os.geteuid() else "nobody"
    if user:
        import pwd  # Windows doesn't have it

        shutil.chown(folder, user, pwd.getpwnam(user).pw_gid)
    return subprocess.Popen(
        command, user=user, cwd=folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


@cache
def _create_empty_cluster() -> Path:
    """Return the files of an empty cluster. Copying them is faster than running ``initdb`` each
    time."""
    folder = Path(tempfile.mkdtemp(prefix="empty"))
    atexit.register(shutil.rmtree, folder)
    made = ["--username=companion", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
    _start_process(folder, "initdb", *made, "data").wait()
    return folder / "data"


@contextmanager
def postgresql() -> Iterator[Cluster]:
    """Start a cluster, and delete it at the end."""
    assert shutil.which("postgres"), "no postgres on the PATH: `python3 tests` sees to it"
    # Other users can't read pytest's own temporary folders.
    folder = Path(tempfile.mkdtemp(prefix="cluster"))
    running = Cluster(folder)
    try:
        yield running
    finally:
        running.stop()
        shutil.rmtree(folder)


class Redis:
    """A Redis server. It loses its data when it is stopped."""

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
        wait_until(self._is_answering, 20)

    def stop(self) -> None:
        """Stop the server at once, as a power cut would."""
        self._process.kill()
        self._process.wait()

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Pause the server with its connections open."""
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def _is_answering(self) -> bool:
        assert self._process.poll() is None, "redis-server did not start"
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(100) == b"+PONG\r\n"
        return False
