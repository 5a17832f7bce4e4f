"""A database loses its newest rows, as in a failover, while processes still have them in memory.

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

from tests.cluster.fleet import Fleet
from tests.guarantees.speaker import new_command, send_command
from tests.support.servers.engines import Cluster
from tests.support.servers.server import Client, Party, RealServer, wait_until

Serve = Callable[..., RealServer]


def needs_engines(test: Any) -> Any:
    """Mark a test that needs a PostgreSQL and a Redis."""
    return pytest.mark.postgresql(pytest.mark.redis(pytest.mark.slow(test)))


@pytest.fixture(scope="module")
def fleet() -> Iterator[Fleet]:
    with Fleet(COMPANION_ROBOTS="10") as running:
        yield running


class TwoProcesses:
    """A table with a few events, with Ana connected to one process and Ben to another."""

    def __init__(self, fleet: Fleet) -> None:
        self.fleet = fleet
        (self.first, self.second) = fleet.processes
        seats = [self.first.post("/api/tables", {"name": "Ana"}).json]
        self.code = seats[0]["table"]
        seats.append(self.first.post(f"/api/tables/{self.code}/seats", {"name": "Ben"}).json)
        self.ana = self.first.connect_client(self.code, seats[0]["token"])
        self.ben = self.second.connect_client(self.code, seats[1]["token"])
        for number in range(6):
            answer = self.ana.send_command("rename", name=f"Ana {number}")
        self.version: int = answer["version"]
        self.ben.wait_for_version(self.version)
        self.epoch: str = self.ben.view["epoch"]

    def lose_events(self, events: int = 4) -> None:
        """Let the database lose the newest events."""
        delete_newest_events(self.fleet.postgresql.url, self.code, self.version - events)

    def stored_names(self) -> list[str]:
        """Return the names in the stored log's rename events."""
        rows = self.fleet.query_database(
            "SELECT version, body FROM events WHERE code = :code ORDER BY version", code=self.code
        )
        assert [row.version for row in rows] == [*range(1, len(rows) + 1)], "gaps"
        return [row.body.split('"name":"')[1].split('"')[0] for row in rows if "name" in row.body]

    def check_views(self) -> None:
        """Check that both players see the stored log under one new epoch (the id of a log)."""
        newest = len(
            self.fleet.query_database("SELECT 1 FROM events WHERE code = :code", code=self.code)
        )
        for client in (self.ana, self.ben):
            client.wait(lambda c=client: has_new_epoch(c, newest, self.epoch), 20)  # type: ignore[misc]
        assert self.ana.view["epoch"] == self.ben.view["epoch"]
        assert self.ana.view["seats"] == self.ben.view["seats"]
        logs = [server.get(f"/api/tables/{self.code}/log").json for server in self.fleet.processes]
        assert logs[0] == logs[1] and len(logs[0]) == newest


def delete_newest_events(url: str, code: str, last_kept: int) -> None:
    """Delete everything that was written with the events after version ``last_kept``."""
    engine = sql.create_engine(url)
    with engine.begin() as session:
        values = {"code": code, "kept": last_kept}
        statement = "DELETE FROM events WHERE code = :code AND version > :kept"
        session.execute(sql.text(statement), values)
        session.execute(sql.text("DELETE FROM meta WHERE key = 'epoch ' || :code"), values)
        answers = [f'{{"ok":true,"version":{version}}}' for version in range(last_kept + 1, 200)]
        session.execute(
            sql.text("DELETE FROM answers WHERE code = :code AND answer = ANY(:answers)"),
            {"code": code, "answers": answers},
        )
    engine.dispose()


def has_new_epoch(client: Client, version: int, old: str) -> bool:
    newest = client.get_received("view")[-1]
    return newest["version"] == version and newest["epoch"] != old


def rename_seat(client: Client, name: str) -> Any:
    """Rename a seat, and retry while the process is busy with reloading its log."""
    command = new_command(Random(name), type="rename", name=name)
    answers: list[Any] = []

    def send_rename() -> bool:
        answers.append(send_command(client, command))
        return bool(answers[-1] and answers[-1]["ok"])

    wait_until(send_rename, 30)
    return answers[-1]


@needs_engines
def test_100_processes_continue_with_one_log_after_the_database_lost_events(fleet: Fleet) -> None:
    players = TwoProcesses(fleet)
    players.lose_events()
    answers = [
        rename_seat(players.ana, "Anna"),
        rename_seat(players.ben, "Benno"),
        rename_seat(players.ana, "Anita"),
    ]
    names = players.stored_names()
    assert names[-3:] == ["Anna", "Benno", "Anita"] and "Ana 5" not in names
    assert [answer["version"] for answer in answers] == [players.version - n for n in (3, 2, 1)]
    players.check_views()


