"""Tests for the server's own robots: in the lobby, as stand-ins, and across restarts.

Real servers run the robots' process. The person is a client that plays like anyone else.
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

from companion.device_decks.check import describe_decks
from companion.robots import client
from companion.robots.client import Connection, SeatCredentials
from companion.robots.grid.player import Player, Secrets
from companion.robots.party import Plan, Robot
from companion.robots.player import TEMPERS
from companion.robots.worker import SeatedRobot
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
from companion.rules.text.rulings import Refused
from companion.service import clock
from companion.service.clock import Timers
from companion.service.errors import Fault
from companion.service.requests import KeyedRequest, hash_secret
from companion.service.robot_hosting import desk
from companion.service.robot_hosting.worker_process import Post, Posts, WorkerProcess
from companion.service.table.presence import Viewer
from companion.service.tables import Tables
from companion.storage.store import Store
from tests.service.test_tables import Listeners
from tests.support.in_memory_table import InMemoryTable
from tests.support.own_variants import load_all_own
from tests.support.servers import server as servers
from tests.support.servers.server import Client, RealServer

Serve = Callable[..., RealServer]

LONG = 300.0
"""Seconds to wait. A game is shorter, but the machine may be busy."""

until = partial(servers.wait_until, seconds=LONG)

NO_PAUSES = {"COMPANION_ROBOT_PACE": "0"}


def make_headers(credentials: Any) -> dict[str, str]:
    return {"Authorization": f"Bearer {credentials['token']}"}


def add_robot(server: RealServer, credentials: Any, **fields: Any) -> Any:
    return server.post(
        f"/api/tables/{credentials['table']}/robots", fields, **make_headers(credentials)
    )


class Person(Robot):
    """The person who plays with the robots and acts as host if this person created the table."""

    def __init__(
        self, server: RealServer, credentials: Any, games: int = 1, seats: int = 3
    ) -> None:
        self.place = SeatCredentials(
            **{key: credentials[key] for key in ("table", "seat", "token")}
        )
        variant = client.request_json(f"{server.url}/api/tables/{self.place.table}/variant")
        player = Player(self.place.seat, TEMPERS[0], Random(1), variant)
        player.secrets = Secrets("5a" * 32)
        plan = Plan(robots=seats, games=games)
        super().__init__(Connection(server.url, self.place), player, pace=0, plan=plan)
        self.pause_from: int | None = None

    def is_paused(self, view: Any) -> bool:
        """Return True if the person has paused and it is their turn."""
        turn = view["turn"]
        start = self.pause_from
        return bool(turn and start and turn["number"] >= start and turn["seat"] == self.place.seat)

    def stop(self) -> None:
        """Disconnect, but keep the seat."""
        self.connection.close()
        self.join(10)

    def resume(self) -> None:
        """End the pause."""
        self.pause_from = None
        with self.connection.changes:
            # a changed view makes the robot choose again
            self.connection.view = {**(self.connection.view or {})}
            self.connection.changes.notify_all()

    def _choose(self, view: Any) -> Any:
        return None if self.is_paused(view) else super()._choose(view)

    def wait_for_view(self, condition: Callable[[Any], Any], seconds: float = LONG) -> Any:
        """Wait until the view meets the condition and return it."""
        connection = self.connection
        met = connection.wait(
            lambda: connection.view is not None and condition(connection.view), seconds
        )
        assert met, connection.view
        return connection.view


@contextmanager
def play_as_person(server: RealServer, credentials: Any, games: int = 1) -> Iterator[Person]:
    person = Person(server, credentials, games)
    person.start()
    person.wait_for_view(bool)
    assert person.connection.send_command({"type": "options", "nope_seconds": 3})["ok"]
    yield person
    person.stop()
    assert not person.troubles


def make_end_condition(games: int = 1) -> Callable[[Any], bool]:
    """Return a condition on a view: this many games are over, and all decks of the last one are
    open."""
    return lambda view: (
        view["phase"] == "over"
        and view["game"] == games
        and all(seat["deck"]["secret"] for seat in view["seats"])
    )


def finish_and_open_decks(ana: Person, server: RealServer) -> Any:
    """Finish a game and ask for a rematch, so that the decks are opened. Returns the last view."""
    view = ana.wait_for_view(lambda view: view["phase"] == "over")
    assert ana.connection.send_command({"type": "rematch"})["ok"]
    until(lambda: count_confirmed_decks(server, view["table"]) == len(view["seats"]))
    return view


def check_decks(server: RealServer, table: str) -> list[str]:
    """Return the output of ``companion check`` for the table's decks, which must all be honest."""
    path = f"/api/tables/{table}"
    lines = [*describe_decks(server.get(f"{path}/variant").json, server.get(f"{path}/log").json)]
    assert all(ok for ok, _ in lines), lines
    return [line for _, line in lines]


