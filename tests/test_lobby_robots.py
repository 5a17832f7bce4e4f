"""Robots of the server's own at a table: added in the lobby, standing in, at work over a restart.

Real servers with their robots' process; the person is a program that sits as anyone does.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import psutil
import pytest

from companion.fair.check import describe
from companion.robots import client
from companion.robots.client import Connection, SeatCredentials
from companion.robots.grid.player import Player, Secrets
from companion.robots.party import Plan, Robot
from companion.robots.player import TEMPERS
from companion.rules import families
from companion.rules.core.commands import (
    ClaimHost,
    Command,
    DecisionInputs,
    Leave,
    PassHost,
    RemoveSeat,
    SeatRobot,
    TakeSeat,
)
from companion.rules.core.events import evolve
from companion.rules.core.referee import decide
from companion.rules.core.rulings import Refused
from companion.service import clock, robot_desk
from companion.service.clock import Timers
from companion.service.errors import Fault
from companion.service.presence import Viewer
from companion.service.requests import KeyedRequest, hash_secret
from companion.service.tables import Tables
from companion.service.workers import Post, Posts, Process
from companion.settings import default_variants
from companion.storage.store import Store
from tests import server as servers
from tests.server import Client, RealServer
from tests.test_tables import Listeners

Serve = Callable[..., RealServer]

LONG = 300.0
"""Seconds: a game takes some, but on a machine that is busy with other things."""

until = partial(servers.wait_until, seconds=LONG)

QUICK = {"COMPANION_ROBOT_PACE": "0"}


def bearer(seated: Any) -> dict[str, str]:
    return {"Authorization": f"Bearer {seated['token']}"}


def add(server: RealServer, seated: Any, **wanted: Any) -> Any:
    return server.post(f"/api/tables/{seated['table']}/robots", wanted, **bearer(seated))


class Person(Robot):
    """The person who plays with the robots: the host, if they made the table."""

    def __init__(self, server: RealServer, seated: Any, games: int = 1, seats: int = 3) -> None:
        self.place = SeatCredentials(**{key: seated[key] for key in ("table", "seat", "token")})
        variant = client.request_json(f"{server.url}/api/tables/{self.place.table}/variant")
        player = Player(self.place.seat, TEMPERS[0], Random(1), variant)
        player.secrets = Secrets("5a" * 32)
        plan = Plan(robots=seats, games=games)
        super().__init__(Connection(server.url, self.place), player, pace=0, plan=plan)
        self.waits_from: int | None = None

    def waits(self, view: Any) -> bool:
        """Return True if the robot gives no command in its turn, from a certain turn on."""
        turn = view["turn"]
        start = self.waits_from
        return bool(turn and start and turn["number"] >= start and turn["seat"] == self.place.seat)

    def stop(self) -> None:
        """Gets up; the seat stays."""
        self.connection.close()
        self.join(10)

    def go_on(self) -> None:
        """Waits no more."""
        self.waits_from = None
        with self.connection.changes:
            self.connection.view = {**(self.connection.view or {})}  # it looks once more
            self.connection.changes.notify_all()

    def _choose(self, view: Any) -> Any:
        return None if self.waits(view) else super()._choose(view)

    def sees(self, true: Callable[[Any], Any], seconds: float = LONG) -> Any:
        """Waits until the view is so, and gives it."""
        connection = self.connection
        seen = connection.wait(
            lambda: connection.view is not None and true(connection.view), seconds
        )
        assert seen, connection.view
        return connection.view


@contextmanager
def person(server: RealServer, seated: Any, games: int = 1) -> Iterator[Person]:
    playing = Person(server, seated, games)
    playing.start()
    playing.sees(bool)
    assert playing.connection.send_command({"type": "options", "nope_seconds": 3})["ok"]
    yield playing
    playing.stop()
    assert not playing.troubles


def games_over(games: int = 1) -> Callable[[Any], bool]:
    """Return a condition: this number of games is over and all decks are open."""
    return lambda view: (
        view["phase"] == "over"
        and view["game"] == games
        and all(seat["deck"]["secret"] for seat in view["seats"])
    )


def open_game(ana: Person, server: RealServer) -> Any:
    """The last view of a game, whose decks are opened at once for another one."""
    view = ana.sees(lambda view: view["phase"] == "over")
    assert ana.connection.send_command({"type": "rematch"})["ok"]
    until(lambda: honest(server, view["table"]) == len(view["seats"]))
    return view


def check_output(server: RealServer, table: str) -> list[str]:
    """Return the output of ``companion check`` for the table's decks."""
    path = f"/api/tables/{table}"
    lines = [*describe(server.get(f"{path}/variant").json, server.get(f"{path}/log").json)]
    assert all(well for well, _ in lines), lines
    return [line for _, line in lines]


