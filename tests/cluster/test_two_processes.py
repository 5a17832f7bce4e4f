"""Two processes, one table: what is the table's is so by way of any of them."""

import json
import socket
import time
from collections.abc import Callable, Iterator
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

from companion.rules import families
from companion.rules.core.commands import TakeSeat
from companion.service.clock import Timers
from companion.service.errors import Fault
from companion.service.peers.messages import PeerPresence, Peers, RemoteSeat
from companion.service.peers.redis import Bus
from companion.service.requests import KeyedRequest, Seated
from companion.service.table.live_table import LiveTable
from companion.service.table.presence import TELL_MS, Viewer
from companion.service.tables import Tables
from companion.settings import default_variants
from companion.storage.store import Store
from tests.cluster.fleet import Fleet, Process
from tests.guarantees.proxy import Proxy
from tests.service.test_tables import Listeners, Seats
from tests.support.servers.engines import Cluster
from tests.support.servers.engines import Redis as Engine
from tests.support.servers.server import Client, RealServer, wait_until
from tests.support.timed import within
from tools.benchmarks.wire import UPGRADE

pytestmark = [pytest.mark.postgresql, pytest.mark.redis, pytest.mark.slow]


@pytest.fixture(scope="module")
def fleet() -> Iterator[Fleet]:
    with Fleet(COMPANION_ROBOTS="10", COMPANION_SPECTATORS="3") as running:
        yield running


@pytest.fixture
def both(fleet: Fleet) -> tuple[Process, Process]:
    return fleet.processes[0], fleet.processes[1]


def seats(server: RealServer, *names: str) -> list[Any]:
    """A table with these seats, nobody connected."""
    made = [server.post("/api/tables", {"name": names[0]}).json]
    path = f"/api/tables/{made[0]['table']}/seats"
    return made + [server.post(path, {"name": name}).json for name in names[1:]]


def sits(server: RealServer, seat: Any) -> Client:
    return server.connect_client(seat["table"], seat["token"])


def goes(client: Client) -> None:
    """The server disconnects the client. Its library doesn't report an end during the connect."""
    client.wait(lambda: client.get_received("superseded"), 30)
    wait_until(
        lambda: client.get_received("disconnect") or client.socket.eio.state == "disconnected", 30
    )


def shows(client: Client, event: str, wanted: Callable[[Any], Any]) -> None:
    """Wait until the client receives this event."""
    client.wait(lambda: any(wanted(one) for one in client.get_received(event)), 30)


def wait_for_event(speaker: Client, other: Client, name: str, place: int = 0) -> None:
    """Waits until the other one sees a new name, which is accepted at once."""
    assert speaker.send_command("rename", name=name)["ok"]
    other.wait(
        lambda: any(v["seats"][place]["name"] == name for v in other.get_received("view")[-1:]), 30
    )


def was_notified(server: RealServer, what: Callable[[], Any]) -> bool:
    """Return True if the server got it from a peer, without polling the log."""
    before = figure(server, "companion_caught_up_total")
    what()
    return figure(server, "companion_caught_up_total") == before


def figure(server: RealServer, name: str) -> float:
    lines = server.get("/metrics").body.decode().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith(f"{name} ")))


def test_a_second_tab_by_way_of_another_process_takes_the_firsts_place(
    both: tuple[Process, Process],
) -> None:
    one, other = both
    ana, _ = seats(one, "Ana", "Ben")
    first = sits(one, ana)
    second = sits(other, ana)
    goes(first)
    third = sits(one, ana)
    goes(second)
    assert third.socket.connected and not third.get_received("superseded")


@contextmanager
def asks(server: RealServer) -> Iterator[WebSocket]:
    """Asks for a WebSocket, and waits for no answer."""
    asked = WebSocket(skip_utf8_validation=True)
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as asked.sock:
        asked.sock.sendall(UPGRADE.format(host="127.0.0.1", port=server.port).encode())
        yield asked


