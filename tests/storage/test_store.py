"""Tests for the store: writes are atomic, and nothing is stored twice."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from companion.service.table import log
from companion.storage import database, statements
from companion.storage.database import Busy, Conflict
from companion.storage.restore_detection import copy_database
from companion.storage.schema import metadata
from companion.storage.statements import (
    TABLES,
    Head,
    StoredAnswer,
    StoredClaim,
    StoredRobot,
    StoredTable,
    StoredToken,
    Visit,
    insert,
)
from companion.storage.store import Store, _Write
from tests.support.iterations import scale_count


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'log.sqlite3'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    new_store = Store(url)
    new_store.open()
    new_store.keep_variant("digest", b'{"id": "one"}')
    new_store.write(insert(StoredTable("KXQF7H", "digest", 1)))
    yield new_store
    new_store.close()


def make_events(first: int, *bodies: bytes) -> statements.Statement:
    return statements.insert_events("KXQF7H", first, 1790000000000, bodies)


def test_the_newest_versions_are_read_together(store: Store) -> None:
    store.write(make_events(1, b"one", b"two"), insert(StoredTable("AAAAAA", "digest", 1)))
    newest = Head("", 2, 1790000000000)
    assert store.heads(["KXQF7H", "AAAAAA", "GONEXX"]) == {"KXQF7H": newest}
    assert store.heads([]) == {}


def test_rows_are_read_in_the_order_in_which_they_were_written(store: Store) -> None:
    store.write(make_events(1, b"one", b"two"))
    store.write(make_events(3, b"three"))
    at = 1790000000000
    assert store.events("KXQF7H") == [
        (1, at, "one", ""), (2, at, "two", ""), (3, at, "three", ""),
    ]  # fmt: skip
    assert store.events("AAAAAA") == []


def test_a_table_keeps_its_variant(store: Store) -> None:
    store.keep_variant("digest", b"something else")
    assert store.read_variant("KXQF7H") == b'{"id": "one"}'
    assert store.read_variant("AAAAAA") is None


def test_a_version_is_written_once(store: Store) -> None:
    store.write(make_events(1, b"one"))
    with pytest.raises(Conflict):
        store.write(make_events(1, b"another"))
    assert [event.body for event in store.events("KXQF7H")] == ["one"]


def test_an_event_is_stored_only_after_the_one_that_it_was_built_upon(store: Store) -> None:
    store.write(make_events(1, b"one", b"two"))
    (_, two) = store.events("KXQF7H")
    others = [two._replace(version=3), two._replace(at=two.at + 1), two._replace(body="other")]
    for after in others:
        following = statements.insert_events("KXQF7H", after.version + 1, 7, [b"three"], after)
        with pytest.raises(Conflict):
            store.write(following, insert(StoredToken("hash", "KXQF7H", "s1")))
    assert len(store.events("KXQF7H")) == 2 and store.one(StoredToken, hash="hash") is None
    bodies = [b"event %d" % version for version in range(3, 13)]
    store.write(statements.insert_events("KXQF7H", 3, 7, bodies, two))
    stored = [event.body for event in store.events("KXQF7H")]
    assert stored == ["one", "two", *(body.decode() for body in bodies)]


def test_a_log_that_loses_its_end_during_a_read_is_rejected(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader that pauses between two pages never returns the events of two different logs."""
    monkeypatch.setattr(log, "PAGE", 2)
    store.write(make_events(1, b"one", b"two", b"three"))
    assert [event.body for event in log.read_stored_events(store, "KXQF7H", 1)] == ["two", "three"]
    reading = log.read_stored_events(store, "KXQF7H")
    assert next(reading).body == "one"
    store.write(statements.Statement("DELETE FROM events WHERE version > ?", [(1,)]))
    store.write(make_events(2, b"another", b"third"))
    assert next(reading).body == "two"
    with pytest.raises(Busy):
        next(reading)
    assert [event.body for event in log.read_stored_events(store, "KXQF7H")] == [
        "one",
        "another",
        "third",
    ]


def test_processes_that_find_the_same_loss_choose_one_epoch(store: Store) -> None:
    store.write(make_events(1, b"one"))
    for _ in range(2):
        store.write(statements.draw_epoch("KXQF7H", ""))
        drawn = store.heads(["KXQF7H"])["KXQF7H"].epoch
        assert drawn and drawn == store.events("KXQF7H")[0].epoch
    store.write(statements.draw_epoch("KXQF7H", drawn))
    assert store.heads(["KXQF7H"])["KXQF7H"].epoch not in ("", drawn)


