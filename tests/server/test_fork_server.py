"""The process that forks servers for the tests."""

import os
import signal
import socket
import time

import pytest

from tests.support.iterations import EVERYTHING, scale_count
from tests.support.servers.fork_server import Forked, fork, start_fork_server

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks servers")


def test_a_server_that_could_not_be_forked_leaves_no_file_open() -> None:
    """Otherwise a later test fails in its place, because Python warns about the open socket."""
    server = "ended"
    line, _lock = start_fork_server(server)
    line.shutdown(socket.SHUT_WR)
    assert not line.recv(1)
    before = os.listdir("/dev/fd")
    with pytest.raises(OSError):
        fork("companion", ["--help"], {**os.environ, "COMPANION_SERVER": server})
    assert os.listdir("/dev/fd") == before


def _fork_sleeper() -> Forked:
    """Fork a process that prints its parent's id and sleeps."""
    setup = "import os, time; print(os.getppid(), flush=True)"
    return fork("timeit", ["-n", "1", "-s", setup, "time.sleep(60)"], os.environ)


def test_the_end_of_a_process_is_reported_even_right_after_another() -> None:
    """The fork server is paused up to 80 microseconds after it has reported the end of one child,
    so that the second child ends while the server still handles the first one's end."""
    for microseconds in range(0, 80, 2 if EVERYTHING else 8):
        for _ in range(scale_count(4)):
            first, second = _fork_sleeper(), _fork_sleeper()
            with first.stdout, first.stderr, second.stdout, second.stderr:
                forking = int(first.stdout.readline())
                first.kill()
                first.wait(60)
                pause_at = time.perf_counter() + microseconds / 1e6
                while time.perf_counter() < pause_at:
                    pass
                os.kill(forking, signal.SIGSTOP)
                second.kill()
                time.sleep(0.003)  # the kernel sends SIGCHLD for the second child meanwhile
                os.kill(forking, signal.SIGCONT)
                second.wait(60)