def count_confirmed_decks(server: RealServer, table: str) -> int:
    """Return the number of decks that the check confirms."""
    return len([line for line in check_decks(server, table) if "honestly" in line])


def find_worker_processes(server: RealServer) -> list[psutil.Process]:
    """Return the processes in which a server's robots play."""
    return psutil.Process(server.process.pid).children()


@pytest.mark.slow
def test_robots_from_the_lobby_play_whole_games_with_honest_decks(serve: Serve) -> None:
    server = serve(**NO_PAUSES)
    host = server.post("/api/tables", {"name": "Ana"}).json
    assert not find_worker_processes(server), "nobody asked for a robot yet"
    added = add_robot(server, host, name="Robbie", temper="careful")
    assert (added.status, added.json["name"]) == (201, "Robbie")
    other = add_robot(server, host).json
    with play_as_person(server, host) as ana:
        view = ana.wait_for_view(make_end_condition())
    robots = {seat["name"]: seat["robot"] for seat in view["seats"] if "robot" in seat}
    assert robots["Robbie"] == "careful"
    assert robots.keys() == {"Robbie", other["name"]}
    assert "robot" not in next(seat for seat in view["seats"] if seat["name"] == "Ana")
    assert count_confirmed_decks(server, host["table"]) == 3


@pytest.mark.slow
def test_robots_that_are_ready_play_by_newly_set_house_rules(serve: Serve) -> None:
    server = serve(**NO_PAUSES)
    host = server.post("/api/tables", {"name": "Ana"}).json
    assert add_robot(server, host).status == add_robot(server, host).status == 201

    def prepare_with_rules(command: str, rules: Any) -> None:
        ana = server.connect_client(host["table"], host["token"])
        ana.send_command(command)
        ana.wait(lambda: sum(seat["ready"] for seat in ana.view["seats"]) == 2, LONG)
        ana.send_command("house_rules", rules=rules)
        ana.close()

    for game, rules in enumerate(RULES, 1):
        prepare_with_rules("prepare" if game == 1 else "rematch", rules)
        with play_as_person(server, host, game) as person:
            person.wait_for_view(make_end_condition(game))
    assert count_confirmed_decks(server, host["table"]) == 6


RULES: list[dict[str, Any]] = [
    {"cards": {"skip": 5}, "grid": {"rows": 3}, "deal": {"put_away": 3, "grid": 8}},
    {"cards": {"skip": 8, "nope": 0}, "deal": {"put_away": 7}},
]


@pytest.mark.slow
def test_robots_play_on_when_their_process_or_the_server_ends(serve: Serve) -> None:
    server = serve(**NO_PAUSES)
    host = server.post("/api/practice", {"name": "Ana"}).json
    with play_as_person(server, host) as ana:
        for turn, end_process in (
            (3, lambda: find_worker_processes(server)[0].kill()),
            (5, server.kill),
            (7, server.stop),
        ):
            ana.pause_from = turn
            ana.wait_for_view(lambda view: ana.is_paused(view) or view["phase"] == "over")
            end_process()
            if server.process.poll() is not None:
                server.start()
            ana.resume()
        finish_and_open_decks(ana, server)
    assert count_confirmed_decks(server, host["table"]) == 3
    with sqlite3.connect(server.database) as database:
        keys = [key for (key,) in database.execute("SELECT key FROM robots")]
    database.close()
    log = server.get(f"/api/tables/{host['table']}/log").json
    secrets = [line["facts"]["secret"] for line in log if line["type"] == "deck_opened"]
    output = "\n".join(server.log_lines) + server.get("/metrics").body.decode()
    assert (len(keys), len(secrets)) == (2, 3)
    assert not [secret_text for secret_text in (*keys, *secrets) if secret_text in output]
    assert "companion_robots 2.0" in output


