"""Tests for one table with clients at two server processes.

The processes share a PostgreSQL and a Redis.
"""

import json
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
import sqlalchemy as sql
from redis import Redis
from websocket import WebSocket

from companion.rules.core.commands import TakeSeat
from companion.service.clock import Timers
from companion.service.errors import Fault
from companion.service.peers.messages import PeerPresence, Peers, RemoteSeat
from companion.service.peers.redis import Bus
from companion.service.requests import KeyedRequest, Seated
from companion.service.table.live_table import LiveTable
from companion.service.table.presence import TELL_MS, Viewer
from companion.service.tables import Tables
from companion.storage.store import Store
from tests.cluster.fleet import Fleet, Process
from tests.guarantees.proxy import Proxy
from tests.service.test_tables import Listeners, Seats
from tests.support.own_variants import load_all_own
from tests.support.servers.engines import Cluster
from tests.support.servers.engines import Redis as Engine
from tests.support.servers.server import Client, RealServer, wait_until
from tests.support.servers.wire import UPGRADE
from tests.support.timed import limit_seconds

pytestmark = [pytest.mark.postgresql, pytest.mark.redis, pytest.mark.slow]


@pytest.fixture(scope="module")
def fleet() -> Iterator[Fleet]:
    with Fleet(COMPANION_ROBOTS="10", COMPANION_SPECTATORS="3") as running:
        yield running


@pytest.fixture
def two_processes(fleet: Fleet) -> tuple[Process, Process]:
    return fleet.processes[0], fleet.processes[1]


def take_seats(server: RealServer, *names: str) -> list[Any]:
    """Create a table and take these seats, without connecting. Return their credentials."""
    created = [server.post("/api/tables", {"name": names[0]}).json]
    path = f"/api/tables/{created[0]['table']}/seats"
    return created + [server.post(path, {"name": name}).json for name in names[1:]]


def connect_seat(server: RealServer, seat: Any) -> Client:
    return server.connect_client(seat["table"], seat["token"])


def finish_short_game(server: RealServer) -> tuple[Any, Client]:
    """Create a table whose first game has ended. Return the host's credentials and client."""
    ana, ben = take_seats(server, "Ana", "Ben")
    host = connect_seat(server, ana)
    _ = connect_seat(server, ben)
    host.send_command("prepare")
    for seat in (ana, ben):
        host.send_command("ready", **{"as": seat["seat"], "ready": True})
    host.send_command("begin", first=ana["seat"])
    host.send_command("remove_seat", seat=ben["seat"])
    return ana, host


def watch_replay(server: RealServer, table: str, **who: str) -> Client:
    """Connect a client that watches the replay of the first game."""
    client = Client(server.url, {"table": table, "replay": 1, **who})
    server.clients.append(client)
    return client


def wait_until_evicted(client: Client) -> None:
    """Wait until the server has sent ``superseded`` to the client and has closed its connection.

    While the client's library is still connecting, the library reports no ``disconnect``.
    """
    client.wait(lambda: client.get_received("superseded"), 30)
    wait_until(
        lambda: client.get_received("disconnect") or client.socket.eio.state == "disconnected", 30
    )


def wait_for_event(client: Client, event: str, is_wanted: Callable[[Any], Any]) -> None:
    """Wait until the client has received this event with content that ``is_wanted`` accepts."""
    client.wait(lambda: any(is_wanted(content) for content in client.get_received(event)), 30)


def rename_and_wait(sender: Client, other: Client, name: str, place: int = 0) -> None:
    """Rename the sender's seat, and wait until the other client's view shows the new name."""
    assert sender.send_command("rename", name=name)["ok"]
    other.wait(
        lambda: any(v["seats"][place]["name"] == name for v in other.get_received("view")[-1:]), 30
    )


def was_notified(server: RealServer, make_change: Callable[[], Any]) -> bool:
    """Make a change. Return True if the server learned of it from a peer's message, not from a
    poll."""
    before = read_metric(server, "companion_caught_up_total")
    make_change()
    return read_metric(server, "companion_caught_up_total") == before


