"""What one robot says next in a classic game: among what it may say, what is true of its hand.
``choose`` answers a view with a wish; the cards on the table move when the table has taken it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from companion.robots import player
from companion.robots.pile.cards import Cards, Dealer
from companion.robots.pile.strategy import Strategy
from companion.robots.player import Say, Temper
from companion.robots.view import Command, Titles, View, every, first

LOOKED_AT = 3  # how many cards of the pile are looked at (ruling see-three)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish(player.Wish):
    """Besides: what is done with the cards once it is accepted."""

    then: Callable[[Cards], Cards]


class Player(player.Player):
    """One robot's head; its cards lie on the ``dealer``'s table."""

    strategy: Strategy

    def __init__(self, seat: str, temper: Temper, chance: Random, dealer: Dealer) -> None:
        titles = Titles(dealer.variant["cards"])
        super().__init__(Strategy(seat, temper, chance, titles), dealer.floor)
        self.dealer = dealer

    @property
    def hand(self) -> Sequence[str]:
        return self.dealer.cards.hands[self.seat]

    def choose(self, view: View, may: Sequence[Command] | None = None) -> player.Wish | None:
        with self.dealer.floor:
            return super().choose(view, may)

    def on_accepted(self, wish: player.Wish, version: int) -> None:
        if isinstance(wish, Wish):
            self.dealer.did(wish.then, version)

    def agrees(self, view: View) -> bool:
        return view["phase"] != "play" or self.dealer.agrees(view)

    def _play(self, view: View, may: Sequence[Command]) -> player.Wish | None:
        if not self.dealer.follows(view):
            return None
        return super()._play(view, may)

    def _does(self, command: Command, then: Callable[[Cards], Cards]) -> Wish:
        return Wish(command=command, seconds=self.wish(command).seconds, then=then)

    def answers(self) -> Mapping[str, Say]:
        return {
            "look": self._look, "shuffled": self._shuffle, "give": self._give,
            "take": self._take, "answer": self._answer, "pick": self._pick,
            "report": self._report, "explode": self._kitten, "defuse": self._kitten,
            "draw": self._act,
        }  # fmt: skip

    def _nope(self, command: Command) -> player.Wish:
        return self._does(command, lambda cards: cards.play(self.seat, self.titles.nope))

    def _look(self, view: View, may: Sequence[Command]) -> player.Wish:
        """It tells its own panel what it saw, so that its odds are what it knows."""
        top = self.dealer.cards.pile[:LOOKED_AT]
        if view["played"]["kind"] in self.titles.doing("alter"):
            top = tuple(self.strategy.arrange(view, top))
        command = {**first(may, "look"), "saw": list(top)}
        return self._does(command, lambda cards: cards.arrange(top))

    def _shuffle(self, view: View, may: Sequence[Command]) -> player.Wish:
        return self._does(first(may, "shuffled"), lambda cards: cards.shuffle(self.chance))

    def _give(self, view: View, may: Sequence[Command]) -> player.Wish:
        taker = view["played"]["by"]
        card = self.strategy.give(self.hand)
        return self._does(first(may, "give"), lambda cards: cards.give(self.seat, taker, card))

    def _take(self, view: View, may: Sequence[Command]) -> player.Wish:
        giver = view["played"]["target"]
        card = self.chance.choice(self.dealer.cards.hands[giver])
        return self._does(first(may, "take"), lambda cards: cards.give(giver, self.seat, card))

    def _answer(self, view: View, may: Sequence[Command]) -> player.Wish:
        taker = view["played"]["by"]
        card = view["played"]["name"]
        has = card in self.hand
        command = {**first(may, "answer"), "has": has}
        if not has:
            return self.wish(command)
        return self._does(command, lambda cards: cards.give(self.seat, taker, card))

    def _pick(self, view: View, may: Sequence[Command]) -> player.Wish:
        lying = [e for e in every(may, "pick") if e["card"] in self.dealer.cards.discard]
        command = self.strategy.pick(lying)
        return self._does(command, lambda cards: cards.pick(self.seat, command["card"]))

    def _report(self, view: View, may: Sequence[Command]) -> player.Wish:
        end = view["turn"]["end"]
        command = first(may, "report")
        if self.dealer.cards.at(end) == self.titles.kitten:
            return self._does(
                {**command, "outcome": "kitten"}, lambda cards: cards.show_kitten(end)
            )
        return self._does({**command, "outcome": "safe"}, lambda cards: cards.draw(self.seat, end))

    def _kitten(self, view: View, may: Sequence[Command]) -> player.Wish:
        defuse = self.titles.defuse
        hand = self.hand
        if defuse not in hand:
            shown = {"cards": list(hand)} if hand and self.chance.random() < 0.5 else {}
            command = {"as": self.seat, "type": "explode", **shown}
            return self._does(command, lambda cards: cards.explode(self.seat))
        place = self.strategy.hide(view)
        return self._does(
            {"as": self.seat, "type": "defuse", "place": place},
            lambda cards: cards.put_kitten_back(self.seat, defuse, place),
        )

    def _act(self, view: View, may: Sequence[Command]) -> player.Wish:
        command = self.strategy.act(view, [e for e in may if self._holds(e)], self.hand)
        if command["type"] == "draw":
            return self.wish(command)
        laid = command["cards"] if command["type"] == "combo" else [command["card"]]
        return self._does(command, lambda cards: cards.play(self.seat, *laid))

    def _holds(self, entry: Command) -> bool:
        if entry.get("kind") == "five":
            return len(set(self.hand)) >= 5
        cards = entry.get("cards") or [entry["card"]] if entry["type"] != "draw" else []
        return Counter(cards) <= Counter(self.hand)