def says_who(asked: WebSocket, seat: Any) -> None:
    """Asks for the seat, over a WebSocket that is open."""
    asked.send("40" + json.dumps({"table": seat["table"], "token": seat["token"]}))


def is_open(asked: WebSocket) -> None:
    """Reads the answer to what was asked for."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += asked.sock.recv(1)
    assert asked.recv().startswith("0")


@pytest.mark.parametrize("when", ["before", "while"])
@pytest.mark.parametrize("then", ["hangs up", "stays"])
def test_an_older_request_never_evicts_a_newer_connection_however_late_it_is_admitted(
    both: tuple[Process, Process], when: str, then: str
) -> None:
    """Before or while it was frozen they asked for a connection, and then came by the other one."""
    one, other = both
    ana = seats(one, "Ana")[0]
    with ExitStack() as ends:
        if when == "before":
            is_open(earlier := ends.enter_context(asks(other)))
            other.freeze()
            says_who(earlier, ana)
        else:
            other.freeze()
            earlier = ends.enter_context(asks(other))
        time.sleep(0.1)
        stays = sits(one, ana)
        if then == "hangs up":
            ends.close()
        time.sleep(1)
        other.thaw()
        if then == "stays":
            if when == "while":
                is_open(earlier)
                says_who(earlier, ana)
            heard = [*iter(earlier.recv, "")]  # to its end
            assert [one for one in heard if one.startswith("42")][-1] == '42["superseded",{}]'
    wait_until(lambda: other.get("/healthz").status == 200, 30)
    time.sleep(1)
    assert stays.socket.connected and not stays.get_received("superseded")
    assert stays.get_received("presence")[-1]["seats"] == {ana["seat"]: "here"}


def yields(server: RealServer, seat: Any) -> Client:
    """Comes for the seat if nobody else has it."""
    client = Client(server.url, {"table": seat["table"], "token": seat["token"], "yields": True})
    server.clients.append(client)
    return client


def test_a_yielding_connection_has_a_seat_only_while_nobody_else_does(
    both: tuple[Process, Process],
) -> None:
    one, other = both
    ana = seats(one, "Ana")[0]
    watching = [server.connect_client(ana["table"]) for server in both]

    def everywhere(presence: str) -> None:
        """Both processes know by now whether somebody has the seat."""
        newest = [{"seats": {ana["seat"]: presence}, "spectators": 2}]
        for client in watching:
            client.wait(partial(lambda of: of.get_received("presence")[-1:] == newest, client), 30)

    has_it = sits(one, ana)
    everywhere("here")
    for server in both:
        goes(yields(server, ana))
    has_it.close()
    everywhere("away")
    first = yields(other, ana)
    assert first.view["you"]["seat"] == ana["seat"]
    everywhere("here")
    for server in both:
        goes(yields(server, ana))
    assert (
        first.socket.connected
        and not has_it.get_received("superseded")
        and not first.get_received("superseded")
    )
    has_it = sits(one, ana)
    goes(first)
    assert has_it.socket.connected and not has_it.get_received("superseded")


def test_a_claimed_seat_is_closed_to_the_old_device_everywhere(
    both: tuple[Process, Process],
) -> None:
    one, other = both
    ana, _ = seats(one, "Ana", "Ben")
    old = sits(other, ana)
    old.wait(lambda: old.get_received("view"))
    mine = {"Authorization": f"Bearer {ana['token']}"}
    claim = one.post(f"/api/tables/{ana['table']}/seats/{ana['seat']}/claim", **mine).json["claim"]
    taken = one.post(f"/api/claims/{quote(claim)}")
    assert taken.status == 201
    assert other.post(f"/api/claims/{quote(claim)}").error["code"] == "not_found"
    goes(old)
    new = sits(other, {**ana, "token": taken.json["token"]})
    assert (
        new.view["you"]["seat"] == ana["seat"] and new.send_command("rename", name="Anabel")["ok"]
    )


def test_presence_is_the_same_everywhere_and_ends_with_a_killed_process(
    both: tuple[Process, Process],
) -> None:
    one, other = both
    ana, ben = seats(one, "Ana", "Ben")
    a = sits(one, ana)
    b = sits(other, ben)
    watching = other.connect_client(ana["table"])
    here = {ana["seat"]: "here", ben["seat"]: "here"}
    for client in (a, b, watching):
        shows(client, "presence", lambda one: one == {"seats": here, "spectators": 1})
    b.close()
    shows(a, "presence", lambda one: one["seats"][ben["seat"]] == "away")
    b = sits(other, ben)
    shows(b, "presence", lambda one: one == {"seats": here, "spectators": 1})
    a.wait(lambda: a.get_received("presence")[-1] == {"seats": here, "spectators": 1}, 30)
    other.kill()
    away = {**here, ben["seat"]: "away"}
    a.wait(lambda: a.get_received("presence")[-1] == {"seats": away, "spectators": 0}, 30)
    other.start()


def test_the_limit_of_spectators_counts_all_processes(both: tuple[Process, Process]) -> None:
    one, other = both
    ana = seats(one, "Ana")[0]
    host = sits(one, ana)
    clients = [server.connect_client(ana["table"]) for server in (one, other, other)]
    assert all(client.refused is None for client in clients)
    shows(host, "presence", lambda said: said["spectators"] == 3)
    wait_until(lambda: other.connect_client(ana["table"]).refused is not None, 30)
    assert one.connect_client(ana["table"]).refused["data"]["code"] == "rate_limited"


def test_signs_and_replays_watched_together_know_no_process(both: tuple[Process, Process]) -> None:
    one, other = both
    ana, ben = seats(one, "Ana", "Ben")
    a = sits(one, ana)
    b = sits(other, ben)
    watching = other.connect_client(ana["table"])
    a.send_command("prepare")
    assert a.socket.call("sign", {"sign": "camera", "to": ben["seat"]}, timeout=20)["ok"]
    shows(b, "sign", lambda said: said == {"seat": ana["seat"], "sign": "camera"})
    assert not watching.get_received("sign")
    for client in (a, b):
        client.send_command("ready", ready=True)
    a.send_command("begin", first=ana["seat"])
    assert watching.socket.call("sign", {"sign": "gasp"}, timeout=20)["ok"]
    for client in (a, b, watching):
        shows(client, "sign", lambda said: said == {"seat": None, "sign": "gasp"})
    a.send_command("leave")

    def watch(server: RealServer) -> Client:
        client = Client(server.url, {"table": ana["table"], "replay": 1})
        server.clients.append(client)
        client.socket.on("replay", client._make_handler("replay"))
        return client

    def alike(at: int) -> bool:
        shown: set[int] = {client.get_received("replay")[-1]["at"] for client in beside}
        return shown in ({at}, {100 + at})

    there = [watch(server) for server in both]

    def steps(client: Client, at: int, seen_by: Client) -> bool:
        client.socket.call("replay", {"at": at}, timeout=20)
        heard = seen_by.get_received("replay")
        return bool(heard) and {"at": at, "here": 2}.items() <= heard[-1].items()

    wait_until(lambda: steps(there[0], 7, there[1]), 30)
    wait_until(lambda: steps(there[1], 8, there[0]), 30)
    beside = [watch(server) for server in both]
    for at in range(20):  # both at once: all go to the same moment
        for number, client in enumerate(there):
            client.socket.emit("replay", {"at": 100 * number + at})
        wait_until(lambda: all(client.get_received("replay") for client in beside), 30)
        wait_until(partial(alike, at), 10)
    for client in (*beside, there[1]):
        client.close()
    wait_until(lambda: there[0].get_received("replay")[-1]["here"] == 1, 30)


def test_180_a_film_is_one_by_way_of_any_process(both: tuple[Process, Process]) -> None:
    """It is stopped from the other process for good, and stands once its driver is gone there."""
    one, other = both
    ana, ben = seats(one, "Ana", "Ben")
    host = sits(one, ana)
    _ = sits(one, ben)
    host.send_command("prepare")
    for seat in (ana, ben):
        host.send_command("ready", **{"as": seat["seat"], "ready": True})
    host.send_command("begin", first=ana["seat"])
    host.send_command("remove_seat", seat=ben["seat"])

    def watch(server: RealServer, **who: str) -> Client:
        client = Client(server.url, {"table": ana["table"], "replay": 1, **who})
        server.clients.append(client)
        client.socket.on("replay", client._make_handler("replay"))
        return client

    def last(client: Client) -> dict[str, Any]:
        heard = client.get_received("replay")
        return {key: heard[-1].get(key, 0) for key in ("at", "play", "by")} if heard else {}

    def steers(client: Client, at: int, **more: Any) -> dict[str, Any]:
        return dict(client.socket.call("replay", {"at": at, **more}, timeout=20))

    driver = watch(one, token=ana["token"])
    spectator = watch(other)
    wait_until(
        lambda: (
            spectator.get_received("replay")[-1:]
            and spectator.get_received("replay")[-1]["here"] == 2
        ),
        30,
    )
    assert steers(driver, 7, play="normal")["ok"]
    wait_until(lambda: last(spectator) == {"at": 7, "play": "normal", "by": ana["seat"]}, 30)
    assert steers(driver, 8, play="normal", on=True)["ok"]
    wait_until(lambda: last(spectator)["at"] == 8, 30)
    assert steers(spectator, 8)["ok"]
    wait_until(lambda: last(driver) == {"at": 8, "play": 0, "by": None}, 30)
    assert steers(driver, 9, play="normal", on=True)["error"]["code"] == "stale"
    assert last(spectator)["at"] == 8
    assert steers(spectator, 9, play="fast")["ok"]
    wait_until(lambda: last(driver) == {"at": 9, "play": "fast", "by": None}, 30)
    spectator.close()
    wait_until(lambda: last(driver) == {"at": 9, "play": 0, "by": None}, 30)


@pytest.mark.timed
def test_112_strangers_are_sent_away_from_a_replay_by_way_of_any_process(
    both: tuple[Process, Process],
) -> None:
    """Also through a process that receives nothing else about the table."""
    one, other = both
    ana, ben = seats(one, "Ana", "Ben")
    a = sits(one, ana)
    _ = sits(one, ben)
    a.send_command("prepare")
    for seat in (ana, ben):
        a.send_command("ready", **{"as": seat["seat"], "ready": True})
    a.send_command("begin", first=ana["seat"])
    a.send_command("remove_seat", seat=ben["seat"])
    stranger = Client(other.url, {"table": ana["table"], "replay": 1})
    other.clients.append(stranger)
    stranger.wait(lambda: stranger.get_received("replay"), 30)
    a.send_command("options", spectators=False)
    with within(4):
        stranger.wait(lambda: stranger.get_received("disconnect"), 60)


def test_a_tables_robots_play_in_one_process_and_in_another_when_it_ends(
    both: tuple[Process, Process],
) -> None:
    one, other = both
    made = one.post("/api/practice", {"name": "Ana"}).json
    ana = sits(other, made)
    shows(ana, "presence", lambda said: [*said["seats"].values()] == ["here"] * 3)
    ana.send_command("prepare")
    ana.send_command("ready", ready=True)
    ana.wait(lambda: all(seat["ready"] for seat in ana.view["seats"]), 60)
    assert [figure(server, "companion_robots") for server in both] == [2, 0]
    one.stop()
    wait_until(lambda: figure(other, "companion_robots") == 2, 60)
    ana.wait(lambda: [*ana.get_received("presence")[-1]["seats"].values()] == ["here"] * 3, 60)
    one.start()


def test_nothing_is_published_where_nothing_happens(
    fleet: Fleet, both: tuple[Process, Process]
) -> None:
    """But that everybody is there: once a second for each process, and who is at which table."""
    one, other = both
    ana, ben = seats(one, "Ana", "Ben")
    here = [sits(one, ana), sits(other, ben)]
    for client in here:
        shows(client, "presence", lambda said: {*said["seats"].values()} == {"here"})
    for client in here:
        client.close()
    redis = Redis.from_url(fleet.redis.url)

    def quiet() -> bool:
        before = redis.info("stats")["total_commands_processed"]
        time.sleep(2)
        return int(redis.info("stats")["total_commands_processed"]) - before < 60

    wait_until(quiet, 30)
    redis.close()


@pytest.mark.timed
def test_without_redis_others_see_it_within_two_seconds_and_later_as_before(
    fleet: Fleet, both: tuple[Process, Process]
) -> None:
    one, other = both
    ana, ben = seats(one, "Ana", "Ben")
    a = sits(one, ana)
    b = sits(other, ben)
    fleet.redis.stop()
    for number in range(3):
        with within(2):
            wait_for_event(a, b, f"Ana {number}")
    assert one.get("/readyz").status == 200
    fleet.redis.start()
    wait_until(lambda: all(figure(server, "companion_bus_up") for server in both), 30)
    names = (f"Ana {number}" for number in count(3))
    wait_until(lambda: was_notified(other, lambda: wait_for_event(a, b, next(names))), 30)


def test_a_call_to_a_process_without_connections_is_noticed_at_once(
    both: tuple[Process, Process],
) -> None:
    one, other = both
    ana = seats(one, "Ana")[0]
    a = sits(other, ana)
    names = iter("BCDEFGHIJ")

    def joins() -> None:
        name = next(names)
        one.post(f"/api/tables/{ana['table']}/seats", {"name": name})
        a.wait(lambda: any(v["seats"][-1]["name"] == name for v in a.get_received("view")[-1:]), 30)

    wait_until(lambda: was_notified(other, joins), 30)


@pytest.mark.timed
def test_a_process_that_alone_is_cut_off_from_redis_plays_on(fleet: Fleet, tmp_path: Path) -> None:
    redis = urlsplit(fleet.redis.url)
    proxy = Proxy(redis.port or 0)
    there = fleet.processes[0]
    by_proxy = {"COMPANION_BUS": f"redis://{urlsplit(proxy.url).netloc}/0"}
    cut = Process(tmp_path, database=fleet.postgresql.url, **by_proxy)
    try:
        ana, ben = seats(cut, "Ana", "Ben")
        a = sits(cut, ana)
        b = sits(there, ben)
        shows(b, "presence", lambda one: one["seats"].get(ana["seat"]) == "here")
        proxy.stall()
        for number in range(3):
            with within(2):
                wait_for_event(a, b, f"Ana {number}")
            with within(2):
                wait_for_event(b, a, f"Ben {number}", place=1)
        proxy.mend()
        names = (f"Ana {number}" for number in count(3))
        wait_until(lambda: was_notified(there, lambda: wait_for_event(a, b, next(names))), 30)
        wait_until(lambda: b.get_received("presence")[-1]["seats"].get(ana["seat"]) == "here", 30)
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
        fleet.redis.stop()  # then each counts for itself
        assert fleet.processes[0].post("/api/tables", {"name": "Ana"}).status in (201, 429)


@pytest.mark.parametrize("seconds", [-3600, 3600])
def test_the_join_rate_does_not_depend_on_a_machines_clock(
    fleet: Fleet, tmp_path: Path, seconds: int
) -> None:
    turned = tmp_path / "turned"
    turned.write_text(str(seconds))
    rate = {"COMPANION_BUS": fleet.redis.url, "COMPANION_JOIN_RATE": "6/minute"}
    where = {"database": fleet.postgresql.url, **rate}
    both = (
        Process(tmp_path, **where),
        Process(tmp_path, "tests.guarantees.turned", TURNED=str(turned), **where),
    )
    try:
        Redis.from_url(fleet.redis.url).flushall()  # what was counted before
        answers = [both[n % 2].post("/api/tables", {"name": "Ana"}).status for n in range(12)]
        assert answers == [201] * 6 + [429] * 6
    finally:
        for process in both:
            process.close()


# --- in one program, where a connection can be as slow as one likes --------------------------


class Half:
    """One of several processes' tables, on the same PostgreSQL and the same Redis."""

    def __init__(self, cluster: Cluster, redis: Engine) -> None:
        self.listeners = Listeners()
        self.store = Store(cluster.url, shared=True)
        self.store.open()
        variants = families.load_all(default_variants())
        timers = Timers()
        self.peers = Peers(Bus(redis.url), timers.clock)
        self.tables = Tables(self.store, variants, 10, peers=self.peers, timers=timers)
        self.tables.open(self.listeners)
        wait_until(lambda: self.peers.receiving_seconds() > 0, 20)

    def close(self) -> None:
        self.tables.close()
        self.store.close()