def honest(server: RealServer, table: str) -> int:
    """Return the number of decks that the check confirms."""
    return len([line for line in check_output(server, table) if "honestly" in line])


def workers(server: RealServer) -> list[psutil.Process]:
    """The robots' processes of a server."""
    return psutil.Process(server.process.pid).children()


@pytest.mark.slow
def test_robots_from_the_lobby_play_whole_games_and_their_decks_check(serve: Serve) -> None:
    server = serve(**QUICK)
    host = server.post("/api/tables", {"name": "Ana"}).json
    assert not workers(server), "nobody asked for a robot yet"
    added = add(server, host, name="Robbie", temper="careful")
    assert (added.status, added.json["name"]) == (201, "Robbie")
    other = add(server, host).json
    with person(server, host, games=2) as ana:
        view = ana.sees(games_over(2))
    robots = {seat["name"]: seat["robot"] for seat in view["seats"] if "robot" in seat}
    assert robots["Robbie"] == "careful"
    assert robots.keys() == {"Robbie", other["name"]}
    assert "robot" not in next(seat for seat in view["seats"] if seat["name"] == "Ana")
    assert honest(server, host["table"]) == 6


@pytest.mark.slow
def test_robots_play_by_house_rules_that_come_while_they_are_ready(serve: Serve) -> None:
    """Also those of the next game, and every deck of both is what it should be."""
    server = serve(**QUICK)
    host = server.post("/api/tables", {"name": "Ana"}).json
    assert add(server, host).status == add(server, host).status == 201

    def begin(said: str, rules: Any) -> None:
        ana = server.connect_client(host["table"], host["token"])
        ana.send_command(said)
        ana.wait(lambda: sum(seat["ready"] for seat in ana.view["seats"]) == 2, LONG)
        ana.send_command("house_rules", rules=rules)
        ana.close()

    for game, rules in enumerate(RULES, 1):
        begin("prepare" if game == 1 else "rematch", rules)
        with person(server, host, game) as playing:
            playing.sees(games_over(game))
    assert honest(server, host["table"]) == 6


RULES: list[dict[str, Any]] = [
    {"cards": {"skip": 5}, "grid": {"rows": 3}, "deal": {"put_away": 3, "grid": 8}},
    {"cards": {"skip": 8, "nope": 0}, "deal": {"put_away": 7}},
]


def test_robots_play_on_when_their_process_or_the_server_ends(serve: Serve) -> None:
    server = serve(**QUICK)
    host = server.post("/api/practice", {"name": "Ana"}).json
    with person(server, host) as ana:
        for turn, end in (
            (3, lambda: workers(server)[0].kill()),
            (5, server.kill),
            (7, server.stop),
        ):
            ana.waits_from = turn
            ana.sees(lambda view: ana.waits(view) or view["phase"] == "over")
            end()
            if server.process.poll() is not None:
                server.start()
            ana.go_on()
        open_game(ana, server)
    assert honest(server, host["table"]) == 3
    with sqlite3.connect(server.database) as database:
        keys = [key for (key,) in database.execute("SELECT key FROM robots")]
    database.close()
    log = server.get(f"/api/tables/{host['table']}/log").json
    secrets = [line["facts"]["secret"] for line in log if line["type"] == "deck_opened"]
    told = "\n".join(server.log_lines) + server.get("/metrics").body.decode()
    assert (len(keys), len(secrets)) == (2, 3)
    assert not [one for one in (*keys, *secrets) if one in told]
    assert "companion_robots 2.0" in told