@pytest.mark.slow
def test_a_robot_plays_on_for_an_absent_player_until_they_are_back(serve: Serve) -> None:
    server = serve(**NO_PAUSES)
    host = server.post("/api/practice", {"name": "Ana"}).json
    table = host["table"]
    seat = host["seat"]
    path = f"/api/tables/{table}/seats/{seat}/robot"

    def get_view() -> Any:
        return server.get(f"/api/tables/{table}").json

    with play_as_person(server, host) as ana:
        ana.pause_from = 3
        version = ana.wait_for_view(ana.is_paused)["version"]
        refused = server.post(path, {"secret": "00" * 32}, **make_headers(host))
        assert (refused.status, refused.error["ruling"]) == (409, "opens-what-it-committed")
        secret = ana.player.closed
        lend_seat = partial(
            server.post,
            path,
            {"secret": secret},
            **make_headers(host),
            **{"Idempotency-Key": secret},
        )
        first = lend_seat()
        assert first.status == 201
        until(lambda: ana.connection.lost_seat)
    until(
        lambda: (
            get_view()["version"] > version + 3
            and get_view()["turn"] != ana.connection.view["turn"]
        )
    )
    view = get_view()
    assert view["host"] is None, "a robot is no host"
    assert all("robot" in seat_view for seat_view in view["seats"])
    for worker in psutil.Process(server.process.pid).children():
        worker.kill()
    # A client that yields gets the seat only while nobody else has it. Here a robot has it.
    second_client = Client(server.url, {"table": table, "token": host["token"], "yields": True})
    server.clients.append(second_client)
    second_client.wait(lambda: second_client.get_received("superseded"))
    assert all("robot" in seat_view for seat_view in get_view()["seats"])
    with play_as_person(server, host) as ana:
        ana.wait_for_view(lambda view: view["host"] == seat)
        assert (lend_seat().status, lend_seat().json) == (201, first.json), (
            "as before, and not again"
        )
        view = finish_and_open_decks(ana, server)
    assert view["host"] == seat
    assert "robot" not in next(
        seat_view for seat_view in view["seats"] if seat_view["seat"] == seat
    )
    assert count_confirmed_decks(server, table) == 3
    assert secret not in "\n".join(server.log_lines)


@pytest.mark.slow
def test_110_a_robot_that_plays_on_for_somebody_gives_way_to_nobody(serve: Serve) -> None:
    settings = {"MINUTE": "2", "COMPANION_ROBOTS": "4", "COMPANION_TRUST_PROXY": "1"}
    server = serve("tests.guarantees.hasty", **settings)
    host = server.post("/api/practice", {"name": "Ana"}).json
    with play_as_person(server, host) as ana:
        ana.pause_from = 3
        ana.wait_for_view(ana.is_paused)
        path = f"/api/tables/{host['table']}/seats/{host['seat']}/robot"
        assert server.post(path, {"secret": ana.player.closed}, **make_headers(host)).status == 201
        until(lambda: ana.connection.lost_seat)
    watcher = server.connect_client(host["table"])
    assert server.get("/api/robots").json["free"] == 1

    def start_practice() -> int:
        return server.post("/api/practice", {"name": "Ben"}, **{"X-Forwarded-For": "::2"}).status

    until(lambda: start_practice() == 201)
    robots = {seat["seat"]: "away" for seat in watcher.view["seats"]} | {host["seat"]: "here"}
    until(lambda: watcher.presence["seats"] == robots)


