"""What one robot has in its head, whatever it plays: what it wants to say, and what it is like.

``Player`` has what the heads of all families have in common: getting ready, windows, answering by
kind of command. A head never asks whether something is allowed, it reads ``you.may``.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeVar

from companion.robots.temper import Temper, seconds
from companion.robots.view import Command, Json, Titles, View, every, first, seat_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A command that a robot wants to say, and the seconds that a person would take over it.

    ``least``: so many go by before it is said, however fast the robot is.
    """

    command: Command
    seconds: float
    least: float = 0.0


class Head(Protocol):
    """One robot's head: its seat, and what it knows of the cards.

    ``floor``: held while it says something and its cards change; heads that share cards share it.
    """

    seat: str
    floor: AbstractContextManager[object]

    def choose(self, view: View) -> Wish | None:
        """What the robot wants to say in this view; None: nothing, others are up."""

    def accepted(self, wish: Wish, version: int, /) -> None:
        """The table took a wish, this head's or its seat's as the host, and has that version."""

    def agrees(self, view: View) -> bool:
        """Whether its cards look like what the call sees of them."""


Seating = Callable[[str, Temper, Random], Head]
"""A head for a seat, with this temper and these chances of its own."""

Sits = Callable[[Json, Random], Seating]
"""How a family's robots sit down to a game of a variant (as the wire shows it)."""

Say = Callable[[View, Sequence[Command]], Wish | None]
"""What a player says in a view, of what it may say there."""

REMEMBERED = 200
"""How many states of its cards a robot can go back to."""

S = TypeVar("S")


def rewind(states: list[S], fits: Callable[[S], bool]) -> bool:
    """Drops what came after the newest state that fits; nothing, where none does."""
    for index in range(len(states) - 1, -1, -1):
        if fits(states[index]):
            del states[index + 1 :]
            return True
    return False


class Strategy:
    """How a robot chooses where it has a choice; it remembers who crossed it last."""

    def __init__(self, seat: str, temper: Temper, chance: Random, titles: Titles) -> None:
        self.seat = seat
        self.temper = temper
        self.chance = chance
        self.titles = titles
        self.grudge: str | None = None

    def judge(self, view: View, *, holds_nope: bool) -> str:
        """What to do about the card on top: ``nope``, ``pass`` or ``hold``."""
        played = view["played"]
        self._remember(played)
        if not holds_nope:
            return "hold" if self.likes(self.temper.hesitation) else "pass"
        mine = played["by"] == self.seat
        if mine == played["counts"]:
            return "pass"
        eager = self.temper.pride if mine else self._annoyance(view)
        return "nope" if self.likes(eager) else "pass"

    def _remember(self, played: Json) -> None:
        if played["by"] == self.seat and played["nopes"]:
            self.grudge = played["nopes"][-1]
        elif played.get("target") == self.seat:
            self.grudge = played["by"]

    def _annoyance(self, view: View) -> float:
        """How much the card on top asks for a Nope."""
        played = view["played"]
        if played.get("target") == self.seat:
            return max(self.temper.pride, 0.5)
        if (threat := self.threat(view)) is not None:
            return threat
        if played["by"] == self.grudge:
            return max(self.temper.spite, self.temper.contrary)
        return self.temper.contrary / 2

    def threat(self, view: View) -> float | None:
        """How much it asks for a Nope that harms this robot; None: it does no harm."""
        return None

    def likes(self, probability: float) -> bool:
        """Whether it feels like it this time."""
        return self.chance.random() < probability


class Player(ABC):
    """One robot's head: its seat, its temper, and what it says.

    ``floor``: held while it says something and its cards change.
    """

    def __init__(self, strategy: Strategy, floor: AbstractContextManager[object]) -> None:
        self.strategy = strategy
        self.seat, self.temper = strategy.seat, strategy.temper
        self.chance, self.titles = strategy.chance, strategy.titles
        self.floor = floor
        self.verdict = (-1, "")

    def choose(self, view: View, may: Sequence[Command] | None = None) -> Wish | None:
        """What the robot wants to say in this view; None: nothing, others are up.

        ``may`` is this seat's part of ``you.may``, read from the view if left out.
        """
        if view["you"] is None:
            return None
        if "agree" in view["you"]:
            return self._wish({"type": "agree", "asked": view["you"]["agree"]})
        if view.get("asked"):
            return None  # the next word would be the answer
        if view["phase"] == "setup":
            return self._get_ready(view)
        if view["phase"] not in ("roll_call", "play"):
            return None
        if may is None:
            may = [entry for entry in view["you"]["may"] if entry["as"] == self.seat]
        return self._play(view, may)

    def _play(self, view: View, may: Sequence[Command]) -> Wish | None:
        """What it says in a game; a family may have more to do before."""
        kinds = {entry["type"] for entry in may}
        window = dict.fromkeys(("pass", "nope", "release"), self._window)
        says = (say for kind, say in {**self.answers(), **window}.items() if kind in kinds)
        say = next(says, None)
        return None if say is None else say(view, may)

    @property
    @abstractmethod
    def hand(self) -> Sequence[str]:
        """Its own cards, which it alone knows."""

    @abstractmethod
    def answers(self) -> Mapping[str, Say]:
        """By kind of command how it is said, the most urgent first."""

    @abstractmethod
    def _nope(self, command: Command) -> Wish:
        """The wish to say a Nope, which lies on the discard pile then."""

    def _wish(self, command: Command) -> Wish:
        return Wish(command=command, seconds=self._pause(command))

    def _pause(self, command: Command) -> float:
        return seconds(self.temper, command["type"], self.chance)

    def _get_ready(self, view: View) -> Wish | None:
        if seat_of(view, self.seat)["ready"]:
            return None
        return self._wish({"type": "ready", "ready": True})

    def _window(self, view: View, may: Sequence[Command]) -> Wish | None:
        window = view["window"]
        if self.verdict[0] != window["id"]:
            holds_nope = self.titles.nope in self.hand
            self.verdict = (window["id"], self.strategy.judge(view, holds_nope=holds_nope))
        verdict = self.verdict[1]
        kinds = {entry["type"] for entry in may}
        if verdict == "hold":
            if "hold" in kinds and window["held_by"] is None:
                return self._wish(first(may, "hold"))
            self.verdict = (window["id"], "pass")
        if window["held_by"] == self.seat and "release" in kinds:
            return self._wish(first(may, "release"))
        if verdict == "nope" and "nope" in kinds:
            return self._nope(every(may, "nope")[0])
        if "pass" in kinds and self.seat not in window["passed"]:
            return self._wish(first(may, "pass"))
        return None
