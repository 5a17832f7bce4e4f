"""How a robot of a classic game chooses: what to play on whom, what to give, where to hide. It
reads the view as a player reads the table, knows its own hand, and picks from what is allowed."""

from collections.abc import Sequence

from companion.robots import player
from companion.robots.view import Command, View, every, seat_of

LOOKS = ("see", "alter")  # the effects that show the top of the pile
ESCAPES = ("skip", "attack", "targeted_attack", "shuffle")  # those that save their player from it
DEAR = ("nope", "defuse")  # the effects of cards that it keeps

WORTH = (
    "kitten", "cat", "feral", "see", "favor", "shuffle", "bottom", "alter", "skip", "attack",
    "targeted_attack", *DEAR,
)  # fmt: skip
"""Effects by what their cards are worth to a robot, least first."""


class Strategy(player.Strategy):
    """One robot's choices."""

    def threat(self, view: View) -> float | None:
        """How much an escape that leaves the draw to this robot asks for a Nope."""
        played = view["played"]
        after = seat_of(view, played["by"])["next"] == self.seat
        if not after or self.titles.get(played["kind"]) not in ("attack", "skip"):
            return None
        return 0.35 + self.temper.contrary / 2

    # In its own turn.

    def danger(self, view: View, end: str) -> float:
        pile = view["pile"]
        odds = view["you"].get("odds")
        return float(odds[end]["even"] if odds else pile["kittens"] / pile["cards"])

    def act(self, view: View, choices: Sequence[Command], hand: Sequence[str]) -> Command:
        """Play or draw; ``choices`` are cards that it really holds, and the draw. First it looks,
        then it gets away, else it plays for the fun of it."""
        danger = self.danger(view, "top")
        comfort = 1.0 if self.titles.defuse in hand else 0.6
        uneasy = danger > self.temper.courage * comfort
        below = ("bottom",) if self.danger(view, "bottom") < danger else ()
        chosen = self.prefer(
            choices,
            (self.plays(choices, *LOOKS), uneasy and danger < 1),
            (self.plays(choices, *ESCAPES, *below), uneasy and danger + 0.3),
            (self._pranks(choices), 0.15 + self.temper.mischief / 2),
        )
        return self._with_target(view, chosen, hand)

    def _pranks(self, choices: Sequence[Command]) -> Sequence[Command]:
        """What it plays for the fun of it; nothing dear goes into a pair or triple."""
        dear = {*self.titles.doing(*DEAR)}
        combos = [one for one in every(choices, "combo") if not dear & {*one.get("cards", ())}]
        return [*self.plays(choices, "favor", "attack", *LOOKS), *combos]

    def _with_target(self, view: View, chosen: Command, hand: Sequence[str]) -> Command:
        """The choice with all that it leaves open: at whom, for which card, with which five."""
        command = {key: value for key, value in chosen.items() if key != "targets"}
        if "target" in chosen:
            same = [e for e in view["you"]["may"] if {**e, "target": 0} == {**chosen, "target": 0}]
            command["target"] = self._richest(view, [entry["target"] for entry in same])
        elif "targets" in chosen:
            command["target"] = self._richest(view, chosen["targets"])
        if chosen.get("kind") == "triple":
            command["name"] = self._wished_title()
        if chosen.get("kind") == "five":
            command["cards"] = sorted(set(hand), key=self._worth)[:5]
        return command

    def _richest(self, view: View, targets: Sequence[str]) -> str:
        return self.victim({target: seat_of(view, target)["hand"] for target in targets})

    def _wished_title(self) -> str:
        if self.likes(0.7):
            return self.titles.defuse
        others = self.titles.keys() - {self.titles.kitten, *self.titles.absent}
        return self.chance.choice(sorted(others))

    # What cards ask of it.

    def give(self, hand: Sequence[str]) -> str:
        return min(hand, key=self._worth)

    def pick(self, choices: Sequence[Command]) -> Command:
        return max(choices, key=lambda entry: self._worth(entry["card"]))

    def arrange(self, view: View, top: Sequence[str]) -> list[str]:
        """Kittens behind the others; now and then right behind the card that it draws itself."""
        kitten = self.titles.kitten
        cards = sorted(top, key=lambda card: (card == kitten, -self._worth(card)))
        if view["turn"]["owed"] == 1 and self.likes(self.temper.mischief):
            cards[1:] = reversed(cards[1:])
        return cards

    def hide(self, view: View) -> int:
        """Where it puts the Kitten back: on top for whoever is next, if it is so inclined."""
        if view["turn"]["owed"] == 1 and self.likes(max(self.temper.spite, self.temper.mischief)):
            return 1
        return self.chance.randint(1, int(view["pile"]["cards"]) + 1)

    def _worth(self, card: str) -> int:
        return WORTH.index(self.titles[card])
