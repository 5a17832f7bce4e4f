"""Databases of earlier versions get the newest form once, and nothing of them is lost."""

import itertools
import subprocess
import sys
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
from companion.storage.database import Busy
from companion.storage.migrations import NEWEST
from companion.storage.restore_detection import copy
from companion.storage.schema import metadata
from companion.storage.store import Store
from tests import old_tables
from tests.fleet.engines import Cluster, Redis, postgresql
from tests.server import ROOT, RealServer

_numbers = itertools.count()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with postgresql() as running:
        yield running


@pytest.fixture(
    params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgresql, pytest.mark.slow])]
)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of its own."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    return empty(request.getfixturevalue("cluster"))


def empty(cluster: Cluster) -> str:
    name = f"form{next(_numbers)}"
    execute(cluster.url, f"CREATE DATABASE {name}", isolation_level="AUTOCOMMIT")
    return cluster.url.replace("/postgres", f"/{name}")


def execute(url: str, *wanted: str, **options: Any) -> None:
    engine = sql.create_engine(url, **options)
    with engine.begin() as connection:
        for statement in wanted:
            connection.exec_driver_sql(statement)
    engine.dispose()


def make_old(url: str) -> None:
    """A database of the first version."""
    execute(url, *old_tables.list_statements(url.partition(":")[0].partition("+")[0]))


def query(url: str, statement: str) -> list[Any]:
    engine = sql.create_engine(url)
    with engine.connect() as connection:
        found = [row[0] for row in connection.exec_driver_sql(statement)]
    engine.dispose()
    return found


def open_it(url: str) -> Store:
    store = Store(url, shared="postgresql" in url)
    store.open()
    return store


def differences(url: str) -> Any:
    """Return the changes that Alembic would make for the database to match the schema."""
    engine = sql.create_engine(url)
    with engine.connect() as connection:
        found = compare_metadata(MigrationContext.configure(connection), metadata)
    engine.dispose()
    return found


def test_the_newest_form_is_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    steps = [*ScriptDirectory.from_config(config).walk_revisions()]
    assert [step.revision for step in steps] == [str(n) for n in range(NEWEST, 0, -1)]


@pytest.mark.parametrize("begin", [lambda _url: None, make_old], ids=["new", "old"])
def test_new_and_old_become_what_the_schema_says(url: str, begin: Any) -> None:
    begin(url)
    open_it(url).close()
    assert differences(url) == []
    assert query(url, "SELECT version_num FROM alembic_version") == [str(NEWEST)]
    if url.startswith("sqlite"):
        without = {table.name for table in metadata.sorted_tables
                   if table.dialect_options["sqlite"]["with_rowid"] is False}  # fmt: skip
        statement = "SELECT name FROM sqlite_master WHERE sql LIKE '%WITHOUT ROWID%'"
        assert set(query(url, statement)) == without


def test_nothing_of_an_old_database_is_lost_and_it_does_what_a_new_one_does(url: str) -> None:
    make_old(url)
    store = open_it(url)
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
    # Of a file without a mark nobody knows whether it is an older copy.
    assert (store.epoch == "an-old-epoch") == ("postgresql" in url)
    epoch = store.epoch
    store.close()
    again = open_it(url)
    assert again.epoch == epoch and len(again.events("KXQF7H")) == 3
    again.close()


def test_06_a_copy_that_an_earlier_version_made_has_another_epoch(tmp_path: Path) -> None:
    first, copied = (tmp_path / name for name in ("tables.sqlite3", "copy.sqlite3"))
    make_old(f"sqlite:///{first}")
    open_it(f"sqlite:///{first}").close()
    copy(first, copied)
    execute(f"sqlite:///{copied}", "DROP TABLE alembic_version", "DROP TABLE robots")
    epochs = []
    for file in (first, copied, copied, first):
        store = open_it(f"sqlite:///{file}")
        assert len(store.events("KXQF7H")) == 2
        epochs.append(store.epoch)
        store.close()
    assert epochs[0] == epochs[3] != epochs[1] == epochs[2]


def test_a_database_of_a_later_version_is_left_alone(url: str) -> None:
    open_it(url).close()
    for form in (str(NEWEST + 1), "some later name"):
        execute(url, f"UPDATE alembic_version SET version_num = '{form}'")
        with pytest.raises(Busy, match=f"later version .*to form {form}, this one knows {NEWEST}"):
            Store(url).open()
    assert query(url, "SELECT version_num FROM alembic_version") == [form]


