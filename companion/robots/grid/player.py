"""What one robot says next: among what it may say, what is true of its own cards.

``choose`` answers a view with a wish; the wish comes true (``accepted``) when the table
has taken it. This module must not know how words travel, nor any rule: it never asks
whether something is allowed, it reads ``you.may``.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.robots.grid import deck as decks
from companion.robots.grid.deck import Deck
from companion.robots.grid.sight import Cell, cells_where, face_down, laid, place
from companion.robots.grid.strategy import Strategy
from companion.robots.wire import head
from companion.robots.wire import temper as tempers
from companion.robots.wire.head import Seating
from companion.robots.wire.sight import Command, View, every, first, seat_of
from companion.robots.wire.temper import Temper
from companion.robots.wire.titles import Titles

REMEMBERED = 200
"""How many of its own decks a robot can go back to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish(head.Wish):
    """Besides: its cards once that is accepted, and what it has seen and wants to note."""

    then: Deck | None = None
    note: tuple[Cell, str] | None = None


class Player:
    """One robot's head: its seat, its temper, its cards.

    ``cards``: those of the variant on the wire. No robot touches another one's, so each has
    a floor to itself.
    """

    def __init__(
        self, seat: str, temper: Temper, chance: Random, cards: Sequence[Mapping[str, Any]]
    ) -> None:
        self.floor: AbstractContextManager[Any] = nullcontext()
        self.seat = seat
        self.temper = temper
        self.chance = chance
        self.titles = Titles.heard(cards)
        self.pack = decks.pack(cards)
        self.strategy = Strategy(seat, temper, chance, self.titles)
        self.decks: list[Deck] = []
        self.game: tuple[str, int] | None = None
        self.note: tuple[Cell, str] | None = None
        self.verdict = (-1, "")

    @property
    def deck(self) -> Deck:
        """The cards as they lie now."""
        return self.decks[-1]

    def choose(self, view: View, may: Sequence[Command] | None = None) -> Wish | None:
        """What the robot wants to say in this view; None: nothing, others are up.

        ``may`` is this seat's part of ``you.may``, read from the view if left out.
        """
        if view["you"] is None:
            return None
        if view["phase"] == "setup":
            return self._get_ready(view)
        if view["phase"] not in ("roll_call", "play"):
            return None
        self._follow(view)
        if self.note is not None:
            cell, card = self.note
            return self._wish({"type": "note", "cell": list(cell), "card": card}, then=self.deck)
        if may is None:
            may = [entry for entry in view["you"]["may"] if entry["as"] == self.seat]
        kinds = {entry["type"] for entry in may}
        for kind, say in self._ANSWERS:
            if kind in kinds:
                return say(self, view, may)
        return None

    def accepted(self, wish: head.Wish, version: int = 0) -> None:
        """The table took it: the cards lie as the wish says; a host's own words move none."""
        if not isinstance(wish, Wish):
            return
        if wish.command["type"] == "note":
            self.note = None
        if wish.note is not None:
            self.note = wish.note
        if wish.then is not None and wish.then is not self.deck:
            self.decks = [*self.decks[-REMEMBERED:], wish.then]

    def agrees(self, view: View) -> bool:
        """Whether its cards still look like what the call sees of them."""
        if view["phase"] not in ("roll_call", "play") or not self.decks:
            return True
        return self.deck.agrees(seat_of(view, self.seat))

    # Following the table.

    def _get_ready(self, view: View) -> Wish | None:
        mine = seat_of(view, self.seat)
        if mine["ready"]:
            return None
        return self._wish({"type": "ready", "ready": True})

    def _follow(self, view: View) -> None:
        """A new game: another deck. Something was taken back: the cards as they were."""
        mine = seat_of(view, self.seat)
        if not mine["alive"]:
            return
        if not self.decks or self.game != (view["table"], view["game"]):
            self.game = (view["table"], view["game"])
            cells = laid(mine["grid"])
            self.decks = [
                decks.prepare(self.chance, self.titles, self.pack, hand=mine["hand"], cells=cells)
            ]
            self.note = None
        elif not self.deck.agrees(mine):
            for index in range(len(self.decks) - 1, -1, -1):
                if self.decks[index].agrees(mine):
                    del self.decks[index + 1 :]
                    self.note = None
                    return

    # What it says, by what it may say.

    def _only(self, kind: str, may: Sequence[Command], then: Deck | None = None) -> Wish:
        return self._wish(first(may, kind), then=then)

    def _call_next(self, view: View, may: Sequence[Command]) -> Wish | None:
        return self._only("call_next", may)

    def _instruct(self, view: View, may: Sequence[Command]) -> Wish | None:
        told = self.strategy.tell(view, every(may, "instruct"))
        return self._wish(told)

    def _window(self, view: View, may: Sequence[Command]) -> Wish | None:
        window = view["window"]
        if self.verdict[0] != window["id"]:
            holds = self.titles.nope in self.deck.hand
            self.verdict = (window["id"], self.strategy.judge(view, holds_nope=holds))
        verdict = self.verdict[1]
        kinds = {entry["type"] for entry in may}
        if verdict == "hold":
            if "hold" in kinds and window["held_by"] is None:
                return self._only("hold", may)
            self.verdict = (window["id"], "pass")
        if window["held_by"] == self.seat and "release" in kinds:
            return self._only("release", may)
        if verdict == "nope" and "nope" in kinds:
            return self._only("nope", may, then=self.deck.played(self.titles.nope))
        if "pass" in kinds and self.seat not in window["passed"]:
            return self._only("pass", may)
        return None

    def _look(self, view: View, may: Sequence[Command]) -> Wish | None:
        look = self.strategy.look(view, every(may, "look"), self.deck)
        cell = place(look["cell"])
        hidden = cell in face_down(seat_of(view, self.seat)["grid"])
        note = (cell, self.deck.grid[cell]) if hidden else None
        return self._wish(look, then=self.deck.looked(cell), note=note)

    def _shuffled(self, view: View, may: Sequence[Command]) -> Wish | None:
        command, cells = self._laid_out(view, first(may, "shuffled"))
        return self._wish(command, then=self.deck.shuffled(self.chance, cells))

    def _reveal(self, view: View, may: Sequence[Command]) -> Wish | None:
        card = self.deck.grid[place(view["played"]["cell"])]
        return self._wish(first(may, "reveal") | {"card": card})

    def _report(self, view: View, may: Sequence[Command]) -> Wish | None:
        cell = place(view["turn"]["told"])
        if self.deck.grid[cell] == self.titles.kitten:
            return self._wish(first(may, "report") | {"outcome": "kitten"})
        return self._wish(first(may, "report") | {"outcome": "safe"}, then=self.deck.drawn(cell))

    def _kitten(self, view: View, may: Sequence[Command]) -> Wish | None:
        if self.titles.defuse not in self.deck.hand:
            return self._wish(first(may, "explode") | {"type": "explode"})
        command, cells = self._laid_out(view, first(may, "defuse") | {"type": "defuse"})
        kitten = self.chance.choice(cells)
        return self._wish(command, then=self.deck.defused(self.chance, cells, kitten))

    def _act(self, view: View, may: Sequence[Command]) -> Wish | None:
        holds = [
            entry
            for entry in may
            if entry["type"] == "draw"
            or (entry["type"] == "play" and entry["card"] in self.deck.hand)
        ]
        command = self.strategy.act(view, holds, self.deck)
        then = self.deck.played(command["card"]) if command["type"] == "play" else None
        return self._wish(command, then=then)

    def _laid_out(self, view: View, command: Command) -> tuple[Command, list[Cell]]:
        """Where the cards lie after a rearrangement: mostly in the same cells as before,
        which goes without saying, now and then in others (same-number-of-cards)."""
        same = list(self.deck.grid)
        mine = seat_of(view, self.seat)
        if self.chance.random() < 0.7:
            return command, same
        anywhere = cells_where(mine["grid"], lambda card: True)
        cells = sorted(self.chance.sample(anywhere, len(same)))
        return {**command, "cells": [list(cell) for cell in cells]}, cells

    def _wish(
        self,
        command: Command,
        then: Deck | None = None,
        note: tuple[Cell, str] | None = None,
    ) -> Wish:
        pause = tempers.seconds(self.temper, command["type"], self.chance)
        return Wish(command=command, seconds=pause, then=then, note=note)

    _ANSWERS = (
        ("call_next", _call_next),
        ("pass", _window),
        ("nope", _window),
        ("release", _window),
        ("look", _look),
        ("shuffled", _shuffled),
        ("reveal", _reveal),
        ("report", _report),
        ("explode", _kitten),
        ("defuse", _kitten),
        ("draw", _act),
        ("play", _act),
        ("instruct", _instruct),
    )


def sit(variant: Mapping[str, Any], chance: Random) -> Seating:
    """Players of one table; each deals its own deck, so that the table's chances aren't needed."""

    def seating(seat: str, temper: Temper, chance: Random) -> Player:
        return Player(seat, temper, chance, variant["cards"])

    return seating
