"""An unusable database or bus is reported in one sentence that never contains the password."""

import re
import socket
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import pytest
import redis
from sqlalchemy import create_engine, text

from companion.engines import open_engines
from companion.service.peers.redis import Unusable, wait_for_redis
from companion.settings import Settings, default_variants
from tests.support.servers.engines import Cluster, Redis, postgresql
from tests.support.servers.fork_server import run_to_end

SECRET = "s3cret/@:"
QUOTED = "s3cret%2F%40%3A"
PASSWORD_PARTS = ("s3", "cret")
UNREACHABLE_REDIS = "redis://:s3cret@127.0.0.1:1/0"
POSTGRESQL = "postgresql+psycopg2://ana:s3cret@127.0.0.1:1/tables"


def get_error(database: str, bus: str = "") -> str:
    """Return the sentence with which opening the database and the bus fails."""
    with pytest.raises(click.ClickException) as error:
        open_engines(Settings(database=database, bus=bus, variants_dir=default_variants()))
    message = error.value.message
    assert error.value.exit_code == 1 and len(message.splitlines()) == 1
    assert not any(part in message for part in PASSWORD_PARTS), message
    return message


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Start a PostgreSQL whose user ana has to give a password."""
    with postgresql() as running:
        with closing(create_engine(running.url).raw_connection()) as session:
            session.cursor().execute(f"CREATE ROLE ana LOGIN SUPERUSER PASSWORD '{SECRET}'")
            session.commit()
        rules = running.folder / "data" / "pg_hba.conf"
        rules.write_text(f"host all ana 127.0.0.1/32 scram-sha-256\n{rules.read_text()}")
        with create_engine(running.url).connect() as session:
            session.execute(text("SELECT pg_reload_conf()"))
        yield running


@pytest.fixture(scope="module")
def protected_redis() -> Iterator[Redis]:
    """Start a Redis that requires a password."""
    running = Redis()
    with redis.Redis.from_url(running.url) as connection:
        connection.config_set("requirepass", SECRET)
    yield running
    running.stop()


@pytest.mark.parametrize(
    "database",
    [
        "nonsense", "mysql://ana:s3cret@host/db", "postgresql+psycopg://ana:s3cret@host/db",
        "postgresql+psycopg2://ana:s3@cret@host/db", "postgresql+psycopg2://ana:s3:cret@host:5:6/db",
        "postgresql+psycopg2://ana:s3cret@host:port/db", "postgresql://ana:s3cret@host.invalid/db",
        "postgresql+psycopg2://ana:s3/cret@host.invalid/db", POSTGRESQL,
        "postgresql+psycopg2://ana@127.0.0.1:1/db?password=s3cret",
        "postgresql+psycopg2://ana:s3cret@127.0.0.1:1/db?s3cret=1", "sqlite:////dev/null/x/y",
    ],
)  # fmt: skip
def test_an_unusable_database_is_reported_without_its_password(database: str) -> None:
    assert get_error(database).startswith("The database can't be used: ")


@pytest.mark.parametrize(
    ("database", "suggestion"),
    [
        ("sqlite://nowhere/x.db", "sqlite:////nowhere/x.db, or as sqlite:///nowhere/x.db"),
        ("sqlite:///:memory:", "sqlite:////path/to/tables.sqlite3"),
        ("sqlite:///file::memory:?uri=true", "sqlite:////path/to/tables.sqlite3"),
        ("sqlite:///file:x?mode=memory&uri=true", "sqlite:////path/to/tables.sqlite3"),
        ("sqlite://", "sqlite:////path/to/tables.sqlite3"),
        ("sqlite:///", "sqlite:////path/to/tables.sqlite3"),
        ("/nowhere/x.db", "sqlite:////nowhere/x.db"),
        ("nowhere/x.db", "sqlite:///nowhere/x.db"),
        ("x.db", "sqlite:///x.db"),
        ("C:\\x.db", "sqlite:///C:\\x.db"),
        ("sqlite:/nowhere/x.db", "sqlite:////nowhere/x.db"),
        ("sqlite:x.db", "sqlite:///x.db"),
        ("file:/nowhere/x%20y.db", "sqlite:////nowhere/x y.db"),
        ("file:///nowhere/x.db", "sqlite:////nowhere/x.db"),
        ("sqlite:///file:/nowhere/x.db", "sqlite:////nowhere/x.db"),
        ("sqlite:////nowhere/x.db?mode=ro", "sqlite:////nowhere/x.db"),
        ("sqlite:///file:/nowhere/x.db?nolock=1&uri=true", "sqlite:////nowhere/x.db"),
        ("sqlite:///~/x.db", f"sqlite:///{Path.home()}/x.db"),
        ("sqlite:////", "sqlite:////companion.sqlite3"),
        ("sqlite://ana:s3cret@host/x.db", "sqlite:////path/to/tables.sqlite3"),
        ("nonsense", "sqlite:////path/to/tables.sqlite3"),
        ("ana:s3cret@host/db", "postgresql+psycopg2://name:password@host:port/database"),
        ("localhost:5432/db", "postgresql+psycopg2://name:password@host:port/database"),
        ("", "sqlite:////path/to/tables.sqlite3"),
    ],
)  # fmt: skip
def test_157_an_invalid_database_address_is_reported_with_the_right_one(
    database: str, suggestion: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    message = get_error(database)
    assert message.startswith("The database can't be used: ")
    assert re.search(rf"as {re.escape(suggestion)}(,| |$)", message), message
    assert not list(tmp_path.iterdir())


def test_157_a_file_is_locked_under_each_address_that_leads_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a b.sqlite3"
    other = tmp_path / "other.sqlite3"
    store, file_lock, _ = open_engines(Settings(database=f"sqlite:///{file}"))
    other.symlink_to(file)
    for address in (
        f"sqlite:///file:{tmp_path}/a%20b.sqlite3?uri=true",
        f"sqlite:///file://localhost{tmp_path}/a%20b.sqlite3?mode=rwc&uri=true",
        "sqlite:///file:a%20b.sqlite3?uri=true", "sqlite:///a b.sqlite3?timeout=20",
        f"sqlite+pysqlite:///{tmp_path}/../{tmp_path.name}/a b.sqlite3", f"sqlite:///{other}",
    ):  # fmt: skip
        assert "has the tables in" in get_error(address), address
    store.close()
    file_lock.release()
    for written, path in ((f"file:{file}?uri=true", file), ("./new/x.db", tmp_path / "new/x.db")):
        store, file_lock, _ = open_engines(Settings(database=f"sqlite:///{written}"))
        assert path.with_name(f"{path.name}.mark").is_file()
        store.close()
        file_lock.release()


@pytest.mark.parametrize(
    ("bus", "why"),
    [
        ("http://ana:s3cret@127.0.0.1:1", "begin with redis://"),
        ("nonsense", "begin with redis://"),
        ("redis://:s3@cret@127.0.0.1:1/0", "can't be read"),
        ("redis://:s3/cret@127.0.0.1:1/0", "can't be read"),
        ("redis://:s3#cret@127.0.0.1:1/0", "can't be read"),
        ("redis://:s3?cret@127.0.0.1:1/0", "can't be read"),
        ("redis://:s3cret@127.0.0.1:port/0", "can't be read"),
        ("redis://:s3cret@127.0.0.1:1/0?colour=s3cret", "can't be read"),
        ("redis:///s3cret", "can't be read"),
        ("redis://:s3cret@host.invalid/0", "nobody answers at host.invalid:6379"),
        (UNREACHABLE_REDIS, "nobody answers at 127.0.0.1:1 as Redis does (Connection refused)"),
        (UNREACHABLE_REDIS.replace("redis", "rediss"), "nobody answers at 127.0.0.1:1"),
    ],
)
def test_an_unusable_bus_is_reported_without_its_password(bus: str, why: str) -> None:
    message = get_error(POSTGRESQL, bus)
    assert message.startswith("The bus can't be used: ") and why in message


def test_a_server_that_never_answers_is_refused_as_a_bus() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent_server:
        for scheme in ("redis", "rediss"):
            message = get_error(
                POSTGRESQL, f"{scheme}://:s3cret@127.0.0.1:{silent_server.getsockname()[1]}/0"
            )
            assert message.startswith("The bus can't be used: ") and "says nothing" in message


def test_a_bus_with_sqlite_is_refused(tmp_path: Path) -> None:
    message = get_error(f"sqlite:///{tmp_path / 'a.sqlite3'}", UNREACHABLE_REDIS)
    assert message.startswith("A bus is for several processes") and "PostgreSQL" in message
    assert not list(tmp_path.iterdir())


def test_a_missing_package_is_reported_only_where_it_is_needed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg2", None)
    monkeypatch.setitem(sys.modules, "redis", None)
    monkeypatch.delitem(sys.modules, "companion.service.peers.redis", raising=False)
    settings = Settings(
        database=f"sqlite:///{tmp_path / 'a.sqlite3'}", variants_dir=default_variants()
    )
    store, file_lock, bus = open_engines(settings)
    assert not store.shared and bus is None
    store.close()
    file_lock.release()
    assert "package psycopg2 is missing" in get_error(POSTGRESQL)
    assert "package redis is missing" in get_error(POSTGRESQL, UNREACHABLE_REDIS)


@pytest.mark.redis
@pytest.mark.slow
def test_redis_with_a_password_needs_the_password(protected_redis: Redis) -> None:
    wait_for_redis(f"redis://:{QUOTED}@127.0.0.1:{protected_redis.port}/0")
    wrong = [
        f"redis://127.0.0.1:{protected_redis.port}",
        f"redis://ana:s3cret@127.0.0.1:{protected_redis.port}/0",
    ]
    for bus in wrong:
        assert "wants another name or password" in get_error(POSTGRESQL, bus)
    assert "says: DB index" in get_error(
        POSTGRESQL, f"redis://:{QUOTED}@127.0.0.1:{protected_redis.port}/999"
    )
    with protected_redis.pause(), pytest.raises(Unusable, match="says nothing"):
        wait_for_redis(protected_redis.url)


@pytest.mark.postgresql
@pytest.mark.redis
@pytest.mark.slow
def test_31_passwords_of_bus_and_database_are_never_printed(
    cluster: Cluster, protected_redis: Redis
) -> None:
    bus = f"redis://:{QUOTED}@127.0.0.1:{protected_redis.port}/0"
    database = cluster.url.replace("companion@", f"ana:{QUOTED}@")
    wrong = cluster.url.replace("companion@", "ana:s3cret@")
    assert "password authentication failed" in get_error(wrong, bus)
    settings = Settings(database=database, bus=bus, variants_dir=default_variants())
    store, database_lock, bus_connection = open_engines(settings)
    assert store.shared and bus_connection
    result = run_to_end("companion", ["serve", "--port", "0", "--database", database])
    assert result.returncode == 1 and not result.stdout
    (sentence,) = result.stderr.splitlines()
    assert (
        sentence.startswith("Error: Another program (companion ")
        and PASSWORD_PARTS[1] not in sentence
    )
    store.close()
    database_lock.release()
