"""How a robot of the draw grid chooses where it has a choice: which card, whose cell.

It reads the view as a player reads the table, and of its own hidden cards only those which it has
seen; what is allowed it picks from a list.
"""

from collections.abc import Sequence
from random import Random

from companion.robots import player
from companion.robots.grid.deck import Deck, face_down, face_up, place
from companion.robots.temper import Temper
from companion.robots.view import Command, Titles, View, seat_of

ESCAPES = ("skip", "attack", "shuffle")
"""The effects that save a card's player from the told card."""


class Strategy(player.Strategy):
    """One robot's choices."""

    def __init__(self, seat: str, temper: Temper, chance: Random, titles: Titles) -> None:
        super().__init__(seat, temper, chance, titles)
        self.kitten = titles.kitten
        self.escapes = titles.doing(*ESCAPES)
        self.looks = titles.doing("look")
        self.favors = titles.doing("favor")

    def tell(self, view: View, choices: Sequence[Command]) -> Command:
        """Which card the next player must draw: their Kitten if it lies open, else a
        hidden one."""
        grid = seat_of(view, view["turn"]["seat"])["grid"]
        up = face_up(grid)
        worst = [entry for entry in choices if up.get(place(entry["cell"])) == self.kitten]
        hidden = [entry for entry in choices if place(entry["cell"]) not in up]
        return self.chance.choice(worst or hidden or list(choices))

    def threat(self, view: View) -> float | None:
        """How much an escape from what this robot told asks for a Nope."""
        played, turn = view["played"], view["turn"]
        if played["card"] not in self.escapes or turn["instructor"] != self.seat:
            return None
        told = seat_of(view, turn["seat"])["grid"]
        doomed = turn["told"] and face_up(told).get(place(turn["told"])) == self.kitten
        return 0.95 if doomed else 0.35 + self.temper.contrary / 2

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
        if wanted and uneasy and self.likes(danger + 0.3):
            return pick(choices, self.chance.choice(wanted))
        if favors and self.likes(0.15 + self.temper.mischief):
            return self._favor(view, favors)
        if danger > 0 and looks and self.likes(self.temper.mischief / 2):
            return pick(choices, looks[0])
        if danger > 0 and wanted and self.likes(self.temper.mischief / 4):
            return pick(choices, self.chance.choice(wanted))
        return next((entry for entry in choices if entry["type"] == "draw"), choices[0])

    def _favor(self, view: View, favors: Sequence[Command]) -> Command:
        """At whom it has a grudge against, else at the player most in danger: who has the
        fewest hidden cards and no open Kitten yet."""
        targets = sorted({entry["target"] for entry in favors})
        if self.grudge in targets and self.likes(self.temper.spite):
            targets = [self.grudge]
        hidden = {who: len(face_down(seat_of(view, who)["grid"])) for who in targets}
        fewest = min(hidden.values())
        target = self.chance.choice([who for who in targets if hidden[who] == fewest])
        return self.chance.choice([entry for entry in favors if entry["target"] == target])


def pick(choices: Sequence[Command], card: str) -> Command:
    """The choice that plays this card."""
    return next(entry for entry in choices if entry.get("card") == card)
