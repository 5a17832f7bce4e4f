"""Tests for the store: writes are atomic, and nothing is stored twice."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from companion.service.table import log
from companion.storage import database, statements
from companion.storage.database import Busy, Conflict
from companion.storage.restore_detection import copy_database
from companion.storage.schema import metadata
from companion.storage.statements import (
    Head,
    StoredAnswer,
    StoredClaim,
    StoredTable,
    StoredToken,
    insert,
)
from companion.storage.store import Store


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
