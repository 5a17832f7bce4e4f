"""What the heads of all families have in common: getting ready, windows, answering by kind.

A head never asks whether something is allowed, it reads ``you.may``. This module must not know
how words travel, nor what cards there are.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from random import Random
from typing import Any, ClassVar

from companion.robots.wire.head import Wish
from companion.robots.wire.sight import Command, View, every, first, seat_of
from companion.robots.wire.temper import Temper, seconds

Say = Callable[[Any, View, Sequence[Command]], Wish | None]
"""What a player says in a view, of what it may say there."""


class Player(ABC):
    """One robot's head: its seat, its temper, and what it says.

    ``ANSWERS``: by kind of command how the family's player says it, the most urgent first.
    """

    ANSWERS: ClassVar[tuple[tuple[str, Say], ...]]

    def __init__(
        self, seat: str, temper: Temper, chance: Random, floor: AbstractContextManager[Any]
    ) -> None:
        self.seat = seat
        self.temper = temper
        self.chance = chance
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
        for kind, say in (*self.ANSWERS, *_WINDOW):
            if kind in kinds:
                return say(self, view, may)
        return None

    @abstractmethod
    def _judge(self, view: View) -> str:
        """What to do about the card on top: ``nope``, ``pass`` or ``hold``."""

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
            self.verdict = (window["id"], self._judge(view))
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


_WINDOW = tuple((kind, Player._window) for kind in ("pass", "nope", "release"))
