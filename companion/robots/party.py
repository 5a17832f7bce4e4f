"""Robots at a table: ``Robot`` plays one seat in a thread, ``Party`` fills a table with robots."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random

from companion.robots import client
from companion.robots.client import Connection, NoAnswer
from companion.robots.grid.player import Player as GridPlayer
from companion.robots.pile.cards import Dealer
from companion.robots.pile.player import Player as PilePlayer
from companion.robots.player import NAMES, TEMPERS, Player, Temper, Wish
from companion.robots.view import Command, Json, View, matches_entry

UNLISTED = ("deck", "ready", "prepare", "to_lobby", "begin", "rematch", "agree")
"""Types of commands that ``you.may`` doesn't list: preparation, rematch, agreeing to an undo."""

DRAMATIC = ("kitten_shown", "kitten_defused", "went_out")
"""Types of events after which the robots wait, so that people can take in what happened."""
DRAMATIC_SECONDS = 2.5  # the shortest pause after such an event, at the pace of a person or slower

CTRL_C_SECONDS = 0.5  # the main thread waits no longer than this without looking for Ctrl-C

FACTS = ("reveal", "report", "defuse", "explode", "answer")
"""Types of commands that report what happened with the real cards.

The robot's own cards decide which report is true. So the robot sends the report even if ``you.may``
lists only other commands of the robot's seat.
"""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A command that the server refused although the robot had the newest view."""

    command: Command
    error: Json


class UnsuitablePlan(Exception):
    """Raised if the variant can't be played as planned; the message explains why."""


class Stuck(Exception):
    """Raised if nothing has happened at the table for too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The settings of a table at which robots play."""

    robots: int  # number of robots at the table
    person: bool = False  # True to keep one more seat for a person, and to wait for that person
    games: int = 1  # number of games; 0 means no limit
    variant: str = "quarantined"
    rules: Json | None = None  # house rules
    pace: float = 1.0  # factor for thinking times: 1 is like a person, 0 is without any pause
    seed: int = 0  # seed for all random choices


def choose_host_command(view: View, plan: Plan) -> Command | None:
    """Return the command that the host has to send now, or None.

    The host only moves the table through lobby and preparation. It doesn't act for other seats.
    """
    wanted = plan.robots + plan.person
    seated = len(view["seats"])
    match view["phase"]:
        case "lobby" if seated >= wanted:
            return {"type": "prepare"}
        case "setup" if plan.person and seated < wanted:
            return {"type": "to_lobby"}
        case "setup" if all(seat["ready"] for seat in view["seats"]):
            return {"type": "begin", "first": "lot"}
        case "over" if view["game"] < plan.games or plan.games == 0:
            return {"type": "rematch"}
    return None


def is_played_out(view: View, plan: Plan) -> bool:
    """Return True if the last planned game is over."""
    return bool(view["phase"] == "over" and 0 < plan.games <= view["game"])


def is_finished(view: View, plan: Plan) -> bool:
    """Return True if the last planned game is over and all robots have published their secrets."""
    closed = [seat for seat in view["seats"] if seat.get("deck", {}).get("secret", "") is None]
    return is_played_out(view, plan) and len(closed) <= plan.person


