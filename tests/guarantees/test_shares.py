"""Tests for the limits that each address has, and for the time after which a rate-limited client
may retry."""

import json
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from math import ceil
from typing import Any

import pytest

from companion.adapters.connection_slots import ConnectionSlots, Holder, Rank
from companion.robots import client
from companion.robots.client import Connection
from companion.service.addresses import containing_ranges, household
from companion.web.rate_limits import Rates, SharedRate
from tests.support.servers import engines
from tests.support.servers.server import Client, Party, RealServer, wait_until

Serve = Callable[..., RealServer]


def make_bearer_header(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


# --- Promise 113 in docs/promises.md: time to retry -----------------------------------


def get_retry_ms(error: Any) -> int:
    """Return the time until a retry that a rate-limit error states."""
    assert error["code"] == "rate_limited", error
    ms = error["facts"]["retry_after_ms"]
    assert isinstance(ms, int) and ms > 0
    return ms


@pytest.mark.slow
def test_113_a_client_that_waits_for_retry_after_goes_on(serve: Serve) -> None:
    server = serve(COMPANION_COMMAND_RATE="4/3 second", COMPANION_JOIN_RATE="4/3 second")
    party = server.create_table("Ana", "Ben")
    path = f"/api/tables/{party.table}"
    seat = f"{path}/seats/{party.seats[0]}/claim"

    def make_http_call(ask: Callable[[], Any]) -> Callable[[], Any]:
        def refusal_over_http() -> Any:
            answer = ask()
            if answer.status != 429:
                return None
            assert answer.headers["Retry-After"] == str(ceil(get_retry_ms(answer.error) / 1000))
            return answer.error

        return refusal_over_http

    ana = party.host.socket
    requests: dict[str, Callable[[], Any]] = {
        "command": lambda: party.host.try_command("options", nope_seconds=5).get("error"),
        "sync": lambda: ana.call("sync", timeout=120).get("error"),
        "nothing known": lambda: ana.call("anything", timeout=120)["error"],
        "log": make_http_call(
            lambda: server.get(f"{path}/log", **make_bearer_header(party.tokens[0]))
        ),
        "claim": make_http_call(lambda: server.post(seat, **make_bearer_header(party.tokens[0]))),
        "watching": lambda: try_to_watch(server, party),
        "wrong claim": make_http_call(lambda: server.post("/api/claims/nothing")),
        "table": make_http_call(lambda: server.post("/api/tables", {"name": "Ana"})),
        "join": make_http_call(
            lambda: server.post(f"{path}/seats", {"name": f"{time.time()}"[-9:]})
        ),
        "wrong code": make_http_call(lambda: server.get("/api/tables/AAAAAA")),
    }
    for name, request in requests.items():
        for _ in range(9):
            error = request()
            if error and error["code"] == "rate_limited":
                break
            if name == "watching":
                # this limit counts only wrong codes, so try one
                server.get("/api/tables/AAAAAA")
        assert error and error["code"] == "rate_limited", (name, error)
        assert get_retry_ms(error) <= 3000
        time.sleep(get_retry_ms(error) / 1000)
        after = request()
        assert not after or after["code"] != "rate_limited", (name, after)
        time.sleep(0.1)


def try_to_watch(server: RealServer, party: Party) -> Any:
    refused = server.connect_client(party.table).refused
    return refused and refused["data"]


def test_113_a_refusal_for_lack_of_room_has_a_time_to_retry(serve: Serve) -> None:
    server = serve(COMPANION_SPECTATORS="1", COMPANION_ADDRESS_CONNECTIONS="3")
    party = server.create_table("Ana", "Ben")
    assert server.connect_client(party.table).view
    assert get_retry_ms(try_to_watch(server, party)) >= 1000
    other = server.create_table("Eva")
    error = server.connect_client(other.table).refused["data"]
    assert get_retry_ms(error) >= 1000 and error["facts"]["what"] == "connections"
    sign = {"sign": "gasp"}
    spectator = server.clients[-4]
    answers = [party.clients[1].socket.call("sign", sign, timeout=120) for _ in range(2)]
    assert answers[0]["ok"] and answers[1]["error"]["code"] == "rate_limited", spectator
    assert get_retry_ms(answers[1]["error"]) <= 500


@pytest.mark.redis
def test_113_a_limit_shared_by_all_processes_has_a_time_to_retry(redis: engines.Redis) -> None:
    two = [Rates("3/2 second", SharedRate(redis.url, "join")) for _ in range(2)]
    for rates in (*two, two[0]):
        rates.count("ana")
    for ask in (two[0].count, two[1].count, two[1].check):
        with pytest.raises(Exception, match="rate_limited") as error_info:
            ask("ana")
        assert 0 < error_info.value.facts["retry_after_ms"] <= 2000
    # Redis measures with a clock of its own, so wait a little longer
    time.sleep(error_info.value.facts["retry_after_ms"] / 1000 + 0.1)
    two[1].count("ana")


def test_113_robots_wait_and_go_on(serve: Serve) -> None:
    server = serve(COMPANION_COMMAND_RATE="2/3 second", COMPANION_JOIN_RATE="2/3 second")
    began = time.monotonic()
    seats = [client.make_table(server.url, "Ana") for _ in range(3)]
    assert 2 < time.monotonic() - began < client.PATIENCE
    began = time.monotonic()
    connection = Connection(server.url, seats[0])
    connection.open()
    for seconds in (5, 6, 7):
        assert connection.send_command({"type": "options", "nope_seconds": seconds})["ok"]
    assert 2 < time.monotonic() - began < client.PATIENCE
    connection.close()


# --- Promises 110 and 111 in docs/promises.md: shares of an address -------------------


def make_headers(address: int) -> dict[str, str]:
    """Return the headers of a request from this address through a trusted proxy."""
    return {"X-Forwarded-For": f"10.0.0.{address}"}


def start_practice(server: RealServer, address: int, name: str = "Ana") -> Any:
    """Request a practice table and connect its player, who does nothing.

    Returns the credentials and the client, or the reply if the server refused.
    """
    answer = server.post("/api/practice", {"name": name}, **make_headers(address))
    if answer.status != 201:
        return answer
    credentials = answer.json
    return credentials, server.connect_client(
        credentials["table"], credentials["token"], headers=make_headers(address)
    )


def count_robots(server: RealServer) -> int:
    lines = server.get("/metrics").body.decode().splitlines()
    return round(
        float(next(line for line in lines if line.startswith("companion_robots ")).split()[1])
    )


def test_110_no_address_has_more_than_its_share_of_the_robots(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_ROBOTS="20")
    answers = [start_practice(server, 1) for _ in range(10)]
    practices = [practice for practice in answers if isinstance(practice, tuple)]
    assert len(practices) == 2 and count_robots(server) == 4
    for refused in answers[2:]:
        assert refused.status == 429 and get_retry_ms(refused.error)
        assert refused.error["facts"].items() >= {"what": "robots", "most": 5}.items()
        assert refused.error["text"].startswith("Your network can have 5 robots at a time.")
    (host, _) = practices[0]
    add = {"X-Forwarded-For": "10.0.0.1", **make_bearer_header(practices[0][0]["token"])}
    path = f"/api/tables/{host['table']}/robots"
    assert server.post(path, {}, **add).status == 201
    assert server.post(path, {}, **add).error["facts"]["what"] == "robots"
    assert isinstance(start_practice(server, 2), tuple)
    server.kill()
    # from now on, a table's robots count towards the limits of its people's addresses
    server.start()
    again = [
        server.connect_client(practice["table"], practice["token"], headers=make_headers(1))
        for practice, _ in practices
    ]
    wait_until(lambda: count_robots(server) == 5)
    for ana in again:
        assert ana.view
    stays = server.connect_client(host["table"], host["token"], headers=make_headers(3))
    assert stays.view
    time.sleep(4)
    assert count_robots(server) == 5


def make_household_headers(number: int, net: int = 1) -> dict[str, str]:
    """Return the headers of a request from the /64 network with this number. 256 successive numbers
    make up a /56 network."""
    return {"X-Forwarded-For": f"2001:db8:{net}:{number:x}::1"}


def test_110_a_wide_range_of_ipv6_leaves_robots_for_others(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_ROBOTS="20")
    answers = [
        server.post("/api/practice", {"name": "Ana"}, **make_household_headers(number))
        for number in range(10)
    ]
    assert [answer.status for answer in answers] == [201] * 7 + [429] * 3
    assert answers[-1].error["facts"].items() >= {"what": "robots", "most": 15}.items()
    other_56 = server.post("/api/practice", {"name": "Ana"}, **make_household_headers(0x100))
    assert other_56.error["facts"]["most"] == 15, "it belongs to the same /48"
    assert (
        server.post("/api/practice", {"name": "Ana"}, **make_household_headers(1, net=2)).status
        == 201
    )


def test_110_practice_tables_requested_at_once_are_complete_or_refused(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_ROBOTS="20")

    def request_practice(number: int) -> Any:
        return server.post("/api/practice", {"name": f"Ana {number}"}, **make_headers(1))

    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(request_practice, range(12)))
    tables = [answer.json["table"] for answer in answers if answer.status == 201]
    refused = [answer.error["facts"]["what"] for answer in answers if answer.status != 201]
    assert (len(tables), refused) == (2, ["robots"] * 10)
    assert count_robots(server) == 4
    with closing(sqlite3.connect(server.database)) as database:
        assert {code for (code,) in database.execute("SELECT code FROM tables")} == set(tables)
        robot_counts = database.execute(
            "SELECT code, COUNT(*) FROM robots GROUP BY code"
        ).fetchall()
    assert sorted(robot_counts) == sorted((code, 2) for code in tables)


