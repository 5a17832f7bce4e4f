"""A simulated player, who plays like a robot while the cards are known, and at random otherwise."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.robots.player import Player as Robot
from companion.robots.player import Wish

Command = dict[str, Any]

STALE_MS = 2_500
"""Time in ms without a new view after which a player gives any legal command, also for other seats.
"""


class CommandSlot:
    """A lock for players who share one deck of cards, so that only one of them at a time has an
    unanswered command."""

    taken_by: object = None


class Player:
    """The player of one seat, with any number of devices.

    ``reckless`` is the probability of a random command, and ``titles`` are the game's card titles.
    If ``passes_ahead`` is true, the player sometimes chooses to pass in every window until their
    next turn, or ends that.
    """

    def __init__(
        self, seat: str, robot: Robot | None, floor: CommandSlot, chance: Random, titles: list[str]
    ) -> None:
        self._seat = seat
        self._robot = robot
        self._floor = floor
        self._chance = chance
        self.titles = titles
        self.reckless = 0.0 if robot else 1.0
        self.passes_ahead = False
        self._wish: Wish | None = None
        self._known = (0, 0)
        self._since = 0

    @property
    def secret(self) -> str | None:
        """The secret of the device deck, or None if this player's device keeps no deck."""
        return getattr(self._robot, "closed", None)

    def choose(self, view: Any, now: int) -> Command | None:
        """Return the next command for this view, or None."""
        you = view["you"]
        version = (view["epoch"], view["version"])
        if version != self._known:
            self._known = version
            self._since = now
        if you is None:
            return None
        stale = now > self._since + STALE_MS
        if you["host"] and (command := self._choose_as_host(view, stale)):
            return command
        if self.passes_ahead and view["phase"] == "play" and self._chance.random() < 0.05:
            return {"type": "auto_pass", "as": self._seat, "on": self._chance.random() < 0.7}
        if self._chance.random() >= self.reckless:
            try:
                command = self._choose_as_robot(view)
            # raised if another player's command has moved the cards
            except (LookupError, ValueError, TypeError):
                self.reckless = 1.0
                return None
            if command or not stale:
                return command
        return self._choose_at_random(view, stale)

    def take_answer(self, answer: dict[str, Any] | None) -> None:
        """Handle the answer to the last command. It is None if there will be no answer."""
        wish = self._wish
        self._wish = None
        if wish is None or self._robot is None:
            return
        self._floor.taken_by = None
        if answer is not None and answer["ok"]:
            self._robot.on_accepted(wish, answer["version"])

    def _choose_as_robot(self, view: Any) -> Command | None:
        robot = self._robot
        if robot is None or self._floor.taken_by is not None:
            return None
        wish = robot.choose(view)
        if wish is None or wish.min_seconds or not robot.cards_match(view):
            return None
        self._wish = wish
        self._floor.taken_by = self
        return dict(wish.command)

    def _choose_as_host(self, view: Any, stale: bool) -> Command | None:
        if view["phase"] in ("roll_call", "play") and self._chance.random() < (
            0.5 if stale else 0.03
        ):
            return {"type": self._chance.choice(["undo", "undo", "end_game"])}
        match view["phase"]:
            case "lobby":
                return {"type": "prepare"}
            case "setup" if all(seat["ready"] for seat in view["seats"]):
                return {"type": "begin", "first": "lot"}
            case "setup" if stale:
                return {"type": "to_lobby"}
            case "over" if stale or self._chance.random() < 0.2:
                return {"type": "rematch"}
        return None

    def _choose_at_random(self, view: Any, stale: bool) -> Command | None:
        you = view["you"]
        chance = self._chance
        if "agree" in you:
            return {"type": "agree", "asked": you["agree"]}
        if view["phase"] == "setup":
            seat = next((entry for entry in view["seats"] if entry["seat"] == self._seat), None)
            return {"type": "ready", "ready": True} if seat and not seat["ready"] else None
        if view["phase"] == "play" and chance.random() < 0.1:
            return self._make_note(view)
        may = [entry for entry in you["may"] if stale or entry["as"] == self._seat]
        return self._complete_command(view, chance.choice(may)) if may else None

    def _complete_command(self, view: Any, entry: Command) -> Command:
        command = dict(entry)
        chance = self._chance
        if targets := command.pop("targets", None):
            command["target"] = chance.choice(targets)
        if command.get("kind") == "triple":
            command["name"] = chance.choice(self.titles)
        if "pile" in view and command["type"] == "look":
            command["saw"] = chance.choices(self.titles, k=min(3, view["pile"]["cards"]))
        if "pile" in view and command["type"] in ("defuse", "put_back"):
            command["place"] = chance.randint(1, view["pile"]["cards"] + 1)
        return command

    def _make_note(self, view: Any) -> Command:
        card = self._chance.choice([*self.titles, None])
        if "pile" in view:
            place = self._chance.randint(1, max(1, view["pile"]["cards"]))
            return {"type": "note", "place": place, "card": card}
        cell = [self._chance.randrange(2), self._chance.randrange(3)]
        return {"type": "note", "cell": cell, "card": card}


def alter_private_facts(command: Command, titles: list[str]) -> Command:
    """Return the command with other private facts: a note's title, the cards seen, or a Kitten's
    cell.

    Only the player of the seat may notice the difference.
    """

    def next_title(card: str) -> str:
        return titles[(titles.index(card) + 1) % len(titles)]

    changed = dict(command)
    if command["type"] == "note" and command["card"]:
        changed["card"] = next_title(command["card"])
    if command.get("saw"):
        changed["saw"] = [next_title(card) for card in command["saw"]]
    if command["type"] == "defuse" and "place" in command:
        changed["place"] = max(1, command["place"] - 1)
    if command["type"] == "put_back" and command.get("place", 1) > 1:
        changed["place"] = max(2, command["place"] - 1)  # everybody sees it at place 1
    return changed
