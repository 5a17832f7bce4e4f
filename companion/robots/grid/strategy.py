"""How a robot chooses where it has a choice: which card, whose cell, when to Nope.

It reads the view as a player reads the table, and of its own hidden cards only those
which it has seen. This module must not know what is allowed; it picks from a list.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.robots.grid.deck import Deck
from companion.robots.grid.sight import face_down, face_up, place
from companion.robots.wire.sight import Command, View, seat_of
from companion.robots.wire.temper import Temper
from companion.robots.wire.titles import Titles

ESCAPES = ("skip", "attack", "shuffle")
"""The effects that save a card's player from the told card."""


class Strategy:
    """One robot's choices; it remembers who crossed it last."""

    def __init__(self, seat: str, temper: Temper, chance: Random, titles: Titles) -> None:
        self.seat = seat
        self.temper = temper
        self.chance = chance
        self.kitten = titles.kitten
        self.escapes = titles.doing(*ESCAPES)
        self.looks = titles.doing("look")
        self.favors = titles.doing("favor")
        self.grudge: str | None = None

    def tell(self, view: View, choices: Sequence[Command]) -> Command:
        """Which card the next player must draw: their Kitten if it lies open, else a
        hidden one."""
        grid = seat_of(view, view["turn"]["seat"])["grid"]
        up = face_up(grid)
        worst = [entry for entry in choices if up.get(place(entry["cell"])) == self.kitten]
        hidden = [entry for entry in choices if place(entry["cell"]) not in up]
        return self.chance.choice(worst or hidden or list(choices))

    def judge(self, view: View, *, holds_nope: bool) -> str:
        """What to do about the card on top: ``nope``, ``pass`` or ``hold``."""
        played = view["played"]
        self._remember(played)
        if not holds_nope:
            return "hold" if self._likes(self.temper.hesitation) else "pass"
        mine = played["by"] == self.seat
        if mine and not played["counts"]:
            return "nope" if self._likes(self.temper.pride) else "pass"
        if not played["counts"]:
            return "pass"
        return "nope" if not mine and self._likes(self._annoyance(view)) else "pass"

    def _remember(self, played: Mapping[str, Any]) -> None:
        if played["by"] == self.seat and played["nopes"]:
            self.grudge = played["nopes"][-1]
        elif played.get("target") == self.seat:
            self.grudge = played["by"]

    def _annoyance(self, view: View) -> float:
        """How much the card on top asks for a Nope."""
        played, turn = view["played"], view["turn"]
        if played.get("target") == self.seat:
            return max(self.temper.pride, 0.5)
        told = seat_of(view, turn["seat"])["grid"]
        doomed = turn["told"] and face_up(told).get(place(turn["told"])) == self.kitten
        if played["card"] in self.escapes and turn["instructor"] == self.seat:
            return 0.95 if doomed else 0.35 + self.temper.contrary / 2
        if played["by"] == self.grudge:
            return max(self.temper.spite, self.temper.contrary)
        return self.temper.contrary / 2

    def look(self, view: View, choices: Sequence[Command], deck: Deck) -> Command:
        """The told card, or one that it hasn't seen yet."""
        told = view["turn"]["told"]
        known = deck.known | set(face_up(seat_of(view, self.seat)["grid"]))
        unseen = [entry for entry in choices if place(entry["cell"]) not in known]
        for entry in unseen:
            if told is not None and place(entry["cell"]) == place(told):
                return entry
        return self.chance.choice(unseen or list(choices))

    def danger(self, view: View, deck: Deck) -> float:
        """How likely the told card is the Kitten, as far as the owner can know."""
        told = place(view["turn"]["told"])
        up = face_up(seat_of(view, self.seat)["grid"])
        if told in up or told in deck.known:
            return 1.0 if deck.grid[told] == self.kitten else 0.0
        if self.kitten in up.values() or any(deck.grid[c] == self.kitten for c in deck.known):
            return 0.0
        return 1 / max(1, len(deck.grid) - len(up) - len(deck.known))

    def act(self, view: View, choices: Sequence[Command], deck: Deck) -> Command:
        """Play or draw; ``choices`` are cards that it really holds, and the draw."""
        cards = {card for entry in choices if (card := entry.get("card"))}
        favors = [entry for entry in choices if entry.get("card") in self.favors]
        looks = [card for card in self.looks if card in cards]
        danger = self.danger(view, deck)
        told = place(view["turn"]["told"])
        uneasy = danger > self.temper.courage
        if uneasy and danger < 1 and looks and told not in deck.known:
            return pick(choices, looks[0])
        wanted = [card for card in self.escapes if card in cards]
        if wanted and uneasy and self._likes(danger + 0.3):
            return pick(choices, self.chance.choice(wanted))
        if favors and self._likes(0.15 + self.temper.mischief):
            return self._favor(view, favors)
        if danger > 0 and looks and self._likes(self.temper.mischief / 2):
            return pick(choices, looks[0])
        if danger > 0 and wanted and self._likes(self.temper.mischief / 4):
            return pick(choices, self.chance.choice(wanted))
        return next((entry for entry in choices if entry["type"] == "draw"), choices[0])

    def _favor(self, view: View, favors: Sequence[Command]) -> Command:
        """At whom it has a grudge against, else at the player most in danger: who has the
        fewest hidden cards and no open Kitten yet."""
        targets = sorted({entry["target"] for entry in favors})
        if self.grudge in targets and self._likes(self.temper.spite):
            targets = [self.grudge]
        hidden = {who: len(face_down(seat_of(view, who)["grid"])) for who in targets}
        fewest = min(hidden.values())
        target = self.chance.choice([who for who in targets if hidden[who] == fewest])
        return self.chance.choice([entry for entry in favors if entry["target"] == target])

    def _likes(self, probability: float) -> bool:
        return self.chance.random() < probability


def pick(choices: Sequence[Command], card: str) -> Command:
    """The choice that plays this card."""
    return next(entry for entry in choices if entry.get("card") == card)