def test_a_later_database_ends_the_program_with_a_sentence(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    open_it(url).close()
    execute(url, f"UPDATE alembic_version SET version_num = '{NEWEST + 1}'")
    command = [sys.executable, "-m", "companion", "serve", "--port", "0", "--database", url]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1 and not ended.stdout
    (sentence,) = ended.stderr.splitlines()
    assert sentence.startswith("Error: The database can't be used: a later version")


def test_a_migration_that_ends_in_the_middle_has_changed_nothing(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_old(url)
    before = tables(url)

    def half(connection: sql.Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE half (done INTEGER)")
        raise Busy("the power went")

    monkeypatch.setattr(migrations, "_migrate", half)
    with pytest.raises(Busy, match="power"):
        Store(url).open()
    assert tables(url) == before
    monkeypatch.undo()
    open_it(url).close()
    assert differences(url) == []


def tables(url: str) -> set[str]:
    engine = sql.create_engine(url)
    found = set(sql.inspect(engine).get_table_names())
    engine.dispose()
    return found


def test_alembic_is_imported_only_if_there_is_something_to_migrate(tmp_path: Path) -> None:
    def imported_modules(url: str) -> str:
        program = (
            "import sys; from companion.storage.store import Store; store = Store(sys.argv[1]);"
            "store.open(); store.close(); print('alembic' in sys.modules)"
        )
        command = [sys.executable, "-c", program, url]
        return subprocess.check_output(command, cwd=ROOT, text=True).strip()

    new, old = (f"sqlite:///{tmp_path / name}" for name in ("new.sqlite3", "old.sqlite3"))
    make_old(old)
    assert [imported_modules(url) for url in (new, new, old, old)] == [
        "False",
        "False",
        "True",
        "False",
    ]


@pytest.mark.postgresql
@pytest.mark.slow
def test_a_table_of_postgresql_may_take_long_to_change(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def impatient(connection: Any) -> None:
        while (state := connection.poll()) != extensions.POLL_OK:
            reads = [connection] if state == extensions.POLL_READ else []
            if not any(select(reads, [] if reads else [connection], [], 2)):
                raise OperationalError("PostgreSQL says nothing")

    def slow(connection: sql.Connection) -> None:
        connection.exec_driver_sql("SELECT pg_sleep(3)")
        migrate(connection)

    migrate = migrations._migrate
    monkeypatch.setattr(migrations, "_migrate", slow)
    url = empty(cluster)
    make_old(url)
    extensions.set_wait_callback(impatient)
    try:
        open_it(url).close()
        assert extensions.get_wait_callback() is impatient
    finally:
        extensions.set_wait_callback(None)
    assert differences(url) == []


@pytest.mark.postgresql
@pytest.mark.slow
@pytest.mark.parametrize("begin", [lambda _url: None, make_old], ids=["new", "old"])
def test_stores_that_start_together_change_a_database_once(cluster: Cluster, begin: Any) -> None:
    url = empty(cluster)
    begin(url)
    with ThreadPoolExecutor(5) as pool:
        stores = [*pool.map(open_it, [url] * 5)]
    assert len({store.epoch for store in stores}) == 1
    for store in stores:
        store.close()
    assert differences(url) == []
    assert query(url, "SELECT version_num FROM alembic_version") == [str(NEWEST)]


@pytest.mark.postgresql
@pytest.mark.redis
@pytest.mark.slow
@pytest.mark.parametrize("begin", [lambda _url: None, make_old], ids=["new", "old"])
def test_two_processes_that_start_together_have_one_database(
    cluster: Cluster, redis: Redis, tmp_path: Path, begin: Any
) -> None:
    url = empty(cluster)
    begin(url)

    def start_server(_number: int) -> RealServer:
        return RealServer(tmp_path, database=url, COMPANION_BUS=redis.url)

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(start_server, range(2))
    with closing(one), closing(other):
        party = one.create_table("Ana", "Ben")
        watcher = other.connect_client(party.table)
        assert watcher.view["epoch"] == party.host.view["epoch"] == _epoch(url)
    assert differences(url) == []


def _epoch(url: str) -> str:
    (epoch,) = query(url, "SELECT value FROM meta WHERE key = 'epoch'")
    return str(epoch)


def test_an_existing_database_is_opened_as_fast_as_before(tmp_path: Path) -> None:
    """It asks no more than when every table was looked for at each start."""
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    open_it(url).close()
    engine = sql.create_engine(url)

    def asks(look: Any) -> int:
        asked: list[Any] = []
        with engine.begin() as connection:
            sql.event.listen(connection, "before_cursor_execute", lambda *one: asked.append(one))
            look(connection)
        return len(asked)

    assert 0 < asks(migrations.bring_to_newest) <= asks(metadata.create_all)
    engine.dispose()