@pytest.mark.slow
def test_a_robot_plays_on_for_an_absent_player_until_they_are_back(serve: Serve) -> None:
    server = serve(**QUICK)
    host = server.post("/api/practice", {"name": "Ana"}).json
    table = host["table"]
    seat = host["seat"]
    path = f"/api/tables/{table}/seats/{seat}/robot"

    def lent() -> Any:
        return server.get(f"/api/tables/{table}").json

    with person(server, host) as ana:
        ana.waits_from = 3
        version = ana.sees(ana.waits)["version"]
        refused = server.post(path, {"secret": "00" * 32}, **bearer(host))
        assert (refused.status, refused.error["ruling"]) == (409, "opens-what-it-committed")
        secret = ana.player.closed
        again = partial(
            server.post, path, {"secret": secret}, **bearer(host), **{"Idempotency-Key": secret}
        )
        first = again()
        assert first.status == 201
        until(lambda: ana.connection.lost_seat)
    until(lambda: lent()["version"] > version + 3 and lent()["turn"] != ana.connection.view["turn"])
    view = lent()
    assert view["host"] is None, "a robot is no host"
    assert all("robot" in one for one in view["seats"])
    for worker in psutil.Process(server.process.pid).children():
        worker.kill()  # who lent a seat and only looks whether it is free doesn't take it back
    looks = Client(server.url, {"table": table, "token": host["token"], "yields": True})
    server.clients.append(looks)
    looks.wait(lambda: looks.get_received("superseded"))
    assert all("robot" in one for one in lent()["seats"])
    with person(server, host) as ana:
        ana.sees(lambda view: view["host"] == seat)
        assert (again().status, again().json) == (201, first.json), "as before, and not again"
        view = open_game(ana, server)
    assert view["host"] == seat
    assert "robot" not in next(one for one in view["seats"] if one["seat"] == seat)
    assert honest(server, table) == 3
    assert secret not in "\n".join(server.log_lines)


@pytest.mark.slow
def test_110_a_robot_that_plays_on_for_somebody_gives_way_to_nobody(serve: Serve) -> None:
    more = {"MINUTE": "2", "COMPANION_ROBOTS": "4", "COMPANION_TRUST_PROXY": "1"}
    server = serve("tests.promises.hasty", **more)
    host = server.post("/api/practice", {"name": "Ana"}).json
    with person(server, host) as ana:
        ana.waits_from = 3
        ana.sees(ana.waits)
        lent = f"/api/tables/{host['table']}/seats/{host['seat']}/robot"
        assert server.post(lent, {"secret": ana.player.closed}, **bearer(host)).status == 201
        until(lambda: ana.connection.lost_seat)
    watcher = server.connect_client(host["table"])
    assert server.get("/api/robots").json["free"] == 1

    def asks() -> int:
        return server.post("/api/practice", {"name": "Ben"}, **{"X-Forwarded-For": "::2"}).status

    until(lambda: asks() == 201)
    robots = {seat["seat"]: "away" for seat in watcher.view["seats"]} | {host["seat"]: "here"}
    until(lambda: watcher.get_received("presence")[-1]["seats"] == robots)


