"""Real cards of a game with one pile, and every layout of the cards that the players think
possible.

This model shares no code with the deduction. It keeps every possible layout, applies each
observation to all of them, and removes the layouts that contradict it. If a card moves unseen, each
card that it may be leads to a layout of its own.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from random import Random

from companion.rules.pile.deduction import (
    Deal,
    Drew,
    DrewImploding,
    DrewKitten,
    Exploded,
    Gave,
    HasNone,
    Laid,
    Moved,
    Observation,
    Picked,
    PutBack,
    PutBackImploding,
    Went,
)

Cards = tuple[str, ...]
"""The cards of one hand or pile, sorted."""
Layout = tuple[Cards, ...]
"""The cards of each hand, in the order of the seats. After the hands follow the cards of the pile
without Kittens, the discarded cards that nobody has noted, and the cards out of the game."""


def remove_card(cards: Cards, card: str) -> Cards:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def add_cards(cards: Cards, *more: str) -> Cards:
    return tuple(sorted((*cards, *more)))


@cache
def contains_cards(hand: Cards, cards: Cards) -> bool:
    return not Counter(cards) - Counter(hand)


def list_hands(cards: Counter[str], size: int) -> Iterator[Cards]:
    """Yield every possible hand of this size from these cards."""
    titles = sorted(cards)
    for hand in combinations_with_replacement(titles, size):
        if all(cards[card] >= n for card, n in Counter(hand).items()):
            yield hand


@cache
def list_deals(deal: Deal) -> frozenset[Layout]:
    cards = Counter(dict(deal.counts))
    cards[deal.defuse] -= len(deal.seats)
    apart = cards[deal.defuse] if deal.apart else 0
    cards[deal.defuse] -= apart
    lies: list[tuple[Layout, Counter[str]]] = [((), cards)]
    for _ in deal.seats:
        lies = [
            ((*lie, add_cards(hand, deal.defuse)), rest - Counter(hand))
            for lie, rest in lies
            for hand in list_hands(rest, deal.dealt)
        ]
    extra = (deal.defuse,) * apart
    return frozenset((*lie, add_cards(extra, *rest.elements()), (), ()) for lie, rest in lies)


class World:
    """All layouts that fit the observations so far, and the true layout."""

    def __init__(self, deal: Deal, rng: Random) -> None:
        self.deal = deal
        self.players = len(deal.seats)
        self.pile, self.unnoted, self.away = range(self.players, self.players + 3)
        self.layouts = list_deals(deal)
        self.truth = rng.choice(sorted(self.layouts))
        self.noted: Counter[str] = Counter()
        self.kittens = deal.kittens
        self.imploding = deal.imploding
        self.seen: tuple[Observation, ...] = ()
        self._distinct_of: frozenset[Layout] = frozenset()
        self._distinct: list[set[Cards]] = []

    def index_of_hand(self, seat: str) -> int:
        return self.deal.seats.index(seat)

    def is_possible(self, seen: Observation) -> bool:
        """Return True if the observation is possible in at least one layout that fits the earlier
        ones."""
        return any(
            self.is_consistent(cards, seen)
            for cards in self.possible_cards[self.find_observed_place(seen)]
        )

    @property
    def possible_cards(self) -> list[set[Cards]]:
        """For each hand or pile of a layout, the set of all cards that it may consist of."""
        if self._distinct_of is not self.layouts:
            self._distinct_of = self.layouts
            self._distinct = [{*cards} for cards in zip(*self.layouts, strict=True)]
        return self._distinct

    def find_observed_place(self, seen: Observation) -> int:
        """Return the index of the hand or pile that decides whether the observation is possible."""
        match seen:
            case Moved(seat) | Gave(seat):
                return self.index_of_hand(seat)
            case Laid(seat) | HasNone(seat) | Exploded(seat) | Went(seat):
                return self.index_of_hand(seat)
            case Picked():
                return self.unnoted
            case _:
                return self.pile

    def is_consistent(self, there: Cards, seen: Observation) -> bool:
        """Return True if the observation is possible while the observed hand or pile has these
        cards."""
        match seen:
            case Laid(_, cards):
                return contains_cards(there, cards)
            case Drew() | Moved():
                return bool(there)
            case DrewKitten():
                return self.kittens > 0
            case PutBack():
                return self.kittens < self.deal.kittens
            case DrewImploding():
                return self.imploding > 0
            case PutBackImploding():
                return self.imploding < self.deal.imploding
            case Gave(_, _, card):
                return card in there
            case HasNone(_, card):
                return card not in there
            case Picked(_, card):
                return bool(self.noted[card]) or card in there
            case Exploded(_, cards):
                return cards is None or add_cards(cards) == there
            case Went():
                return True

    def list_next_layouts(self, lie: Layout, seen: Observation) -> Iterator[Layout]:
        """Yield the layouts that an observation can lead to from one layout."""
        match seen:
            case Drew(seat):
                yield from self._move_any_card(
                    lie, self.pile, self.index_of_hand(seat), lie[self.pile]
                )
            case Moved(giver, taker):
                places = self.index_of_hand(giver), self.index_of_hand(taker)
                yield from self._move_any_card(lie, *places, lie[places[0]])
            case Gave(giver, taker, card):
                yield from self._move_any_card(
                    lie, self.index_of_hand(giver), self.index_of_hand(taker), (card,)
                )
            case Picked(seat, card) if not self.noted[card]:
                yield from self._move_any_card(lie, self.unnoted, self.index_of_hand(seat), (card,))
            case Picked(seat, card):
                yield with_cards(
                    lie, self.index_of_hand(seat), add_cards(lie[self.index_of_hand(seat)], card)
                )
            case Laid(seat, cards):
                left = Counter(lie[self.index_of_hand(seat)]) - Counter(cards)
                yield with_cards(lie, self.index_of_hand(seat), add_cards((), *left.elements()))
            case Exploded(seat, cards):
                yield self._move_all_cards(
                    lie, self.index_of_hand(seat), self.unnoted if cards is None else None
                )
            case Went(seat):
                yield self._move_all_cards(lie, self.index_of_hand(seat), self.away)
            case _:
                yield lie

    def _move_any_card(
        self, lie: Layout, giver: int, taker: int, any_of: Cards
    ) -> Iterator[Layout]:
        for card in {*any_of}:
            after = with_cards(lie, giver, remove_card(lie[giver], card))
            yield with_cards(after, taker, add_cards(after[taker], card))

    def _move_all_cards(self, lie: Layout, giver: int, taker: int | None) -> Layout:
        after = with_cards(lie, giver, ())
        return (
            after if taker is None else with_cards(after, taker, add_cards(lie[taker], *lie[giver]))
        )

    def apply_observation(self, seen: Observation, rng: Random) -> None:
        """Apply a true observation to every layout.

        If it can lead to several layouts from the true one, choose the new true one at random.
        """
        place = self.find_observed_place(seen)
        assert self.is_consistent(self.truth[place], seen), seen
        agreeing = [lie for lie in self.layouts if self.is_consistent(lie[place], seen)]
        self.truth = rng.choice([*self.list_next_layouts(self.truth, seen)])
        self.layouts = frozenset(
            after for lie in agreeing for after in self.list_next_layouts(lie, seen)
        )
        match seen:
            case Laid(_, cards) | Exploded(_, tuple() as cards):
                self.noted.update(cards)
            case Picked(_, card) if self.noted[card]:
                self.noted[card] -= 1
            case DrewKitten() | PutBack():
                self.kittens += 1 if isinstance(seen, PutBack) else -1
            case DrewImploding() | PutBackImploding():
                self.imploding += 1 if isinstance(seen, PutBackImploding) else -1
        self.seen = (*self.seen, seen)

    def list_observations(self) -> list[Observation]:
        """Return all next observations that the tests try, including impossible ones."""
        known = [*dict(self.deal.counts)]
        titles = [*known, "stranger"]
        seats = self.deal.seats
        observations: list[Observation] = [DrewKitten(), PutBack()]
        observations += [DrewImploding(), PutBackImploding()]
        for seat in seats:
            hand = self.truth[self.index_of_hand(seat)]
            observations += [Drew(seat), Went(seat), Exploded(seat), Exploded(seat, hand)]
            observations += [Exploded(seat, remove_card(hand, card)) for card in {*hand}]
            observations += [
                Exploded(seat, add_cards(remove_card(hand, c), t)) for c in {*hand} for t in known
            ]
            observations += [kind(seat, t) for kind in (HasNone, Picked) for t in titles]
            observations += [Laid(seat, (title,)) for title in titles]
            observations += [
                Laid(seat, cards) for n in (2, 3) for cards in list_combinations(known, n)
            ]
            for other in seats:
                if other != seat:
                    observations += [Moved(seat, other), *(Gave(seat, other, t) for t in titles)]
        return observations

    def observe_at_random(self, rng: Random) -> None:
        """Apply a random true observation, preferably one that reveals or moves few cards."""
        observations = self.list_observations()
        true = [
            seen
            for seen in observations
            if self.is_consistent(self.truth[self.find_observed_place(seen)], seen)
        ]
        kinds = [Laid, Drew, DrewKitten, PutBack, Moved, Gave, HasNone, Picked, Exploded, Went]
        weights = [5, 6, 1, 1, 6, 3, 5, 3, 1, 0.5]
        if self.deal.imploding:
            kinds += [DrewImploding, PutBackImploding]
            weights += [1, 1]
        [kind] = rng.choices(kinds, weights)
        if candidates := [seen for seen in true if isinstance(seen, kind)]:
            self.apply_observation(rng.choice(candidates), rng)


def with_cards(lie: Layout, place: int, cards: Cards) -> Layout:
    return (*lie[:place], cards, *lie[place + 1 :])


def list_combinations(titles: list[str], size: int) -> Iterator[Cards]:
    return combinations_with_replacement(titles, size)