@pytest.mark.slow
def test_robots_are_added_only_by_the_host_at_an_open_table_with_room(serve: Serve) -> None:
    server = serve(COMPANION_ROBOTS="2")
    assert server.get("/api/robots").json["most"] == server.get("/api/robots").json["free"] == 2
    host = server.post("/api/tables", {"name": "Ana"}).json
    guest = server.post(f"/api/tables/{host['table']}/seats", {"name": "Ben"}).json
    ana = server.connect_client(host["table"], host["token"])

    def get_refusal(**fields: Any) -> tuple[int, str | None]:
        answer = add_robot(server, fields.pop("by", host), **fields)
        return answer.status, answer.error.get("ruling", answer.error["code"])

    assert get_refusal(by={**host, "token": "no"}) == (401, "unauthenticated")
    assert get_refusal(by=guest) == (409, "host-only")
    assert get_refusal(name="ben") == (409, "unique-names")
    assert get_refusal(name="\n") == get_refusal(temper="rude") == (400, "bad_request")
    ana.send_command("options", locked=True)
    assert get_refusal() == (409, "seats-in-the-lobby")
    ana.send_command("options", locked=False)
    key = {"Idempotency-Key": "once and only once"}
    path = f"/api/tables/{host['table']}/robots"
    answers = [server.post(path, {}, **make_headers(host), **key).json for _ in range(2)]
    assert answers[0] == answers[1]
    robot = answers[0]["seat"]
    ana.wait(lambda: len(ana.view["seats"]) == 3)
    no_host = ana.expect_refusal("pass_host", seat=robot)
    assert (no_host["ruling"], no_host["facts"]["case"]) == ("host-only", "robot")
    assert add_robot(server, host).status == 201
    assert server.get("/api/robots").json["free"] == 0
    refused = add_robot(server, host)
    assert (refused.status, refused.error["code"], refused.error["facts"]) == (
        503,
        "busy",
        {"what": "robots"},
    )
    assert server.post("/api/practice", {"name": "Eve"}).status == 503
    ana.send_command("remove_seat", seat=robot)
    until(lambda: server.get("/api/robots").json["free"] == 1)
    ana.send_command("prepare")
    added = add_robot(server, host)
    assert added.status == 201
    ana.wait(lambda: all(seat["ready"] == ("robot" in seat) for seat in ana.view["seats"]))
    ana.send_command("remove_seat", seat=added.json["seat"])
    until(lambda: server.get("/api/robots").json["free"] == 1)
    stand_in = f"/api/tables/{host['table']}/seats/{host['seat']}/robot"
    assert server.post(stand_in, {"secret": "00" * 32}, **make_headers(guest)).status == 403
    real_cards = server.post(stand_in, {"secret": "00" * 32}, **make_headers(host))
    assert (real_cards.status, real_cards.error["ruling"]) == (409, "own-deck")
    pile = server.post("/api/tables", {"name": "Ana", "variant": "original-56"}).json
    assert add_robot(server, pile).error["facts"] == {"what": "robots"}
    assert server.post("/api/practice", {"name": "Eve", "variant": "original-56"}).status == 409


@pytest.mark.slow
def test_a_server_may_have_no_robots(serve: Serve) -> None:
    server = serve(COMPANION_ROBOTS="0")
    assert (server.get("/api/robots").json["most"], server.get("/api/robots").status) == (0, 200)
    host = server.post("/api/tables", {"name": "Ana"}).json
    for answer in (add_robot(server, host), server.post("/api/practice", {"name": "Ana"})):
        assert (answer.status, answer.error["code"]) == (403, "forbidden")
        assert answer.error["text"] == "This server runs no robots."