def test_110_robots_requested_at_once_get_a_seat_or_are_refused(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_ROBOTS="20")
    hosts = [server.post("/api/tables", {"name": "Ana"}, **make_headers(1)).json for _ in range(12)]

    def request_robot(host: Any) -> int:
        path = f"/api/tables/{host['table']}/robots"
        return server.post(path, {}, **make_headers(1), **make_bearer_header(host["token"])).status

    with ThreadPoolExecutor(12) as pool:
        statuses = sorted(pool.map(request_robot, hosts))
    assert statuses == [201] * 5 + [429] * 7
    assert count_robots(server) == 5
    seats = [server.get(f"/api/tables/{host['table']}").json["seats"] for host in hosts]
    assert sorted(len(table_seats) for table_seats in seats) == [1] * 7 + [2] * 5


def test_110_any_address_may_have_four_robots(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_ROBOTS="5")
    assert [isinstance(start_practice(server, 1), tuple) for _ in range(3)] == [True, True, False]
    assert start_practice(server, 2).error["code"] == "busy"


def test_110_no_share_limits_practice_on_the_servers_own_machine(serve: Serve) -> None:
    """A header that a proxy adds shows that the request may come from another machine."""
    server = serve(COMPANION_ROBOTS="8")

    def practise(**headers: str) -> Any:
        seated = server.post("/api/practice", {"name": "Ana"}, **headers)
        if seated.status == 201:
            server.connect_client(seated.json["table"], seated.json["token"])
        return seated.status

    assert [practise() for _ in range(5)] == [201, 201, 201, 201, 503]
    server.kill()
    server.start()
    through_a_proxy = {"X-Forwarded-For": "10.0.0.1"}
    assert [practise(**through_a_proxy) for _ in range(3)] == [201, 201, 429]


