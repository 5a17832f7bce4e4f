"""A table full of robots, from making it to the end of its last game."""

from dataclasses import dataclass
from random import Random
from types import TracebackType
from typing import NamedTuple

from companion.robots import client
from companion.robots.client import Line
from companion.robots.grid.device import sit as sit_at_grids
from companion.robots.pile.player import sit as sit_round_a_pile
from companion.robots.player import Sits
from companion.robots.robot import Manners, Plan, Robot, Trouble, played_out
from companion.robots.temper import NAMES, TEMPERS
from companion.robots.view import Json, View


class Unfit(Exception):
    """These robots can't play this variant; the message says why."""


class Stuck(Exception):
    """Nothing has happened at the table for a long time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """How many robots, how fast (1: as people do, 0: as fast as it goes), how many games
    (0: for ever), whether a person joins them, which variant they play, and the seed of
    all their chances."""

    robots: int
    pace: float = 1.0
    games: int = 1
    person: bool = False
    variant: str = "quarantined"
    seed: int = 0


class Party:
    """The robots of one table; a context manager that lets them get up at the end."""

    def __init__(self, url: str, wishes: Wishes) -> None:
        variant = client.variant(url, wishes.variant)
        check(variant, wishes)
        self.wishes = wishes
        self.plan = Plan(robots=wishes.robots, person=wishes.person, games=wishes.games)
        chance = Random(wishes.seed)
        names = chance.sample(NAMES, wishes.robots)
        first = client.make_table(url, names[0], variant=wishes.variant)
        head = family_of(variant).sit(variant, chance)
        self.table = first.table
        places = [first, *(client.take_seat(url, self.table, name) for name in names[1:])]
        tempers = chance.sample(TEMPERS * 2, wishes.robots)
        self.guests = {name: temper.name for name, temper in zip(names, tempers, strict=True)}
        self.robots = [
            Robot(
                Line(url, place),
                head(place.seat, temper, Random(chance.random())),
                Manners(
                    chance=Random(chance.random()),
                    pace=wishes.pace,
                    temper=temper,
                    plan=self.plan if place is first else None,
                ),
            )
            for place, temper in zip(places, tempers, strict=True)
        ]

    def __enter__(self) -> "Party":
        for robot in self.robots:
            robot.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for robot in self.robots:
            robot.line.close()
        for robot in self.robots:
            robot.join(10)

    @property
    def view(self) -> View | None:
        """The host's newest view."""
        return self.robots[0].line.view

    @property
    def troubles(self) -> list[Trouble]:
        """All that was refused without a good reason."""
        return [trouble for robot in self.robots for trouble in robot.troubles]

    def news(self, known: View | None, *, patience: float | None = None) -> View:
        """Waits for another view than the known one; Stuck after ``patience`` seconds."""
        line = self.robots[0].line
        line.wait(lambda: line.view is not known, patience)
        if line.view is None or line.view is known:
            raise Stuck(f"table {self.table}: nothing happens in {known}")
        return line.view

    def play(self, *, patience: float = 60.0) -> View:
        """Waits for the end of the last game and gives its view; decks may still be closed."""
        view = self.news(None, patience=patience)
        while not played_out(view, self.plan):
            view = self.news(view, patience=patience)
        return view


def check(variant: client.Answer, wishes: Wishes) -> None:
    """Raises Unfit unless so many can play the variant, and a person with them if one shall."""
    least, most = variant["players"]["least"], variant["players"]["most"]
    if wishes.person and not family_of(variant).joined:
        raise Unfit(f"{wishes.variant} has one pile, and its cards are the robots': watch them")
    if not least <= wishes.robots + wishes.person <= most:
        raise Unfit(f"{wishes.variant} is for {least} to {most} players")


class Family(NamedTuple):
    """How a family's robots sit down; ``joined``: whether a person can play with them, which
    they can't where all would hold cards of the robots' pile."""

    sit: Sits
    joined: bool


FAMILIES = {
    "grid": Family(sit_at_grids, joined=True),
    "pile": Family(sit_round_a_pile, joined=False),
}
FIRST = "grid"
"""The family of a variant that names none."""


def family_of(variant: Json) -> Family:
    """The family of a variant on the wire."""
    return FAMILIES[variant.get("family", FIRST)]
