"""Crowds of idle or slow connections at one table, where five players go on playing.

Each crowd is tested on its own server. The figures describe what the five players and a newcomer
notice: whether a player was disconnected, and how long it took until all five received a command.
"""

import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import create_connection, socket

from msgspec import Struct

from tests.support.servers.server import Party, RealServer

OPEN = {"COMPANION_SPECTATORS": "0", "COMPANION_ADDRESS_CONNECTIONS": "0"}
UPGRADE = (
    b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Sec-WebSocket-Version: 13\r\n\r\n"
)


class Noticed(Struct):
    """The effect of a crowd on the five players and a newcomer. All times are in seconds."""

    heard: float = 0  # longest time until all five players had received a command
    answered: float = 0  # longest time until the server answered a newcomer
    commands: int = 0  # number of commands that the five players received
    after: float = 0  # time until the server answered a newcomer after the crowd had gone


def raise_file_limit(files: int) -> None:
    """Raise this process' limit of open files to the size of a crowd."""
    import resource  # Windows doesn't have it

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(files, hard), hard))


@contextmanager
def keep_five_playing(server: RealServer, noticed: Noticed) -> Iterator[Party]:
    """Seat five players and keep their host sending commands. Fail if a player is disconnected."""
    party = server.create_table("Ana", "Ben", "Cleo", "Dan", "Eva")
    stop = threading.Event()
    problems = list[BaseException]()

    def play() -> None:
        try:
            for number in itertools.count():
                if stop.wait(0.2):
                    return
                began = time.monotonic()
                version = party.host.try_command("options", nope_seconds=3 + number % 20)["version"]
                for client in party.clients:
                    client.wait(_has_version(client.get_received, version), 30)
                    client.forget()
                noticed.heard = max(noticed.heard, time.monotonic() - began)
                noticed.commands += 1
        except BaseException as problem:
            problems.append(problem)

    player = threading.Thread(target=play)
    player.start()
    try:
        yield party
    finally:
        stop.set()
        player.join()
    assert not problems, problems
    assert noticed.commands, "nobody said anything"
    assert not any(client.get_received("disconnect") for client in party.clients), (
        "a player was dropped"
    )


def _has_version(views: Callable[[str], list[dict[str, int]]], version: int) -> Callable[[], bool]:
    return lambda: any(view["version"] >= version for view in views("view"))


def request_as_newcomer(server: RealServer, noticed: Noticed) -> None:
    """Request the page until the server answers."""
    began = time.monotonic()
    while True:
        with suppress(OSError):
            if server.get("/").status == 200:
                break
        assert time.monotonic() < began + 60, "a newcomer is not heard"
        time.sleep(0.05)
    noticed.answered = max(noticed.answered, time.monotonic() - began)


def _open_connections(server: RealServer, many: int) -> list[socket]:
    found = []
    for _ in range(many):
        with suppress(OSError):
            found.append(create_connection(("127.0.0.1", server.port), timeout=5))
    return found


def _close_connections(lines: list[socket]) -> None:
    for line in lines:
        line.close()


def open_idle_crowd(folder: Path, files: int = 1024, many: int = 1084) -> Noticed:
    """Open more idle connections than the server may have open files (promise 32)."""
    noticed = Noticed()
    server = RealServer(folder, "tests.guarantees.limited", FILES=str(files))
    with keep_five_playing(server, noticed):
        lines = _open_connections(server, many)
        request_as_newcomer(server, noticed)
        time.sleep(5)
        _close_connections(lines)
        ended = Noticed()
        request_as_newcomer(server, ended)
        noticed.after = ended.answered
    server.close()
    return noticed


def open_spectator_crowd(folder: Path, many: int = 700) -> Noticed:
    """Let many sockets join one table at once (promise 34). All of them are admitted."""
    noticed = Noticed()
    server = RealServer(folder, **OPEN)
    with keep_five_playing(server, noticed) as party:
        hello = b"40" + json.dumps({"table": party.table}).encode()
        frame = bytes([0x81, 0x80 | len(hello)]) + bytes(4) + hello
        lines = _open_connections(server, many)
        for line in lines:
            line.sendall(UPGRADE)
        for line in lines:
            assert b" 101 " in line.recv(4096)
            line.sendall(frame)
        end = time.monotonic() + 120
        while _count_crowd(server) < many:
            assert time.monotonic() < end, "not all were let in"
            time.sleep(0.2)
        request_as_newcomer(server, noticed)
        time.sleep(10)
        _close_connections(lines)
    server.close()
    return noticed


def _count_crowd(server: RealServer) -> int:
    with suppress(OSError):
        for line in server.get("/metrics").body.decode().splitlines():
            if line.startswith("companion_connections "):
                return int(float(line.split()[1])) - 5
    return 0


def open_slow_crowd(folder: Path, seconds: float, most: int = 1000) -> Noticed:
    """Open 50 connections more than the server has slots. Each sends a byte every 10 s (promise
    33)."""
    noticed = Noticed()
    server = RealServer(folder, COMPANION_CONNECTIONS=str(most))
    with keep_five_playing(server, noticed):
        lines: list[socket] = []
        end = time.monotonic() + seconds
        due = 0.0
        while time.monotonic() < end:
            if time.monotonic() >= due:
                lines = _send_bytes(lines)
                lines += _open_connections(server, most + 50 - len(lines))
                due = time.monotonic() + 10
            request_as_newcomer(server, noticed)
            time.sleep(0.5)
        _close_connections(lines)
    server.close()
    return noticed


def _send_bytes(lines: list[socket]) -> list[socket]:
    """Send a byte on each connection. Return the connections that are still open."""
    left = []
    for line in lines:
        try:
            line.sendall(b"G")
            left.append(line)
        except OSError:
            line.close()
    return left