@pytest.mark.slow
def test_110_robots_at_idle_tables_give_way_to_new_requests(serve: Serve) -> None:
    server = serve(
        "tests.guarantees.hasty", MINUTE="8", COMPANION_TRUST_PROXY="1", COMPANION_ROBOTS="4"
    )

    def count_connected_robots(person: Client) -> int:
        """Return the number of connected robots at this person's table."""
        person.wait(lambda: person.get_received("presence"))
        return sum(seat == "here" for seat in person.presence["seats"].values()) - 1

    (_, ana) = start_practice(server, 1)
    (_, ben) = start_practice(server, 2, "Ben")
    wait_until(lambda: count_connected_robots(ana) == count_connected_robots(ben) == 2)
    ana.send_command("options", nope_seconds=5)
    ben.send_command("options", nope_seconds=5)
    assert start_practice(server, 3, "Cleo").error["code"] == "busy"
    # Ben's table stays active, but Ana's becomes idle and loses its robots
    for seconds in (6, 7) * 10:
        time.sleep(2)
        ben.send_command("options", nope_seconds=seconds)
        answer = start_practice(server, 3, "Cleo")
        if isinstance(answer, tuple):
            break
    _, cleo = answer
    wait_until(lambda: count_connected_robots(cleo) == 2 and count_connected_robots(ana) == 0)
    assert count_connected_robots(ben) == 2, "a command was sent at this table"
    time.sleep(9)  # all tables are idle now, but nobody needs their robots
    assert (
        count_connected_robots(ana),
        count_connected_robots(ben),
        count_connected_robots(cleo),
    ) == (0, 2, 2)
    ana.send_command("options", nope_seconds=6)
    wait_until(lambda: count_connected_robots(ana) == 2)
    assert count_robots(server) == 4


