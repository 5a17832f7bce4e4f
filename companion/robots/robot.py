"""A robot at a table: its head, its connection, the pace at which it talks, and a host's plan."""

import logging
import threading
from dataclasses import dataclass, field
from random import Random

from companion.robots import temper
from companion.robots.client import Answer, Line, Unanswered
from companion.robots.player import Head, Wish
from companion.robots.temper import TEMPERS, Temper
from companion.robots.view import Command, View, stands_for

BEFORE_AND_AFTER = ("deck", "ready", "prepare", "to_lobby", "begin", "rematch", "agree")
"""What is said around a game; ``may`` does not list it."""

TRUTHS = ("reveal", "report", "defuse", "explode", "answer")
"""What is said because it is so; which of them is listed makes it no truer."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A command that was not accepted although the robot had reason to think so."""

    command: Command
    error: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """``robots`` sit at the table; with ``person`` it waits for somebody else, too;
    ``games`` are played, 0: as long as somebody plays."""

    robots: int
    person: bool = False
    games: int = 1


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


def played_out(view: View, plan: Plan) -> bool:
    """Whether all that was planned has been played."""
    return bool(view["phase"] == "over" and 0 < plan.games <= view["game"])


def finished(view: View, plan: Plan) -> bool:
    """Whether all that was planned has been played, and the robots' decks are open."""
    closed = [seat for seat in view["seats"] if seat.get("deck", {}).get("secret", "") is None]
    return played_out(view, plan) and len(closed) <= plan.person


@dataclass(slots=True, kw_only=True)
class Manners:
    """How a robot behaves: its pace (1 a person's, 0 as fast as it can), its temper and
    chance, and, for a host, the plan."""

    chance: Random
    pace: float = 1.0
    temper: Temper = field(default=TEMPERS[0])
    plan: Plan | None = None


class Robot(threading.Thread):
    """Sits down and plays until it is told to stop.

    ``troubles`` says what went wrong.
    """

    def __init__(self, line: Line, head: Head, manners: Manners) -> None:
        super().__init__(name=f"robot {line.place.table} {head.seat}", daemon=True)
        self.line = line
        self.head = head
        self.manners = manners
        self.troubles: list[Trouble] = []
        self.said = 0

    def stop(self) -> None:
        """Gets up; the seat stays."""
        self.line.close()
        self.join(10)

    def run(self) -> None:
        """Listens and talks."""
        try:
            self.line.open()
            while not self.line.closed:
                self._take_part()
        except Unanswered as problem:
            if not self.line.closed:
                log.error("%s: %s", self.name, problem)
        finally:
            self.line.close()

    def _take_part(self) -> None:
        """One view: wait for another if there is nothing to say, else say it."""
        view = self.line.view
        wish = self._wish(view) if view is not None else None
        if view is None or wish is None:
            self.line.wait(lambda: self.line.view is not view, None)
            return
        pause = max(wish.least, self.seconds(wish, view))
        if pause and self.line.wait(lambda: not self._wants(wish, self.line.view), pause):
            return
        with self.head.floor:
            known = self.line.view
            answer = self._say(wish, known) if self._wants(wish, known) else None
        if answer is None:
            self.line.wait(lambda: self.line.view is not known, 1)
        else:
            self._catch_up(answer)

    def seconds(self, wish: Wish, view: View) -> float:
        """How long it takes to say it, in this view."""
        return wish.seconds * self.manners.pace

    def _wish(self, view: View) -> Wish | None:
        plan = self.manners.plan
        if plan is not None and view["you"] is not None and view["you"]["host"]:
            command = manage(view, plan)
            if command is not None:
                kind = command["type"]
                pause = temper.seconds(self.manners.temper, kind, self.manners.chance)
                return Wish(command=command, seconds=pause)
        return self.head.choose(view)

    def _wants(self, wish: Wish, view: View | None) -> bool:
        """Whether there is still reason to say it in this view."""
        command = wish.command
        if self.line.closed or view is None:
            return False
        if command.get("version", view["version"]) != view["version"]:
            return False
        if command["type"] == "open":
            return True
        if view["you"] is None or not self.head.agrees(view):
            return False
        if command["type"] in BEFORE_AND_AFTER:
            now = self._wish(view)
            return now is not None and now.command["type"] == command["type"]
        may = view["you"]["may"]
        if command["type"] in TRUTHS:
            return any(entry["as"] == self.head.seat for entry in may)
        return command["type"] == "note" or any(stands_for(entry, command) for entry in may)

    def _say(self, wish: Wish, known: View | None) -> Answer:
        """Says what is wanted in the known view."""
        answer = self.line.say(wish.command)
        if answer["ok"]:
            self.said += 1
            self.head.accepted(wish, answer["version"])
        elif known is not None and answer["version"] == known["version"]:
            # Not because somebody was quicker: what was refused stood in the newest view.
            log.warning("%s: %s refused: %s", self.name, wish.command, answer["error"])
            self.troubles.append(Trouble(command=wish.command, error=answer["error"]))
        return answer

    def _catch_up(self, answer: Answer) -> None:
        """Nothing is decided on a view that is older than the answer; after a refusal
        something else must happen first, or a little time go by."""
        view = self.line.view
        if view is None:
            return
        epoch, version = view["epoch"], answer["version"] + (not answer["ok"])
        self.line.wait(
            lambda: (
                self.line.view is not None
                and (self.line.view["version"] >= version or self.line.view["epoch"] != epoch)
            ),
            None if answer["ok"] else 1,
        )
