"""One robot of any family: what kind of player it is, how it chooses, and what it wants to say. A
player never asks whether something is allowed, it reads ``you.may``."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from random import Random

from companion.robots.view import Command, Json, Titles, View, every, first, seat_of


@dataclass(frozen=True, slots=True)
class Temper:
    """What kind of player a robot is: a matter of taste, never of truth.

    All but ``slowness`` are chances from 0 to 1. ``courage``: the danger that it draws in without
    a second thought. ``contrary``: how readily it Nopes what is none of its business. ``pride``:
    how readily it Nopes a Nope on its own card. ``mischief``: how readily it plays a card for the
    fun of it. ``spite``: how likely its Favors go to whoever Noped it last. ``hesitation``: how
    likely it stops a window's clock. ``slowness`` multiplies the time that it takes."""

    name: str
    courage: float
    contrary: float
    pride: float
    mischief: float
    spite: float
    hesitation: float
    slowness: float


TEMPERS = (
    # courage, contrary, pride, mischief, spite, hesitation, slowness
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
"""Élan stands where an Elan would (ruling alphabetical-order)."""

SECONDS = {
    "call_next": 2.0, "instruct": 3.0, "play": 3.5, "combo": 4.0, "draw": 3.0, "pass": 1.2,
    "nope": 1.8, "hold": 1.0, "release": 4.0, "look": 2.5, "note": 0.5, "shuffled": 3.5,
    "reveal": 2.5, "give": 3.0, "take": 2.5, "answer": 2.0, "pick": 3.5, "report": 2.0,
    "defuse": 4.0, "explode": 4.0, "deck": 2.0, "ready": 4.0, "open": 1.0, "prepare": 3.0,
    "to_lobby": 3.0, "begin": 3.0, "rematch": 10.0, "agree": 2.0,
}  # fmt: skip
"""How long a person takes to say each thing, as the mean of many."""

REMEMBERED = 200  # how many states of its cards a robot can go back to


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A command that a robot wants to say, and the seconds that a person would take over it.
    ``least``: so many go by before it is said, however fast the robot is."""

    command: Command
    seconds: float
    least: float = 0.0


Say = Callable[[View, Sequence[Command]], Wish | None]  # what a player says, of what it may


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

    def plays(self, choices: Sequence[Command], *effects: str) -> list[Command]:
        """One play of each card that does this."""
        cards = self.titles.doing(*effects)
        return [*{e["card"]: e for e in every(choices, "play") if e["card"] in cards}.values()]

    def prefer(self, choices: Sequence[Command], *ways: tuple[Sequence[Command], float]) -> Command:
        """Of the first way that is open, and that it likes by its probability; else the draw."""
        for plays, probability in ways:
            if plays and self.likes(probability):
                return self.chance.choice(plays)
        return first(choices, "draw")

    def victim(self, worth: Mapping[str, int]) -> str:
        """Of these targets the one that it has a grudge against, else one that is worth most."""
        if self.grudge is not None and self.grudge in worth and self.likes(self.temper.spite):
            return self.grudge
        return self.chance.choice([who for who in worth if worth[who] == max(worth.values())])

    def likes(self, probability: float) -> bool:
        return self.chance.random() < probability


class Player(ABC):
    """One robot at its seat, and what it knows of the cards. ``floor``: held while it says
    something and its cards change; players that share cards share it. ``log`` gives the table's
    whole log, of which a view shows the end, ``variant`` what it plays now."""

    def __init__(self, strategy: Strategy, floor: AbstractContextManager[object]) -> None:
        self.strategy = strategy
        self.floor = floor
        self.seat = strategy.seat
        self.temper = strategy.temper
        self.chance = strategy.chance
        self.titles = strategy.titles
        self.log: Callable[[], list[Json]] = list
        self.variant: Callable[[], Json] = dict
        self._verdict = (-1, "")

    def choose(self, view: View, may: Sequence[Command] | None = None) -> Wish | None:
        """What the robot wants to say in this view; None: nothing, others are up. ``may`` is this
        seat's part of ``you.may``, read from the view if left out."""
        if view["you"] is None:
            return None
        if "agree" in view["you"]:
            return self.wish({"type": "agree", "asked": view["you"]["agree"]})
        if view.get("asked"):
            return None  # the next word would be the answer
        if view["phase"] == "setup":
            return self._get_ready(view)
        if view["phase"] not in ("roll_call", "play"):
            return None
        if may is None:
            may = [entry for entry in view["you"]["may"] if entry["as"] == self.seat]
        return self._play(view, may)

    @abstractmethod
    def on_accepted(self, wish: Wish, version: int) -> None:
        """The table took a wish, this player's or its seat's as the host, and has that version."""

    @abstractmethod
    def agrees(self, view: View) -> bool:
        """Whether its cards look like what the call sees of them."""

    @property
    @abstractmethod
    def hand(self) -> Sequence[str]:
        """Its own cards, which it alone knows."""

    @abstractmethod
    def answers(self) -> Mapping[str, Say]:
        """By kind of command how it is said, the most urgent first."""

    def wish(self, command: Command) -> Wish:
        """To say this, in the time that this robot takes over it."""
        slowness = self.temper.slowness * self.chance.uniform(0.6, 1.6)
        return Wish(command=command, seconds=SECONDS[command["type"]] * slowness)

    def _play(self, view: View, may: Sequence[Command]) -> Wish | None:
        """What it says in a game; a family may have more to do before."""
        kinds = {entry["type"] for entry in may}
        window = dict.fromkeys(("pass", "nope", "release"), self._window)
        says = (say for kind, say in {**self.answers(), **window}.items() if kind in kinds)
        say = next(says, None)
        return None if say is None else say(view, may)

    def _nope(self, command: Command) -> Wish:
        return self.wish(command)

    def _get_ready(self, view: View) -> Wish | None:
        if seat_of(view, self.seat)["ready"]:
            return None
        return self.wish({"type": "ready", "ready": True})

    def _window(self, view: View, may: Sequence[Command]) -> Wish | None:
        window = view["window"]
        if self._verdict[0] != window["id"]:
            holds_nope = self.titles.nope in self.hand
            self._verdict = (window["id"], self.strategy.judge(view, holds_nope=holds_nope))
        verdict = self._verdict[1]
        kinds = {entry["type"] for entry in may}
        if verdict == "hold":
            if "hold" in kinds and window["held_by"] is None:
                return self.wish(first(may, "hold"))
            self._verdict = (window["id"], "pass")
        if window["held_by"] == self.seat and "release" in kinds:
            return self.wish(first(may, "release"))
        if verdict == "nope" and "nope" in kinds:
            return self._nope(every(may, "nope")[0])
        if "pass" in kinds and self.seat not in window["passed"]:
            return self.wish(first(may, "pass"))
        return None
