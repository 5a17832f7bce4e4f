"""Robots at a table: each with a player, a connection and a pace; and a table full of them."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random

from companion.robots import client
from companion.robots.client import Connection, Unanswered
from companion.robots.grid.player import Player as GridPlayer
from companion.robots.pile.cards import Dealer
from companion.robots.pile.player import Player as PilePlayer
from companion.robots.player import NAMES, TEMPERS, Player, Temper, Wish
from companion.robots.view import Command, Json, View, stands_for

BEFORE_AND_AFTER = ("deck", "ready", "prepare", "to_lobby", "begin", "rematch", "agree")
"""What is said around a game; ``may`` does not list it."""

TRUTHS = ("reveal", "report", "defuse", "explode", "answer")
"""What is said because it is so; which of them is listed makes it no truer."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A command that was not accepted although the robot had reason to think so."""

    command: Command
    error: Json


class UnsuitablePlan(Exception):
    """These robots can't play this variant; the message says why."""


class Stuck(Exception):
    """Nothing has happened at the table for a long time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """``robots`` sit at the table; with ``person`` it waits for somebody else, too. ``games`` are
    played, 0: as long as somebody plays; of this ``variant``, with house ``rules``, at this
    ``pace`` (1 a person's, 0 as fast as it goes). ``seed``: of all their chances."""

    robots: int
    person: bool = False
    games: int = 1
    variant: str = "quarantined"
    rules: Json | None = None
    pace: float = 1.0
    seed: int = 0


def manage(view: View, plan: Plan) -> Command | None:
    """What a host has to say now as such; it acts for nobody (ruling host-acts-for)."""
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
    return bool(view["phase"] == "over" and 0 < plan.games <= view["game"])


def is_finished(view: View, plan: Plan) -> bool:
    """Whether all that was planned has been played, and the robots' decks are open."""
    closed = [seat for seat in view["seats"] if seat.get("deck", {}).get("secret", "") is None]
    return is_played_out(view, plan) and len(closed) <= plan.person


class Robot(threading.Thread):
    """Sits down and plays until it is told to stop. ``pace``: how slow it is, 1 as a person, 0 as
    fast as it goes. ``plan``: that of a host. ``troubles`` says what went wrong."""

    def __init__(
        self, connection: Connection, player: Player, *, pace: float = 1.0, plan: Plan | None = None
    ) -> None:
        super().__init__(name=f"robot {connection.place.table} {player.seat}", daemon=True)
        self.connection = connection
        self.player = player
        self.pace = pace
        self.plan = plan
        self.player.log = partial(client.whole_log, connection.url, connection.place)
        self.player.variant = partial(client.tables_variant, connection.url, connection.place)
        self.troubles: list[Trouble] = []

    def run(self) -> None:
        try:
            self.connection.open()
            while not self.connection.closed:
                self._take_part()
        except Unanswered as problem:
            if not self.connection.closed:
                log.error("%s: %s", self.name, problem)
        finally:
            self.connection.close()

    def _take_part(self) -> None:
        """One view: wait for another if there is nothing to say, else say it."""
        view = self.connection.view
        wish = self._wish(view) if view is not None else None
        if view is None or wish is None:
            self.connection.wait(lambda: self.connection.view is not view, None)
            return
        pause = max(wish.least, self.seconds(wish, view))
        if pause and self.connection.wait(
            lambda: not self._wants(wish, self.connection.view), pause
        ):
            return
        with self.player.floor:
            known = self.connection.view
            answer = self._say(wish, known) if self._wants(wish, known) else None
        if answer is None:
            self.connection.wait(lambda: self.connection.view is not known, 1)
        else:
            self._catch_up(answer)

    def seconds(self, wish: Wish, view: View) -> float:
        return wish.seconds * self.pace

    def _wish(self, view: View) -> Wish | None:
        if self.plan is not None and view["you"] is not None and view["you"]["host"]:
            command = manage(view, self.plan)
            if command is not None:
                return self.player.wish(command)
        return self.player.choose(view)

    def _wants(self, wish: Wish, view: View | None) -> bool:
        """Whether there is still reason to say it in this view."""
        command = wish.command
        if self.connection.closed or view is None:
            return False
        if command.get("version", view["version"]) != view["version"]:
            return False
        if command["type"] == "open":
            return True
        if view["you"] is None or not self.player.agrees(view):
            return False
        if command["type"] in BEFORE_AND_AFTER:
            now = self._wish(view)
            return now is not None and now.command["type"] == command["type"]
        may = view["you"]["may"]
        if command["type"] in TRUTHS:
            return any(entry["as"] == self.player.seat for entry in may)
        return command["type"] == "note" or any(stands_for(entry, command) for entry in may)

    def _say(self, wish: Wish, known: View | None) -> Json:
        answer = self.connection.send_command(wish.command)
        if answer["ok"]:
            self.player.on_accepted(wish, answer["version"])
        elif known is not None and answer["version"] == known["version"]:
            # Not because somebody was quicker: what was refused stood in the newest view.
            log.warning("%s: %s refused: %s", self.name, wish.command, answer["error"])
            self.troubles.append(Trouble(command=wish.command, error=answer["error"]))
        return answer

    def _catch_up(self, answer: Json) -> None:
        """Nothing is decided on a view that is older than the answer; after a refusal
        something else must happen first, or a little time go by."""
        before = self.connection.view
        version = answer["version"] + (not answer["ok"])

        def has_caught_up() -> bool:
            view = self.connection.view
            if view is None or before is None or view["epoch"] != before["epoch"]:
                return True
            return bool(view["version"] >= version)

        self.connection.wait(has_caught_up, None if answer["ok"] else 1)


class Party:
    """The robots of one table; a context manager that lets them get up at the end."""

    def __init__(self, url: str, plan: Plan) -> None:
        check(client.variant(url, plan.variant), plan)
        self.plan = plan
        chance = Random(plan.seed)
        names = chance.sample(NAMES, plan.robots)
        first = client.make_table(url, names[0], variant=plan.variant, rules=plan.rules)
        seating = seat_robots(client.tables_variant(url, first), chance)
        self.table = first.table
        places = [first, *(client.take_seat(url, self.table, name) for name in names[1:])]
        tempers = chance.sample(TEMPERS * 2, plan.robots)
        self.guests = {name: temper.name for name, temper in zip(names, tempers, strict=True)}
        self.robots = [
            Robot(
                Connection(url, place),
                seating(place.seat, temper, Random(chance.random())),
                pace=plan.pace,
                plan=plan if place is first else None,
            )
            for place, temper in zip(places, tempers, strict=True)
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
        """Waits for another view than the known one; Stuck after ``patience`` seconds."""
        host = self.robots[0].connection
        host.wait(lambda: host.view is not known, patience)
        if host.view is None or host.view is known:
            raise Stuck(f"table {self.table}: nothing happens in {known}")
        return host.view


def check(variant: Json, plan: Plan) -> None:
    """Raises Unfit unless so many can play the variant, and a person with them if one shall."""
    least = variant["players"]["least"]
    most = variant["players"]["most"]
    if plan.person and "grid" not in variant:
        raise UnsuitablePlan(
            f"{plan.variant} has one pile, and its cards are the robots': watch them"
        )
    if not least <= plan.robots + plan.person <= most:
        raise UnsuitablePlan(f"{plan.variant} is for {least} to {most} players")


def seat_robots(variant: Json, chance: Random) -> Callable[[str, Temper, Random], Player]:
    """Who sits down at a seat of one table, with this temper and these chances of its own."""
    if "grid" in variant:
        return partial(GridPlayer, variant=variant)
    return partial(PilePlayer, dealer=Dealer(variant, Random(chance.random())))