def read_metric(server: RealServer, name: str) -> float:
    lines = server.get("/metrics").body.decode().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith(f"{name} ")))


def test_a_second_tab_at_another_process_replaces_the_first(
    two_processes: tuple[Process, Process],
) -> None:
    one, other = two_processes
    ana, _ = take_seats(one, "Ana", "Ben")
    first = connect_seat(one, ana)
    second = connect_seat(other, ana)
    wait_until_evicted(first)
    third = connect_seat(one, ana)
    wait_until_evicted(second)
    assert third.socket.connected and not third.get_received("superseded")


@contextmanager
def request_websocket(server: RealServer) -> Iterator[WebSocket]:
    """Send a WebSocket handshake without waiting for its answer. Yield the WebSocket."""
    websocket = WebSocket(skip_utf8_validation=True)
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as websocket.sock:
        websocket.sock.sendall(UPGRADE.format(host="127.0.0.1", port=server.port).encode())
        yield websocket


def request_seat(websocket: WebSocket, seat: Any) -> None:
    """Connect to the seat over an open WebSocket."""
    websocket.send("40" + json.dumps({"table": seat["table"], "token": seat["token"]}))


def read_handshake(websocket: WebSocket) -> None:
    """Read the answer to the handshake and Engine.IO's first packet."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += websocket.sock.recv(1)
    assert websocket.recv().startswith("0")


@pytest.mark.parametrize("when", ["before", "while"])
@pytest.mark.parametrize("then", ["hangs up", "stays"])
def test_an_older_request_never_evicts_a_newer_connection_however_late_it_is_admitted(
    two_processes: tuple[Process, Process], when: str, then: str
) -> None:
    """A client requests the seat at one process, before or while that process is frozen. Then a
    newer connection takes the seat at the other process, and must keep it."""
    one, other = two_processes
    ana = take_seats(one, "Ana")[0]
    with ExitStack() as ends:
        if when == "before":
            read_handshake(earlier := ends.enter_context(request_websocket(other)))
            other.freeze()
            request_seat(earlier, ana)
        else:
            other.freeze()
            earlier = ends.enter_context(request_websocket(other))
        time.sleep(0.1)
        stays = connect_seat(one, ana)
        if then == "hangs up":
            ends.close()
        time.sleep(1)
        other.thaw()
        if then == "stays":
            if when == "while":
                read_handshake(earlier)
                request_seat(earlier, ana)
            messages = [*iter(earlier.recv, "")]  # reads until the server closes the connection
            assert [message for message in messages if message.startswith("42")][
                -1
            ] == '42["superseded",{}]'
    wait_until(lambda: other.get("/healthz").status == 200, 30)
    time.sleep(1)
    assert stays.socket.connected and not stays.get_received("superseded")
    stays.wait(lambda: stays.presence["seats"] == {ana["seat"]: "here"})


def connect_yielding(server: RealServer, seat: Any) -> Client:
    """Connect to the seat, but only if no other client is connected to it."""
    client = Client(server.url, {"table": seat["table"], "token": seat["token"], "yields": True})
    server.clients.append(client)
    return client


def test_a_yielding_connection_has_a_seat_only_while_nobody_else_does(
    two_processes: tuple[Process, Process],
) -> None:
    one, other = two_processes
    ana = take_seats(one, "Ana")[0]
    watching = [server.connect_client(ana["table"]) for server in two_processes]

    def wait_for_presence(presence: str) -> None:
        """Wait until clients of both processes have received this presence of the seat."""
        newest = [{"seats": {ana["seat"]: presence}, "spectators": 2}]
        for client in watching:
            client.wait(partial(lambda of: of.get_received("presence")[-1:] == newest, client), 30)

    has_it = connect_seat(one, ana)
    wait_for_presence("here")
    for server in two_processes:
        wait_until_evicted(connect_yielding(server, ana))
    has_it.close()
    wait_for_presence("away")
    first = connect_yielding(other, ana)
    assert first.view["you"]["seat"] == ana["seat"]
    wait_for_presence("here")
    for server in two_processes:
        wait_until_evicted(connect_yielding(server, ana))
    assert (
        first.socket.connected
        and not has_it.get_received("superseded")
        and not first.get_received("superseded")
    )
    has_it = connect_seat(one, ana)
    wait_until_evicted(first)
    assert has_it.socket.connected and not has_it.get_received("superseded")


def test_a_claimed_seat_is_closed_to_the_old_device_everywhere(
    two_processes: tuple[Process, Process],
) -> None:
    one, other = two_processes
    ana, _ = take_seats(one, "Ana", "Ben")
    old = connect_seat(other, ana)
    old.wait(lambda: old.get_received("view"))
    mine = {"Authorization": f"Bearer {ana['token']}"}
    claim = one.post(f"/api/tables/{ana['table']}/seats/{ana['seat']}/claim", **mine).json["claim"]
    taken = one.post(f"/api/claims/{quote(claim)}")
    assert taken.status == 201
    assert other.post(f"/api/claims/{quote(claim)}").error["code"] == "not_found"
    wait_until_evicted(old)
    new = connect_seat(other, {**ana, "token": taken.json["token"]})
    assert (
        new.view["you"]["seat"] == ana["seat"] and new.send_command("rename", name="Anabel")["ok"]
    )


def test_presence_is_the_same_everywhere_and_ends_with_a_killed_process(
    two_processes: tuple[Process, Process],
) -> None:
    one, other = two_processes
    ana, ben = take_seats(one, "Ana", "Ben")
    a = connect_seat(one, ana)
    b = connect_seat(other, ben)
    watching = other.connect_client(ana["table"])
    here = {ana["seat"]: "here", ben["seat"]: "here"}
    for client in (a, b, watching):
        wait_for_event(client, "presence", lambda one: one == {"seats": here, "spectators": 1})
    b.close()
    wait_for_event(a, "presence", lambda one: one["seats"][ben["seat"]] == "away")
    b = connect_seat(other, ben)
    wait_for_event(b, "presence", lambda one: one == {"seats": here, "spectators": 1})
    a.wait(lambda: a.presence == {"seats": here, "spectators": 1}, 30)
    other.kill()
    away = {**here, ben["seat"]: "away"}
    a.wait(lambda: a.presence == {"seats": away, "spectators": 0}, 30)
    other.start()


def test_the_limit_of_spectators_counts_all_processes(
    two_processes: tuple[Process, Process],
) -> None:
    one, other = two_processes
    ana = take_seats(one, "Ana")[0]
    host = connect_seat(one, ana)
    clients = [server.connect_client(ana["table"]) for server in (one, other, other)]
    assert all(client.refused is None for client in clients)
    wait_for_event(host, "presence", lambda presence: presence["spectators"] == 3)
    wait_until(lambda: other.connect_client(ana["table"]).refused is not None, 30)
    assert one.connect_client(ana["table"]).refused["data"]["code"] == "rate_limited"


def test_signs_and_shared_replays_reach_the_clients_of_every_process(
    two_processes: tuple[Process, Process],
) -> None:
    one, other = two_processes
    ana, ben = take_seats(one, "Ana", "Ben")
    a = connect_seat(one, ana)
    b = connect_seat(other, ben)
    watching = other.connect_client(ana["table"])
    a.send_command("prepare")
    assert a.socket.call("sign", {"sign": "camera", "to": ben["seat"]}, timeout=120)["ok"]
    wait_for_event(b, "sign", lambda sign: sign == {"seat": ana["seat"], "sign": "camera"})
    assert not watching.get_received("sign")
    for client in (a, b):
        client.send_command("ready", ready=True)
    a.send_command("begin", first=ana["seat"])
    assert watching.socket.call("sign", {"sign": "gasp"}, timeout=120)["ok"]
    for client in (a, b, watching):
        wait_for_event(client, "sign", lambda sign: sign == {"seat": None, "sign": "gasp"})
    a.send_command("leave")

    def all_show(at: int) -> bool:
        shown: set[int] = {client.get_received("replay")[-1]["at"] for client in beside}
        return shown in ({at}, {100 + at})

    there = [watch_replay(server, ana["table"]) for server in two_processes]

    def step_replay(client: Client, at: int, seen_by: Client) -> bool:
        client.socket.call("replay", {"at": at}, timeout=120)
        positions = seen_by.get_received("replay")
        return bool(positions) and {"at": at, "here": 2}.items() <= positions[-1].items()

    wait_until(lambda: step_replay(there[0], 7, there[1]), 30)
    wait_until(lambda: step_replay(there[1], 8, there[0]), 30)
    beside = [watch_replay(server, ana["table"]) for server in two_processes]
    for at in range(20):  # two viewers step at the same time, and all viewers see the same moment
        for number, client in enumerate(there):
            client.socket.emit("replay", {"at": 100 * number + at})
        wait_until(lambda: all(client.get_received("replay") for client in beside), 30)
        wait_until(partial(all_show, at))
    for client in (*beside, there[1]):
        client.close()
    wait_until(lambda: there[0].get_received("replay")[-1]["here"] == 1, 30)


def test_180_a_shared_replay_is_played_and_stopped_from_any_process(
    two_processes: tuple[Process, Process],
) -> None:
    """Any viewer can stop the replay. It also stops when the viewer who started it disconnects."""
    one, other = two_processes
    ana, _ = finish_short_game(one)

    def get_last_state(client: Client) -> dict[str, Any]:
        positions = client.get_received("replay")
        return {key: positions[-1].get(key, 0) for key in ("at", "play", "by")} if positions else {}

    def steer_replay(client: Client, at: int, **more: Any) -> dict[str, Any]:
        return dict(client.socket.call("replay", {"at": at, **more}, timeout=120))

    driver = watch_replay(one, ana["table"], token=ana["token"])
    spectator = watch_replay(other, ana["table"])
    wait_until(
        lambda: (
            spectator.get_received("replay")[-1:]
            and spectator.get_received("replay")[-1]["here"] == 2
        ),
        30,
    )
    assert steer_replay(driver, 7, play="normal")["ok"]
    wait_until(
        lambda: get_last_state(spectator) == {"at": 7, "play": "normal", "by": ana["seat"]}, 30
    )
    assert steer_replay(driver, 8, play="normal", on=True)["ok"]
    wait_until(lambda: get_last_state(spectator)["at"] == 8, 30)
    assert steer_replay(spectator, 8)["ok"]
    wait_until(lambda: get_last_state(driver) == {"at": 8, "play": 0, "by": None}, 30)
    assert steer_replay(driver, 9, play="normal", on=True)["error"]["code"] == "stale"
    assert get_last_state(spectator)["at"] == 8
    assert steer_replay(spectator, 9, play="fast")["ok"]
    wait_until(lambda: get_last_state(driver) == {"at": 9, "play": "fast", "by": None}, 30)
    spectator.close()
    wait_until(lambda: get_last_state(driver) == {"at": 9, "play": 0, "by": None}, 30)


def test_180_the_first_moment_that_a_page_reports_stays_at_every_process(
    two_processes: tuple[Process, Process], fleet: Fleet
) -> None:
    one, other = two_processes
    table = finish_short_game(one)[0]["table"]

    def get_state(client: Client) -> Any:
        return (client.get_received("replay") or [None])[-1]

    early = watch_replay(one, table)
    assert early.socket.call("replay", {"at": 7, "on": True}, timeout=120)["ok"]
    with fleet.redis.pause():  # the other process doesn't know the reported moment yet
        late = watch_replay(other, table)
        assert late.socket.call("replay", {"at": 0, "on": True}, timeout=120)["ok"]
    for client in (early, late):
        wait_until(lambda client=client: get_state(client) == {"at": 7, "here": 2}, 30)
    assert 0 not in [position["at"] for position in early.get_received("replay")]


@pytest.mark.timed
def test_112_strangers_are_disconnected_from_a_replay_at_every_process(
    two_processes: tuple[Process, Process],
) -> None:
    """The stranger is the only client that the second process has for this table."""
    one, other = two_processes
    ana, host = finish_short_game(one)
    stranger = watch_replay(other, ana["table"])
    stranger.wait(lambda: stranger.get_received("replay"), 30)
    host.send_command("options", spectators=False)
    with limit_seconds(4):
        stranger.wait(lambda: stranger.get_received("disconnect"), 60)


def test_robots_move_to_another_process_when_theirs_ends(
    two_processes: tuple[Process, Process],
) -> None:
    one, other = two_processes
    created = one.post("/api/practice", {"name": "Ana"}).json
    ana = connect_seat(other, created)
    wait_for_event(ana, "presence", lambda presence: [*presence["seats"].values()] == ["here"] * 3)
    ana.send_command("prepare")
    ana.send_command("ready", ready=True)
    ana.wait(lambda: all(seat["ready"] for seat in ana.view["seats"]), 60)
    assert [read_metric(server, "companion_robots") for server in two_processes] == [2, 0]
    one.stop()
    wait_until(lambda: read_metric(other, "companion_robots") == 2, 60)
    ana.wait(lambda: [*ana.presence["seats"].values()] == ["here"] * 3, 60)
    one.start()


def test_idle_processes_publish_only_their_presence(
    fleet: Fleet, two_processes: tuple[Process, Process]
) -> None:
    """Each process publishes only two things: a heartbeat every second, and a list of its clients
    at each table."""
    one, other = two_processes
    ana, ben = take_seats(one, "Ana", "Ben")
    here = [connect_seat(one, ana), connect_seat(other, ben)]
    for client in here:
        wait_for_event(
            client, "presence", lambda presence: {*presence["seats"].values()} == {"here"}
        )
    for client in here:
        client.close()
    redis = Redis.from_url(fleet.redis.url)

    def is_quiet() -> bool:
        before = redis.info("stats")["total_commands_processed"]
        time.sleep(2)
        return int(redis.info("stats")["total_commands_processed"]) - before < 60

    wait_until(is_quiet, 30)
    redis.close()


@pytest.mark.timed
def test_without_redis_other_processes_see_changes_within_two_seconds(
    fleet: Fleet, two_processes: tuple[Process, Process]
) -> None:
    one, other = two_processes
    ana, ben = take_seats(one, "Ana", "Ben")
    a = connect_seat(one, ana)
    b = connect_seat(other, ben)
    fleet.redis.stop()
    for number in range(3):
        with limit_seconds(2):
            rename_and_wait(a, b, f"Ana {number}")
    assert one.get("/readyz").status == 200
    fleet.redis.start()
    wait_until(lambda: all(read_metric(server, "companion_bus_up") for server in two_processes), 30)
    names = (f"Ana {number}" for number in count(3))
    wait_until(lambda: was_notified(other, lambda: rename_and_wait(a, b, next(names))), 30)


def test_a_request_to_a_process_without_connections_is_published_at_once(
    two_processes: tuple[Process, Process],
) -> None:
    one, other = two_processes
    ana = take_seats(one, "Ana")[0]
    a = connect_seat(other, ana)
    names = iter("BCDEFGHIJ")

    def join_next() -> None:
        name = next(names)
        one.post(f"/api/tables/{ana['table']}/seats", {"name": name})
        a.wait(lambda: any(v["seats"][-1]["name"] == name for v in a.get_received("view")[-1:]), 30)

    wait_until(lambda: was_notified(other, join_next), 30)


@pytest.mark.timed
def test_games_go_on_when_only_one_process_is_cut_off_from_redis(
    fleet: Fleet, tmp_path: Path
) -> None:
    redis = urlsplit(fleet.redis.url)
    proxy = Proxy(redis.port or 0)
    there = fleet.processes[0]
    by_proxy = {"COMPANION_BUS": f"redis://{urlsplit(proxy.url).netloc}/0"}
    cut = Process(tmp_path, database=fleet.postgresql.url, **by_proxy)
    try:
        ana, ben = take_seats(cut, "Ana", "Ben")
        a = connect_seat(cut, ana)
        b = connect_seat(there, ben)
        wait_for_event(b, "presence", lambda one: one["seats"].get(ana["seat"]) == "here")
        proxy.stall()
        for number in range(3):
            with limit_seconds(2):
                rename_and_wait(a, b, f"Ana {number}")
            with limit_seconds(2):
                rename_and_wait(b, a, f"Ben {number}", place=1)
        proxy.mend()
        names = (f"Ana {number}" for number in count(3))
        wait_until(lambda: was_notified(there, lambda: rename_and_wait(a, b, next(names))), 30)
        wait_until(lambda: b.presence["seats"].get(ana["seat"]) == "here", 30)
    finally:
        cut.close()
        proxy.close()


def test_the_join_rate_counts_in_all_processes() -> None:
    with Fleet(COMPANION_JOIN_RATE="6/minute") as fleet:
        answers = [
            fleet.processes[number % 2].post("/api/tables", {"name": "Ana"}).status
            for number in range(10)
        ]
        assert answers == [201] * 6 + [429] * 4
        fleet.redis.stop()  # without Redis, each process applies the limit by itself
        assert fleet.processes[0].post("/api/tables", {"name": "Ana"}).status in (201, 429)


@pytest.mark.parametrize("seconds", [-3600, pytest.param(3600, marks=pytest.mark.repetition)])
def test_the_join_rate_does_not_depend_on_a_machines_clock(
    fleet: Fleet, tmp_path: Path, seconds: int
) -> None:
    turned = tmp_path / "turned"
    turned.write_text(str(seconds))
    rate = {"COMPANION_BUS": fleet.redis.url, "COMPANION_JOIN_RATE": "6/minute"}
    where = {"database": fleet.postgresql.url, **rate}
    two_processes = (
        Process(tmp_path, **where),
        Process(tmp_path, "tests.guarantees.turned", TURNED=str(turned), **where),
    )
    try:
        # Redis still counts the requests of earlier tests
        Redis.from_url(fleet.redis.url).flushall()
        answers = [
            two_processes[n % 2].post("/api/tables", {"name": "Ana"}).status for n in range(12)
        ]
        assert answers == [201] * 6 + [429] * 6
    finally:
        for process in two_processes:
            process.close()


# --- in the test's process, where connections can have any speed ------------------------------


class LocalServer:
    """The tables of one server, without HTTP and sockets.

    Several of them can share a PostgreSQL and a Redis, as server processes do.
    """

    def __init__(self, cluster: Cluster, redis: Engine) -> None:
        self.listeners = Listeners()
        self.store = Store(cluster.url, shared=True)
        self.store.open()
        variants = load_all_own()
        timers = Timers()
        self.peers = Peers(Bus(redis.url), timers.clock)
        self.tables = Tables(self.store, variants, 10, peers=self.peers, timers=timers)
        self.tables.open(self.listeners)
        wait_until(lambda: self.peers.seconds_connected() > 0)

    def close(self) -> None:
        self.tables.close()
        self.store.close()


@pytest.fixture
def local_servers(cluster: Cluster, redis: Engine) -> Iterator[tuple[LocalServer, LocalServer]]:
    servers = LocalServer(cluster, redis), LocalServer(cluster, redis)
    yield servers
    for server in servers:
        server.close()


def enter(server: LocalServer, seated: Seated) -> None:
    with server.tables.at(seated.table) as live:
        live.enter(Viewer(seated.seat, seated.seat, since=server.tables.clock.now()))


def test_a_window_waits_for_the_slowest_connection_of_any_process(
    local_servers: tuple[LocalServer, LocalServer],
) -> None:
    one, other = local_servers
    ana = one.tables.create(KeyedRequest(), "Ana", None, {"nope_seconds": 3})
    ben = other.tables.join(KeyedRequest(), ana.table, TakeSeat(name="Ben"))
    other.listeners.trip_ms = 400
    enter(one, ana)
    enter(other, ben)

    def get_remote_trip_ms() -> int:
        with one.tables.at(ana.table) as live:
            return max((place.trip_ms for place in live.presence.remote_seats(ben.seat)), default=0)

    wait_until(lambda: get_remote_trip_ms() == 400)


def test_a_process_notified_of_a_later_version_reads_the_log(
    local_servers: tuple[LocalServer, LocalServer],
) -> None:
    one = local_servers[0]
    ana = one.tables.create(KeyedRequest(), "Ana", None, {})
    with one.tables.at(ana.table) as live:
        for later in (0, 1):
            there = PeerPresence(by="other", seats={}, watching=1, version=live.version + later)
            live.sync.inbox.append(there)
            live.take_messages()
            assert live.sync.behind == bool(later)


def test_a_process_without_connections_keeps_no_presence_of_others(
    local_servers: tuple[LocalServer, LocalServer],
) -> None:
    """A process without connections to a table gets no messages about it. It would never learn that
    players left, so it must not remember them at all."""
    one = local_servers[0]
    ana = one.tables.create(KeyedRequest(), "Ana", None, {})
    place = RemoteSeat(one.tables.clock.now(), 0)
    there = PeerPresence(by=local_servers[1].peers.me, seats={ana.seat: place}, watching=0)
    with one.tables.at(ana.table) as live:  # this loads the table
        assert not live.presence.here
    one.tables.sync._on_message(ana.table, there)
    with one.tables.at(ana.table) as live:
        assert not live.presence.here


def test_a_table_deleted_by_one_process_is_gone_from_all(
    local_servers: tuple[LocalServer, LocalServer],
) -> None:
    one, other = local_servers
    ana = one.tables.create(KeyedRequest(), "Ana", None, {})
    with other.tables.at(ana.table) as live:
        assert live.version
    one.tables._delete(ana.table)

    def has_gone() -> bool:
        try:
            with other.tables.at(ana.table):
                return False
        except Fault as fault:
            return fault.code == "not_found"

    wait_until(has_gone)


class ShiftedClock:
    """A replacement for PostgreSQL's clock that a test can set ahead or back."""

    def __init__(self, cluster: Cluster) -> None:
        self._engine = sql.create_engine(cluster.url, isolation_level="AUTOCOMMIT")
        self._execute("CREATE SCHEMA moved")
        self.set_ahead(0)
        self._execute("ALTER ROLE companion SET search_path = moved, pg_catalog, public")

    def set_ahead(self, seconds: int, takes: float = 0) -> None:
        """Set the clock ahead by ``seconds``. Each query then takes ``takes`` seconds longer."""
        later = f"pg_catalog.clock_timestamp() + interval '{seconds} seconds'"
        then = f"SELECT at FROM (SELECT {later} AS at OFFSET 0) read, pg_sleep({takes})"
        head = "CREATE OR REPLACE FUNCTION moved.clock_timestamp() RETURNS timestamptz"
        self._execute(f"{head} LANGUAGE sql AS $$ {then} $$")

    def _execute(self, command: str) -> None:
        with self._engine.connect() as session:
            session.execute(sql.text(command))

    def close(self) -> None:
        self._engine.dispose()


