"""What one robot of the draw grid says next: among what it may say, what is true of its own cards.

``choose`` answers a view with a wish; the wish comes true (``accepted``) when the table has taken
it.
"""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from random import Random

from companion.fair.cards import Cell
from companion.robots import player
from companion.robots.grid import deck as decks
from companion.robots.grid.deck import Deck, cells_where, face_down, laid, place
from companion.robots.grid.strategy import Strategy
from companion.robots.player import REMEMBERED, Say, rewind
from companion.robots.temper import Temper
from companion.robots.view import Command, Json, Titles, View, every, first, seat_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish(player.Wish):
    """Besides: its cards once that is accepted, and what it has seen and wants to note."""

    then: Deck | None = None
    note: tuple[Cell, str] | None = None


class Player(player.Player):
    """One robot's head, and its cards.

    ``cards``: those of the variant on the wire. No robot touches another one's, so each has
    a floor to itself.
    """

    strategy: Strategy

    def __init__(self, seat: str, temper: Temper, chance: Random, cards: Sequence[Json]) -> None:
        super().__init__(Strategy(seat, temper, chance, Titles.heard(cards)), nullcontext())
        self.pack = decks.pack(cards)
        self.decks: list[Deck] = []
        self.game: tuple[str, int] | None = None
        self.note: tuple[Cell, str] | None = None

    @property
    def deck(self) -> Deck:
        """The cards as they lie now."""
        return self.decks[-1]

    @property
    def hand(self) -> Sequence[str]:
        """Its own cards, which it alone knows."""
        return self.deck.hand

    def accepted(self, wish: player.Wish, version: int = 0) -> None:
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
        mine = seat_of(view, self.seat)
        return not mine["alive"] or self.deck.agrees(mine)

    # Following the table.

    def _play(self, view: View, may: Sequence[Command]) -> player.Wish | None:
        self._follow(view)
        if not seat_of(view, self.seat)["alive"] or not self.agrees(view):
            return None
        if self.note is not None:
            cell, card = self.note
            return self._wants({"type": "note", "cell": list(cell), "card": card}, then=self.deck)
        return super()._play(view, may)

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
        elif not self.deck.agrees(mine) and rewind(self.decks, lambda deck: deck.agrees(mine)):
            self.note = None

    # What it says, by what it may say.

    def answers(self) -> Mapping[str, Say]:
        """By kind of command how it is said, the most urgent first."""
        return {
            "call_next": lambda view, may: self._wants(first(may, "call_next")),
            "look": self._look,
            "shuffled": self._shuffled,
            "reveal": self._reveal,
            "report": self._report,
            "explode": self._kitten,
            "defuse": self._kitten,
            "draw": self._act,
            "play": self._act,
            "instruct": lambda view, may: self._wants(
                self.strategy.tell(view, every(may, "instruct"))
            ),
        }

    def _nope(self, command: Command) -> Wish:
        return self._wants(command, then=self.deck.played(self.titles.nope))

    def _look(self, view: View, may: Sequence[Command]) -> Wish | None:
        look = self.strategy.look(view, every(may, "look"), self.deck)
        cell = place(look["cell"])
        hidden = cell in face_down(seat_of(view, self.seat)["grid"])
        note = (cell, self.deck.grid[cell]) if hidden else None
        return self._wants(look, then=self.deck.looked(cell), note=note)

    def _shuffled(self, view: View, may: Sequence[Command]) -> Wish | None:
        command, cells = self._laid_out(view, first(may, "shuffled"))
        return self._wants(command, then=self.deck.shuffled(self.chance, cells))

    def _reveal(self, view: View, may: Sequence[Command]) -> Wish | None:
        card = self.deck.grid[place(view["played"]["cell"])]
        return self._wants(first(may, "reveal") | {"card": card})

    def _report(self, view: View, may: Sequence[Command]) -> Wish | None:
        cell = place(view["turn"]["told"])
        if self.deck.grid[cell] == self.titles.kitten:
            return self._wants(first(may, "report") | {"outcome": "kitten"})
        return self._wants(first(may, "report") | {"outcome": "safe"}, then=self.deck.drawn(cell))

    def _kitten(self, view: View, may: Sequence[Command]) -> Wish | None:
        if self.titles.defuse not in self.hand:
            return self._wants(first(may, "explode") | {"type": "explode"})
        command, cells = self._laid_out(view, first(may, "defuse") | {"type": "defuse"})
        kitten = self.chance.choice(cells)
        return self._wants(command, then=self.deck.defused(self.chance, cells, kitten))

    def _act(self, view: View, may: Sequence[Command]) -> Wish | None:
        holds = [
            entry
            for entry in may
            if entry["type"] == "draw" or (entry["type"] == "play" and entry["card"] in self.hand)
        ]
        command = self.strategy.act(view, holds, self.deck)
        then = self.deck.played(command["card"]) if command["type"] == "play" else None
        return self._wants(command, then=then)

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

    def _wants(
        self,
        command: Command,
        then: Deck | None = None,
        note: tuple[Cell, str] | None = None,
    ) -> Wish:
        return Wish(command=command, seconds=self._pause(command), then=then, note=note)
