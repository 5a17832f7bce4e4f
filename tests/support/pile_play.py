"""Play classic games at random with real cards, and yield what everybody at the table sees.

There is no referee here. There are only the cards in hands and piles, and players who follow the
rules.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random

from companion.rules.pile.deduction import (
    Deal,
    Drew,
    DrewKitten,
    Exploded,
    Gave,
    HasNone,
    Laid,
    Moved,
    Observation,
    Picked,
    PutBack,
    Went,
)

CATS = ("tacocat", "cattermelon", "hairy_potato_cat", "beard_cat", "rainbow_ralphing_cat")
FERAL = "feral_cat"
SINGLES = ("attack", "targeted_attack", "skip", "see_future", "alter_future", "shuffle", "favor")

PARTY_120 = {
    "defuse": (3, 7, 10),
    "attack": (2, 3, 5),
    "targeted_attack": (2, 3, 5),
    "skip": (4, 6, 10),
    "see_future": (3, 3, 6),
    "alter_future": (2, 4, 6),
    "shuffle": (2, 4, 6),
    "draw_from_bottom": (3, 4, 7),
    "favor": (2, 4, 6),
    "nope": (4, 5, 9),
    **dict.fromkeys(CATS, (3, 4, 7)),
    FERAL: (2, 4, 6),
}
PARTY_122 = {**PARTY_120, "attack": (4, 7, 11), "nope": (4, 6, 10)}
del PARTY_122["targeted_attack"]
ORIGINAL = {"attack": 4, "skip": 4, "see_future": 5, "shuffle": 4, "favor": 4, "nope": 5}
ORIGINAL |= {"defuse": 6, **dict.fromkeys(CATS, 4)}

BOXES = ("original-56", "party-120", "party-122")


def make_deal(box: str, players: int, most: int = 2000) -> Deal:
    """Return the deal of a box for this number of players (ruling paw-prints)."""
    prints = (players > 3) + (players > 7)
    party = PARTY_120 if box == "party-120" else PARTY_122
    original = box == "original-56"
    counts = ORIGINAL if original else {title: n[prints] for title, n in party.items()}
    return Deal(
        counts=tuple(counts.items()),
        defuse="defuse",
        seats=tuple(f"s{n}" for n in range(players)),
        dealt=4 if original else 7,
        kittens=players - 1,
        apart=original,
        most=most,
    )


class Table:
    """The real cards of one game.

    ``busy`` is the probability that a player plays one more card before drawing.
    """

    def __init__(self, deal: Deal, rng: Random, busy: float) -> None:
        self.deal = deal
        self.rng = rng
        self.busy = busy
        cards = [title for title, n in deal.counts for _ in range(n) if title != deal.defuse]
        extra = [deal.defuse] * (dict(deal.counts)[deal.defuse] - len(deal.seats))
        cards += [] if deal.apart else extra
        rng.shuffle(cards)
        self.hands = {
            seat: [deal.defuse, *(cards.pop() for _ in range(deal.dealt))] for seat in deal.seats
        }
        self.pile = cards + (extra if deal.apart else []) + ["kitten"] * deal.kittens
        rng.shuffle(self.pile)
        self.noted: Counter[str] = Counter()
        self.unnoted: list[str] = []
        self.living = [*deal.seats]

    def play_game(self) -> Iterator[Observation]:
        """Play a whole game. Yields its observations."""
        at = 0
        while len(self.living) > 1:
            seat = self.living[at % len(self.living)]
            while self.hands[seat] and self.rng.random() < self.busy:
                yield from self.play_once(seat)
            if self.rng.random() < 0.01:
                yield self.remove_player(seat, Went(seat))
            else:
                yield from self.draw_card(seat)
            at += seat in self.living

    def lay_cards(self, seat: str, *cards: str) -> Laid:
        for card in cards:
            self.hands[seat].remove(card)
        self.noted.update(cards)
        return Laid(seat, cards)

    def play_once(self, seat: str) -> Iterator[Observation]:
        """Play a card or a combo, let the others Nope it or not, and carry out its effect."""
        plays = [*self.list_plays(seat)]
        if not plays:
            return
        [laid] = self.rng.choices(plays, [len(play) ** 2 for play in plays])
        yield self.lay_cards(seat, *laid)
        with_nope = [s for s in self.living if s != seat and "nope" in self.hands[s]]
        if with_nope and self.rng.random() < 0.3:
            yield self.lay_cards(self.rng.choice(with_nope), "nope")
            return
        target = self.rng.choice([other for other in self.living if other != seat])
        if len(laid) == 5:
            yield self.pick_card(seat)
        elif len(laid) == 3:
            yield self.ask_for_card(seat, target)
        elif self.hands[target] and (len(laid) == 2 or laid == ("favor",)):
            card = self.rng.choice(self.hands[target])
            self.move_card(target, seat, card)
            yield Moved(target, seat)

    def list_plays(self, seat: str) -> Iterator[tuple[str, ...]]:
        hand = Counter(self.hands[seat])
        for card, n in hand.items():
            if card in SINGLES:
                yield (card,)
            for size in (2, 3):
                if n >= size:
                    yield (card,) * size
            if card in CATS and hand[FERAL]:
                yield (card, FERAL)
        if len(hand) >= 5 and self.rng.random() < 0.2:
            yield tuple(self.rng.sample(sorted(hand), 5))

    def move_card(self, giver: str, taker: str, card: str) -> None:
        self.hands[giver].remove(card)
        self.hands[taker].append(card)

    def ask_for_card(self, seat: str, target: str) -> Observation:
        card = self.rng.choice([title for title, _ in self.deal.counts])
        if card not in self.hands[target]:
            return HasNone(target, card)
        self.move_card(target, seat, card)
        return Gave(target, seat, card)

    def pick_card(self, seat: str) -> Observation:
        card = self.rng.choice([*self.noted.elements(), *self.unnoted])
        if self.noted[card]:
            self.noted[card] -= 1
        else:
            self.unnoted.remove(card)
        self.hands[seat].append(card)
        return Picked(seat, card)

    def draw_card(self, seat: str) -> Iterator[Observation]:
        card = self.pile.pop(self.rng.choice((0, 0, 0, -1)))
        if card != "kitten":
            self.hands[seat].append(card)
            yield Drew(seat)
            return
        yield DrewKitten()
        if self.deal.defuse in self.hands[seat]:
            yield self.lay_cards(seat, self.deal.defuse)
            self.pile.insert(self.rng.randrange(len(self.pile) + 1), "kitten")
            yield PutBack()
            return
        hand = tuple(self.hands[seat])
        if self.rng.random() < 0.5:
            self.noted.update(hand)
            yield self.remove_player(seat, Exploded(seat, hand))
        else:
            self.unnoted += hand
            yield self.remove_player(seat, Exploded(seat))

    def remove_player(self, seat: str, seen: Observation) -> Observation:
        self.hands[seat] = []
        self.living.remove(seat)
        return seen