# --- Promise 35 in docs/promises.md: connections and slots of seats -------------------


def take_seats(server: RealServer, address: int, names: int = 1) -> list[tuple[Any, Client]]:
    """Create a table with this many seats, and connect a client for each seat from this address."""
    seats = [server.post("/api/tables", {"name": "Seat 1"}, **make_headers(address)).json]
    path = f"/api/tables/{seats[0]['table']}/seats"
    for number in range(2, names + 1):
        seats.append(server.post(path, {"name": f"Seat {number}"}, **make_headers(address)).json)
    return [(seat, reconnect(server, address, seat)) for seat in seats]


def reconnect(server: RealServer, address: int, seat: Any) -> Client:
    return server.connect_client(seat["table"], seat["token"], headers=make_headers(address))


def is_here(client: Client) -> bool:
    """Return True if the client was admitted and is still connected."""
    return client.refused is None and client.socket.connected


def test_35_an_addresss_share_of_connections_includes_its_seats(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_ADDRESS_CONNECTIONS="6")
    household = take_seats(server, 1, 4)
    watching = [
        server.connect_client(household[0][0]["table"], headers=make_headers(1)) for _ in range(2)
    ]
    new, other = (take_seats(server, 1)[0][1] for _ in range(2))
    wait_until(lambda: not any(map(is_here, watching)))  # players have priority over spectators
    assert is_here(new) and is_here(other)
    late_client = take_seats(server, 1)[0][1]
    error = late_client.refused["data"]
    assert error["facts"].items() >= {"what": "connections", "most": 6}.items() and get_retry_ms(
        error
    )
    assert all(is_here(client) for _, client in take_seats(server, 2, 6)), (
        "another address has its own"
    )
    again = reconnect(server, 1, household[1][0])
    assert is_here(again) and is_here(other), "its own connection is the one that leaves"
    household[2][1].close()
    wait_until(lambda: not is_here(household[2][1]))
    wait_until(lambda: is_here(take_seats(server, 1)[0][1]))  # a new seat gets the free slot
    back = reconnect(server, 1, household[2][0])
    assert is_here(back), "who was here today is let in, and a newcomer leaves"
    assert all(is_here(client) for _, client in (household[0], household[3]))