@pytest.fixture
def halves(cluster: Cluster, redis: Engine) -> Iterator[tuple[Half, Half]]:
    running = Half(cluster, redis), Half(cluster, redis)
    yield running
    for one in running:
        one.close()


def enter(half: Half, seated: Seated) -> None:
    with half.tables.at(seated.table) as live:
        live.enter(Viewer(seated.seat, seated.seat, since=half.tables.clock.now()))


def test_in_time_the_window_waits_for_the_slowest_wherever_it_is(
    halves: tuple[Half, Half],
) -> None:
    one, other = halves
    ana = one.tables.create(KeyedRequest(), "Ana", None, {"nope_seconds": 3})
    ben = other.tables.join(KeyedRequest(), ana.table, TakeSeat(name="Ben"))
    other.listeners.trip_ms = 400
    enter(one, ana)
    enter(other, ben)

    def grace() -> int:
        with one.tables.at(ana.table) as live:
            return max((place.trip_ms for place in live.presence.remote_seats(ben.seat)), default=0)

    wait_until(lambda: grace() == 400, 20)


def test_a_process_that_learns_of_a_later_version_reads_the_log(halves: tuple[Half, Half]) -> None:
    one = halves[0]
    ana = one.tables.create(KeyedRequest(), "Ana", None, {})
    with one.tables.at(ana.table) as live:
        for later in (0, 1):
            there = PeerPresence(by="other", seats={}, watching=1, version=live.version + later)
            live.sync.inbox.append(there)
            live.take_messages()
            assert live.sync.behind == bool(later)