@pytest.fixture(name="shifted_clock")
def shift_clock(cluster: Cluster) -> Iterator[ShiftedClock]:
    clock = ShiftedClock(cluster)
    yield clock
    clock.close()


def test_servers_use_the_databases_clock_and_setting_it_closes_no_window(
    shifted_clock: ShiftedClock, cluster: Cluster, redis: Engine
) -> None:
    shifted_clock.set_ahead(3600)
    server = LocalServer(cluster, redis)
    clock = server.tables.clock
    sync = server.tables.sync
    assert sync is not None
    assert 3_590_000 < clock.now() - clock.own() < 3_700_000
    assert -3_700_000 < sync.clock_off < -3_590_000
    party = Seats(server.tables, server.listeners)
    seated = party.take_seats("Ana", "Ben", nope_seconds=30)
    party.play_skip(seated)

    def get_remaining_ms() -> int:
        with server.tables.at(seated[0].table) as live:
            assert live.table.game and live.table.game.window, "closed early"
            return int(live.table.game.window.closes_at - clock.now())

    for ahead in (7200, -7200):
        shifted_clock.set_ahead(ahead)
        sync.follow_the_clock()
        assert abs(clock.now() - clock.own() - ahead * 1000) < 100_000
        assert 0 < get_remaining_ms() <= 30_000
    server.close()


