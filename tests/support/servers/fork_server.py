"""Fork servers instead of starting them, so that no server has to import the program again.

For each of the two threading modes there is one process that imports the program and forks a child
for each request. A child gets its arguments, environment and output as if it had been started
alone. All children end together with the process that requested them.
"""

import atexit
import faulthandler
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from threading import Lock, Timer
from typing import IO, Any

from tests.support.paths import ROOT

NUMBER = 4
"""Number of bytes in which a process id or an exit status is sent."""

LONGEST = 1 << 16
"""Largest number of bytes read at a time."""


class Forked:
    """A forked process. It has those methods of ``subprocess.Popen`` that the tests need."""

    def __init__(self, line: socket.socket, out: IO[str], err: IO[str]) -> None:
        self._line = line
        self._lock = Lock()
        self.stdout = out
        self.stderr = err
        self.returncode: int | None = None
        self.pid = self._read_number()

    def poll(self) -> int | None:
        """Return the exit status, or None while the process runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end and return the exit status. Raises ``TimeoutExpired`` after ``timeout``
        seconds."""
        with self._lock:
            if self.returncode is None:
                self._line.settimeout(timeout)
                try:
                    self.returncode = self._read_number()
                except (BlockingIOError, TimeoutError):
                    raise subprocess.TimeoutExpired("companion", timeout or 0) from None
                self._line.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _read_number(self) -> int:
        data = self._line.recv(NUMBER)
        assert data, "the process that forks is gone"
        return int.from_bytes(data, "big", signed=True)


def fork(module: str, arguments: Sequence[str], variables: Mapping[str, str]) -> Forked:
    """Run ``python -m module arguments`` in a forked process with only these environment
    variables."""
    (mine, its) = socket.socketpair()
    out = os.pipe()
    err = os.pipe()
    line, lock = start_fork_server(variables.get("COMPANION_SERVER", ""))
    request = json.dumps([[module, *arguments], dict(variables)]).encode() + b"\n"
    with lock, ExitStack() as opened:
        streams = [opened.enter_context(os.fdopen(end)) for end in (out[0], err[0])]
        opened.enter_context(mine)
        try:
            # Only the child may keep this socket open, so that it closes when the child ends.
            with its:
                socket.send_fds(line, [request], [its.fileno(), out[1], err[1]])
        finally:
            for end in (out[1], err[1]):
                os.close(end)
        process = Forked(mine, *streams)
        opened.pop_all()
        return process


