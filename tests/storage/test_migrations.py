"""Databases of earlier versions are migrated once, and nothing in them is lost."""

import itertools
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from select import select
from typing import Any

import pytest
import sqlalchemy as sql
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg2 import OperationalError, extensions

from companion.storage import migrations, statements
from companion.storage.database import IDLE_MS, Busy
from companion.storage.migrations import NEWEST
from companion.storage.restore_detection import copy_database
from companion.storage.schema import metadata
from companion.storage.store import Store
from tests.support import old_tables
from tests.support.servers.engines import Cluster, Redis, postgresql
from tests.support.servers.server import ROOT, RealServer

_numbers = itertools.count()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with postgresql() as running:
        yield running


@pytest.fixture(
    params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgresql, pytest.mark.slow])]
)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a new, empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    return create_database(request.getfixturevalue("cluster"))


def create_database(cluster: Cluster) -> str:
    name = f"form{next(_numbers)}"
    execute(cluster.url, f"CREATE DATABASE {name}", isolation_level="AUTOCOMMIT")
    return cluster.url.replace("/postgres", f"/{name}")


def execute(url: str, *queries: str, **options: Any) -> None:
    engine = sql.create_engine(url, **options)
    with engine.begin() as connection:
        for statement in queries:
            connection.exec_driver_sql(statement)
    engine.dispose()


def create_old_database(url: str) -> None:
    """Create a database as the first version did."""
    execute(url, *old_tables.list_statements(url.partition(":")[0].partition("+")[0]))


def query_column(url: str, statement: str) -> list[Any]:
    engine = sql.create_engine(url)
    with engine.connect() as connection:
        values = [row[0] for row in connection.exec_driver_sql(statement)]
    engine.dispose()
    return values


def open_store(url: str) -> Store:
    store = Store(url, shared="postgresql" in url)
    store.open()
    return store


def find_schema_differences(url: str) -> Any:
    """Return the changes that Alembic would make for the database to match the schema."""
    engine = sql.create_engine(url)
    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    engine.dispose()
    return differences


def test_the_schemas_version_is_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    steps = [*ScriptDirectory.from_config(config).walk_revisions()]
    assert [step.revision for step in steps] == [str(n) for n in range(NEWEST, 0, -1)]


@pytest.mark.parametrize("create", [lambda _url: None, create_old_database], ids=["new", "old"])
def test_new_and_old_databases_match_the_schema(url: str, create: Any) -> None:
    create(url)
    open_store(url).close()
    assert find_schema_differences(url) == []
    assert query_column(url, "SELECT version_num FROM alembic_version") == [str(NEWEST)]
    if url.startswith("sqlite"):
        without = {table.name for table in metadata.sorted_tables
                   if table.dialect_options["sqlite"]["with_rowid"] is False}  # fmt: skip
        statement = "SELECT name FROM sqlite_master WHERE sql LIKE '%WITHOUT ROWID%'"
        assert set(query_column(url, statement)) == without


def test_an_old_database_keeps_its_rows_and_works_like_a_new_one(url: str) -> None:
    create_old_database(url)
    store = open_store(url)
    assert store.events("KXQF7H") == [(1, 1, "one", ""), (2, 1, "two", "")]
    assert store.read_variant("KXQF7H") == b'{"id": "one"}'
    token = store.one(statements.StoredToken, hash="hash")
    assert token is not None and token[:3] == ("hash", "KXQF7H", "s1")
    assert token.old_cookie_until > 0
    store.write(
        statements.insert_events("KXQF7H", 3, 1, [b"three"], store.events("KXQF7H")[-1]),
        statements.insert(statements.StoredRobot("KXQF7H", "s2", "key", None)),
        statements.insert(statements.StoredRequest("hash", "print", "salt", "{}", 1)),
    )
    assert store.heads(["KXQF7H"]) == {"KXQF7H": ("", 3, 1)} and store.ready()
    # An SQLite file of that version has no id, so it may be a copy and gets a new epoch.
    assert (store.epoch == "an-old-epoch") == ("postgresql" in url)
    epoch = store.epoch
    store.close()
    reopened = open_store(url)
    assert reopened.epoch == epoch and len(reopened.events("KXQF7H")) == 3
    reopened.close()


def test_06_a_copy_from_an_earlier_version_gets_another_epoch(tmp_path: Path) -> None:
    first, copied = (tmp_path / name for name in ("tables.sqlite3", "copy.sqlite3"))
    create_old_database(f"sqlite:///{first}")
    open_store(f"sqlite:///{first}").close()
    copy_database(first, copied)
    execute(f"sqlite:///{copied}", "DROP TABLE alembic_version", "DROP TABLE robots")
    epochs = []
    for file in (first, copied, copied, first):
        store = open_store(f"sqlite:///{file}")
        assert len(store.events("KXQF7H")) == 2
        epochs.append(store.epoch)
        store.close()
    assert epochs[0] == epochs[3] != epochs[1] == epochs[2]


def test_a_database_of_a_later_version_is_left_alone(url: str) -> None:
    open_store(url).close()
    for form in (str(NEWEST + 1), "some later name"):
        execute(url, f"UPDATE alembic_version SET version_num = '{form}'")
        with pytest.raises(Busy, match=f"later version .*to form {form}, this one knows {NEWEST}"):
            Store(url).open()
    assert query_column(url, "SELECT version_num FROM alembic_version") == [form]