def test_35_a_known_seat_finds_room_in_a_range_that_others_have_filled(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_ADDRESS_CONNECTIONS="2")
    mine = make_household_headers(9)

    def connect(seat: Any, where: dict[str, str]) -> Client:
        return server.connect_client(seat["table"], seat["token"], headers=where)

    def create_table(where: dict[str, str]) -> Any:
        return server.post("/api/tables", {"name": "Ana"}, **where).json

    known = create_table(mine)
    connect(known, mine).close()
    wait_until(lambda: count_visits(server) == 1)
    others = [
        (create_table(where), where)
        for where in map(make_household_headers, [1, 1, 2, 2, 3, 3, 4, 4])
    ]
    new = [connect(*other) for other in others]
    assert all(map(is_here, new)), "the /56 has four times the connections of a household"
    assert connect(create_table(mine), mine).refused["data"]["facts"]["most"] == 8
    back = connect(known, mine)
    assert is_here(back)
    wait_until(lambda: sum(map(is_here, new)) == 7)
    back.close()
    wait_until(lambda: count_visits(server) == 9)
    again = [
        connect(*other) for other in others
    ]  # the server knows these seats now, so they rank like the seat ``known``
    wait_until(lambda: sum(map(is_here, again)) == 8)
    assert is_here(connect(known, mine)), "two of theirs are two more than none of mine"
    wait_until(lambda: sum(map(is_here, again)) == 7)
    assert connect(create_table(mine), mine).refused


def test_35_ten_friends_with_ten_tables_each_fit_into_one_household(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1")
    evenings = [seat for _ in range(10) for seat in take_seats(server, 1, 10)]
    assert len(evenings) == 100 and all(is_here(client) for _, client in evenings)


def test_35_a_seat_used_today_gets_a_slot_before_strangers(serve: Serve) -> None:
    """Strangers fill the server with new seats, before and after a restart."""
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_CONNECTIONS="12")
    friends = [seat for seat, _ in take_seats(server, 1, 6)]
    wait_until(lambda: count_visits(server) == 6)
    for end in (server.stop, lambda: [connected.close() for connected in server.clients]):
        end()
        if server.process.poll() is not None:
            server.start()
        strangers = [seat for _ in range(3) for seat in take_seats(server, 2, 9)]
        here = [reconnect(server, 1, seat) for seat in friends]
        strangers += take_seats(server, 2, 10)
        for seat, _ in strangers[:20]:
            reconnect(server, 2, seat)
        assert [is_here(client) for client in here] == [True] * 6
        assert server.get("/healthz").status == 200


def count_visits(server: RealServer) -> int:
    """Return the number of seats that the server has stored as recently used."""
    with closing(sqlite3.connect(server.database)) as database:
        return int(database.execute("SELECT COUNT(*) FROM visits").fetchone()[0])


def test_35_the_log_warns_once_about_an_untrusted_proxy(serve: Serve) -> None:
    server = serve()
    trusts = serve(COMPANION_TRUST_PROXY="1")
    for either_server in (server, trusts):
        either_server.get("/healthz")
        assert not [line for line in either_server.log_lines if "untrusted_proxy" in line]
        for address in (1, 2):
            either_server.get("/healthz", **make_headers(address))
    warnings = [json.loads(line) for line in server.log_lines if "untrusted_proxy" in line]
    assert [(entry["header"], entry["address"]) for entry in warnings] == [
        ("X-Forwarded-For", "127.0.0.1")
    ]
    assert not [line for line in trusts.log_lines if "untrusted_proxy" in line]


