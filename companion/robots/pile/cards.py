"""The cards of robots in a game with one pile.

``Cards`` is an immutable snapshot: each method returns new ``Cards``, so robots can go back after
an undo (ruling undo). The ``Dealer`` holds the snapshots, which all robots of a table share. The
``Dealer`` doesn't check rules, but applies the changes that the server has accepted.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from companion.device_decks.dealing import without
from companion.robots.player import MAX_STATES
from companion.robots.view import Json, Titles, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards:
    """All cards of one table at one moment."""

    pile: tuple[str, ...]  # from top to bottom
    hands: Mapping[str, tuple[str, ...]]  # by seat
    discard: tuple[str, ...] = ()  # from bottom to top
    shown: tuple[str, ...] = ()  # the Kitten in front of the player who has just drawn it
    face_up: str = ""  # the title of the Imploding Kitten, while it lies face up in the pile

    def end_card(self, end: str) -> str:
        """Return the card at the "top" or "bottom" of the pile."""
        return self.pile[0 if end == "top" else -1]

    def play(self, seat: str, *cards: str) -> "Cards":
        """Move cards from a hand to the discard pile (ruling from-hand)."""
        return self._with_hand(seat, without(self.hands[seat], *cards)).put_on_discard(*cards)

    def draw(self, seat: str, end: str) -> "Cards":
        """Move the card at an end of the pile to a hand."""
        after = self._with_hand(seat, (*self.hands[seat], self.end_card(end)))
        return replace(after, pile=self._without_end(end))

    def show_kitten(self, end: str) -> "Cards":
        """Take the Kitten from an end of the pile and show it (ruling show-the-kitten)."""
        return replace(self, shown=(self.end_card(end),), pile=self._without_end(end))

    def put_kitten_back(self, seat: str, defuse: str, place: int) -> "Cards":
        """Play a Defuse and put the Kitten back into the pile (ruling defuse-in-secret).

        Place 1 is the top.
        """
        pile = (*self.pile[: place - 1], *self.shown, *self.pile[place - 1 :])
        return replace(self.play(seat, defuse), pile=pile, shown=())

    def put_imploding_back(self, place: int) -> "Cards":
        """Put the Imploding Kitten back into the pile, face up (ruling imploding-face-down)."""
        pile = (*self.pile[: place - 1], *self.shown, *self.pile[place - 1 :])
        return replace(self, pile=pile, shown=(), face_up=self.shown[0])

    @property
    def imploding_on_top(self) -> bool:
        """True if everybody sees the Imploding Kitten on top of the pile."""
        return bool(self.face_up) and self.pile[:1] == (self.face_up,)

    def implode(self, seat: str, end: str) -> "Cards":
        """Move a whole hand to the discard pile, and remove the Imploding Kitten from the game
        (ruling imploding-face-up)."""
        pile = self._without_end(end)
        return replace(self.play(seat, *self.hands[seat]), pile=pile, face_up="")

    def explode(self, seat: str) -> "Cards":
        """Move a whole hand and the Kitten to the discard pile (ruling explode-discards-all)."""
        return replace(self.play(seat, *self.hands[seat]).put_on_discard(*self.shown), shown=())

    def give(self, giver: str, taker: str, card: str) -> "Cards":
        """Move a card from one hand to another."""
        after = self._with_hand(giver, without(self.hands[giver], card))
        return after._with_hand(taker, (*after.hands[taker], card))

    def pick(self, seat: str, card: str) -> "Cards":
        """Move a card from the discard pile to a hand. If there are several copies, take the
        topmost."""
        discard = without(self.discard[::-1], card)[::-1]
        return replace(self, discard=discard)._with_hand(seat, (*self.hands[seat], card))

    def shuffle(self, chance: Random) -> "Cards":
        """Shuffle the pile."""
        return replace(self, pile=tuple(chance.sample(self.pile, len(self.pile))))

    def arrange(self, top: Sequence[str]) -> "Cards":
        """Put the top cards into this order (ruling alter-three)."""
        return replace(self, pile=(*top, *self.pile[len(top) :]))

    def put_on_discard(self, *cards: str) -> "Cards":
        """Add cards to the discard pile, with the last one on top."""
        return replace(self, discard=(*self.discard, *cards))

    def match(self, view: Json) -> bool:
        """Return True if the cards match everything that a view shows of them."""
        discard = view["discard"]
        return (
            len(self.pile) == view["pile"]["cards"]
            and bool(self.face_up) == (view["pile"].get("imploding") in ("up", "top"))
            and len(self.discard) == len(discard["cards"]) + discard["unnoted"]
            and all(
                len(self.hands[seat["seat"]]) == seat["hand"]
                for seat in view["seats"]
                if seat["alive"]
            )
        )

    def _with_hand(self, seat: str, cards: Iterable[str]) -> "Cards":
        return replace(self, hands={**self.hands, seat: tuple(cards)})

    def _without_end(self, end: str) -> tuple[str, ...]:
        return self.pile[1:] if end == "top" else self.pile[:-1]


def count_titles(variant: Json, players: int) -> dict[str, int]:
    """Return the number of cards of each title, including Kittens.

    The numbers follow the rulings paw-prints, one-fewer-kitten and expansion-cards. ``variant`` has
    the form in which clients receive it.
    """
    size = next(size for size in variant["sizes"] if size["least"] <= players <= size["most"])
    titles = Titles(variant["cards"])
    counts = {
        card["id"]: card.get(
            "count",
            size["paw"] * card["paw"] + size["plain"] * card["plain"] + card.get("expansion", 0),
        )
        for card in variant["cards"]
    }
    kittens = max(1, players - 1 - len(titles.with_effects("imploding")))
    return {title: n for title, n in {**counts, titles.kitten: kittens}.items() if n}


def deal(chance: Random, variant: Json, seats: Sequence[str]) -> Cards:
    """Deal the cards for a game (rulings one-defuse-each to shuffle-and-place)."""
    titles = Titles(variant["cards"])
    counts = count_titles(variant, len(seats))
    kittens = [titles.kitten] * counts.pop(titles.kitten)
    kittens += [title for title in titles.with_effects("imploding") if counts.pop(title)]
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
    """Holds the cards that the robots of one table share in the current game.

    A robot holds the lock ``floor`` from sending a command until the command's change has been
    applied. So the cards always match the last command that the server accepted.
    """

    def __init__(self, variant: Json, chance: Random) -> None:
        self.variant = variant
        self.chance = chance
        self.floor = threading.RLock()
        self.game: tuple[str, int] | None = None  # the table's code, and the number of the game
        self.version = 0  # the table's version after the last change
        # the last state is current; earlier states are kept for undos
        self.states: list[Cards] = []

    @property
    def cards(self) -> Cards:
        return self.states[-1]

    def follow(self, view: View) -> bool:
        """Update the cards from a view: deal for a new game, or go back after an undo.

        Return True if the cards match the view. If the view is older than the last change, the
        cards don't match it.
        """
        if self.game != (view["table"], view["game"]):
            self.game = (view["table"], view["game"])
            seats = [seat["seat"] for seat in view["seats"] if seat["alive"]]
            self.states = [deal(self.chance, self.variant, seats)]
            self.version = view["version"]
        elif view["version"] >= self.version and not self.cards.match(view):
            matching = [index for index, cards in enumerate(self.states) if cards.match(view)]
            if matching:
                del self.states[matching[-1] + 1 :]
        return self.cards_match(view)

    def cards_match(self, view: View) -> bool:
        """Return True if the cards belong to the view's game and match everything that the view
        shows."""
        return (
            self.game == (view["table"], view["game"])
            and view["version"] >= self.version
            and self.cards.match(view)
        )

    def apply(self, change: Callable[[Cards], Cards], version: int) -> None:
        """Apply a change that the server accepted. ``version`` is the table's version after the
        change."""
        self.states = [*self.states[-MAX_STATES:], change(self.cards)]
        self.version = max(version, self.version)