@pytest.mark.slow
def test_who_may_have_robots_and_when(serve: Serve) -> None:
    server = serve(COMPANION_ROBOTS="2")
    assert server.get("/api/robots").json["most"] == server.get("/api/robots").json["free"] == 2
    host = server.post("/api/tables", {"name": "Ana"}).json
    guest = server.post(f"/api/tables/{host['table']}/seats", {"name": "Ben"}).json
    ana = server.connect_client(host["table"], host["token"])

    def is_refused(**wanted: Any) -> tuple[int, str | None]:
        no = add(server, wanted.pop("by", host), **wanted)
        return no.status, no.error.get("ruling", no.error["code"])

    assert is_refused(by={**host, "token": "no"}) == (401, "unauthenticated")
    assert is_refused(by=guest) == (409, "host-only")
    assert is_refused(name="ben") == (409, "unique-names")
    assert is_refused(name="\n") == is_refused(temper="rude") == (400, "bad_request")
    ana.send_command("options", locked=True)
    assert is_refused() == (409, "seats-in-the-lobby")
    ana.send_command("options", locked=False)
    key = {"Idempotency-Key": "once and only once"}
    path = f"/api/tables/{host['table']}/robots"
    once = [server.post(path, {}, **bearer(host), **key).json for _ in range(2)]
    assert once[0] == once[1]
    robot = once[0]["seat"]
    ana.wait(lambda: len(ana.view["seats"]) == 3)
    no_host = ana.expect_refusal("pass_host", seat=robot)
    assert (no_host["ruling"], no_host["facts"]["case"]) == ("host-only", "robot")
    assert add(server, host).status == 201
    assert server.get("/api/robots").json["free"] == 0
    full = add(server, host)
    assert (full.status, full.error["code"], full.error["facts"]) == (
        503,
        "busy",
        {"what": "robots"},
    )
    assert server.post("/api/practice", {"name": "Eve"}).status == 503
    ana.send_command("remove_seat", seat=robot)
    until(lambda: server.get("/api/robots").json["free"] == 1)
    ana.send_command("prepare")
    late = add(server, host)
    assert late.status == 201
    ana.wait(lambda: all(seat["ready"] == ("robot" in seat) for seat in ana.view["seats"]))
    ana.send_command("remove_seat", seat=late.json["seat"])
    until(lambda: server.get("/api/robots").json["free"] == 1)
    stand_in = f"/api/tables/{host['table']}/seats/{host['seat']}/robot"
    assert server.post(stand_in, {"secret": "00" * 32}, **bearer(guest)).status == 403
    real_cards = server.post(stand_in, {"secret": "00" * 32}, **bearer(host))
    assert (real_cards.status, real_cards.error["ruling"]) == (409, "own-deck")
    pile = server.post("/api/tables", {"name": "Ana", "variant": "original-56"}).json
    assert add(server, pile).error["facts"] == {"what": "robots"}
    assert server.post("/api/practice", {"name": "Eve", "variant": "original-56"}).status == 409


def test_a_server_may_have_no_robots(serve: Serve) -> None:
    server = serve(COMPANION_ROBOTS="0")
    assert (server.get("/api/robots").json["most"], server.get("/api/robots").status) == (0, 200)
    host = server.post("/api/tables", {"name": "Ana"}).json
    for answer in (add(server, host), server.post("/api/practice", {"name": "Ana"})):
        assert (answer.status, answer.error["code"]) == (403, "forbidden")
        assert answer.error["text"] == "This server runs no robots."


@pytest.mark.slow
def test_a_robots_commands_can_be_undone_and_a_removed_one_opens_its_deck_at_the_end(
    serve: Serve,
) -> None:
    server = serve(COMPANION_SERVER="threads", **QUICK)
    host = server.post("/api/practice", {"name": "Ana"}).json
    with person(server, host) as ana:
        ana.waits_from = 3
        for _ in range(4):
            ana.sees(ana.waits)
            assert ana.connection.send_command({"type": "undo"})["ok"]
        view = ana.sees(ana.waits)
        robot = next(s["seat"] for s in view["seats"] if "robot" in s and s["alive"])
        assert ana.connection.send_command({"type": "remove_seat", "seat": robot})["ok"]
        ana.go_on()
        going_on = ana.sees(lambda view: view["turn"] is None or view["turn"]["number"] > 3)
        assert deck_of(going_on, robot)["secret"] is None
        ana.sees(games_over())
        until(lambda: server.get("/api/robots").json["free"] >= 19)
    assert honest(server, host["table"]) == 3


def deck_of(view: Any, seat: str) -> Any:
    return next(one["deck"] for one in view["seats"] if one["seat"] == seat)


class Told:
    """Nobody plays: what is wanted is written down."""

    failing = False
    posts: Sequence[Post] = ()

    def want(self, posts: Sequence[Post]) -> None:
        self.posts = posts