def test_a_process_without_connections_keeps_no_presence_of_others(
    halves: tuple[Half, Half],
) -> None:
    """It would stay so for ever: nobody notifies that process again that they went."""
    one = halves[0]
    ana = one.tables.create(KeyedRequest(), "Ana", None, {})
    place = RemoteSeat(one.tables.clock.now(), 0)
    there = PeerPresence(by=halves[1].peers.me, seats={ana.seat: place}, watching=0)
    with one.tables.at(ana.table) as live:  # from here on it is in memory
        assert not live.presence.here
    one.tables.sync._on_message(ana.table, there)
    with one.tables.at(ana.table) as live:
        assert not live.presence.here


def test_a_table_that_one_process_deleted_is_gone_in_all(halves: tuple[Half, Half]) -> None:
    one, other = halves
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

    wait_until(has_gone, 20)


class Moved:
    """Set PostgreSQL's clock ahead by ``seconds`` for servers that query it from now on."""

    def __init__(self, cluster: Cluster) -> None:
        self._engine = sql.create_engine(cluster.url, isolation_level="AUTOCOMMIT")
        self._say("CREATE SCHEMA moved")
        self.ahead(0)
        self._say("ALTER ROLE companion SET search_path = moved, pg_catalog, public")

    def ahead(self, seconds: int, takes: float = 0) -> None:
        later = f"pg_catalog.clock_timestamp() + interval '{seconds} seconds'"
        then = f"SELECT at FROM (SELECT {later} AS at OFFSET 0) read, pg_sleep({takes})"
        head = "CREATE OR REPLACE FUNCTION moved.clock_timestamp() RETURNS timestamptz"
        self._say(f"{head} LANGUAGE sql AS $$ {then} $$")

    def _say(self, command: str) -> None:
        with self._engine.connect() as session:
            session.execute(sql.text(command))

    def close(self) -> None:
        self._engine.dispose()


