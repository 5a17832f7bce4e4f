"""Limits of connections and files, second starts, and paths behind a proxy."""

import json
import os
import re
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import cli
from companion.adapters.connection_slots import ConnectionSlots, Holder, Rank
from tests.guarantees.test_floods import Raw
from tests.support.servers.fork_server import run_to_end
from tests.support.servers.server import Party, RealServer, wait_until
from tests.support.timed import limit_seconds

Serve = Callable[..., RealServer]
HARD = 320
"""The number of open files that ``limited`` allows."""


def _start_second(database: str, port: int) -> "subprocess.CompletedProcess[str]":
    return run_to_end("companion", ["serve", "--database", database, "--port", str(port)])


def test_31_a_second_start_names_what_holds_the_file_or_the_port(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    ended = _start_second(server.database_url, 0)
    assert ended.returncode == 1 and "Ready" not in ended.stdout
    assert ended.stderr.strip().splitlines() == [
        f"Error: Another companion (process {server.process.pid}) has the tables in"
        f" {server.database.resolve()}."
    ]
    other = f"sqlite:///{server.database.with_name('other.sqlite3')}"
    ended = _start_second(other, server.port)
    assert ended.returncode == 1 and "Ready" not in ended.stdout
    assert len(ended.stderr.strip().splitlines()) == 1 and str(server.port) in ended.stderr
    # Other commands of the program that only read the database still work, and the first server
    # still serves its table.
    copy = server.database.with_name("copy.sqlite3")
    assert server.run("backup", str(copy)).returncode == 0 and copy.is_file()
    assert server.run("variants").returncode == 0
    assert party.host.try_command("prepare")["ok"]
    # The killed server can't release its lock on the database, but the kernel does.
    server.kill()
    server.start()
    party.reconnect()
    wait_until(lambda: party.host.get_received("view"), 60)
    assert party.host.view["phase"] == "setup"


@pytest.mark.parametrize("database", ["nonsense", "mysql://x/y", "sqlite:////dev/null/x/y"])
def test_31_an_impossible_database_is_reported_in_one_sentence(database: str) -> None:
    ended = _start_second(database, 0)
    assert ended.returncode == 1 and "Ready" not in ended.stdout
    (sentence,) = ended.stderr.strip().splitlines()
    assert sentence.startswith("Error: The database can't be used: ")


def test_39_links_and_cookies_are_under_the_servers_own_path(serve: Serve) -> None:
    server = serve(COMPANION_PREFIX="/hiss")
    assert server.get("/hiss/").status == server.get("/").status == 200
    reply = server.post("/hiss/api/tables", {"name": "Ana"})
    assert "; Path=/hiss/" in reply.headers["Set-Cookie"]
    claim = f"/hiss/api/tables/{reply.json['table']}/seats/{reply.json['seat']}/claim"
    token = {"Authorization": f"Bearer {reply.json['token']}"}
    assert server.post(claim, **token).json["url"].startswith(f"{server.url}/hiss/t/")
    assert server.get("/hissing/").status == 404
    # Only a trusted proxy may set another path.
    reply = server.post("/api/tables", {"name": "Ben"}, **{"X-Forwarded-Prefix": "/evil"})
    assert "; Path=/hiss/" in reply.headers["Set-Cookie"]


def test_39_a_trusted_proxy_sets_the_path(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1")

    def get_cookie_path(prefix: str) -> str:
        answer = server.post("/api/tables", {"name": "Ana"}, **{"X-Forwarded-Prefix": prefix})
        return str(answer.headers["Set-Cookie"]).split("Path=")[1].split(";")[0]

    prefixes = ("/hiss", "/a/hiss/", "hiss", "//evil", "/x;y")
    assert [get_cookie_path(prefix) for prefix in prefixes] == ["/hiss/", "/a/hiss/", "/", "/", "/"]
    assert {prefix: get_cookie_path(prefix) for prefix in WINDING} == dict.fromkeys(WINDING, "/")


WINDING = ("/x/../y", "/..", "/.", "/a/./b", "/a//b", "/hiss//", "//", "/%2e%2e/y", "/a?b", "/a#b",
           "/a\\b", "/a\x0bb", "/a b")  # fmt: skip
"""Paths that programs resolve differently."""


@pytest.mark.parametrize("prefix", [*WINDING, "/hiss\n", "hiss"])
def test_116_a_path_with_unsafe_steps_is_refused_in_one_sentence(
    prefix: str, tmp_path: Path
) -> None:
    words = ["serve", "--port", "0", "--database", f"sqlite:///{tmp_path / 'one.sqlite3'}"]
    ended = CliRunner().invoke(cli.main, [*words, "--prefix", prefix])
    assert ended.exit_code == 2 and "Ready" not in ended.stdout
    assert "write it as /hiss or /games/hiss" in " ".join(ended.stderr.split())


def _connect(server: RealServer) -> socket.socket:
    connection = socket.socket()
    connection.settimeout(5)
    with suppress(OSError):  # the server refuses some of these connections
        connection.connect(("127.0.0.1", server.port))
    return connection


def _is_answering(server: RealServer) -> bool:
    try:
        return server.get("/healthz").status == 200
    except OSError:
        return False


def _is_playable(party: Party, seconds: int) -> bool:
    """Return True if the server accepts a command of the host and the other player is connected."""
    answer = party.host.try_command("options", nope_seconds=seconds)
    return bool(answer["ok"]) and not party.clients[1].get_received("disconnect")


@pytest.mark.timed
def test_32_more_connections_than_open_files_keep_no_player_out(serve: Serve) -> None:
    server = serve("tests.guarantees.limited")
    limits = Path(f"/proc/{server.process.pid}/limits").read_text()
    assert re.search(rf"Max open files\s+{HARD}\s+{HARD}\s", limits)
    party = server.create_table("Ana", "Ben")
    flood = [_connect(server) for _ in range(2 * HARD)]
    wait_until(lambda: _is_answering(server), 60)
    assert _is_playable(party, 5)
    for connection in flood:
        connection.close()
    with limit_seconds(10):
        wait_until(lambda: _is_answering(server), 60)
    assert _is_playable(party, 15)


def test_32_the_server_survives_running_out_of_files(serve: Serve) -> None:
    server = serve()
    party = server.create_table("Ana", "Ben")
    pid = server.process.pid
    import resource  # imported here, because Windows lacks this module

    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    few = len(os.listdir(f"/proc/{pid}/fd")) + 20
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (few, before[1]))
    flood = [_connect(server) for _ in range(100)]
    wait_until(lambda: len(os.listdir(f"/proc/{pid}/fd")) >= few - 2, 60)
    for connection in flood:
        connection.close()
    wait_until(lambda: _is_answering(server), 60)
    assert _is_playable(party, 5)


def test_33_seats_beyond_the_limit_play_and_health_is_answered(serve: Serve) -> None:
    server = serve(COMPANION_CONNECTIONS="4")
    party = server.create_table("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn")
    assert [client.refused for client in party.clients] == [None] * 6
    wait_until(lambda: _is_answering(server), 60)
    assert _is_playable(party, 5)
    party.reconnect()
    assert party.clients[5].view["you"]["seat"] == party.seats[5]


def test_33_sessions_that_never_join_are_evicted(serve: Serve) -> None:
    server = serve(COMPANION_CONNECTIONS="4")
    party = server.create_table("Ana", "Ben")
    polling = "/socket.io/?EIO=4&transport=polling"
    first = json.loads(server.get(polling).body[1:])["sid"]
    for _ in range(40):
        assert server.get(polling).status == 200
    assert server.get(f"{polling}&sid={first}").status == 400
    assert _is_playable(party, 5)
    party.reconnect()
    assert party.clients[1].view["you"]["seat"] == party.seats[1]


def test_33_a_client_that_hangs_up_while_joining_leaves_nothing_behind(serve: Serve) -> None:
    server = serve(COMPANION_SPECTATORS="0", COMPANION_ADDRESS_CONNECTIONS="0")
    party = server.create_table("Ana", "Ben")
    hello = Raw.frame(b"40" + json.dumps({"table": party.table}).encode())
    for _ in range(60):
        raw = Raw(server)
        raw.socket.sendall(hello)
        raw.socket.close()
    wait_until(lambda: b"\ncompanion_connections 2.0" in server.get("/metrics").body, 60)
    wait_until(lambda: party.host.presence["spectators"] == 0, 60)


def test_33_a_slow_request_is_cut_off_and_keeps_nobody_out(serve: Serve) -> None:
    server = serve(COMPANION_CONNECTIONS="40")
    party = server.create_table("Ana", "Ben")
    flood = [_connect(server) for _ in range(90)]
    for connection in flood:
        with suppress(OSError):
            connection.sendall(b"G")
    wait_until(lambda: _is_answering(server), 60)
    assert _is_playable(party, 5)
    slow = flood[-1]
    began = time.monotonic()
    while time.monotonic() < began + 90:
        try:
            slow.sendall(b"E")
            slow.settimeout(1)
            if not slow.recv(100):
                break
        except TimeoutError:
            continue
        except OSError:
            break
    else:
        raise AssertionError("it may go on for ever")
    assert _is_playable(party, 6)
    for connection in flood:
        connection.close()


def test_33_a_slow_body_is_cut_off(serve: Serve) -> None:
    server = serve("tests.guarantees.brisk")
    connection = _connect(server)
    connection.sendall(b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000\r\n"
                 b"Content-Type: application/json\r\n\r\n")  # fmt: skip
    connection.settimeout(1)
    began = time.monotonic()
    ended = False
    while not ended and time.monotonic() < began + 90:
        try:
            connection.sendall(b" ")
            ended = not connection.recv(1000)
        except TimeoutError:
            continue
        except OSError:
            ended = True
    connection.close()
    assert ended


def test_33_slots_are_reserved_for_seats_and_the_oldest_spectator_is_evicted_first() -> None:
    slots = ConnectionSlots(8, passing=0)
    evicted = []
    all_slots = [slots.take(lambda number=number: evicted.append(number)) for number in range(8)]
    slots_taken = [slot for slot in all_slots if slot is not None]
    for slot in slots_taken[:7]:
        slots.keep(slot, Holder(Rank.WATCHES))  # only six of the eight slots are for spectators
    slots.keep(slots_taken[7], Holder(Rank.NEW_SEAT))
    assert slots.take(lambda: evicted.append(8)) is not None and evicted == [6]
    assert slots.take(lambda: evicted.append(9)) is not None and evicted == [6, 8]
    last = slots.take(lambda: evicted.append(10))
    assert last is not None and evicted == [6, 8, 9]
    slots.keep(last, Holder(Rank.NEW_SEAT))
    assert slots.take(lambda: None) is None  # every slot belongs to a seat or a spectator
    slots.leave(slots_taken[0])
    assert slots.take(lambda: None) is not None
    small_pool = ConnectionSlots(1, passing=1)
    first = small_pool.take(lambda: None)
    second = small_pool.take(lambda: evicted.append(11))
    assert first is not None and second is not None
    small_pool.keep(first, Holder(Rank.NEW_SEAT))
    # one slot more than the limit, so its connection is evicted when a slot is needed
    small_pool.keep(second, Holder(Rank.NEW_SEAT))
    assert small_pool.take(lambda: None) is not None and evicted[-1] == 11