def test_a_slow_answer_from_the_database_sets_no_clock(
    shifted_clock: ShiftedClock, cluster: Cluster, redis: Engine
) -> None:
    """A process may have been frozen between the database's answer and reading it, so the time in a
    slow answer may be out of date."""
    server = LocalServer(cluster, redis)
    shifted_clock.set_ahead(0, takes=2)
    server.tables.sync.follow_the_clock()
    clock = server.tables.clock
    assert abs(clock.now() - clock.own()) < 500
    server.close()


def test_after_the_clock_is_set_back_a_new_connection_takes_its_seat(
    shifted_clock: ShiftedClock, cluster: Cluster, redis: Engine
) -> None:
    server = LocalServer(cluster, redis)
    party = Seats(server.tables, server.listeners)
    ana, ben = party.take_seats("Ana", "Ben")
    shifted_clock.set_ahead(-7200)
    server.tables.sync.follow_the_clock()
    with server.tables.at(ana.table) as live:
        now = server.tables.clock.now()
        live.enter(Viewer("another tab", ben.seat, since=now))
        assert {*live.presence.viewers} == {ana.seat, "another tab"}
        live.publisher.leave("another tab")
    wait_until(lambda: get_presence_sent_to(server, ana.seat)[ben.seat] == "away", 5)
    with server.tables.at(ana.table) as live:
        assert 0 < live.presence.away_ms(ben.seat) < 60_000
    server.close()


