"""The base classes of robot players: their personality, their strategy, and the next command.

A player doesn't know the rules: it picks from the legal commands that the view lists in
``you.may``.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from random import Random

from companion.robots.view import (
    Command,
    Json,
    Titles,
    View,
    commands_of_type,
    first_of_type,
    seat_of,
)


@dataclass(frozen=True, slots=True)
class Temper:
    """A robot's personality. It affects what the robot likes to do, never what it reports.

    All numbers except ``slowness`` are probabilities from 0 to 1.
    """

    name: str
    courage: float  # the robot draws unless the risk of a Kitten is higher than this
    contrary: float  # probability that the robot Nopes a card that doesn't concern it
    pride: float  # probability that the robot Nopes a Nope on its own card
    mischief: float  # probability that the robot plays a card for fun
    spite: float  # probability that the robot targets the player against whom it has a grudge
    hesitation: float  # probability that the robot holds a Nope window open
    slowness: float  # factor for the time that the robot takes to decide


TEMPERS = (
    # The numbers are courage, contrary, pride, mischief, spite, hesitation and slowness.
    Temper("reckless", 0.45, 0.25, 0.6, 0.5, 0.3, 0.0, 0.7),
    Temper("careful", 0.18, 0.05, 0.5, 0.05, 0.1, 0.04, 1.3),
    Temper("vengeful", 0.3, 0.2, 0.95, 0.2, 1.0, 0.0, 1.0),
    Temper("contrary", 0.3, 0.6, 0.7, 0.2, 0.4, 0.0, 1.0),
    Temper("dreamy", 0.35, 0.1, 0.3, 0.3, 0.0, 0.08, 1.5),
    Temper("cheerful", 0.3, 0.15, 0.4, 0.35, 0.0, 0.0, 1.0),
)

NAMES = (
    "Axle", "Beep", "Clank", "Dot", "Élan", "Fizz", "Gadget", "Hex", "Ion", "Jolt", "Kilo",
    "Lumen", "Mega", "Nibble", "Ohm", "Pixel", "Quirk", "Rivet", "Sprocket", "Tinker",
    "Unit", "Volt", "Widget", "Xeno", "Yoyo", "Zip",
)  # fmt: skip
"""Names of robots. Élan is sorted like Elan (ruling alphabetical-order)."""

SECONDS = {
    "call_next": 2.0, "instruct": 3.0, "play": 3.5, "combo": 4.0, "draw": 3.0, "pass": 1.2,
    "nope": 1.8, "hold": 1.0, "release": 4.0, "look": 2.5, "note": 0.5, "shuffled": 3.5,
    "reveal": 2.5, "give": 3.0, "take": 2.5, "answer": 2.0, "pick": 3.5, "report": 2.0,
    "defuse": 4.0, "explode": 4.0, "deck": 2.0, "ready": 4.0, "open": 1.0, "prepare": 3.0,
    "to_lobby": 3.0, "begin": 3.0, "rematch": 10.0, "agree": 2.0, "see_imploding": 1.5,
    "put_back": 4.0,
}  # fmt: skip
"""Average number of seconds that a person takes to decide on a command, by command type."""

MAX_STATES = 200  # number of earlier states of its cards that a robot keeps for undos


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A command that a robot wants to send."""

    command: Command
    seconds: float  # thinking time of a person, which the robot's pace scales
    min_seconds: float = 0.0  # shortest delay before the command is sent, at any pace


# a function that picks one of the legal commands
Chooser = Callable[[View, Sequence[Command]], Wish | None]


class Strategy:
    """Decides between several legal commands for a robot."""

    def __init__(self, seat: str, temper: Temper, chance: Random, titles: Titles) -> None:
        self.seat = seat
        self.temper = temper
        self.chance = chance
        self.titles = titles
        self.grudge: str | None = None  # the seat that last acted against this robot

    def choose_reaction(self, view: View, *, holds_nope: bool) -> str:
        """Choose a reaction to the card that was just played. Return "nope", "pass" or "hold"."""
        played = view["played"]
        self._remember(played)
        if not holds_nope:
            return "hold" if self.is_inclined(self.temper.hesitation) else "pass"
        mine = played["by"] == self.seat
        if mine == played["counts"]:
            return "pass"
        eager = self.temper.pride if mine else self._nope_probability(view)
        return "nope" if self.is_inclined(eager) else "pass"

    def _remember(self, played: Json) -> None:
        if played["by"] == self.seat and played["nopes"]:
            self.grudge = played["nopes"][-1]
        elif played.get("target") == self.seat:
            self.grudge = played["by"]

    def _nope_probability(self, view: View) -> float:
        played = view["played"]
        if played.get("target") == self.seat:
            return max(self.temper.pride, 0.5)
        if (threat := self.estimate_threat(view)) is not None:
            return threat
        if played["by"] == self.grudge:
            return max(self.temper.spite, self.temper.contrary)
        return self.temper.contrary / 2

    def estimate_threat(self, view: View) -> float | None:
        """Return the probability that the robot Nopes the played card.

        Return None if the card doesn't threaten the robot.
        """
        return None

    def list_plays(self, choices: Sequence[Command], *effects: str) -> list[Command]:
        """Return one ``play`` command for each card with one of these effects."""
        cards = self.titles.with_effects(*effects)
        plays = [entry for entry in commands_of_type(choices, "play") if entry["card"] in cards]
        return [*{entry["card"]: entry for entry in plays}.values()]

    def list_other_plays(self, choices: Sequence[Command], *effects: str) -> list[Command]:
        """Return one ``play`` command for each card with none of these effects."""
        return self.list_plays(choices, *({*self.titles.values()} - {*effects}))

    def choose_play_or_draw(
        self, choices: Sequence[Command], *ways: tuple[Sequence[Command], float]
    ) -> Command:
        """Choose a play, or the draw if no play is chosen.

        Each of ``ways`` is a list of plays, and the probability that the robot makes one of these
        plays. The lists are tried in order, until a list isn't empty and a random number is below
        the list's probability. A random play of that list is chosen.
        """
        for plays, probability in ways:
            if plays and self.is_inclined(probability):
                return self.chance.choice(plays)
        return first_of_type(choices, "draw")

    def choose_victim(self, worth: Mapping[str, int]) -> str:
        """Choose a target from ``worth``, which maps each possible target to its value.

        Prefer the player against whom the robot has a grudge, otherwise the target with the highest
        value.
        """
        if self.grudge is not None and self.grudge in worth and self.is_inclined(self.temper.spite):
            return self.grudge
        highest = max(worth.values())
        return self.chance.choice([seat for seat in worth if worth[seat] == highest])

    def is_inclined(self, probability: float) -> bool:
        """Return True at random, with this probability."""
        return self.chance.random() < probability