class Robot(threading.Thread):
    """A thread that plays one seat until its connection is closed.

    ``pace`` multiplies thinking times: 1 is as slow as a person, 0 is without any pause. Only the
    host's robot has a ``plan``. ``troubles`` collects the refused commands.
    """

    def __init__(
        self, connection: Connection, player: Player, *, pace: float = 1.0, plan: Plan | None = None
    ) -> None:
        super().__init__(name=f"robot {connection.credentials.table} {player.seat}", daemon=True)
        self.connection = connection
        self.player = player
        self.pace = pace
        self.plan = plan
        self.player.log = partial(client.fetch_log, connection.url, connection.credentials)
        self.player.variant = partial(
            client.fetch_table_variant, connection.url, connection.credentials
        )
        self.troubles: list[Trouble] = []

    def run(self) -> None:
        try:
            self.connection.open()
            while not self.connection.closed:
                self._react_to_view()
        except NoAnswer as problem:
            if not self.connection.closed:
                log.error("%s: %s", self.name, problem)
        finally:
            self.connection.close()

    def _react_to_view(self) -> None:
        """React to the newest view: send a command, or wait for another view if there is nothing to
        do."""
        view = self.connection.view
        wish = self._choose(view) if view is not None else None
        if view is None or wish is None:
            self.connection.wait(lambda: self.connection.view is not view, None)
            return
        pause = max(wish.min_seconds, self.pause_seconds(wish, view))
        if pause and self.connection.wait(
            lambda: not self._still_wants(wish, self.connection.view), pause
        ):
            return
        with self.player.floor:
            newest = self.connection.view
            answer = self._send(wish, newest) if self._still_wants(wish, newest) else None
        if answer is None:
            self.connection.wait(lambda: self.connection.view is not newest, 1)
        else:
            self._catch_up(answer)

    def pause_seconds(self, wish: Wish, view: View) -> float:
        """Return the pause in seconds before the robot sends the command of this wish."""
        return max(wish.seconds * self.pace, self.seconds_of_drama(view))

    def seconds_of_drama(self, view: View) -> float:
        """Return the rest of the pause after a Kitten, a Defuse or an explosion.

        At a pace below 1 the pause is shorter, and at pace 0 there is none.
        """
        times = [entry["at"] for entry in view["log"] if entry["type"] in DRAMATIC]
        if not times:
            return 0.0
        elapsed = float(view["now"] - times[-1]) / 1000
        return max(0.0, DRAMATIC_SECONDS - elapsed) * min(1.0, self.pace)

    def _choose(self, view: View) -> Wish | None:
        if self.plan is not None and view["you"] is not None and view["you"]["host"]:
            command = choose_host_command(view, self.plan)
            if command is not None:
                return self.player.make_wish(command)
        return self.player.choose(view)

    def _still_wants(self, wish: Wish, view: View | None) -> bool:
        """Return True if the robot should still send the command of this wish, given this view."""
        command = wish.command
        if self.connection.closed or view is None:
            return False
        if command.get("version", view["version"]) != view["version"]:
            return False
        if command["type"] == "open":
            return True
        if view["you"] is None or not self.player.cards_match(view):
            return False
        if command["type"] in UNLISTED:
            current = self._choose(view)
            return current is not None and current.command["type"] == command["type"]
        may = view["you"]["may"]
        if command["type"] in FACTS:
            return any(entry["as"] == self.player.seat for entry in may)
        return command["type"] == "note" or any(matches_entry(entry, command) for entry in may)

    def _send(self, wish: Wish, view: View | None) -> Json:
        answer = self.connection.send_command(wish.command)
        if answer["ok"]:
            self.player.on_accepted(wish, answer["version"])
        elif view is not None and answer["version"] == view["version"]:
            # The robot had the newest view, so the refusal wasn't caused by another command.
            log.warning("%s: %s refused: %s", self.name, wish.command, answer["error"])
            self.troubles.append(Trouble(command=wish.command, error=answer["error"]))
        return answer

    def _catch_up(self, answer: Json) -> None:
        """Wait until the view is as new as the answer.

        After a refusal, wait up to 1 second for a newer view.
        """
        before = self.connection.view
        version = answer["version"] + (not answer["ok"])

        def has_caught_up() -> bool:
            view = self.connection.view
            if view is None or before is None or view["epoch"] != before["epoch"]:
                return True
            return bool(view["version"] >= version)

        self.connection.wait(has_caught_up, None if answer["ok"] else 1)


class Party:
    """The robots of one table, as a context manager that starts and finally disconnects them."""

    def __init__(self, url: str, plan: Plan) -> None:
        check_plan(client.fetch_variant(url, plan.variant), plan)
        self.plan = plan
        chance = Random(plan.seed)
        names = chance.sample(NAMES, plan.robots)
        first = client.make_table(url, names[0], variant=plan.variant, rules=plan.rules)
        make_player = player_factory(client.fetch_table_variant(url, first), chance)
        self.table = first.table
        seats = [first, *(client.take_seat(url, self.table, name) for name in names[1:])]
        tempers = chance.sample(TEMPERS * 2, plan.robots)
        self.guests = {name: temper.name for name, temper in zip(names, tempers, strict=True)}
        self.robots = [
            Robot(
                Connection(url, credentials),
                make_player(credentials.seat, temper, Random(chance.random())),
                pace=plan.pace,
                plan=plan if credentials is first else None,
            )
            for credentials, temper in zip(seats, tempers, strict=True)
        ]

    def __enter__(self) -> "Party":
        for robot in self.robots:
            robot.start()
        return self

    def __exit__(self, *_: object) -> None:
        for robot in self.robots:
            robot.connection.close()
        for robot in self.robots:
            robot.join(10)

    @property
    def troubles(self) -> list[Trouble]:
        return [trouble for robot in self.robots for trouble in robot.troubles]

    def next_view(self, known: View | None, *, patience: float | None = None) -> View:
        """Wait for a view of the host other than ``known``, and return that view.

        Raise ``Stuck`` after ``patience`` seconds.
        """
        host = self.robots[0].connection
        give_up = None if patience is None else time.monotonic() + patience
        # If Ctrl-C is pressed just before Python begins to wait, Python notices it only at the end
        # of the wait.
        while not host.wait(lambda: host.view is not known, CTRL_C_SECONDS):
            if give_up is not None and time.monotonic() > give_up:
                break
        if host.view is None or host.view is known:
            raise Stuck(f"table {self.table}: nothing happens in {known}")
        return host.view


def check_plan(variant: Json, plan: Plan) -> None:
    """Raise ``UnsuitablePlan`` if the variant doesn't allow this number and kind of players."""
    least = variant["players"]["least"]
    most = variant["players"]["most"]
    if plan.person and "grid" not in variant:
        raise UnsuitablePlan(
            f"{plan.variant} has one pile, and only the robots hold its cards: watch them instead"
        )
    if not least <= plan.robots + plan.person <= most:
        raise UnsuitablePlan(f"{plan.variant} is for {least} to {most} players")


def player_factory(variant: Json, chance: Random) -> Callable[[str, Temper, Random], Player]:
    """Return a function that creates a player of this table from a seat, a ``Temper`` and a
    ``Random``.

    In a game with one pile, all players share one ``Dealer``.
    """
    if "grid" in variant:
        return partial(GridPlayer, variant=variant)
    return partial(PilePlayer, dealer=Dealer(variant, Random(chance.random())))
