"""Several stores share one PostgreSQL database without conflicting results or long waits."""

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from companion.storage import lock, statements
from companion.storage.database import Busy, Conflict, Row
from companion.storage.lock import AlreadyLocked
from companion.storage.store import Store
from tests.support.servers.engines import Cluster, postgresql
from tests.support.servers.server import wait_until

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]

_numbers = itertools.count()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with postgresql() as running:
        yield running


@pytest.fixture
def url(cluster: Cluster) -> str:
    """Return the address of a new, empty database."""
    name = f"store{next(_numbers)}"
    server = create_engine(cluster.url, isolation_level="AUTOCOMMIT")
    with server.connect() as session:
        session.execute(text(f"CREATE DATABASE {name}"))
    server.dispose()
    return cluster.url.replace("/postgres", f"/{name}")


@pytest.fixture(name="opened")
def open_store(url: str) -> Iterator[Callable[[], Store]]:
    """Return a function that opens another store on the shared database."""
    stores: list[Store] = []

    def open_another() -> Store:
        store = Store(url, shared=True)
        store.open()
        stores.append(store)
        return store

    yield open_another
    for store in stores:
        store.close()


def run_together(*attempts: Callable[[], Any]) -> list[Any]:
    """Start all calls at once. Returns the result or the exception of each."""
    gate = threading.Barrier(len(attempts))
    results = [None] * len(attempts)

    def run_attempt(number: int) -> None:
        gate.wait()
        try:
            results[number] = attempts[number]()
        except Exception as error:
            results[number] = error

    threads = [
        threading.Thread(target=run_attempt, args=(number,)) for number in range(len(attempts))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def insert_table(store: Store, code: str) -> None:
    """Insert a table without events."""
    store.keep_variant("digest", b"{}")
    store.write(statements.insert(statements.StoredTable(code, "digest", 1)))


def make_events(code: str, first: int, *bodies: bytes) -> statements.Statement:
    return statements.insert_events(code, first, 1, bodies)


def test_stores_that_open_an_empty_database_at_once_draw_one_epoch(url: str) -> None:
    stores = [Store(url, shared=True) for _ in range(5)]
    assert run_together(*[store.open for store in stores]) == [None] * 5
    assert len({store.epoch for store in stores}) == 1 and stores[0].epoch
    for store in stores:
        store.close()
    reopened = Store(url)
    reopened.open()
    assert reopened.epoch == stores[0].epoch
    reopened.close()


def test_each_version_is_written_by_only_one_of_two_stores(opened: Callable[[], Store]) -> None:
    first_store = opened()
    second_store = opened()
    insert_table(first_store, "KXQF7H")
    for version in range(1, 30):
        write = make_events("KXQF7H", version, b"x")
        results = run_together(
            lambda w=write: first_store.write(w), lambda w=write: second_store.write(w)
        )  # type: ignore[misc]
        assert sorted(type(answer) for answer in results if answer) == [Conflict], results
    assert len(first_store.events("KXQF7H")) == len(second_store.events("KXQF7H")) == 29


def test_a_conflict_keeps_the_connection_open(opened: Callable[[], Store]) -> None:
    store = opened()
    store.write(make_events("KXQF7H", 1, b"x"))
    before = store._connection
    for version in range(2, 10):
        with pytest.raises(Conflict):
            store.write(make_events("KXQF7H", 1, b"y"))
        store.write(make_events("KXQF7H", version, b"x"))
    assert store._connection is before is not None


def test_crosswise_writers_of_the_same_rows_do_not_wait(opened: Callable[[], Store]) -> None:
    """For each row, one writer succeeds, and the other gets a conflict instead of ``Busy``."""
    first_store = opened()
    second_store = opened()
    first_store.write(*[make_events(f"TABLE{number}", 1, b"x") for number in range(6)])
    for version in range(2, 100, 2):
        after = statements.StoredEvent(version - 1, 1, "x", "")
        rows = [
            statements.insert_events(f"TABLE{number}", version, 1, [b"x", b"x"], after)
            for number in range(6)
        ]
        answer = statements.insert(statements.StoredAnswer("TABLE0", str(version), "print", "{}"))
        results = run_together(
            lambda ordered_rows=(answer, *rows): first_store.write(*ordered_rows),  # type: ignore[misc]
            lambda reversed_rows=(*rows[::-1], answer): second_store.write(*reversed_rows),  # type: ignore[misc]
        )
        assert [type(error) for error in results if error] == [Conflict], results
    assert all(store.ready() for store in (first_store, second_store))


def test_a_writer_that_freezes_in_a_commit_stops_others_for_seconds_only(
    opened: Callable[[], Store],
) -> None:
    first_store = opened()
    second_store = opened()
    insert_table(first_store, "KXQF7H")
    with first_store._engine.connect() as frozen:
        frozen.execute(text("INSERT INTO events VALUES ('KXQF7H', 1, 1, 'half done')"))
        with pytest.raises(Busy):
            second_store.write(make_events("KXQF7H", 1, b"whole"))

        def try_to_write() -> bool:
            try:
                second_store.write(make_events("KXQF7H", 1, b"whole"))
            except Busy:
                return False
            return True

        wait_until(try_to_write, 60)
        frozen.invalidate()
    assert [event.body for event in first_store.events("KXQF7H")] == ["whole"]


def test_newest_versions_and_the_time_come_from_the_database(opened: Callable[[], Store]) -> None:
    first_store = opened()
    second_store = opened()
    for code in ("AAAAAA", "BBBBBB"):
        insert_table(first_store, code)
    first_store.write(make_events("AAAAAA", 1, b"one", b"two"))
    assert second_store.heads(["AAAAAA", "BBBBBB", "GONEXX"]) == {"AAAAAA": ("", 2, 1)}
    assert second_store.heads([]) == {}
    assert abs(second_store.now() - time.time() * 1000) < 60_000
    before = second_store.now()
    wait_until(lambda: second_store.now() > before, 20)


def test_the_newest_version_is_found_without_reading_the_log(opened: Callable[[], Store]) -> None:
    store = opened()
    insert_table(store, "AAAAAA")
    store.write(make_events("AAAAAA", 1, *[b"x"] * 5_000))
    with store._engine.begin() as session:
        session.execute(text("ANALYZE"))
        session.execute(text("SET LOCAL enable_seqscan = off"))
        session.execute(text("SELECT pg_stat_force_next_flush()"))
    queries: list[str] = []
    original = store._fetch

    def fetch_and_record(text: str, values: Row) -> Sequence[Row]:
        queries.append(text.replace("?", "'AAAAAA'"))
        return original(text, values)

    store._fetch = fetch_and_record  # type: ignore[method-assign]
    assert store.heads(["AAAAAA"]) == {"AAAAAA": ("", 5_000, 1)}
    with store._engine.connect() as session:
        plan = session.execute(text(f"EXPLAIN (ANALYZE, FORMAT JSON) {queries[0]}")).scalar()
    row_counts = [
        node["Actual Rows"] for node in walk_nodes(plan[0]["Plan"]) if "Scan" in node["Node Type"]
    ]
    assert max(row_counts) <= 1, plan


def walk_nodes(plan: Any) -> Iterator[Any]:
    yield plan
    for below in plan.get("Plans", []):
        yield from walk_nodes(below)


def test_31_processes_that_share_a_database_keep_out_one_that_does_not(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take_lock(*, shared: bool, patience: int = 30) -> lock.Lock:
        """Take the lock, and retry while PostgreSQL hasn't noticed that it was released."""
        monkeypatch.setattr(lock, "LET_GO_SECONDS", patience)
        table_lock = lock.lock(url, lambda _why: None, shared=shared)
        table_lock.take()
        return table_lock

    first = take_lock(shared=True)
    second = take_lock(shared=True)
    with pytest.raises(AlreadyLocked, match="Another program"):
        take_lock(shared=False, patience=0)
    first.release()
    second.release()
    exclusive = take_lock(shared=False)
    with pytest.raises(AlreadyLocked, match="Another program"):
        take_lock(shared=True, patience=0)
    exclusive.release()
    take_lock(shared=True).release()
