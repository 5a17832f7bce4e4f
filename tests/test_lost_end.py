"""A database that loses its newest rows, as in a failover, while processes still remember them.

Each test deletes a table's last events, or restores an older copy of all rows, under running
processes.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from random import Random
from typing import Any

import pytest
import sqlalchemy as sql

from tests.fleet.engines import Cluster
from tests.fleet.fleet import Fleet
from tests.promises.speaker import new_command, send_command
from tests.server import Client, Party, RealServer, wait_until

Serve = Callable[..., RealServer]


def engines(test: Any) -> Any:
    """It needs a PostgreSQL and a Redis."""
    return pytest.mark.postgresql(pytest.mark.redis(pytest.mark.slow(test)))


@pytest.fixture(scope="module")
def fleet() -> Iterator[Fleet]:
    with Fleet(COMPANION_ROBOTS="10") as running:
        yield running


class Two:
    """Ana at one process and Ben at another, who have both seen some moments."""

    def __init__(self, fleet: Fleet) -> None:
        self.fleet = fleet
        (self.one, self.other) = fleet.processes
        made = [self.one.post("/api/tables", {"name": "Ana"}).json]
        self.code = made[0]["table"]
        made.append(self.one.post(f"/api/tables/{self.code}/seats", {"name": "Ben"}).json)
        self.ana = self.one.connect_client(self.code, made[0]["token"])
        self.ben = self.other.connect_client(self.code, made[1]["token"])
        for number in range(6):
            answer = self.ana.send_command("rename", name=f"Ana {number}")
        self.version: int = answer["version"]
        self.ben.wait_for_version(self.version)
        self.epoch: str = self.ben.view["epoch"]

    def lose(self, events: int = 4) -> None:
        """The database has no more what it had last."""
        lose(self.fleet.postgresql.url, self.code, self.version - events)

    def names(self) -> list[str]:
        """The new names in the log, as it is stored."""
        rows = self.fleet.query_database(
            "SELECT version, body FROM events WHERE code = :code ORDER BY version", code=self.code
        )
        assert [row.version for row in rows] == [*range(1, len(rows) + 1)], "gaps"
        return [row.body.split('"name":"')[1].split('"')[0] for row in rows if "name" in row.body]

    def check(self) -> None:
        """Both are shown what the log has, under one new epoch."""
        newest = len(
            self.fleet.query_database("SELECT 1 FROM events WHERE code = :code", code=self.code)
        )
        for client in (self.ana, self.ben):
            client.wait(lambda c=client: follows(c, newest, self.epoch), 20)  # type: ignore[misc]
        assert self.ana.view["epoch"] == self.ben.view["epoch"]
        assert self.ana.view["seats"] == self.ben.view["seats"]
        logs = [server.get(f"/api/tables/{self.code}/log").json for server in self.fleet.processes]
        assert logs[0] == logs[1] and len(logs[0]) == newest


def lose(url: str, code: str, kept: int) -> None:
    """All that was written with the events after this version is gone."""
    engine = sql.create_engine(url)
    with engine.begin() as session:
        values = {"code": code, "kept": kept}
        gone = "DELETE FROM events WHERE code = :code AND version > :kept"
        session.execute(sql.text(gone), values)
        session.execute(sql.text("DELETE FROM meta WHERE key = 'epoch ' || :code"), values)
        answers = [f'{{"ok":true,"version":{version}}}' for version in range(kept + 1, 200)]
        session.execute(
            sql.text("DELETE FROM answers WHERE code = :code AND answer = ANY(:answers)"),
            {"code": code, "answers": answers},
        )
    engine.dispose()


def follows(client: Client, version: int, old: str) -> bool:
    newest = client.get_received("view")[-1]
    return newest["version"] == version and newest["epoch"] != old


def rename_seat(client: Client, name: str) -> Any:
    """Rename a seat until it is accepted: a process that reloads its log may answer busy."""
    command = new_command(Random(name), type="rename", name=name)
    answers: list[Any] = []

    def take_end_away() -> bool:
        answers.append(send_command(client, command))
        return bool(answers[-1] and answers[-1]["ok"])

    wait_until(take_end_away, 30)
    return answers[-1]


@engines
def test_100_processes_whose_database_lost_its_end_go_on_with_one_history(fleet: Fleet) -> None:
    two = Two(fleet)
    two.lose()
    answers = [
        rename_seat(two.ana, "Anna"),
        rename_seat(two.ben, "Benno"),
        rename_seat(two.ana, "Anita"),
    ]
    names = two.names()
    assert names[-3:] == ["Anna", "Benno", "Anita"] and "Ana 5" not in names
    assert [answer["version"] for answer in answers] == [two.version - n for n in (3, 2, 1)]
    two.check()


@engines
@pytest.mark.parametrize("more", [3, 4, 5])
def test_100_other_events_at_the_same_versions_are_found_out(fleet: Fleet, more: int) -> None:
    """One process sleeps while the database loses four events and others take their place."""
    two = Two(fleet)
    two.other.freeze()
    two.lose()
    for number in range(more):
        rename_seat(two.ana, f"Nell {number}")
    two.other.thaw()
    rename_seat(two.ben, "Benno")
    assert two.names()[-more - 1 :] == [*(f"Nell {number}" for number in range(more)), "Benno"]
    two.check()


@engines
def test_100_a_loss_is_found_without_any_command(fleet: Fleet) -> None:
    two = Two(fleet)
    two.lose()
    two.check()
    late = two.other.connect_client(two.code)
    assert late.view["epoch"] == two.ana.view["epoch"]
    assert two.ana.view["seats"][0]["name"] == "Ana 1"


@engines
def test_100_a_process_that_loses_its_end_twice_draws_a_new_epoch_each_time(
    fleet: Fleet,
) -> None:
    two = Two(fleet)
    epochs = set[str]()
    for kept in (two.version - 2, two.version - 4):
        lose(fleet.postgresql.url, two.code, kept)
        two.check()
        two.epoch = two.ana.view["epoch"]
        epochs.add(two.epoch)
    assert len(epochs) == 2
    rename_seat(two.ben, "Benno")
    two.names()


@engines
def test_100_a_table_that_is_in_no_older_base_is_gone_and_others_go_on(fleet: Fleet) -> None:
    stays = Two(fleet)
    goes = Two(fleet)
    engine = sql.create_engine(fleet.postgresql.url)
    with engine.begin() as session:
        for table in ("tables", "events", "answers", "tokens"):
            session.execute(
                sql.text(f"DELETE FROM {table} WHERE code = :code"), {"code": goes.code}
            )
    engine.dispose()
    for client in (goes.ana, goes.ben):
        client.wait(lambda c=client: c.get_received("disconnect"), 20)  # type: ignore[misc]
    for server in fleet.processes:
        assert server.get(f"/api/tables/{goes.code}").status == 404
    rename_seat(stays.ben, "Benno")
    assert stays.ana.view["epoch"] == stays.epoch


def _lost_under(party: Party, lose: Callable[[int], None]) -> None:
    """One process whose database loses four events goes on from what is left."""
    before = [party.host.send_command("rename", name=f"Ana {number}") for number in range(6)][-1]
    epoch = party.host.view["epoch"]
    lose(before["version"] - 4)
    answer = rename_seat(party.host, "Anna")
    assert answer["version"] == before["version"] - 3
    for client in party.clients:
        client.wait(lambda c=client: follows(c, answer["version"], epoch), 20)  # type: ignore[misc]
    server = party.server
    log = server.get(f"/api/tables/{party.table}/log").json
    assert [event["version"] for event in log] == [*range(1, answer["version"] + 1)]
    epoch = party.host.view["epoch"]
    server.stop()
    server.start()
    party.reconnect()
    assert party.host.view["epoch"] == epoch and party.host.view["version"] == answer["version"]


def test_100_one_process_on_sqlite_goes_on_from_what_is_left(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")

    def lose(kept: int) -> None:
        with closing(sqlite3.connect(server.database)) as database, database:
            database.execute("DELETE FROM events WHERE version > ?", (kept,))

    _lost_under(party, lose)


@pytest.mark.postgresql
@pytest.mark.slow
def test_100_one_process_on_postgresql_goes_on_from_what_is_left(
    serve: Serve, cluster: Cluster
) -> None:
    server = serve(database=cluster.url)
    party = server.create_table("Ana", "Ben")
    _lost_under(party, lambda kept: lose(cluster.url, party.table, kept))


@pytest.mark.postgresql
@pytest.mark.slow
def test_100_a_loss_is_found_by_one_process_that_nobody_speaks_at(
    serve: Serve, cluster: Cluster
) -> None:
    server = serve(database=cluster.url)
    party = server.create_table("Ana", "Ben")
    before = party.host.view
    lose(cluster.url, party.table, 1)
    party.host.wait(lambda: follows(party.host, 1, before["epoch"]), 20)
    assert [seat["name"] for seat in party.host.view["seats"]] == ["Ana"]
