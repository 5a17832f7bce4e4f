"""The process that forks servers for the tests."""

import os
import socket

import pytest

from tests.support.servers.fork_server import fork, start_fork_server

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