def run_to_end(
    module: str, arguments: Sequence[str], variables: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """Fork a process and wait for its end. A server is stopped as soon as it is ready."""
    process = fork(module, arguments, {**os.environ, **(variables or {})})
    late = Timer(60, process.kill)
    late.start()
    with process.stdout as out, process.stderr as err, ThreadPoolExecutor(1) as pool:
        errors = pool.submit(err.read)
        first = out.readline()
        if first.startswith("Ready: "):
            process.send_signal(signal.SIGTERM)
        output = first + out.read()
        status = process.wait()
        late.cancel()
        return subprocess.CompletedProcess([module, *arguments], status, output, errors.result())


@cache
def start_fork_server(server: str) -> tuple[socket.socket, Lock]:
    """Start the process that forks servers with this value of ``COMPANION_SERVER``.

    Return the socket to this process, and the lock to hold while using the socket.
    """
    mine, its = socket.socketpair()
    with its:
        command = [
            sys.executable,
            "-m",
            "tests.support.servers.fork_server",
            "serve",
            str(its.fileno()),
        ]
        process = subprocess.Popen(
            command, cwd=ROOT, pass_fds=[its.fileno()],
            env={**os.environ, "COMPANION_SERVER": server},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )  # fmt: skip

    def close() -> None:
        mine.close()
        process.wait()

    atexit.register(close)
    return mine, Lock()


# --- the forking process ---------------------------------------------------------------


def main() -> None:
    """Fork a child for each request until the connection closes. Returns only in a child."""
    requests = socket.socket(fileno=int(sys.argv[2]))
    faulthandler.enable()  # an aborted child logs the stack of each thread
    # Keep the original functions, because importing the program may patch these modules.
    receive = socket.recv_fds
    wait = os.waitpid
    poller = select.poll()
    import companion.__main__  # noqa: F401 - so that no child has to import it
    from companion.rules import families
    from companion.rules.text.names import name_key
    from companion.settings import default_variants

    # Load the variants and the collation table here, so that no child has to.
    keep_variants(families, default_variants())
    name_key("Ana")
    children: dict[int, socket.socket] = {}
    # A signal that arrives just before a system call doesn't interrupt it. So Python writes a byte
    # to a pipe for each SIGCHLD, and ``poll`` waits for that pipe as well as for requests.
    wakeup_read, wakeup_write = os.pipe()
    for pipe in (wakeup_read, wakeup_write):
        os.set_blocking(pipe, False)
    signal.signal(signal.SIGCHLD, _ignore)
    signal.set_wakeup_fd(wakeup_write, warn_on_full_buffer=False)
    poller.register(requests, select.POLLIN)
    poller.register(wakeup_read, select.POLLIN)
    while True:
        ready = [file for file, _ in poller.poll()]
        if wakeup_read in ready:
            os.read(wakeup_read, LONGEST)
            _report_ends(children, wait)
        if requests.fileno() not in ready:
            continue
        request, files = _receive_request(requests, receive)
        if not request:
            for pid in children:
                os.kill(pid, signal.SIGKILL)
            sys.exit()
        status_socket = socket.socket(fileno=files.pop(0))
        if not (pid := os.fork()):
            for other in (requests, status_socket, *children.values()):
                other.close()
            break
        children[pid] = status_socket
        status_socket.sendall(_encode_number(pid))
        for file in files:
            os.close(file)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for pipe in (wakeup_read, wakeup_write):
        os.close(pipe)
    for number, file in enumerate(files, 1):
        os.dup2(file, number)
        os.close(file)
    if "eventlet" in sys.modules:
        # Otherwise a child would share its siblings' epoll and wake up for their events.
        sys.modules["eventlet"].hubs.use_hub()
    sys.argv, variables = json.loads(request)
    os.environ.clear()
    os.environ.update(variables)
    del sys.modules["companion.__main__"]  # lets ``runpy`` run the module again


def _report_ends(children: dict[int, socket.socket], wait: Any) -> None:
    """Send the exit status of each child that has ended, and forget the child.

    ``wait`` is ``os.waitpid``.
    """
    for pid in [*children]:
        number, status = wait(pid, os.WNOHANG)
        if number:
            # the parent may have stopped waiting for this child
            with children.pop(pid) as status_socket, suppress(OSError):
                status_socket.sendall(_encode_number(os.waitstatus_to_exitcode(status)))


def _receive_request(requests: socket.socket, receive: Any) -> tuple[bytes, list[int]]:
    """Return the next request and the file descriptors sent with it, or an empty request if the
    connection was closed. ``receive`` is ``socket.recv_fds``."""
    request = b""
    files = list[int]()
    while not request.endswith(b"\n"):
        more, with_it, *_ = receive(requests, LONGEST, 3)
        if not more:
            return b"", files
        request = request + more
        files = files + with_it
    return request, files


def _ignore(*_: Any) -> None:
    """Do nothing. Python writes to the wakeup pipe only for a signal that has a handler."""


def keep_variants(families: Any, default: Path) -> None:
    """Load the default variants, and let each child use them instead of loading them again.

    Loading them takes half of the time in which a server starts. Other folders are read as usual.
    """
    load_all = families.load_all
    loaded = load_all(default)

    def load(folder: Path, **options: Any) -> Any:
        return dict(loaded) if folder == default else load_all(folder, **options)

    families.load_all = load


def _encode_number(number: int) -> bytes:
    return number.to_bytes(NUMBER, "big", signed=True)


if __name__ == "__main__":
    main()
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