def test_robots_get_up_where_nobody_is_and_sit_down_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    timers = Timers()
    later = [0]
    runs = clock._run
    monkeypatch.setattr(clock, "_run", lambda: runs() + later[0] * 1_000_000)
    monkeypatch.setattr(robot_desk, "LOOK_SECONDS", 0.05)
    store = Store(f"sqlite:///{tmp_path / 'one.sqlite3'}")
    told = Told()
    store.open()
    tables = Tables(
        store, families.load_all(default_variants()), 10, posts=Posts(2, told), timers=timers
    )
    tables.open(Listeners())
    ana = tables.practise(KeyedRequest(), "Ana", None)

    def comes(sid: str) -> None:
        with tables.at(ana.table) as live:
            live.enter(Viewer(sid, ana.seat))

    comes("first")
    assert len(told.posts) == 2
    with pytest.raises(Fault, match="busy"):
        tables.practise(KeyedRequest(), "Ben", None)
    later[0] += robot_desk.IDLE_MS  # as long as she is here
    with tables.at(ana.table) as live:
        live.publisher.leave("first")
    assert len(told.posts) == 2
    later[0] += robot_desk.ABSENT_MS
    ben = tables.practise(KeyedRequest(), "Ben", None)
    assert [post.table for post in told.posts] == [ben.table] * 2, "hers may be called away"
    later[0] += robot_desk.IDLE_MS
    until(lambda: not told.posts)
    comes("second")
    assert len(told.posts) == 2
    tokens = [hash_secret(post.token) for post in told.posts]
    with tables.at(ana.table) as live:
        live.apply_internal(RemoveSeat(removed_seat=told.posts[0].seat), ana.seat)
    assert [tables.robots.posts.opens(one) is None for one in tokens] == [True, False]
    tables.close()
    store.close()


def test_a_practice_table_is_stored_with_its_robots_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However few of the writes are done before the process is killed."""
    store = Store(f"sqlite:///{tmp_path / 'one.sqlite3'}")
    timers = Timers()
    store.open()
    variants = families.load_all(default_variants())
    tables = Tables(store, variants, 10, posts=Posts(20, Told()), timers=timers)
    tables.open(Listeners())
    write = store.write
    left = [0]

    def kill_server(*changes: Any) -> None:
        if threading.current_thread() is threading.main_thread():  # else the sweep writes
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
        write(*changes)

    monkeypatch.setattr(store, "write", kill_server)
    for writes in range(6):
        left[0] = writes
        before = seats_stored(tmp_path)
        address = f"10.0.0.{writes}"
        try:
            tables.practise(KeyedRequest(), "Ana", None, address)
        except KeyboardInterrupt:
            assert seats_stored(tmp_path) == before
            assert tables.robots.posts.count_held(address) == 0
        else:
            assert len(seats_stored(tmp_path)) == len(before) + 1
            break
    else:
        raise AssertionError("it is never done")
    assert set(seats_stored(tmp_path).values()) == {2}
    assert tables.robots.posts.free == 18, "nothing stays reserved"
    monkeypatch.undo()
    tables.close()
    store.close()


def seats_stored(folder: Path) -> dict[str, int]:
    """Return the number of robots with a key, for each stored table."""
    asked = "SELECT code, (SELECT COUNT(*) FROM robots WHERE robots.code = tables.code) FROM tables"
    with closing(sqlite3.connect(folder / "one.sqlite3")) as database:
        return dict(database.execute(asked).fetchall())


def test_a_process_that_cannot_be_started_is_reported_and_retried(tmp_path: Path) -> None:
    program = tmp_path / "robots"
    process = Process(Timers(), (str(program),))
    process.serve_at("http://127.0.0.1:1")
    process.want((Post("TABLE1", "s1", "token", "careful", "00"),))
    until(lambda: process.failing)
    heard = tmp_path / "heard"
    program.write_text(f"#!/bin/sh\necho ready\nread line\necho $line > {heard}\nread line\n")
    program.chmod(0o700)
    until(lambda: heard.exists() and "TABLE1" in heard.read_text())
    until(lambda: not process.failing)
    process.close()


def test_a_robot_is_never_the_host() -> None:
    table: Any = families.new_table("TABLE1", families.load_all(default_variants())["quarantined"])

    def hear(heard: Command, sender: str | None) -> Any:
        moment = DecisionInputs(now=0, here=frozenset({"s3"}))
        after = table
        for event in decide(table, heard, sender=sender, inputs=moment):
            after = evolve(after, event)
        return after

    table = hear(TakeSeat(name="Ana"), None)
    table = hear(SeatRobot(name="Robbie", robot="careful"), "s1")
    table = hear(TakeSeat(name="Ben"), None)
    for said in (PassHost(to="s3"), ClaimHost(seat="s3")):
        with pytest.raises(Refused, match="host-only/robot"):
            hear(said, "s1")
    table = hear(Leave(), "s1")
    assert table.host == "s4", "the robot alone is here, but no person"
    assert hear(Leave(), "s4").host is None