@pytest.mark.slow
def test_a_robots_commands_can_be_undone_and_a_removed_one_opens_its_deck_at_the_end(
    serve: Serve,
) -> None:
    server = serve(COMPANION_SERVER="threads", **NO_PAUSES)
    host = server.post("/api/practice", {"name": "Ana"}).json
    with play_as_person(server, host) as ana:
        ana.pause_from = 3
        for _ in range(4):
            ana.wait_for_view(ana.is_paused)
            assert ana.connection.send_command({"type": "undo"})["ok"]
        view = ana.wait_for_view(ana.is_paused)
        robot = next(s["seat"] for s in view["seats"] if "robot" in s and s["alive"])
        assert ana.connection.send_command({"type": "remove_seat", "seat": robot})["ok"]
        ana.resume()
        later_view = ana.wait_for_view(
            lambda view: view["turn"] is None or view["turn"]["number"] > 3
        )
        assert get_deck(later_view, robot)["secret"] is None
        ana.wait_for_view(make_end_condition())
        until(lambda: server.get("/api/robots").json["free"] >= 19)
    assert count_confirmed_decks(server, host["table"]) == 3


def get_deck(view: Any, seat: str) -> Any:
    return next(seat_view["deck"] for seat_view in view["seats"] if seat_view["seat"] == seat)


class ScriptedConnection(Connection):
    """A connection that shows the given views one after the other and records the commands."""

    def __init__(self, *views: Any) -> None:
        credentials = SeatCredentials(table="TABLE1", seat="s1", token="token")
        super().__init__("http://127.0.0.1:1", credentials)
        self.views = [*views]
        self.sent: list[str] = []

    def open(self) -> None:
        self.view = self.views.pop(0)

    def wait(self, until: Callable[[], bool], seconds: float | None) -> bool:
        if self.views:
            self.view = self.views.pop(0)
        else:
            self.closed = True
        return self.closed or until()

    def send_command(self, command: Any) -> Any:
        assert self.view is not None
        self.sent.append(command["type"])
        return {"ok": True, "version": self.view["version"]}


@pytest.mark.parametrize("pace", [0, 1])
def test_a_stand_in_sends_nothing_but_its_deck_once_the_player_is_back(pace: float) -> None:
    """The worker learns a little late that the player has taken the seat back. Until then its robot
    keeps running."""
    parlour = InMemoryTable(2, seed=3)
    while parlour.table.phase != "play":
        parlour.take_step()
    views = parlour.render_views()
    player = next(p for seat, p in parlour.players.items() if p.choose(views[seat]))

    def get_commands(*views: Any) -> list[str]:
        connection = ScriptedConnection(*views)
        robot = SeatedRobot(connection, player, pace=pace)
        player.log = parlour.log.copy
        robot.run()
        return connection.sent

    taken_back = {**views[player.seat], "epoch": "one"}
    lent = mark_seat_as_robot(taken_back, player.seat)
    assert get_commands(lent, lent), "a robot with nothing to do would pass the next checks"
    assert get_commands(taken_back, taken_back) == []
    if pace:
        assert get_commands(lent, taken_back) == [], "taken back while the robot was thinking"
    parlour.play_game()
    over = {**parlour.render_views()[player.seat], "epoch": "one"}
    assert get_commands(over, over) == ["open"]


@pytest.mark.parametrize("kind", ["kitten_shown", "kitten_defused", "went_out"])
def test_robots_pause_after_a_kitten_a_defuse_and_an_explosion(kind: str) -> None:
    """If the robots' pace is 0, as in tests and fast demos, they don't pause."""
    parlour = InMemoryTable(3, seed=3)
    while not any(entry["type"] == kind for entry in parlour.log):
        parlour.take_step()
    player = next(iter(parlour.players.values()))
    wish = player.make_wish({"type": "pass", "window": 1})

    def pause(later_ms: int, *, pace: float = 1, people: int = 1) -> float:
        view = parlour.render_views()[player.seat]
        at = next(entry["at"] for entry in view["log"][::-1] if entry["type"] == kind)
        robots = [seat["seat"] for seat in view["seats"][people:]]
        for seat in robots:
            view = mark_seat_as_robot(view, seat)
        robot = SeatedRobot(ScriptedConnection(view), player, pace=pace)
        return robot.pause_seconds(wish, {**view, "now": at + later_ms})

    assert pause(0) >= 2.5
    assert pause(0, people=2) >= 2.5
    assert pause(0, pace=0) == 0
    assert pause(2500) <= 1, "the event was long ago"