@pytest.mark.slow
def test_a_database_of_a_later_version_is_reported_in_one_sentence(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    open_store(url).close()
    execute(url, f"UPDATE alembic_version SET version_num = '{NEWEST + 1}'")
    command = [sys.executable, "-m", "companion", "serve", "--port", "0", "--database", url]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert result.returncode == 1 and not result.stdout
    (sentence,) = result.stderr.splitlines()
    assert sentence.startswith("Error: The database can't be used: a later version")


def test_a_migration_that_fails_changes_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    create_old_database(url)
    before = list_tables(url)

    def fail_half_way(connection: sql.Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE half (done INTEGER)")
        raise Busy("the power went")

    monkeypatch.setattr(migrations, "_migrate", fail_half_way)
    with pytest.raises(Busy, match="power"):
        Store(url).open()
    assert list_tables(url) == before
    monkeypatch.undo()
    open_store(url).close()
    assert find_schema_differences(url) == []


def list_tables(url: str) -> set[str]:
    engine = sql.create_engine(url)
    names = set(sql.inspect(engine).get_table_names())
    engine.dispose()
    return names


@pytest.mark.slow
def test_alembic_is_imported_only_if_there_is_something_to_migrate(tmp_path: Path) -> None:
    def imported_modules(url: str) -> str:
        program = (
            "import sys; from companion.storage.store import Store; store = Store(sys.argv[1]);"
            "store.open(); store.close(); print('alembic' in sys.modules)"
        )
        command = [sys.executable, "-c", program, url]
        return subprocess.check_output(command, cwd=ROOT, text=True).strip()

    new, old = (f"sqlite:///{tmp_path / name}" for name in ("new.sqlite3", "old.sqlite3"))
    create_old_database(old)
    assert [imported_modules(url) for url in (new, new, old, old)] == [
        "False",
        "False",
        "True",
        "False",
    ]


@pytest.mark.postgresql
@pytest.mark.slow
def test_a_slow_migration_of_postgresql_is_not_interrupted(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait_two_seconds(connection: Any) -> None:
        while (state := connection.poll()) != extensions.POLL_OK:
            reads = [connection] if state == extensions.POLL_READ else []
            if not any(select(reads, [] if reads else [connection], [], 2)):
                raise OperationalError("PostgreSQL says nothing")

    def migrate_slowly(connection: sql.Connection) -> None:
        connection.exec_driver_sql("SELECT pg_sleep(3)")
        time.sleep(1 + IDLE_MS / 1000)  # as when a slow machine imports Alembic
        migrate(connection)

    migrate = migrations._migrate
    monkeypatch.setattr(migrations, "_migrate", migrate_slowly)
    url = create_database(cluster)
    create_old_database(url)
    extensions.set_wait_callback(wait_two_seconds)
    try:
        open_store(url).close()
        assert extensions.get_wait_callback() is wait_two_seconds
    finally:
        extensions.set_wait_callback(None)
    assert find_schema_differences(url) == []


@pytest.mark.postgresql
@pytest.mark.slow
@pytest.mark.parametrize("create", [lambda _url: None, create_old_database], ids=["new", "old"])
def test_stores_that_open_together_migrate_the_database_once(cluster: Cluster, create: Any) -> None:
    url = create_database(cluster)
    create(url)
    with ThreadPoolExecutor(5) as pool:
        stores = [*pool.map(open_store, [url] * 5)]
    assert len({store.epoch for store in stores}) == 1
    for store in stores:
        store.close()
    assert find_schema_differences(url) == []
    assert query_column(url, "SELECT version_num FROM alembic_version") == [str(NEWEST)]


@pytest.mark.postgresql
@pytest.mark.redis
@pytest.mark.slow
@pytest.mark.parametrize("create", [lambda _url: None, create_old_database], ids=["new", "old"])
def test_two_processes_that_start_together_create_one_database(
    cluster: Cluster, redis: Redis, tmp_path: Path, create: Any
) -> None:
    url = create_database(cluster)
    create(url)

    def start_server(_number: int) -> RealServer:
        return RealServer(tmp_path, database=url, COMPANION_BUS=redis.url)

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(start_server, range(2))
    with closing(first), closing(second):
        party = first.create_table("Ana", "Ben")
        watcher = second.connect_client(party.table)
        assert watcher.view["epoch"] == party.host.view["epoch"] == read_epoch(url)
    assert find_schema_differences(url) == []


def read_epoch(url: str) -> str:
    (epoch,) = query_column(url, "SELECT value FROM meta WHERE key = 'epoch'")
    return str(epoch)


def test_opening_an_existing_database_needs_few_statements(tmp_path: Path) -> None:
    """Opening checks the schema's version. Earlier versions of the program checked each table, and
    the new check must not take more statements."""
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    open_store(url).close()
    engine = sql.create_engine(url)

    def count_statements(operation: Any) -> int:
        queries: list[Any] = []
        with engine.begin() as connection:
            sql.event.listen(connection, "before_cursor_execute", lambda *one: queries.append(one))
            operation(connection)
        return len(queries)

    assert 0 < count_statements(migrations.bring_to_newest) <= count_statements(metadata.create_all)
    engine.dispose()