class Player(ABC):
    """One robot at its seat, with its own cards. Each family of games has a subclass."""

    def __init__(self, strategy: Strategy, floor: AbstractContextManager[object]) -> None:
        self.strategy = strategy
        # Robots that share cards hold this lock while they send a command and change the cards.
        self.floor = floor
        self.seat = strategy.seat
        self.temper = strategy.temper
        self.chance = strategy.chance
        self.titles = strategy.titles
        # The class ``Robot`` sets these functions. They fetch the whole log (a view contains only
        # the last entries) and the variant.
        self.log: Callable[[], list[Json]] = list
        self.variant: Callable[[], Json] = dict
        self._verdict = (-1, "")  # the id of the last Nope window, and the decision about it

    def choose(self, view: View, may: Sequence[Command] | None = None) -> Wish | None:
        """Choose the next command in this view. Return None if the robot has to wait for other
        players.

        ``may`` lists the legal commands of this seat. If ``may`` is None, the commands are read
        from ``you.may``.
        """
        if view["you"] is None:
            return None
        if "agree" in view["you"]:
            return self.make_wish({"type": "agree", "asked": view["you"]["agree"]})
        if view.get("asked"):
            return (
                None  # somebody has asked to undo a move; wait for the answers of the other players
            )
        if view["phase"] == "setup":
            return self._get_ready(view)
        if view["phase"] not in ("roll_call", "play"):
            return None
        if may is None:
            may = [entry for entry in view["you"]["may"] if entry["as"] == self.seat]
        return self._play(view, may)

    @abstractmethod
    def on_accepted(self, wish: Wish, version: int) -> None:
        """Update the cards after the server accepted a wish. ``version`` is the table's new
        version."""

    @abstractmethod
    def cards_match(self, view: View) -> bool:
        """Return True if the robot's cards match everything that the view shows of them."""

    @property
    @abstractmethod
    def hand(self) -> Sequence[str]:
        """The cards in the robot's hand, which the server doesn't know."""

    @abstractmethod
    def choosers_by_type(self) -> Mapping[str, Chooser]:
        """Return functions that choose a command, by the command's type. The most urgent type comes
        first."""

    def make_wish(self, command: Command) -> Wish:
        """Make a wish from a command, with the time that this robot takes to decide."""
        slowness = self.temper.slowness * self.chance.uniform(0.6, 1.6)
        return Wish(command=command, seconds=SECONDS[command["type"]] * slowness)

    def _play(self, view: View, may: Sequence[Command]) -> Wish | None:
        """Choose a command during a game. A subclass may update its cards first."""
        types = {entry["type"] for entry in may}
        in_window = dict.fromkeys(("pass", "nope", "release"), self._decide_in_window)
        choosers = {**self.choosers_by_type(), **in_window}
        choose = next((chooser for type_, chooser in choosers.items() if type_ in types), None)
        return None if choose is None else choose(view, may)

    def _nope(self, command: Command) -> Wish:
        return self.make_wish(command)

    def _get_ready(self, view: View) -> Wish | None:
        if seat_of(view, self.seat)["ready"]:
            return None
        return self.make_wish({"type": "ready", "ready": True})

    def _choose_reaction(self, view: View) -> str:
        """Choose a reaction to the open window. Return "nope", "pass" or "hold"."""
        return self.strategy.choose_reaction(view, holds_nope=self.titles.nope in self.hand)

    def _decide_in_window(self, view: View, may: Sequence[Command]) -> Wish | None:
        window = view["window"]
        if self._verdict[0] != window["id"]:
            self._verdict = (window["id"], self._choose_reaction(view))
        verdict = self._verdict[1]
        types = {entry["type"] for entry in may}
        if verdict == "hold":
            if "hold" in types and window["held_by"] is None:
                return self.make_wish(first_of_type(may, "hold"))
            self._verdict = (window["id"], "pass")
        if window["held_by"] == self.seat and "release" in types:
            return self.make_wish(first_of_type(may, "release"))
        if verdict == "nope" and "nope" in types:
            return self._nope(commands_of_type(may, "nope")[0])
        if "pass" in types and self.seat not in window["passed"]:
            return self.make_wish(first_of_type(may, "pass"))
        return None
