"""Robots of the server's own at a table: added in the lobby, standing in, at work over a restart.

Real servers with their robots' process; the person is a program that sits as anyone does.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import psutil
import pytest

from companion.fair.told import told
from companion.robots.grid.device import DevicePlayer
from companion.robots.grid.secrets import Derived
from companion.robots.wire import client
from companion.robots.wire.client import Line, Place
from companion.robots.wire.host import Plan
from companion.robots.wire.robot import Manners, Robot
from companion.robots.wire.temper import TEMPERS
from tests.server import RealServer

Serve = Callable[..., RealServer]

QUICK = {"COMPANION_ROBOT_PACE": "0"}


def bearer(seated: Any) -> dict[str, str]:
    return {"Authorization": f"Bearer {seated['token']}"}


def add(server: RealServer, seated: Any, **wanted: Any) -> Any:
    return server.post(f"/api/tables/{seated['table']}/robots", wanted, **bearer(seated))


class Person(Robot):
    """Whoever plays with the robots: the host, if they made the table."""

    def __init__(self, server: RealServer, seated: Any, games: int = 1, seats: int = 3) -> None:
        self.place = Place(**{key: seated[key] for key in ("table", "seat", "token")})
        variant = client.ask(f"{server.url}/api/tables/{self.place.table}/variant")
        head = DevicePlayer(self.place.seat, TEMPERS[0], Random(1), variant)
        head.secrets = Derived("5a" * 32)
        address = f"{server.url}/api/tables/{self.place.table}/log"
        head.log = lambda: client.ask(address, token=self.place.token)
        plan = Plan(robots=seats, games=games)
        super().__init__(
            Line(server.url, self.place), head, Manners(chance=Random(1), pace=0, plan=plan)
        )

    def sees(self, true: Callable[[Any], Any], seconds: float = 120) -> Any:
        """Waits until the view is so, and gives it."""
        seen = self.line.wait(lambda: self.line.view is not None and true(self.line.view), seconds)
        assert seen, self.line.view
        return self.line.view


@contextmanager
def person(server: RealServer, seated: Any, games: int = 1) -> Iterator[Person]:
    playing = Person(server, seated, games)
    playing.start()
    yield playing
    playing.stop()
    assert not playing.troubles


def ended(games: int = 1) -> Callable[[Any], bool]:
    """So many games are over, and all decks open."""
    return lambda view: (
        view["phase"] == "over"
        and view["game"] == games
        and all(seat["deck"]["secret"] for seat in view["seats"])
    )


def checked(server: RealServer, table: str) -> list[str]:
    """What ``companion check`` says of the table's decks."""
    path = f"/api/tables/{table}"
    lines = [*told(server.get(f"{path}/variant").json, server.get(f"{path}/log").json)]
    assert all(well for well, _ in lines), lines
    return [line for _, line in lines]


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
        view = ana.sees(ended(2))
    robots = {seat["name"]: seat["robot"] for seat in view["seats"] if "robot" in seat}
    assert robots["Robbie"] == "careful"
    assert robots.keys() == {"Robbie", other["name"]}
    assert "robot" not in next(seat for seat in view["seats"] if seat["name"] == "Ana")
    assert len([line for line in checked(server, host["table"]) if "honestly" in line]) == 6