@needs_engines
@pytest.mark.parametrize("more", [3, 4, 5])
def test_100_other_events_at_the_same_versions_are_detected(fleet: Fleet, more: int) -> None:
    """While one process is frozen, the database loses four events and gets other events instead."""
    players = TwoProcesses(fleet)
    players.second.freeze()
    players.lose_events()
    for number in range(more):
        rename_seat(players.ana, f"Nell {number}")
    players.second.thaw()
    rename_seat(players.ben, "Benno")
    assert players.stored_names()[-more - 1 :] == [
        *(f"Nell {number}" for number in range(more)),
        "Benno",
    ]
    players.check_views()


@needs_engines
def test_100_a_loss_is_detected_without_any_command(fleet: Fleet) -> None:
    players = TwoProcesses(fleet)
    players.lose_events()
    players.check_views()
    late = players.second.connect_client(players.code)
    assert late.view["epoch"] == players.ana.view["epoch"]
    assert players.ana.view["seats"][0]["name"] == "Ana 1"


@needs_engines
def test_100_each_loss_of_events_leads_to_a_new_epoch(
    fleet: Fleet,
) -> None:
    players = TwoProcesses(fleet)
    epochs = set[str]()
    for kept in (players.version - 2, players.version - 4):
        delete_newest_events(fleet.postgresql.url, players.code, kept)
        players.check_views()
        players.epoch = players.ana.view["epoch"]
        epochs.add(players.epoch)
    assert len(epochs) == 2
    rename_seat(players.ben, "Benno")
    players.stored_names()


@needs_engines
def test_100_a_table_missing_from_a_restored_database_is_gone_and_others_go_on(
    fleet: Fleet,
) -> None:
    kept_table = TwoProcesses(fleet)
    lost_table = TwoProcesses(fleet)
    engine = sql.create_engine(fleet.postgresql.url)
    with engine.begin() as session:
        for table in ("tables", "events", "answers", "tokens"):
            session.execute(
                sql.text(f"DELETE FROM {table} WHERE code = :code"), {"code": lost_table.code}
            )
    engine.dispose()
    for client in (lost_table.ana, lost_table.ben):
        client.wait(lambda c=client: c.get_received("disconnect"), 20)  # type: ignore[misc]
    for server in fleet.processes:
        assert server.get(f"/api/tables/{lost_table.code}").status == 404
    rename_seat(kept_table.ben, "Benno")
    assert kept_table.ana.view["epoch"] == kept_table.epoch


def lose_events_under(party: Party, delete_after: Callable[[int], None]) -> None:
    """Let the database lose four events under a single process. Check that the process continues
    from the events that are left."""
    before = [party.host.send_command("rename", name=f"Ana {number}") for number in range(6)][-1]
    epoch = party.host.view["epoch"]
    delete_after(before["version"] - 4)
    answer = rename_seat(party.host, "Anna")
    assert answer["version"] == before["version"] - 3
    for client in party.clients:
        client.wait(lambda c=client: has_new_epoch(c, answer["version"], epoch), 20)  # type: ignore[misc]
    server = party.server
    log = server.get(f"/api/tables/{party.table}/log").json
    assert [event["version"] for event in log] == [*range(1, answer["version"] + 1)]
    epoch = party.host.view["epoch"]
    server.stop()
    server.start()
    party.reconnect()
    assert party.host.view["epoch"] == epoch and party.host.view["version"] == answer["version"]


def test_100_a_single_process_on_sqlite_continues_with_the_remaining_log(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")

    def delete_events(last_kept: int) -> None:
        with closing(sqlite3.connect(server.database)) as database, database:
            database.execute("DELETE FROM events WHERE version > ?", (last_kept,))

    lose_events_under(party, delete_events)


@pytest.mark.postgresql
@pytest.mark.slow
def test_100_a_single_process_on_postgresql_continues_with_the_remaining_log(
    serve: Serve, cluster: Cluster
) -> None:
    server = serve(database=cluster.url)
    party = server.create_table("Ana", "Ben")
    lose_events_under(party, lambda kept: delete_newest_events(cluster.url, party.table, kept))


@pytest.mark.postgresql
@pytest.mark.slow
def test_100_a_single_idle_process_detects_a_loss(serve: Serve, cluster: Cluster) -> None:
    server = serve(database=cluster.url)
    party = server.create_table("Ana", "Ben")
    before = party.host.view
    delete_newest_events(cluster.url, party.table, 1)
    party.host.wait(lambda: has_new_epoch(party.host, 1, before["epoch"]), 20)
    assert [seat["name"] for seat in party.host.view["seats"]] == ["Ana"]