def test_a_connection_made_while_the_clock_is_set_uses_the_new_time(
    shifted_clock: ShiftedClock, cluster: Cluster, redis: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a connection's time were two hours ahead of the clock, no newer connection could take its
    seat for two hours."""
    server = LocalServer(cluster, redis)
    tables = server.tables
    now = server.tables.clock.now
    party = Seats(tables, server.listeners)
    seated = [party.take_seats("Ana")[0], party.take_seats("Ben")[0]]
    apply_internal = LiveTable.apply_internal
    unconnected = {one.table: one for one in seated}

    def connect_to_others_and_apply(self: LiveTable, *arguments: Any) -> Any:
        for other in unconnected.keys() - {self.code}:
            with tables.at(other) as live:
                live.enter(Viewer("another tab", unconnected.pop(other).seat, since=now()))
        return apply_internal(self, *arguments)

    shifted_clock.set_ahead(7200)
    monkeypatch.setattr(LiveTable, "apply_internal", connect_to_others_and_apply)
    tables.sync.follow_the_clock()
    assert not unconnected
    for one in seated:
        with tables.at(one.table) as live:
            assert {viewer.since <= now() for viewer in live.presence.viewers.values()} == {True}
            assert live.presence.next <= now() + TELL_MS
    server.close()


def get_presence_sent_to(server: LocalServer, sid: str) -> dict[str, str]:
    """Return the presence that a connection received last."""
    presences = [
        content for to, event, content in server.listeners.sent if (to, event) == (sid, "presence")
    ]
    return dict(presences[-1]["seats"])


def test_a_launchers_word_has_one_table_at_all_processes(
    two_processes: tuple[Process, Process],
) -> None:
    people = [(server, f"{name}{n}") for n, server in enumerate(two_processes) for name in "AB"]
    for number in range(3):
        room = f"word-of-both-processes-{number}"
        with ThreadPoolExecutor() as pool:
            calls = [
                pool.submit(server.post, "/api/rooms", {"room": room, "name": name})
                for server, name in people
            ]
        answers = [call.result() for call in calls]
        assert [answer.status for answer in answers] == [201] * 4
        assert len({answer.json["table"] for answer in answers}) == 1
        assert len({answer.json["seat"] for answer in answers}) == 4
