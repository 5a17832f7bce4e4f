"""Real cards of a table with one pile, and every way in which they may lie.

It knows cards and hands and nothing of how deduction works: it keeps every lie of the
cards, lets each observation happen to all of them, and strikes out those which would
have shown something else. Where the choice was unseen each lie goes on with every card.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
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

Cards = tuple[str, ...]
"""Cards of one place, sorted."""
Lie = tuple[Cards, ...]
"""The cards of each hand, of the pile (no Kittens), unnoted ones, those that went."""


def less(cards: Cards, card: str) -> Cards:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def plus(cards: Cards, *more: str) -> Cards:
    return tuple(sorted((*cards, *more)))


@cache
def holds(hand: Cards, cards: Cards) -> bool:
    return not Counter(cards) - Counter(hand)


def choices(cards: Counter[str], size: int) -> Iterator[Cards]:
    """Every hand of this size out of the cards."""
    titles = sorted(cards)
    for hand in combinations_with_replacement(titles, size):
        if all(cards[card] >= n for card, n in Counter(hand).items()):
            yield hand


@cache
def every_deal(deal: Deal) -> frozenset[Lie]:
    cards = Counter(dict(deal.counts))
    cards[deal.defuse] -= len(deal.seats)
    apart = cards[deal.defuse] if deal.apart else 0
    cards[deal.defuse] -= apart
    lies: list[tuple[Lie, Counter[str]]] = [((), cards)]
    for _ in deal.seats:
        lies = [
            ((*lie, plus(hand, deal.defuse)), rest - Counter(hand))
            for lie, rest in lies
            for hand in choices(rest, deal.dealt)
        ]
    extra = (deal.defuse,) * apart
    return frozenset((*lie, plus(extra, *rest.elements()), (), ()) for lie, rest in lies)


class World:
    """All lies that agree with what was seen, and the true one."""

    def __init__(self, deal: Deal, rng: Random) -> None:
        self.deal = deal
        self.players = len(deal.seats)
        self.pile, self.unnoted, self.away = range(self.players, self.players + 3)
        self.lies = every_deal(deal)
        self.truth = rng.choice(sorted(self.lies))
        self.noted: Counter[str] = Counter()
        self.kittens = deal.kittens
        self.seen: tuple[Observation, ...] = ()
        self._distinct_of: frozenset[Lie] = frozenset()
        self._distinct: list[set[Cards]] = []

    def place(self, seat: str) -> int:
        return self.deal.seats.index(seat)

    def may_be(self, seen: Observation) -> bool:
        """Return True if the observation is possible in any deal that agrees with the past."""
        return any(self.agrees(cards, seen) for cards in self.distinct[self.rank_asked(seen)])

    @property
    def distinct(self) -> list[set[Cards]]:
        """For each place, what may lie there."""
        if self._distinct_of is not self.lies:
            self._distinct_of = self.lies
            self._distinct = [{*cards} for cards in zip(*self.lies, strict=True)]
        return self._distinct

    def rank_asked(self, seen: Observation) -> int:
        """The place on whose cards it depends."""
        match seen:
            case Moved(seat) | Gave(seat):
                return self.place(seat)
            case Laid(seat) | HasNone(seat) | Exploded(seat) | Went(seat):
                return self.place(seat)
            case Picked():
                return self.unnoted
            case _:
                return self.pile

    def agrees(self, there: Cards, seen: Observation) -> bool:
        """Return True if the observation is possible with these cards in the place that is asked
        about."""
        match seen:
            case Laid(_, cards):
                return holds(there, cards)
            case Drew() | Moved():
                return bool(there)
            case DrewKitten():
                return self.kittens > 0
            case PutBack():
                return self.kittens < self.deal.kittens
            case Gave(_, _, card):
                return card in there
            case HasNone(_, card):
                return card not in there
            case Picked(_, card):
                return bool(self.noted[card]) or card in there
            case Exploded(_, cards):
                return cards is None or plus(cards) == there
            case Went():
                return True

    def goes_on(self, lie: Lie, seen: Observation) -> Iterator[Lie]:
        """Yield the possible deals after the observation, given one before it that agrees."""
        match seen:
            case Drew(seat):
                yield from self._moves(lie, self.pile, self.place(seat), lie[self.pile])
            case Moved(giver, taker):
                places = self.place(giver), self.place(taker)
                yield from self._moves(lie, *places, lie[places[0]])
            case Gave(giver, taker, card):
                yield from self._moves(lie, self.place(giver), self.place(taker), (card,))
            case Picked(seat, card) if not self.noted[card]:
                yield from self._moves(lie, self.unnoted, self.place(seat), (card,))
            case Picked(seat, card):
                yield with_cards(lie, self.place(seat), plus(lie[self.place(seat)], card))
            case Laid(seat, cards):
                left = Counter(lie[self.place(seat)]) - Counter(cards)
                yield with_cards(lie, self.place(seat), plus((), *left.elements()))
            case Exploded(seat, cards):
                yield self._pour(lie, self.place(seat), self.unnoted if cards is None else None)
            case Went(seat):
                yield self._pour(lie, self.place(seat), self.away)
            case _:
                yield lie

    def _moves(self, lie: Lie, giver: int, taker: int, any_of: Cards) -> Iterator[Lie]:
        for card in {*any_of}:
            after = with_cards(lie, giver, less(lie[giver], card))
            yield with_cards(after, taker, plus(after[taker], card))

    def _pour(self, lie: Lie, giver: int, taker: int | None) -> Lie:
        after = with_cards(lie, giver, ())
        return after if taker is None else with_cards(after, taker, plus(lie[taker], *lie[giver]))

    def happen(self, seen: Observation, rng: Random) -> None:
        """Lets it happen, which is true: to every lie, and to the true one in one way."""
        place = self.rank_asked(seen)
        assert self.agrees(self.truth[place], seen), seen
        agreeing = [lie for lie in self.lies if self.agrees(lie[place], seen)]
        self.truth = rng.choice([*self.goes_on(self.truth, seen)])
        self.lies = frozenset(after for lie in agreeing for after in self.goes_on(lie, seen))
        match seen:
            case Laid(_, cards) | Exploded(_, tuple() as cards):
                self.noted.update(cards)
            case Picked(_, card) if self.noted[card]:
                self.noted[card] -= 1
            case DrewKitten() | PutBack():
                self.kittens += 1 if isinstance(seen, PutBack) else -1
        self.seen = (*self.seen, seen)

    def every_observation(self) -> list[Observation]:
        """Yield every command that could come next, possible or not."""
        known = [*dict(self.deal.counts)]
        titles = [*known, "stranger"]
        seats = self.deal.seats
        said: list[Observation] = [DrewKitten(), PutBack()]
        for seat in seats:
            hand = self.truth[self.place(seat)]
            said += [Drew(seat), Went(seat), Exploded(seat), Exploded(seat, hand)]
            said += [Exploded(seat, less(hand, card)) for card in {*hand}]
            said += [Exploded(seat, plus(less(hand, c), t)) for c in {*hand} for t in known]
            said += [what(seat, t) for what in (HasNone, Picked) for t in titles]
            said += [Laid(seat, (title,)) for title in titles]
            said += [Laid(seat, cards) for n in (2, 3) for cards in some_of(known, n)]
            for other in seats:
                if other != seat:
                    said += [Moved(seat, other), *(Gave(seat, other, t) for t in titles)]
        return said

    def step(self, rng: Random) -> None:
        """Return a true observation, preferably one that reveals or moves little."""
        said = self.every_observation()
        true = [seen for seen in said if self.agrees(self.truth[self.rank_asked(seen)], seen)]
        kinds = [Laid, Drew, DrewKitten, PutBack, Moved, Gave, HasNone, Picked, Exploded, Went]
        weights = (5, 6, 1, 1, 6, 3, 5, 3, 1, 0.5)
        [kind] = rng.choices(kinds, weights)
        if some := [seen for seen in true if isinstance(seen, kind)]:
            self.happen(rng.choice(some), rng)


def with_cards(lie: Lie, place: int, cards: Cards) -> Lie:
    return (*lie[:place], cards, *lie[place + 1 :])


def some_of(titles: list[str], size: int) -> Iterator[Cards]:
    return combinations_with_replacement(titles, size)