def mark_seat_as_robot(view: Any, seat: str) -> Any:
    """Return the same view, except that a robot plays this seat."""
    seats = [{**own, "robot": "careful"} if own["seat"] == seat else own for own in view["seats"]]
    return {**view, "seats": seats}


class RecordingPosts:
    """Stands in for the class that starts robots. It records which robots should run."""

    failing = False
    posts: Sequence[Post] = ()

    def set_posts(self, posts: Sequence[Post]) -> None:
        self.posts = posts


def test_robots_leave_an_empty_table_and_return_with_a_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    timers = Timers()
    clock_offset = [0]
    run_clock = clock._monotonic_ns
    monkeypatch.setattr(clock, "_monotonic_ns", lambda: run_clock() + clock_offset[0] * 1_000_000)
    monkeypatch.setattr(desk, "LOOK_SECONDS", 0.05)
    store = Store(f"sqlite:///{tmp_path / 'one.sqlite3'}")
    recorder = RecordingPosts()
    store.open()
    tables = Tables(store, load_all_own(), 10, posts=Posts(2, recorder), timers=timers)
    tables.open(Listeners())
    ana = tables.create_practice_table(KeyedRequest(), "Ana", None)

    def connect(sid: str) -> None:
        with tables.at(ana.table) as live:
            live.enter(Viewer(sid, ana.seat))

    connect("first")
    assert len(recorder.posts) == 2
    with pytest.raises(Fault, match="busy"):
        tables.create_practice_table(KeyedRequest(), "Ben", None)
    clock_offset[0] += desk.IDLE_MS  # connected players never count as idle
    with tables.at(ana.table) as live:
        live.publisher.leave("first")
    assert len(recorder.posts) == 2
    clock_offset[0] += desk.ABSENT_MS
    ben = tables.create_practice_table(KeyedRequest(), "Ben", None)
    assert [post.table for post in recorder.posts] == [ben.table] * 2, "hers may be called away"
    clock_offset[0] += desk.IDLE_MS
    until(lambda: not recorder.posts)
    connect("second")
    assert len(recorder.posts) == 2
    tokens = [hash_secret(post.token) for post in recorder.posts]
    with tables.at(ana.table) as live:
        live.apply_internal(RemoveSeat(removed_seat=recorder.posts[0].seat), ana.seat)
    assert [tables.robots.posts.find_seat(token) is None for token in tokens] == [True, False]
    tables.close()
    store.close()


