"""The player behind a robot in a game with one pile.

``choose`` returns a wish: a command, and the change that the command makes to the cards. The shared
``Dealer`` applies the change once the server has accepted the command.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from companion.robots import player
from companion.robots.pile.cards import Cards, Dealer
from companion.robots.pile.strategy import Strategy
from companion.robots.player import Chooser, Temper
from companion.robots.view import Command, Titles, View, commands_of_type, first_of_type

LOOK_COUNT = 3  # number of cards that a robot looks at (ruling see-three)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish(player.Wish):
    """A command that a robot wants to send, and the change that the command makes to the cards.

    The change is applied once the server has accepted the command.
    """

    change: Callable[[Cards], Cards]


class Player(player.Player):
    """One robot. All robots of a table share the cards of its ``dealer``."""

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
            self.dealer.apply(wish.change, version)

    def cards_match(self, view: View) -> bool:
        return view["phase"] != "play" or self.dealer.cards_match(view)

    def _play(self, view: View, may: Sequence[Command]) -> player.Wish | None:
        if not self.dealer.follow(view):
            return None
        return super()._play(view, may)

    def _wish_and_change(self, command: Command, change: Callable[[Cards], Cards]) -> Wish:
        return Wish(command=command, seconds=self.make_wish(command).seconds, change=change)

    def choosers_by_type(self) -> Mapping[str, Chooser]:
        return {
            "look": self._look, "shuffled": self._shuffle, "give": self._give,
            "take": self._take, "answer": self._answer, "pick": self._pick,
            "report": self._report, "explode": self._handle_kitten, "defuse": self._handle_kitten,
            "put_back": self._put_back, "draw": self._act,
        }  # fmt: skip

    def _nope(self, command: Command) -> player.Wish:
        return self._wish_and_change(command, lambda cards: cards.play(self.seat, self.titles.nope))

    def _look(self, view: View, may: Sequence[Command]) -> player.Wish:
        """Report the cards that the robot has seen, so that the odds in its view take them into
        account."""
        top = self.dealer.cards.pile[:LOOK_COUNT]
        if view["played"]["kind"] in self.titles.with_effects("alter"):
            top = tuple(self.strategy.choose_order(view, top))
        command = {**first_of_type(may, "look"), "saw": list(top)}
        return self._wish_and_change(command, lambda cards: cards.arrange(top))

    def _shuffle(self, view: View, may: Sequence[Command]) -> player.Wish:
        return self._wish_and_change(
            first_of_type(may, "shuffled"), lambda cards: cards.shuffle(self.chance)
        )

    def _give(self, view: View, may: Sequence[Command]) -> player.Wish:
        taker = view["played"]["by"]
        card = self.strategy.choose_gift(self.hand)
        return self._wish_and_change(
            first_of_type(may, "give"), lambda cards: cards.give(self.seat, taker, card)
        )

    def _take(self, view: View, may: Sequence[Command]) -> player.Wish:
        giver = view["played"]["target"]
        card = self.chance.choice(self.dealer.cards.hands[giver])
        return self._wish_and_change(
            first_of_type(may, "take"), lambda cards: cards.give(giver, self.seat, card)
        )

    def _answer(self, view: View, may: Sequence[Command]) -> player.Wish:
        taker = view["played"]["by"]
        card = view["played"]["name"]
        has = card in self.hand
        command = {**first_of_type(may, "answer"), "has": has}
        if not has:
            return self.make_wish(command)
        return self._wish_and_change(command, lambda cards: cards.give(self.seat, taker, card))

    def _pick(self, view: View, may: Sequence[Command]) -> player.Wish:
        discard = self.dealer.cards.discard
        choices = [entry for entry in commands_of_type(may, "pick") if entry["card"] in discard]
        command = self.strategy.choose_from_discard(choices)
        return self._wish_and_change(command, lambda cards: cards.pick(self.seat, command["card"]))

    def _report(self, view: View, may: Sequence[Command]) -> player.Wish:
        end = view["turn"]["end"]
        command = first_of_type(may, "report")
        card = self.dealer.cards.end_card(end)
        if card == self.dealer.cards.face_up:
            return self._wish_and_change(
                {**command, "outcome": "imploding", **self._name_hand()},
                lambda cards: cards.implode(self.seat, end),
            )
        if card in self.titles.with_effects("kitten", "imploding"):
            outcome = "kitten" if card == self.titles.kitten else "imploding"
            return self._wish_and_change(
                {**command, "outcome": outcome}, lambda cards: cards.show_kitten(end)
            )
        return self._wish_and_change(
            {**command, "outcome": "safe"}, lambda cards: cards.draw(self.seat, end)
        )

    def _handle_kitten(self, view: View, may: Sequence[Command]) -> player.Wish:
        defuse = self.titles.defuse
        hand = self.hand
        if defuse not in hand:
            command = {"as": self.seat, "type": "explode", **self._name_hand()}
            return self._wish_and_change(command, lambda cards: cards.explode(self.seat))
        place = self.strategy.choose_kitten_place(view)
        return self._wish_and_change(
            {"as": self.seat, "type": "defuse", "place": place},
            lambda cards: cards.put_kitten_back(self.seat, defuse, place),
        )

    def _name_hand(self) -> Command:
        """Return the part of a command that names the robot's whole hand, or sometimes nothing."""
        hand = self.hand
        return {"cards": list(hand)} if hand and self.chance.random() < 0.5 else {}

    def _put_back(self, view: View, may: Sequence[Command]) -> player.Wish:
        place = self.strategy.choose_kitten_place(view)
        return self._wish_and_change(
            {**first_of_type(may, "put_back"), "place": place},
            lambda cards: cards.put_imploding_back(place),
        )

    def _act(self, view: View, may: Sequence[Command]) -> player.Wish:
        if self.dealer.cards.imploding_on_top and (seen := commands_of_type(may, "see_imploding")):
            return self.make_wish(seen[0])
        may = [entry for entry in may if entry["type"] != "see_imploding"]
        command = self.strategy.choose_action(
            view, [entry for entry in may if self._holds(entry)], self.hand
        )
        if command["type"] == "draw":
            return self.make_wish(command)
        cards_played = command["cards"] if command["type"] == "combo" else [command["card"]]
        return self._wish_and_change(command, lambda cards: cards.play(self.seat, *cards_played))

    def _holds(self, entry: Command) -> bool:
        """Return True if the hand contains the cards for this command. A draw needs no cards."""
        if entry.get("kind") == "five":
            return len(set(self.hand)) >= 5
        cards = entry.get("cards") or [entry["card"]] if entry["type"] != "draw" else []
        return Counter(cards) <= Counter(self.hand)