def test_35_a_needed_slot_is_taken_from_the_connection_with_the_least_claim() -> None:
    slots = ConnectionSlots(5, passing=9)
    evicted = list[str]()

    def take_slot(name: str, rank: Rank, address: str) -> None:
        slot = slots.take(lambda: evicted.append(name))
        slots.keep(slot, Holder(rank, containing_ranges(address)))

    take_slot("robot", Rank.ROBOT, "")
    take_slot("watches", Rank.WATCHES, "one")
    for number in range(3):
        take_slot(f"new {number}", Rank.NEW_SEAT, "two")
    take_slot("new 3", Rank.NEW_SEAT, "three")
    take_slot("watches, too", Rank.WATCHES, "three")
    assert evicted == [], "these pass through for now"
    take_slot("known 0", Rank.KNOWN_SEAT, "three")
    take_slot("known 1", Rank.KNOWN_SEAT, "four")
    assert evicted == ["watches", "new 2"]
    for number in range(2, 5):
        take_slot(f"known {number}", Rank.KNOWN_SEAT, "four")
    assert evicted[2:] == ["new 1", "new 0"], "the last of them finds only known seats"
    take_slot("known 5", Rank.KNOWN_SEAT, "three")
    assert evicted[4:] == ["known 3"], "that address had three, this one had one"
    take_slot("known 6", Rank.KNOWN_SEAT, "three")
    assert evicted[5:] == [], "now both have two"
    take_slot("known 7", Rank.KNOWN_SEAT, "five")
    assert evicted[5:] == ["known 5"]


def test_35_a_wide_range_of_ipv6_gives_slots_of_a_full_server_to_other_addresses() -> None:
    """Each connection of the range comes from a household of its own."""
    slots = ConnectionSlots(64, passing=9)
    evicted = list[str]()

    def take_slot(name: str, address: str) -> None:
        slot = slots.take(lambda: evicted.append(name))
        slots.keep(slot, Holder(Rank.KNOWN_SEAT, containing_ranges(household(address))))

    for number in range(64):
        take_slot(f"{number}", f"2001:db8:1:{number << 8:x}::1")
    take_slot("IPv4", "10.0.0.1")
    take_slot("IPv4", "10.0.0.1")
    take_slot("IPv4", "10.0.0.1")
    assert evicted == ["63", "62", "61"], "62 / 16 is more than two and one"
    take_slot("IPv4", "10.0.0.1")
    assert evicted[3:] == [], "this address has three now"
    take_slot("neighbour", "2001:db8:1:1::1")
    assert evicted[3:] == [], "it belongs to the same range, and nobody there has more"
    take_slot("another range", "2001:db8:2::1")
    take_slot("another range", "2001:db8:2:1::1")
    assert evicted[3:] == ["60", "59"]


def test_35_seats_used_today_come_back_to_a_server_that_a_range_has_filled(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_CONNECTIONS="20")

    def connect_all(seats: list[Any], net: int) -> list[Client]:
        """Connect a client for each seat, each from a household of its own."""
        return [
            server.connect_client(
                seat["table"], seat["token"], headers=make_household_headers(number << 8, net)
            )
            for number, seat in enumerate(seats)
        ]

    def create_seats(names: int, net: int) -> list[Any]:
        where = make_household_headers(0, net)
        return [server.post("/api/tables", {"name": "Ana"}, **where).json for _ in range(names)]

    friends = create_seats(2, 2)
    strangers = create_seats(20, 1)
    for seats, net in ((friends, 2), (strangers, 1)):
        for connected in connect_all(seats, net):
            connected.close()
    wait_until(lambda: count_visits(server) == 22)
    assert all(map(is_here, connect_all(strangers, 1))), "all of them are known now"
    back = connect_all(friends, 2)
    connect_all(create_seats(20, 1), 1)
    assert all(map(is_here, back))