def test_leaving_a_practice_table_gives_its_robots_back_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a player leaves a practice table, its robots are free for the player's own address at
    once. Other addresses have to wait, because the player may only have reloaded the page."""
    timers = Timers()
    clock_offset = [0]
    run_clock = clock._monotonic_ns
    monkeypatch.setattr(clock, "_monotonic_ns", lambda: run_clock() + clock_offset[0] * 1_000_000)
    store = Store(f"sqlite:///{tmp_path / 'one.sqlite3'}")
    store.open()
    variants = load_all_own()
    posts = Posts(4, RecordingPosts())
    tables = Tables(store, variants, 10, posts=posts, timers=timers)
    tables.open(Listeners())
    here, other = "10.0.0.1", "10.0.0.2"

    def practise(address: str) -> SeatCredentials:
        seated = tables.create_practice_table(KeyedRequest(), "Ana", None, address)
        with tables.at(seated.table) as live:
            live.enter(Viewer(seated.table, seated.seat, address=address))
        return seated

    def leave(seated: SeatCredentials) -> None:
        with tables.at(seated.table) as live:
            live.publisher.leave(seated.table)

    first = practise(here)
    second = practise(other)
    leave(first)
    third = practise(here)
    assert posts.tables_with_robots() == {second.table, third.table}
    leave(third)
    with pytest.raises(Fault, match="busy"):
        tables.create_practice_table(KeyedRequest(), "Ben", None, "10.0.0.3")
    assert posts.count_held(here) == 2, "a reload of the page keeps the robots"
    clock_offset[0] += desk.LEFT_MS
    tables.robots._check_all_tables()
    assert posts.tables_with_robots() == {second.table}
    assert posts.free == 2
    tables.close()
    store.close()


def test_a_practice_table_is_stored_with_its_robots_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test stops the program after no write, after one write, and so on."""
    store = Store(f"sqlite:///{tmp_path / 'one.sqlite3'}")
    timers = Timers()
    store.open()
    variants = load_all_own()
    tables = Tables(store, variants, 10, posts=Posts(20, RecordingPosts()), timers=timers)
    tables.open(Listeners())
    write = store.write
    writes_left = [0]

    def write_or_stop(*changes: Any) -> None:
        # Stop only the main thread. The thread that sweeps old tables may always write.
        if threading.current_thread() is threading.main_thread():
            if not writes_left[0]:
                raise KeyboardInterrupt
            writes_left[0] -= 1
        write(*changes)

    monkeypatch.setattr(store, "write", write_or_stop)
    for writes in range(6):
        writes_left[0] = writes
        before = count_stored_robots(tmp_path)
        address = f"10.0.0.{writes}"
        try:
            tables.create_practice_table(KeyedRequest(), "Ana", None, address)
        except KeyboardInterrupt:
            assert count_stored_robots(tmp_path) == before
            assert tables.robots.posts.count_held(address) == 0
        else:
            assert len(count_stored_robots(tmp_path)) == len(before) + 1
            break
    else:
        raise AssertionError("it is never done")
    assert set(count_stored_robots(tmp_path).values()) == {2}
    assert tables.robots.posts.free == 18, "nothing stays reserved"
    monkeypatch.undo()
    tables.close()
    store.close()


def count_stored_robots(folder: Path) -> dict[str, int]:
    """Return the number of stored robots for each table."""
    statement = (
        "SELECT code, (SELECT COUNT(*) FROM robots WHERE robots.code = tables.code) FROM tables"
    )
    with closing(sqlite3.connect(folder / "one.sqlite3")) as database:
        return dict(database.execute(statement).fetchall())


def test_a_process_that_cannot_be_started_is_reported_and_retried(tmp_path: Path) -> None:
    program = tmp_path / "robots"
    process = WorkerProcess(Timers(), (str(program),))
    process.set_server_url("http://127.0.0.1:1")
    process.set_posts((Post("TABLE1", "s1", "token", "careful", "00"),))
    until(lambda: process.failing)
    received = tmp_path / "heard"
    program.write_text(f"#!/bin/sh\necho ready\nread line\necho $line > {received}\nread line\n")
    program.chmod(0o700)
    until(lambda: received.exists() and "TABLE1" in received.read_text())
    until(lambda: not process.failing)
    process.close()


def test_a_robot_is_never_the_host() -> None:
    table: Any = families.new_table("TABLE1", load_all_own()["quarantined"])

    def apply_command(command: Command, sender: str | None) -> Any:
        inputs = DecisionInputs(now=0, here=frozenset({"s3"}))
        after = table
        for event in decide(table, command, sender=sender, inputs=inputs):
            after = evolve(after, event)
        return after

    table = apply_command(TakeSeat(name="Ana"), None)
    table = apply_command(SeatRobot(name="Robbie", robot="careful"), "s1")
    table = apply_command(TakeSeat(name="Ben"), None)
    for command in (PassHost(to="s3"), ClaimHost(seat="s3")):
        with pytest.raises(Refused, match="host-only/robot"):
            apply_command(command, "s1")
    table = apply_command(Leave(), "s1")
    assert table.host == "s4", "the robot alone is here, but no person"
    assert apply_command(Leave(), "s4").host is None