@pytest.fixture(name="moved")
def move_clock(cluster: Cluster) -> Iterator[Moved]:
    made = Moved(cluster)
    yield made
    made.close()


def test_the_time_is_the_databases_and_a_clock_that_is_set_closes_no_window(
    moved: Moved, cluster: Cluster, redis: Engine
) -> None:
    moved.ahead(3600)
    half = Half(cluster, redis)
    clock = half.tables.clock
    sync = half.tables.sync
    assert sync is not None
    assert 3_590_000 < clock.now() - clock.own() < 3_700_000
    assert -3_700_000 < sync.clock_off < -3_590_000
    party = Seats(half.tables, half.listeners)
    made = party.seat("Ana", "Ben", nope_seconds=30)
    party.play(made)

    def has_left() -> int:
        with half.tables.at(made[0].table) as live:
            assert live.table.game and live.table.game.window, "closed early"
            return int(live.table.game.window.closes_at - clock.now())

    for ahead in (7200, -7200):
        moved.ahead(ahead)
        sync.follow_the_clock()
        assert abs(clock.now() - clock.own() - ahead * 1000) < 100_000
        assert 0 < has_left() <= 30_000
    half.close()


def test_an_answer_that_took_long_sets_no_clock(
    moved: Moved, cluster: Cluster, redis: Engine
) -> None:
    """Nobody knows when in that time it was given: the process may have been frozen."""
    half = Half(cluster, redis)
    moved.ahead(0, takes=2)
    half.tables.sync.follow_the_clock()
    clock = half.tables.clock
    assert abs(clock.now() - clock.own()) < 500
    half.close()


