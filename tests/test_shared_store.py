"""One database of a real PostgreSQL under several stores: they agree, and stand in nobody's way."""

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
from tests.fleet.engines import Cluster, postgresql
from tests.server import wait_until

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]

_numbers = itertools.count()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with postgresql() as running:
        yield running


@pytest.fixture
def url(cluster: Cluster) -> str:
    """An empty database of its own."""
    name = f"store{next(_numbers)}"
    server = create_engine(cluster.url, isolation_level="AUTOCOMMIT")
    with server.connect() as session:
        session.execute(text(f"CREATE DATABASE {name}"))
    server.dispose()
    return cluster.url.replace("/postgres", f"/{name}")


@pytest.fixture(name="opened")
def open_store(url: str) -> Iterator[Callable[[], Store]]:
    """Opens stores that share the database."""
    stores: list[Store] = []

    def another() -> Store:
        store = Store(url, shared=True)
        store.open()
        stores.append(store)
        return store

    yield another
    for store in stores:
        store.close()


def together(*attempts: Callable[[], Any]) -> list[Any]:
    """Return each call's result or exception, all started at once."""
    gate = threading.Barrier(len(attempts))
    said = [None] * len(attempts)

    def run(number: int) -> None:
        gate.wait()
        try:
            said[number] = attempts[number]()
        except Exception as error:
            said[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(attempts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return said


def table(store: Store, code: str) -> None:
    """A table without events."""
    store.keep_variant("digest", b"{}")
    store.write(statements.insert(statements.StoredTable(code, "digest", 1)))


def events(code: str, first: int, *bodies: bytes) -> statements.Statement:
    return statements.insert_events(code, first, 1, bodies)


def test_stores_that_open_an_empty_database_at_once_draw_one_epoch(url: str) -> None:
    stores = [Store(url, shared=True) for _ in range(5)]
    assert together(*[store.open for store in stores]) == [None] * 5
    assert len({store.epoch for store in stores}) == 1 and stores[0].epoch
    for store in stores:
        store.close()
    again = Store(url)
    again.open()
    assert again.epoch == stores[0].epoch
    again.close()


def test_each_version_is_written_by_one_of_two(opened: Callable[[], Store]) -> None:
    one = opened()
    other = opened()
    table(one, "KXQF7H")
    for version in range(1, 30):
        write = events("KXQF7H", version, b"x")
        said = together(lambda w=write: one.write(w), lambda w=write: other.write(w))  # type: ignore[misc]
        assert sorted(type(answer) for answer in said if answer) == [Conflict], said
    assert len(one.events("KXQF7H")) == len(other.events("KXQF7H")) == 29


def test_a_conflict_costs_no_connection(opened: Callable[[], Store]) -> None:
    one = opened()
    one.write(events("KXQF7H", 1, b"x"))
    before = one._connection
    for version in range(2, 10):
        with pytest.raises(Conflict):
            one.write(events("KXQF7H", 1, b"y"))
        one.write(events("KXQF7H", version, b"x"))
    assert one._connection is before is not None


def test_crosswise_writers_of_the_same_rows_do_not_wait(opened: Callable[[], Store]) -> None:
    """Never busy: each row is written by the first, and the second gets a conflict."""
    one = opened()
    other = opened()
    one.write(*[events(f"TABLE{number}", 1, b"x") for number in range(6)])
    for version in range(2, 100, 2):
        after = statements.StoredEvent(version - 1, 1, "x", "")
        rows = [
            statements.insert_events(f"TABLE{number}", version, 1, [b"x", b"x"], after)
            for number in range(6)
        ]
        answer = statements.insert(statements.StoredAnswer("TABLE0", str(version), "print", "{}"))
        said = together(
            lambda there=(answer, *rows): one.write(*there),  # type: ignore[misc]
            lambda back=(*rows[::-1], answer): other.write(*back),  # type: ignore[misc]
        )
        assert [type(error) for error in said if error] == [Conflict], said
    assert all(store.ready() for store in (one, other))


def test_a_writer_that_freezes_in_a_commit_stops_others_for_seconds_only(
    opened: Callable[[], Store],
) -> None:
    one = opened()
    other = opened()
    table(one, "KXQF7H")
    with one._engine.connect() as frozen:
        frozen.execute(text("INSERT INTO events VALUES ('KXQF7H', 1, 1, 'half done')"))
        with pytest.raises(Busy):
            other.write(events("KXQF7H", 1, b"whole"))

        def write_rows() -> bool:
            try:
                other.write(events("KXQF7H", 1, b"whole"))
            except Busy:
                return False
            return True

        wait_until(write_rows, 60)
        frozen.invalidate()
    assert [event.body for event in one.events("KXQF7H")] == ["whole"]


def test_heads_and_the_time_are_the_databases(opened: Callable[[], Store]) -> None:
    one = opened()
    other = opened()
    for code in ("AAAAAA", "BBBBBB"):
        table(one, code)
    one.write(events("AAAAAA", 1, b"one", b"two"))
    assert other.heads(["AAAAAA", "BBBBBB", "GONEXX"]) == {"AAAAAA": ("", 2, 1)}
    assert other.heads([]) == {}
    assert abs(other.now() - time.time() * 1000) < 60_000
    before = other.now()
    wait_until(lambda: other.now() > before, 20)


def test_the_newest_version_is_found_without_reading_the_log(opened: Callable[[], Store]) -> None:
    one = opened()
    table(one, "AAAAAA")
    one.write(events("AAAAAA", 1, *[b"x"] * 5_000))
    with one._engine.begin() as session:
        session.execute(text("ANALYZE"))
        session.execute(text("SET LOCAL enable_seqscan = off"))
        session.execute(text("SELECT pg_stat_force_next_flush()"))
    asked: list[str] = []
    original = one._fetch

    def note(text: str, given: Row) -> Sequence[Row]:
        asked.append(text.replace("?", "'AAAAAA'"))
        return original(text, given)

    one._fetch = note  # type: ignore[method-assign]
    assert one.heads(["AAAAAA"]) == {"AAAAAA": ("", 5_000, 1)}
    with one._engine.connect() as session:
        plan = session.execute(text(f"EXPLAIN (ANALYZE, FORMAT JSON) {asked[0]}")).scalar()
    read = [node["Actual Rows"] for node in _nodes(plan[0]["Plan"]) if "Scan" in node["Node Type"]]
    assert max(read) <= 1, plan


def _nodes(plan: Any) -> Iterator[Any]:
    yield plan
    for below in plan.get("Plans", []):
        yield from _nodes(below)


def test_31_processes_that_share_keep_out_one_that_does_not(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hold_lock(*, shared: bool, patience: int = 30) -> lock.Lock:
        """PostgreSQL may take its time to notice who let go."""
        monkeypatch.setattr(lock, "LET_GO_SECONDS", patience)
        taken = lock.lock(url, lambda _why: None, shared=shared)
        taken.take()
        return taken

    first = hold_lock(shared=True)
    second = hold_lock(shared=True)
    with pytest.raises(AlreadyLocked, match="Another program"):
        hold_lock(shared=False, patience=0)
    first.release()
    second.release()
    alone = hold_lock(shared=False)
    with pytest.raises(AlreadyLocked, match="Another program"):
        hold_lock(shared=True, patience=0)
    alone.release()
    hold_lock(shared=True).release()
