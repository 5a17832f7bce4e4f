"""The cards on a table with one pile: where each of them really lies, and who holds them there.
They are a value: whatever is done with the cards gives new ones, so that robots can take back what
the table takes back (ruling undo). The ``Dealer`` stands for the cards that robots share, not for a
player: it lets each do with them what it says, and asks nobody whether that is allowed."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from companion.fair.cards import without
from companion.robots.player import REMEMBERED
from companion.robots.view import Json, Titles, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    """``pile``: its top card first. ``discard``: the last lies on top; ``shown``: the Kitten
    that lies before whoever drew it."""

    pile: tuple[str, ...]
    hands: Mapping[str, tuple[str, ...]]
    discard: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()

    def at(self, end: str) -> str:
        """The card at the ``top`` or ``bottom`` of the pile."""
        return self.pile[0 if end == "top" else -1]

    def play(self, seat: str, *cards: str) -> "Cards":
        """Cards went from a hand to the discard pile (ruling from-hand)."""
        return self._hand(seat, without(self.hands[seat], *cards)).put_on_discard(*cards)

    def draw(self, seat: str, end: str) -> "Cards":
        taken = self._hand(seat, (*self.hands[seat], self.at(end)))
        return replace(taken, pile=self._without_end(end))

    def show_kitten(self, end: str) -> "Cards":
        """The Kitten at an end of the pile was shown (ruling show-the-kitten)."""
        return replace(self, shown=(self.at(end),), pile=self._without_end(end))

    def put_kitten_back(self, seat: str, defuse: str, place: int) -> "Cards":
        """A Defuse was played, the Kitten put back at a place, 1 the top (defuse-in-secret)."""
        pile = (*self.pile[: place - 1], *self.shown, *self.pile[place - 1 :])
        return replace(self.play(seat, defuse), pile=pile, shown=())

    def explode(self, seat: str) -> "Cards":
        """A whole hand and the Kitten went to the discard pile (ruling explode-discards-all)."""
        return replace(self.play(seat, *self.hands[seat]).put_on_discard(*self.shown), shown=())

    def give(self, giver: str, taker: str, card: str) -> "Cards":
        given = self._hand(giver, without(self.hands[giver], card))
        return given._hand(taker, (*given.hands[taker], card))

    def pick(self, seat: str, card: str) -> "Cards":
        """The newest card of a title went from the discard pile to a hand."""
        discard = without(self.discard[::-1], card)[::-1]
        return replace(self, discard=discard)._hand(seat, (*self.hands[seat], card))

    def shuffle(self, chance: Random) -> "Cards":
        return replace(self, pile=tuple(chance.sample(self.pile, len(self.pile))))

    def arrange(self, top: Sequence[str]) -> "Cards":
        """The top cards lie in this order (ruling alter-three)."""
        return replace(self, pile=(*top, *self.pile[len(top) :]))

    def put_on_discard(self, *cards: str) -> "Cards":
        return replace(self, discard=(*self.discard, *cards))

    def agrees(self, view: Json) -> bool:
        """Whether these cards look like what the call sees of them."""
        discard = view["discard"]
        return (
            len(self.pile) == view["pile"]["cards"]
            and len(self.discard) == len(discard["cards"]) + discard["unnoted"]
            and all(
                len(self.hands[seat["seat"]]) == seat["hand"]
                for seat in view["seats"]
                if seat["alive"]
            )
        )

    def _hand(self, seat: str, cards: Iterable[str]) -> "Cards":
        return replace(self, hands={**self.hands, seat: tuple(cards)})

    def _without_end(self, end: str) -> tuple[str, ...]:
        return self.pile[1:] if end == "top" else self.pile[:-1]


def in_play(variant: Json, players: int) -> dict[str, int]:
    """How many of each title of a variant (as the wire shows it) so many players use, Kittens
    among them (rulings paw-prints, one-fewer-kitten)."""
    size = next(s for s in variant["sizes"] if s["least"] <= players <= s["most"])
    kitten = Titles(variant["cards"]).kitten
    counts = {
        c["id"]: c.get("count", size["paw"] * c["paw"] + size["plain"] * c["plain"])
        for c in variant["cards"]
    }
    return {title: n for title, n in {**counts, kitten: players - 1}.items() if n}


def deal(chance: Random, variant: Json, seats: Sequence[str]) -> Cards:
    """The cards of a game as rulings one-defuse-each to shuffle-and-place prepare them."""
    titles = Titles(variant["cards"])
    counts = in_play(variant, len(seats))
    kittens = [titles.kitten] * counts.pop(titles.kitten)
    extra = [titles.defuse] * (counts.pop(titles.defuse) - len(seats))
    before = variant["extra_defuses"] == "before"
    rest = [title for title, count in counts.items() for _ in range(count)]
    rest += extra if before else []
    chance.shuffle(rest)
    hand = variant["hand"]
    hands = {
        seat: (titles.defuse, *rest[hand * place : hand * (place + 1)])
        for place, seat in enumerate(seats)
    }
    pile = [*rest[hand * len(seats) :], *kittens, *([] if before else extra)]
    return Cards(pile=tuple(pile), hands=hands).shuffle(chance)


class Dealer:
    """The cards of one table's games; ``variant`` is theirs, as the wire shows it. One robot at a
    time has the ``floor``, so that they always lie as the table has last accepted."""

    def __init__(self, variant: Json, chance: Random) -> None:
        self.variant = variant
        self.chance = chance
        self.floor = threading.RLock()
        self.game: tuple[str, int] | None = None
        self.version = 0
        self.states: list[Cards] = []

    @property
    def cards(self) -> Cards:
        return self.states[-1]

    def follows(self, view: View) -> bool:
        """Deals for a new game, goes back where something was taken back; whether the cards
        then lie as this view has them. They don't in a view older than what was done since."""
        if self.game != (view["table"], view["game"]):
            self.game = (view["table"], view["game"])
            seats = [seat["seat"] for seat in view["seats"] if seat["alive"]]
            self.states = [deal(self.chance, self.variant, seats)]
            self.version = view["version"]
        elif view["version"] >= self.version and not self.cards.agrees(view):
            fits = [number for number, cards in enumerate(self.states) if cards.agrees(view)]
            del self.states[fits[-1] + 1 if fits else len(self.states) :]
        return self.agrees(view)

    def agrees(self, view: View) -> bool:
        return (
            self.game == (view["table"], view["game"])
            and view["version"] >= self.version
            and self.cards.agrees(view)
        )

    def did(self, what: Callable[[Cards], Cards], version: int) -> None:
        self.states = [*self.states[-REMEMBERED:], what(self.cards)]
        self.version = max(version, self.version)
