"""Tests with tables in a real PostgreSQL that stops, freezes or is locked."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from companion.storage.database import Busy
from companion.storage.store import Store
from tests.guarantees.kills import Kills
from tests.guarantees.speaker import new_command, send_command
from tests.support.iterations import scale_count
from tests.support.servers.engines import Cluster
from tests.support.servers.server import Party, RealServer, wait_until
from tests.support.timed import limit_seconds

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]

Serve = Callable[..., RealServer]


def test_a_kill_between_any_two_commands_loses_nothing(serve: Serve, cluster: Cluster) -> None:
    kills = Kills(serve(database=cluster.url), tables=2, seed=1)
    while kills.kills < scale_count(2) or kills.acknowledged_count < scale_count(20):
        kills.play_and_kill()
    kills.finish()


def test_the_store_is_busy_while_postgresql_is_down_and_recovers(
    serve: Serve, cluster: Cluster
) -> None:
    server = serve(database=cluster.url)
    party = server.create_table("Ana", "Ben")
    rng = Random(4)
    before = party.host.socket.call("sync")["version"]
    cluster.stop()
    command = new_command(rng, type="rename", name="Anabel")
    answer = send_command(party.host, command, seconds=20)
    assert (answer["error"]["code"], answer["version"]) == ("busy", before)
    assert server.get("/readyz").status == 503 and server.get("/healthz").status == 200
    cluster.start()
    wait_until(lambda: send_and_check(party, command), 60)
    assert send_command(party.host, command, seconds=20) == {"ok": True, "version": before + 1}
    party.clients[1].wait(lambda: party.clients[1].view["version"] == before + 1, 20)
    assert party.clients[1].view["seats"][0]["name"] == "Anabel"
    wait_until(lambda: server.get("/readyz").status == 200, 60)


def list_lock_holders(cluster: Cluster) -> list[str]:
    """Return the names of the processes that hold the lock on the tables."""
    engine = create_engine(cluster.url)
    with engine.connect() as session:
        rows = session.execute(text(
            "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)"
            " WHERE locktype = 'advisory' AND granted"
        ))  # fmt: skip
        names = [row[0] for row in rows]
    engine.dispose()
    return names


def test_31_a_second_start_is_refused_also_after_postgresql_was_restarted(
    serve: Serve, cluster: Cluster
) -> None:
    server = serve(database=cluster.url)
    process = f"companion {server.process.pid} on "

    def start_second() -> str:
        result = server.run("serve", "--port", "0")
        assert result.returncode == 1 and "Ready" not in result.stdout
        return result.stderr

    assert "Another program" in start_second() and process in start_second()
    cluster.stop()
    cluster.start()
    wait_until(lambda: any(name.startswith(process) for name in list_lock_holders(cluster)), 60)
    assert process in start_second()
    server.kill()
    wait_until(lambda: not list_lock_holders(cluster), 60)
    server.start()


def expect_busy(server: RealServer, party: Party) -> None:
    """Check that a command is answered with ``busy`` within two seconds."""
    with limit_seconds(2):
        answer = send_command(
            party.host, new_command(Random(52), type="rename", name="Anabel"), seconds=20
        )
    assert answer and answer["error"]["code"] == "busy", answer
    wait_until(lambda: server.get("/readyz").status == 503, 20)


def send_and_check(party: Party, command: Any) -> bool:
    answer = send_command(party.host, command, seconds=20)
    return bool(answer and answer["ok"])


@pytest.mark.timed
def test_52_the_store_is_busy_while_another_program_holds_a_lock(
    serve: Serve, cluster: Cluster
) -> None:
    server = serve(database=cluster.url)
    party = server.create_table("Ana", "Ben")
    chance = Random(52)
    engine = create_engine(cluster.url)
    with engine.begin() as locker:
        locker.execute(text("LOCK TABLE events, meta IN ACCESS EXCLUSIVE MODE"))
        expect_busy(server, party)
        assert party.host.socket.connected
    engine.dispose()
    wait_until(lambda: send_and_check(party, new_command(chance, type="rename", name="Anita")), 60)
    wait_until(lambda: server.get("/readyz").status == 200, 60)
    assert any("lock timeout" in line for line in server.log_lines)


def test_52_a_silent_database_makes_the_store_busy_until_it_answers(
    serve: Serve, cluster: Cluster
) -> None:
    server = serve(database=cluster.url)
    party = server.create_table("Ana", "Ben")
    chance = Random(52)
    with cluster.pause():
        command = new_command(chance, type="rename", name="Anabel")
        answer = send_command(party.host, command, seconds=20)
        assert answer and answer["error"]["code"] == "busy"
        wait_until(lambda: server.get("/readyz").status == 503, 20)
    wait_until(lambda: send_and_check(party, command), 60)
    wait_until(lambda: server.get("/readyz").status == 200, 60)


def test_a_read_that_postgresql_interrupts_keeps_no_connection(cluster: Cluster) -> None:
    store = Store(cluster.url)
    store.open()
    engine = store._autocommit
    for _ in range(2):
        store.heads(["ABCDEF"])
    with engine.connect() as connection:
        assert connection.connection.dbapi_connection.autocommit  # queries run outside transactions
        connection.execute(text("SELECT 1")).all()
        cluster.stop()
    assert engine.pool.checkedout() == 0  # type: ignore[attr-defined]
    cluster.start()
    wait_until(lambda: can_read(store), 60)
    store.close()


def can_read(store: Store) -> bool:
    with suppress(Busy):
        return store.heads(["ABCDEF"]) == {}
    return False