def test_after_the_clock_is_set_back_a_seat_can_move_and_all_are_notified(
    moved: Moved, cluster: Cluster, redis: Engine
) -> None:
    half = Half(cluster, redis)
    party = Seats(half.tables, half.listeners)
    ana, ben = party.seat("Ana", "Ben")
    moved.ahead(-7200)
    half.tables.sync.follow_the_clock()
    with half.tables.at(ana.table) as live:
        now = half.tables.clock.now()
        live.enter(Viewer("another tab", ben.seat, since=now))
        assert {*live.presence.viewers} == {ana.seat, "another tab"}
        live.publisher.leave("another tab")
    wait_until(lambda: presence_seen_by(half, ana.seat)[ben.seat] == "away", 5)
    with half.tables.at(ana.table) as live:
        assert 0 < live.presence.away_ms(ben.seat) < 60_000
    half.close()


def test_a_connection_made_while_the_clock_is_set_uses_the_new_time(
    moved: Moved, cluster: Cluster, redis: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it takes to go through the tables: else nobody newer got that seat for 2 h."""
    half = Half(cluster, redis)
    tables = half.tables
    now = half.tables.clock.now
    party = Seats(tables, half.listeners)
    seated = [party.seat("Ana")[0], party.seat("Ben")[0]]
    change = LiveTable.apply_internal
    to_come = {one.table: one for one in seated}

    def has_changed(self: LiveTable, *given: Any) -> Any:
        for other in to_come.keys() - {self.code}:
            with tables.at(other) as live:
                live.enter(Viewer("another tab", to_come.pop(other).seat, since=now()))
        return change(self, *given)

    moved.ahead(7200)
    monkeypatch.setattr(LiveTable, "apply_internal", has_changed)
    tables.sync.follow_the_clock()
    assert not to_come
    for one in seated:
        with tables.at(one.table) as live:
            assert {viewer.since <= now() for viewer in live.presence.viewers.values()} == {True}
            assert live.presence.next <= now() + TELL_MS
    half.close()


def presence_seen_by(half: Half, sid: str) -> dict[str, str]:
    """Return the presence that a connection received last."""
    told = [said for to, event, said in half.listeners.heard if (to, event) == (sid, "presence")]
    return dict(told[-1]["seats"])
