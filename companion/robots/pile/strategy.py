"""The decisions of a robot in a game with one pile, such as the card to play and the place for a
Kitten.

A decision uses only what a player would know: the view and the robot's own hand.
"""

from collections.abc import Sequence

from companion.robots import player
from companion.robots.view import Command, View, commands_of_type, seat_of

LOOKS = ("see", "alter")  # effects that show the top of the pile
# effects that save the player from drawing
ESCAPES = ("skip", "reverse", "attack", "targeted_attack", "shuffle")
DEAR = ("nope", "defuse")  # effects of cards that the robot prefers to keep

WORTH = (
    "kitten", "imploding", "cat", "feral", "see", "favor", "shuffle", "bottom", "alter", "skip",
    "reverse", "attack", "targeted_attack", *DEAR,
)  # fmt: skip
"""Effects, ordered by the value of their cards to a robot; the most valuable is last. Robots play
cards with any other effect for fun, and think them worth as much as ``WORTH_OF_OTHERS``."""

WORTH_OF_OTHERS = WORTH.index("skip")


class Strategy(player.Strategy):
    """The decisions of one robot in a game with one pile."""

    def estimate_threat(self, view: View) -> float | None:
        """Return the probability that the robot Nopes the played card.

        A Skip or an Attack of the previous player forces this robot to draw. Any other card is no
        threat, so return None.
        """
        played = view["played"]
        after = seat_of(view, played["by"])["next"] == self.seat
        if not after or self.titles.get(played["kind"]) not in ("attack", "skip"):
            return None
        return 0.35 + self.temper.contrary / 2

    # Decisions in the robot's own turn.

    def estimate_danger(self, view: View, end: str) -> float:
        """Return the probability of drawing a deadly Kitten from the "top" or "bottom" of the
        pile."""
        pile = view["pile"]
        odds = view["you"].get("odds")
        if odds:
            return float(odds[end]["even"])
        if end == "top" and pile.get("imploding") == "top":
            return 1.0
        return float(pile["kittens"] / pile["cards"])

    def choose_action(self, view: View, choices: Sequence[Command], hand: Sequence[str]) -> Command:
        """Choose between drawing and playing. ``choices`` are the draw and the possible plays.

        If the draw is risky, prefer to look at the pile or to avoid the draw. Otherwise, sometimes
        play a card for fun.
        """
        danger = self.estimate_danger(view, "top")
        comfort = 1.0 if self.titles.defuse in hand else 0.6
        uneasy = danger > self.temper.courage * comfort
        below = ("bottom",) if self.estimate_danger(view, "bottom") < danger else ()
        chosen = self.choose_play_or_draw(
            choices,
            (self.list_plays(choices, *LOOKS), uneasy and danger < 1),
            (self.list_plays(choices, *ESCAPES, *below), uneasy and danger + 0.3),
            (self._list_pranks(choices), 0.15 + self.temper.mischief / 2),
        )
        return self._complete_command(view, chosen, hand)

    def _list_pranks(self, choices: Sequence[Command]) -> Sequence[Command]:
        """Return the plays that the robot makes for fun.

        A combo that contains one of the robot's most valuable cards is left out.
        """
        dear = {*self.titles.with_effects(*DEAR)}
        combos = [
            entry
            for entry in commands_of_type(choices, "combo")
            if not dear & {*entry.get("cards", ())}
        ]
        others = self.list_other_plays(choices, *WORTH)
        return [*self.list_plays(choices, "favor", "attack", *LOOKS), *others, *combos]

    def _complete_command(self, view: View, chosen: Command, hand: Sequence[str]) -> Command:
        """Add to a command the target, the title to ask for, or the five cards to discard."""
        command = {key: value for key, value in chosen.items() if key != "targets"}
        if "target" in chosen:
            same = [e for e in view["you"]["may"] if {**e, "target": 0} == {**chosen, "target": 0}]
            command["target"] = self._choose_richest(view, [entry["target"] for entry in same])
        elif "targets" in chosen:
            command["target"] = self._choose_richest(view, chosen["targets"])
        if chosen.get("kind") == "triple":
            command["name"] = self._choose_title()
        if chosen.get("kind") == "five":
            command["cards"] = sorted(set(hand), key=self._worth)[:5]
        return command

    def _choose_richest(self, view: View, targets: Sequence[str]) -> str:
        return self.choose_victim({target: seat_of(view, target)["hand"] for target in targets})

    def _choose_title(self) -> str:
        if self.is_inclined(0.7):
            return self.titles.defuse
        kittens = self.titles.with_effects("kitten", "imploding")
        others = self.titles.keys() - {*kittens, *self.titles.absent}
        return self.chance.choice(sorted(others))

    # Decisions that a played card demands.

    def choose_gift(self, hand: Sequence[str]) -> str:
        """Choose the card to give away for a Favor."""
        return min(hand, key=self._worth)

    def choose_from_discard(self, choices: Sequence[Command]) -> Command:
        """Choose the card to take from the discard pile."""
        return max(choices, key=lambda entry: self._worth(entry["card"]))

    def choose_order(self, view: View, top: Sequence[str]) -> list[str]:
        """Choose an order for the top cards, in which Kittens are last.

        Before the last draw of its turn, a mischievous robot puts a Kitten second instead. The next
        player then draws that Kitten.
        """
        kittens = self.titles.with_effects("kitten", "imploding")
        cards = sorted(top, key=lambda card: (card in kittens, -self._worth(card)))
        if view["turn"]["owed"] == 1 and self.is_inclined(self.temper.mischief):
            cards[1:] = reversed(cards[1:])
        return cards

    def choose_kitten_place(self, view: View) -> int:
        """Choose the place at which to put either Kitten back. Place 1 is the top."""
        if view["turn"]["owed"] == 1 and self.is_inclined(
            max(self.temper.spite, self.temper.mischief)
        ):
            return 1
        return self.chance.randint(1, int(view["pile"]["cards"]) + 1)

    def _worth(self, card: str) -> int:
        effect = self.titles[card]
        return WORTH.index(effect) if effect in WORTH else WORTH_OF_OTHERS
