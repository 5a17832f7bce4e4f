"""A database or a bus that can't be: one plain sentence, the end, and nobody's password."""

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import pytest
import redis
from sqlalchemy import create_engine, text

from companion.adapters.redis import Unusable, check
from companion.engines import open_engines
from companion.settings import Settings, default_variants
from tests.fleet.engines import Cluster, Redis, postgresql
from tests.server import ROOT

SECRET = "s3cret/@:"
QUOTED = "s3cret%2F%40%3A"
HALVES = ("s3", "cret")
NOBODY = "redis://:s3cret@127.0.0.1:1/0"
POSTGRESQL = "postgresql+psycopg2://ana:s3cret@127.0.0.1:1/tables"


def why_not(database: str, bus: str = "") -> str:
    """The sentence with which nothing is opened."""
    with pytest.raises(click.ClickException) as told:
        open_engines(Settings(database=database, bus=bus, variants_dir=default_variants()))
    said = told.value.message
    assert told.value.exit_code == 1 and len(said.splitlines()) == 1
    assert not any(half in said for half in HALVES), said
    return said


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """The user ana must give the password."""
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
def engine() -> Iterator[Redis]:
    """A Redis that asks for the password."""
    running = Redis()
    with redis.Redis.from_url(running.url) as asked:
        asked.config_set("requirepass", SECRET)
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
    assert why_not(database).startswith("The database can't be used: ")


@pytest.mark.parametrize(
    ("database", "instead"),
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
def test_157_an_impossible_address_is_reported_with_the_one_to_write(
    database: str, instead: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = why_not(database)
    assert said.startswith("The database can't be used: ")
    assert re.search(rf"as {re.escape(instead)}(,| |$)", said), said
    assert not list(tmp_path.iterdir())


def test_157_a_file_is_locked_under_each_address_that_leads_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a b.sqlite3"
    other = tmp_path / "other.sqlite3"
    kept, held, _ = open_engines(Settings(database=f"sqlite:///{file}"))
    other.symlink_to(file)
    for same in (
        f"sqlite:///file:{tmp_path}/a%20b.sqlite3?uri=true",
        f"sqlite:///file://localhost{tmp_path}/a%20b.sqlite3?mode=rwc&uri=true",
        "sqlite:///file:a%20b.sqlite3?uri=true", "sqlite:///a b.sqlite3?timeout=20",
        f"sqlite+pysqlite:///{tmp_path}/../{tmp_path.name}/a b.sqlite3", f"sqlite:///{other}",
    ):  # fmt: skip
        assert "has the tables in" in why_not(same), same
    kept.close()
    held.release()
    for written, where in ((f"file:{file}?uri=true", file), ("./new/x.db", tmp_path / "new/x.db")):
        kept, held, _ = open_engines(Settings(database=f"sqlite:///{written}"))
        assert where.with_name(f"{where.name}.mark").is_file()
        kept.close()
        held.release()


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
        (NOBODY, "nobody answers at 127.0.0.1:1 as Redis does (Connection refused)"),
        (NOBODY.replace("redis", "rediss"), "nobody answers at 127.0.0.1:1"),
    ],
)
def test_an_unusable_bus_is_reported_without_its_password(bus: str, why: str) -> None:
    said = why_not(POSTGRESQL, bus)
    assert said.startswith("The bus can't be used: ") and why in said


def test_a_server_that_accepts_and_stays_silent_is_no_bus() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        for scheme in ("redis", "rediss"):
            said = why_not(POSTGRESQL, f"{scheme}://:s3cret@127.0.0.1:{deaf.getsockname()[1]}/0")
            assert said.startswith("The bus can't be used: ") and "says nothing" in said


def test_a_bus_beside_sqlite_is_refused(tmp_path: Path) -> None:
    said = why_not(f"sqlite:///{tmp_path / 'a.sqlite3'}", NOBODY)
    assert said.startswith("A bus is for several processes") and "PostgreSQL" in said
    assert not list(tmp_path.iterdir())


def test_a_missing_package_is_reported_only_where_it_is_needed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg2", None)
    monkeypatch.setitem(sys.modules, "redis", None)
    monkeypatch.delitem(sys.modules, "companion.adapters.redis", raising=False)
    settings = Settings(
        database=f"sqlite:///{tmp_path / 'a.sqlite3'}", variants_dir=default_variants()
    )
    kept, held, bus = open_engines(settings)
    assert not kept.shared and bus is None
    kept.close()
    held.release()
    assert "package psycopg2 is missing" in why_not(POSTGRESQL)
    assert "package redis is missing" in why_not(POSTGRESQL, NOBODY)


@pytest.mark.redis
@pytest.mark.slow
def test_redis_with_a_password_needs_the_password(engine: Redis) -> None:
    check(f"redis://:{QUOTED}@127.0.0.1:{engine.port}/0")
    wrong = [f"redis://127.0.0.1:{engine.port}", f"redis://ana:s3cret@127.0.0.1:{engine.port}/0"]
    for bus in wrong:
        assert "wants another name or password" in why_not(POSTGRESQL, bus)
    assert "says: DB index" in why_not(POSTGRESQL, f"redis://:{QUOTED}@127.0.0.1:{engine.port}/999")
    with engine.silent(), pytest.raises(Unusable, match="says nothing"):
        check(engine.url)


@pytest.mark.postgresql
@pytest.mark.redis
@pytest.mark.slow
def test_31_passwords_of_bus_and_database_are_never_printed(
    cluster: Cluster, engine: Redis
) -> None:
    bus = f"redis://:{QUOTED}@127.0.0.1:{engine.port}/0"
    database = cluster.url.replace("companion@", f"ana:{QUOTED}@")
    wrong = cluster.url.replace("companion@", "ana:s3cret@")
    assert "password authentication failed" in why_not(wrong, bus)
    settings = Settings(database=database, bus=bus, variants_dir=default_variants())
    kept, held, mouth = open_engines(settings)
    assert kept.shared and mouth
    alone = subprocess.run(
        [sys.executable, "-m", "companion", "serve", "--port", "0", "--database", database],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert alone.returncode == 1 and not alone.stdout
    (sentence,) = alone.stderr.splitlines()
    assert sentence.startswith("Error: Another program (companion ") and HALVES[1] not in sentence
    kept.close()
    held.release()
