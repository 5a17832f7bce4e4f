"""A start that fails half-way closes every file, socket and program it had opened."""

import base64
import gc
import hashlib
import re
import signal
import socket
import struct
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import psutil
import pytest
from sqlalchemy import create_engine

from companion.engines import open_engines
from companion.robots.client import Connection, SeatCredentials
from companion.robots.demo import Server, free_port
from companion.settings import Settings, default_variants
from companion.storage import migrations
from companion.storage.database import Busy
from companion.storage.lock import lock
from companion.storage.store import Store
from companion.terminal import Failure
from companion.web.address import PublicAddress
from companion.web.tunnel import Tunnel
from tests.support.servers.engines import postgresql
from tests.support.servers.server import wait_until


def list_open_files(folder: Path) -> list[str]:
    """Return the files in the folder that this process has open."""
    return [
        file.path for file in psutil.Process().open_files() if file.path.startswith(str(folder))
    ]


def write_invalid_database(file: Path) -> str:
    file.write_bytes(b"This is no database. " * 200)
    return f"sqlite:///{file}"


def test_130_a_store_that_fails_to_open_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_half_way(_connection: object) -> None:
        raise Busy("the power went")

    monkeypatch.setattr(migrations, "bring_to_newest", fail_half_way)
    with pytest.raises(Busy, match="power"):
        Store(f"sqlite:///{tmp_path / 'tables.sqlite3'}").open()
    assert not list_open_files(tmp_path)


def test_130_the_lock_is_released_if_the_database_is_unusable(tmp_path: Path) -> None:
    settings = Settings(
        database=write_invalid_database(tmp_path / "letter.sqlite3"),
        variants_dir=default_variants(),
    )
    with pytest.raises(click.ClickException) as error:
        open_engines(settings)
    assert error.value and not list_open_files(tmp_path)


@pytest.mark.postgresql
def test_130_a_lock_that_may_not_be_taken_leaves_no_session() -> None:
    with postgresql() as cluster, closing(create_engine(cluster.url).raw_connection()) as session:
        cursor = session.cursor()
        cursor.execute("CREATE ROLE ana LOGIN")
        cursor.execute("REVOKE EXECUTE ON FUNCTION pg_try_advisory_lock(bigint) FROM PUBLIC")
        session.commit()
        with pytest.raises(Busy, match="permission") as error:
            lock(cluster.url.replace("companion@", "ana@"), ignore_message).take()
        wait_until(lambda: error.value and not count_sessions(cursor))


def count_sessions(cursor: Any) -> int:
    """Return the number of sessions of the database user ana.

    The transaction ends after each query. Within one transaction, PostgreSQL would answer every
    such query with the first number.
    """
    cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE usename = 'ana'")
    count = int(cursor.fetchone()[0])
    cursor.connection.rollback()
    return count


def test_130_a_tunnel_that_cannot_be_opened_leaves_no_socket() -> None:
    before = psutil.Process().num_fds()
    with pytest.raises(Failure) as error:
        Tunnel(Settings(tunnel="no-such-program {url}"), 1, PublicAddress())
    assert error.value and psutil.Process().num_fds() <= before


def test_130_a_tunnel_that_is_closed_leaves_neither_program_nor_socket() -> None:
    before = psutil.Process().num_fds()
    others = {*psutil.Process().children()}
    Tunnel(Settings(tunnel="sleep {url} 60", host="0"), 0, PublicAddress()).close()
    assert {*psutil.Process().children()} <= others and psutil.Process().num_fds() <= before


HANDSHAKE = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: %b\r\n\r\n"
)
GREETING = b'0{"sid":"x","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":9}'
RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # linger for 0 s: closing resets the connection


@pytest.mark.parametrize("greets", [False, True])
def test_130_a_client_closes_its_socket_when_a_killed_server_resets_it(greets: bool) -> None:
    """A socket left to Python's garbage collector causes a warning, which fails the test."""

    def accept_and_reset() -> None:
        connection, _ = listener.accept()
        with connection:
            key = re.search(rb"Sec-WebSocket-Key: (\S+)", connection.recv(65536))
            assert key
            digest = hashlib.sha1(key[1] + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
            connection.sendall(HANDSHAKE % base64.b64encode(digest))
            if greets:
                connection.sendall(b"\x81%c%b" % (len(GREETING), GREETING))
                connection.recv(65536)  # the client's request to join
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        credentials = SeatCredentials(table="AAAAAA", seat="s1", token="none")
        client = Connection(f"http://127.0.0.1:{listener.getsockname()[1]}", credentials)
        opening = threading.Thread(target=client.open)
        opening.start()
        accept_and_reset()
        accept_and_reset()  # the client has dropped its first socket and connects again
    client.close()
    opening.join()
    del client, opening
    gc.collect()


def test_130_a_server_is_stopped_if_the_wait_for_it_is_interrupted(tmp_path: Path) -> None:
    """The signal interrupts the wait, as a SIGTERM does during a demo's first half second."""
    server = Server(port=free_port(), database=f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(Interrupted), server:
            pytest.fail("it can't have come up")
        assert server.process.poll() is not None
    finally:
        signal.signal(signal.SIGALRM, before)
        server.process.kill()


class Interrupted(BaseException):
    """Raised to interrupt the wait for the server, as a signal interrupts a demo."""


def interrupt(*_: object) -> None:
    raise Interrupted


def ignore_message(_message: str) -> None:
    """Ignore the message that the lock is lost."""