def test_invalid_utf8_is_read_without_an_error(store: Store, tmp_path: Path) -> None:
    store.write(make_events(1, b"one", b"two"))
    with closing(sqlite3.connect(tmp_path / "log.sqlite3")) as other, other:
        other.execute("UPDATE events SET body = CAST(x'a5ff' AS TEXT) WHERE version = 2")
    one, two = store.events("KXQF7H")
    assert one.body == "one"
    with pytest.raises(UnicodeEncodeError):
        two.body.encode()


def test_changes_are_stored_together_or_not_at_all(store: Store) -> None:
    store.write(insert(StoredAnswer("KXQF7H", "id", "print", "first")))
    with pytest.raises(Conflict):
        store.write(
            make_events(1, b"one"),
            insert(StoredAnswer("KXQF7H", "id", "print", "again")),
        )
    assert store.events("KXQF7H") == []
    assert store.one(StoredAnswer, code="KXQF7H", id="id") == ("KXQF7H", "id", "print", "first")


def test_a_writers_error_does_not_affect_others_in_the_same_commit(store: Store) -> None:
    store.write(make_events(1, b"one"))
    failed: list[int] = []
    gate = threading.Barrier(9)

    def write_version(version: int) -> None:
        gate.wait()
        try:
            store.write(statements.insert_events("KXQF7H", version, 1, [b"x"]))
        except Conflict:
            failed.append(version)

    threads = [threading.Thread(target=write_version, args=(version,)) for version in range(1, 10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == [1]
    assert len(store.events("KXQF7H")) == 9


Writes = list[list[statements.Statement]]

_CODES = st.sampled_from(["AAAAAA", "BBBBBB"])
_SEATS = st.sampled_from(["s1", "s2"])
_HASHES = st.sampled_from(["h1", "h2", "h3"])
_NUMBERS = st.integers(1, 4)


def _continue_log(code: str, version: int, body: str) -> statements.Statement:
    """Return an event that is stored only after an event with this body."""
    return statements.insert_events(
        code, version + 1, 1, [b"x"], statements.StoredEvent(version, 1, body, "")
    )


def _begin_log(length: int) -> list[statements.Statement]:
    begin = statements.insert_events("BBBBBB", 1, 1, [b"x"])
    return [begin, *(_continue_log("BBBBBB", version, "x") for version in range(1, length))]


_CHANGES: st.SearchStrategy[list[statements.Statement]] = st.one_of(
    st.builds(_begin_log, _NUMBERS),
    st.builds(statements.delete_table, _CODES).map(list),
    st.one_of(
        st.builds(_continue_log, st.just("AAAAAA"), _NUMBERS, st.sampled_from(["x", "y"])),
        st.builds(StoredToken, _HASHES, _CODES, _SEATS, st.just(0)).map(insert),
        st.builds(StoredClaim, _HASHES, _CODES, _SEATS, _NUMBERS).map(insert),
        st.builds(StoredRobot, _CODES, _SEATS, _HASHES, st.none() | _HASHES).map(insert),
        st.builds(StoredAnswer, _CODES, _HASHES, st.just("print"), _HASHES).map(insert),
        st.builds(Visit, _HASHES, _NUMBERS).map(statements.note_visit),
        st.builds(partial(statements.delete, StoredToken), code=_CODES, seat=_SEATS),
        st.builds(partial(statements.delete, StoredRobot), code=_CODES, seat=_SEATS),
        st.builds(partial(statements.delete, StoredClaim), hash=_HASHES),
        st.builds(statements.delete_expired, st.sampled_from([StoredClaim, Visit]), _NUMBERS),
        st.builds(statements.draw_epoch, _CODES, st.just("")),
    ).map(lambda change: [change]),
)


def _is_in_log_order(writes: Writes) -> bool:
    """Return True if no write continues the log with an event that is older than those before it.

    A process decides a command only after the events before it were stored.
    """
    events = [change for change in chain(*writes) if change.sql.startswith("INSERT INTO events")]
    versions: list[Any] = [row[1] for change in events for row in change.rows if row[0] == "AAAAAA"]
    return versions == sorted(versions)


_WRITES: st.SearchStrategy[Writes] = st.lists(
    st.lists(_CHANGES, min_size=1, max_size=3).map(lambda parts: [*chain(*parts)]), max_size=7
).filter(_is_in_log_order)


@pytest.fixture(scope="module", params=[False, True], ids=["one process", "several"])
def two_stores(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Store]]:
    """Yield two stores. In the second variant, they sort rows as with several processes."""
    folder = tmp_path_factory.mktemp("stores")
    stores = [Store(f"sqlite:///{folder}/{name}.sqlite3", shared=request.param) for name in "ab"]
    for one in stores:
        one.open()
    yield stores
    for one in stores:
        one.close()


def clear(store: Store) -> None:
    """Delete everything except for the store's own marks, and begin the log of one table."""
    store.write(
        *(statements.Statement(f"DELETE FROM {table.name}", [()]) for table in TABLES.values()),
        statements.Statement("DELETE FROM events", [()]),
        statements.Statement("DELETE FROM meta WHERE key LIKE 'epoch %'", [()]),
        statements.insert_events("AAAAAA", 1, 1, [b"x"]),
    )


def read_everything(store: Store) -> dict[str, list[Any]]:
    names = [table.name for table in TABLES.values()]
    queries = {name: f"SELECT * FROM {name}" for name in (*names, "events")}
    queries["meta"] = "SELECT * FROM meta WHERE key LIKE 'epoch %'"
    return {name: sorted(store._query(query), key=str) for name, query in queries.items()}


def write_together(store: Store, writes: Writes) -> list[type[BaseException] | None]:
    """Write everything in one commit. Returns the exception of each write, if any."""
    waiting = [_Write(tuple(write)) for write in writes]
    store._writes.extend(waiting)
    store._commit_all()
    return [type(write.error) if write.error else None for write in waiting]


def write_in_turn(store: Store, writes: Writes) -> list[type[BaseException] | None]:
    """Write one after the other. Returns the exception of each write, if any."""
    errors: list[type[BaseException] | None] = []
    for write in writes:
        try:
            store.write(*write)
            errors.append(None)
        except Busy as error:
            errors.append(type(error))
    return errors


@settings(max_examples=scale_count(100, 20), deadline=None)
@given(writes=_WRITES)
def test_writes_in_one_commit_have_the_same_effect_as_one_after_the_other(
    two_stores: list[Store], writes: Writes
) -> None:
    together, in_turn = two_stores
    for store in two_stores:
        clear(store)
    assert write_together(together, writes) == write_in_turn(in_turn, writes)
    assert read_everything(together) == read_everything(in_turn)


def test_statements_of_many_commands_are_merged() -> None:
    """50 commands and a new table take one statement for each kind of row, in a fixed order."""
    commands = [
        (
            _continue_log(f"TABLE{number % 10}", number, "x"),
            insert(StoredAnswer(f"TABLE{number % 10}", str(number), "print", "{}")),
        )
        for number in range(50)
    ]
    changes = [*chain(*commands), make_events(1, b"one"), *commands[0]]
    merged = statements.merge_statements(changes, sort=True)
    assert [(text.split()[2], len(rows)) for text, rows in merged] == [
        ("events", 1), ("events", 51), ("answers", 51),
    ]  # fmt: skip
    assert all(list(rows) == sorted(rows) for _, rows in merged)


def test_a_write_during_a_commit_joins_the_next_one(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits: list[float] = []
    commit = database.commit

    def commit_slowly(connection: Any, writes: Any) -> None:
        commits.append(time.monotonic())
        time.sleep(0.005)
        commit(connection, writes)

    def write_versions(writer: int) -> None:
        for number in range(20):
            store.write(statements.insert_events(f"TABLE{writer}", number + 1, 1, [b"x"]))

    monkeypatch.setattr(database, "commit", commit_slowly)
    threads = [threading.Thread(target=write_versions, args=(writer,)) for writer in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(commits) < 8 * 20 / 3


def test_a_writer_killed_in_a_commit_leaves_nobody_waiting(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die_in_commit(connection: Any, _wanted: Any) -> None:
        driver = connection.connection.dbapi_connection
        driver.execute("INSERT INTO events VALUES ('KXQF7H', 1, 1, 'half')")
        raise SystemExit

    outcomes: list[type[BaseException] | None] = []

    def write_version(version: int) -> None:
        try:
            store.write(statements.insert_events("KXQF7H", version, 1, [b"x"]))
            outcomes.append(None)
        except BaseException as problem:
            outcomes.append(type(problem))

    threads = [threading.Thread(target=write_version, args=(version,)) for version in (1, 2)]
    with store._turn:  # both writes must share a commit
        for thread in threads:
            thread.start()
        while len(store._writes) < 2:
            pass
        monkeypatch.setattr(database, "commit", die_in_commit)
    for thread in threads:
        thread.join(10)
    monkeypatch.undo()
    assert sorted(map(str, outcomes)) == sorted(map(str, (SystemExit, Busy)))
    write_version(1)
    assert outcomes[2:] == [None]
    assert len(store.events("KXQF7H")) == 1


def test_a_closed_store_reports_that_it_is_closed(url: str) -> None:
    closed_store = Store(url)
    closed_store.open()
    closed_store.close()
    assert not closed_store.running
    with pytest.raises(Busy, match="closed"):
        closed_store.write(make_events(1, b"one"))


def test_a_failed_commit_is_reported_and_changes_nothing(store: Store) -> None:
    store.write(insert(StoredToken("hash", "KXQF7H", "s1")))
    assert store._connection
    driver: Any = store._connection.connection.dbapi_connection
    driver.execute("PRAGMA max_page_count = 1")  # the database can't grow, so a large write fails
    with pytest.raises(Busy, match="full"):
        store.write(make_events(1, b"one", b"x" * 100_000))
    assert store.events("KXQF7H") == []
    store.write(make_events(1, b"one"))
    assert len(store.events("KXQF7H")) == 1


def test_a_write_waits_briefly_for_a_locked_database(store: Store, tmp_path: Path) -> None:
    with closing(
        sqlite3.connect(tmp_path / "log.sqlite3", isolation_level=None, check_same_thread=False)
    ) as locker:
        locker.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy, match="locked"):
            store.write(make_events(1, b"one"))
        unlock = threading.Timer(0.1, locker.execute, ["ROLLBACK"])
        unlock.start()
        store.write(make_events(1, b"one"))
        unlock.join()
    assert len(store.events("KXQF7H")) == 1


def test_a_read_only_database_is_busy_and_goes_on_by_itself(store: Store) -> None:
    store.write(make_events(1, b"one"))
    assert store._connection
    driver: Any = store._connection.connection.driver_connection
    driver.execute("PRAGMA query_only = 1")
    with pytest.raises(Busy, match="readonly"):
        store.write(make_events(2, b"two"))
    store.write(make_events(2, b"two"))
    assert [event.body for event in store.events("KXQF7H")] == ["one", "two"]


def test_tokens_open_one_seat_until_they_are_deleted(store: Store) -> None:
    store.write(
        insert(StoredToken("hash", "KXQF7H", "s1")),
        insert(StoredToken("h2", "KXQF7H", "s2")),
    )
    assert store.one(StoredToken, hash="hash") == StoredToken("hash", "KXQF7H", "s1")
    store.write(
        statements.delete(StoredToken, code="KXQF7H", seat="s1"),
        insert(StoredToken("new", "KXQF7H", "s1")),
    )
    assert store.one(StoredToken, hash="hash") is None
    assert store.one(StoredToken, hash="new") == StoredToken("new", "KXQF7H", "s1")
    assert store.one(StoredToken, hash="h2") == StoredToken("h2", "KXQF7H", "s2")


def test_a_claim_can_be_used_only_once(store: Store) -> None:
    store.write(insert(StoredClaim("hash", "KXQF7H", "s1", 7)))
    assert store.one(StoredClaim, hash="hash") == ("hash", "KXQF7H", "s1", 7)
    store.write(statements.delete(StoredClaim, hash="hash"))
    assert store.one(StoredClaim, hash="hash") is None


def test_commits_survive_a_power_cut(store: Store) -> None:
    with store._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


def test_the_epoch_stays_unless_the_log_was_replaced(url: str, tmp_path: Path) -> None:
    epochs = []
    for number in range(3):
        opened = Store(url)
        opened.open()
        epochs.append(opened.epoch)
        if number == 1:
            copy_database(tmp_path / "log.sqlite3", tmp_path / "copy.sqlite3")
        opened.close()
    assert len(set(epochs)) == 1
    for _ in range(2):
        opened = Store(f"sqlite:///{tmp_path / 'copy.sqlite3'}")
        opened.open()
        epochs.append(opened.epoch)
        opened.close()
    assert epochs[3] == epochs[4] != epochs[0]


def test_a_file_that_is_no_database_is_busy(tmp_path: Path) -> None:
    (tmp_path / "log.sqlite3").write_text("This is not a database, whatever its name says." * 30)
    with pytest.raises(Busy, match="not a database"):
        Store(f"sqlite:///{tmp_path / 'log.sqlite3'}").open()


def test_table_definitions_are_valid_in_postgresql() -> None:
    for table in metadata.sorted_tables:
        statement = str(CreateTable(table).compile(dialect=postgresql.dialect()))
        assert "ROWID" not in statement and "SERIAL" not in statement
