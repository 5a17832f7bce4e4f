"""A start that fails half-way closes everything it had opened: files, sockets, programs."""

import signal
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import psutil
import pytest
from sqlalchemy import create_engine

from companion.engines import open_engines
from companion.robots.demo import Server, free_port
from companion.settings import Settings, default_variants
from companion.storage import migrations
from companion.storage.database import Busy
from companion.storage.lock import lock
from companion.storage.store import Store
from companion.terminal import Failure
from companion.web.address import PublicAddress
from companion.web.tunnel import Tunnel
from tests.fleet.engines import postgresql
from tests.server import wait_until


def files(folder: Path) -> list[str]:
    """Return the files and sockets that this process has open in the folder."""
    return [one.path for one in psutil.Process().open_files() if one.path.startswith(str(folder))]


def no_database(file: Path) -> str:
    file.write_bytes(b"This is no database. " * 200)
    return f"sqlite:///{file}"


def test_130_a_store_that_fails_to_open_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(_connection: object) -> None:
        raise Busy("the power went")

    monkeypatch.setattr(migrations, "bring_to_newest", half)
    with pytest.raises(Busy, match="power"):
        Store(f"sqlite:///{tmp_path / 'tables.sqlite3'}").open()
    assert not files(tmp_path)


def test_130_the_lock_is_let_go_of_with_a_database_that_cannot_be_used(tmp_path: Path) -> None:
    settings = Settings(
        database=no_database(tmp_path / "letter.sqlite3"), variants_dir=default_variants()
    )
    with pytest.raises(click.ClickException) as told:
        open_engines(settings)
    assert told.value and not files(tmp_path)


@pytest.mark.postgresql
def test_130_a_lock_that_nobody_may_ask_for_leaves_no_session() -> None:
    with postgresql() as cluster, closing(create_engine(cluster.url).raw_connection()) as session:
        cursor = session.cursor()
        cursor.execute("CREATE ROLE ana LOGIN")
        cursor.execute("REVOKE EXECUTE ON FUNCTION pg_try_advisory_lock(bigint) FROM PUBLIC")
        session.commit()
        with pytest.raises(Busy, match="permission") as told:
            lock(cluster.url.replace("companion@", "ana@"), nothing).take()
        wait_until(lambda: told.value and not sessions(cursor), 5)


def sessions(cursor: Any) -> int:
    """Return the number of ana's connections; in a transaction PostgreSQL would repeat the first
    answer."""
    cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE usename = 'ana'")
    found = int(cursor.fetchone()[0])
    cursor.connection.rollback()
    return found


def test_130_a_tunnel_that_cannot_be_dug_leaves_no_socket() -> None:
    before = psutil.Process().num_fds()
    with pytest.raises(Failure) as told:
        Tunnel(Settings(tunnel="no-such-program {url}"), 1, PublicAddress())
    assert told.value and psutil.Process().num_fds() <= before


def test_130_a_tunnel_that_is_closed_leaves_neither_program_nor_socket() -> None:
    before = psutil.Process().num_fds()
    others = {*psutil.Process().children()}
    Tunnel(Settings(tunnel="sleep {url} 60", host="0"), 0, PublicAddress()).close()
    assert {*psutil.Process().children()} <= others and psutil.Process().num_fds() <= before


def test_130_a_server_that_nobody_waits_for_any_more_is_ended(tmp_path: Path) -> None:
    """As by a SIGTERM in the first half second of a demo."""
    server = Server(port=free_port(), database=f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    before = signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(Interrupted), server:
            pytest.fail("it can't have come up")
        assert server.process.poll() is not None
    finally:
        signal.signal(signal.SIGALRM, before)
        server.process.kill()


class Interrupted(BaseException):
    """Somebody else is wanted."""


def _interrupt(*_: object) -> None:
    raise Interrupted


def nothing(_said: str) -> None:
    """Nobody wants to know."""