def test_111_no_address_has_more_than_its_share_of_the_waiting_places(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1")
    party = server.create_table("Ana", "Ben", "Cleo").begin()
    path = f"/api/tables/{party.table}/waiting"

    def request_place(address: int, name: str) -> Any:
        return server.post(path, {"name": name}, **make_headers(address))

    answers = [request_place(1, f"Late {number}") for number in range(7)]
    assert [answer.status for answer in answers] == [201] * 4 + [429] * 3
    error = answers[-1].error
    assert error["facts"].items() >= {"what": "waiting", "most": 4}.items() and get_retry_ms(error)
    assert error["text"].startswith("Your network has 4 places in the next game")
    assert request_place(2, "Dan").status == 201
    credentials = answers[0].json
    server.connect_client(party.table, credentials["token"], headers=make_headers(1)).send_command(
        "leave"
    )
    assert request_place(1, "Late again").status == 201
    assert request_place(1, "Late once more").status == 429
    assert len(server.get(f"/api/tables/{party.table}").json["waiting"]) == 5


def test_111_a_wide_range_of_ipv6_leaves_waiting_and_spectator_places_for_others(
    serve: Serve,
) -> None:
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_SPECTATORS="8")
    party = server.create_table("Ana", "Ben", "Cleo").begin()

    def request_place(number: int, net: int = 1) -> Any:
        path, name = f"/api/tables/{party.table}/waiting", f"Late {net} {number}"
        return server.post(path, {"name": name}, **make_household_headers(number, net))

    def try_to_connect(number: int, net: int = 1) -> Any:
        return server.connect_client(
            party.table, headers=make_household_headers(number, net)
        ).refused

    statuses = [request_place(number).status for number in range(8)]
    assert statuses == [201] * 6 + [429] * 2
    assert request_place(0, net=2).status == 201
    refused = [try_to_connect(number) for number in range(6)]
    assert refused[:4] == [None] * 4
    assert [refusal["data"]["facts"]["most"] for refusal in refused[4:]] == [4, 4]
    assert try_to_connect(0, net=2) is None


def test_111_an_address_has_its_share_of_house_rules_and_a_wide_range_a_multiple(
    serve: Serve,
) -> None:
    server = serve("tests.guarantees.thrifty", TABLES="1", COMPANION_TRUST_PROXY="1")

    def create_table(number: int, net: int = 1) -> Any:
        """Create a table with house rules from this household. Return the answer."""
        at_home = make_household_headers(number, net)
        table = {"name": "Ana", "rules": {"name": "Snoozy", "titles": {"skip": "Snooze"}}}
        answer = server.post("/api/tables", table, **at_home)
        if answer.status == 201:
            seat = answer.json
            assert server.connect_client(seat["table"], seat["token"], headers=at_home).view
        return answer

    assert [create_table(0).status for _ in range(2)] == [201, 429]
    answers = [create_table(number) for number in range(1, 6)]
    assert [answer.status for answer in answers] == [201] * 3 + [429] * 2
    assert answers[-1].error["facts"].items() >= {"what": "house_rules", "most": 4}.items()
    assert create_table(0x100).status == create_table(1, net=2).status == 201


def test_111_no_address_has_more_than_its_share_of_the_spectator_places(serve: Serve) -> None:
    server = serve(COMPANION_TRUST_PROXY="1", COMPANION_SPECTATORS="20")
    party = server.create_table("Ana", "Ben")

    def watch_from(address: int, **more: Any) -> Any:
        return server.connect_client(party.table, headers=make_headers(address), **more).refused

    assert [watch_from(1) is None for _ in range(6)] == [True] * 5 + [False]
    error = watch_from(1)["data"]
    assert error["facts"].items() >= {"what": "watching", "most": 5}.items() and get_retry_ms(error)
    assert error["text"].startswith("5 people on your network watch this table")
    assert watch_from(2) is None
    mine = server.connect_client(party.table, party.tokens[1], headers=make_headers(1))
    assert mine.view["you"]["seat"] == party.seats[1], "a seat is no place to watch from"


def test_111_a_seat_at_a_replay_counts_as_a_spectator(serve: Serve) -> None:
    """A seat has one connection at its table, but can open any number of replays."""
    server = serve(COMPANION_ADDRESS_CONNECTIONS="6")
    party = server.create_table("Ana", "Ben").begin()
    party.clients[1].send_command("leave")
    auth = {"table": party.table, "token": party.tokens[0], "replay": 1}
    server.clients += [Client(server.url, auth) for _ in range(6)]
    assert [viewer.refused is None for viewer in server.clients[2:]] == [True] * 4 + [False] * 2
    assert server.connect_client(party.table, party.tokens[1]).view
