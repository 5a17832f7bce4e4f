"""Cases: groups of arrangements of a player's hidden cards, and how observations split them.

The docstring of ``deduction.py`` explains cases with an example. In this module a title is a
number: its index in the deck's order.
"""

from collections.abc import Iterator, Sequence
from math import comb, gcd, lcm, prod
from typing import NamedTuple

Counts = tuple[int, ...]  # one count for each title, in the deck's order

HAND, DOWN, AWAY = range(3)  # places of cards, as indexes of ``Known`` and ``Case.free``


class Known(NamedTuple):
    """The number of cards of each title that certainly lie in each place."""

    hand: Counts
    down: Counts
    away: Counts


class Case(NamedTuple):
    """A group of arrangements with the same known cards.

    All other cards are the pool. They fill the free slots in any order.
    """

    known: Known
    weight: int  # how likely the case is, relative to the others
    pool: Counts  # number of cards of each title in the pool
    free: Counts  # number of free slots in each place
    size: int  # number of cards in the pool, which is also the number of free slots


# the known cards of a new case, and the numerator and denominator of its weight
Branch = tuple[Known, int, int]


def add_to(counts: Counts, title: int, number: int = 1) -> Counts:
    return (*counts[:title], counts[title] + number, *counts[title + 1 :])


def add_counts(counts: Counts, others: Counts) -> Counts:
    return tuple(map(int.__add__, counts, others))


def reveal(case: Case, place: int, title: int) -> Iterator[Branch]:
    """Yield the new cases after a random card of ``place`` turned out to have this title."""
    known, weight, pool, free, size = case
    if known[place][title]:
        counts = list(known)
        counts[place] = add_to(known[place], title, -1)
        yield Known(*counts), weight * known[place][title], 1
    if free[place] and pool[title]:
        yield known, weight * free[place] * pool[title], size


def play_forced(case: Case, title: int) -> Iterator[Branch]:
    """Yield the new cases after a player had to play a card of this title.

    The play shows only that the hand held at least one such card. After such a play, the orders of
    the pool aren't equally likely any more. So all cards of this title are taken out of the pool
    and divided among the three places, with one case for each possible division.
    """
    known, weight, pool, free, size = case
    if known.hand[title]:
        yield known._replace(hand=add_to(known.hand, title, -1)), weight, 1
        return
    copies = pool[title]
    for held in range(1, copies + 1):
        for down in range(copies - held + 1):
            dealt = (held, down, copies - held - down)
            if ways := prod(map(comb, free, dealt)):
                counts = map(add_to, known, (title,) * 3, (held - 1, *dealt[1:]))
                yield Known(*counts), weight * ways, comb(size, copies)


def draw_unseen(case: Case, but: int) -> Iterator[Branch]:
    """Yield the new cases after a face-down card moved to the hand unseen.

    A card of the title ``but`` was certainly not drawn. All other face-down cards were equally
    likely to be drawn.
    """
    known, weight, _, free, _ = case
    for title, copies in enumerate(known.down):
        if copies and title != but:
            hand = add_to(known.hand, title)
            down = add_to(known.down, title, -1)
            yield Known(hand, down, known.away), weight * copies, 1
    if free[DOWN]:
        yield known, weight * free[DOWN], 1


def merge_branches(branches: Sequence[Branch]) -> dict[Known, int]:
    """Add up the weights of equal cases, and scale the sums to the smallest whole numbers."""
    scale = lcm(*(denominator for _, _, denominator in branches))
    sums: dict[Known, int] = {}
    for known, weight, denominator in branches:
        sums[known] = sums.get(known, 0) + weight * (scale // denominator)
    divisor = gcd(*sums.values())
    return {known: weight // divisor for known, weight in sums.items()}


def possible_titles(cases: Sequence[Case], place: int) -> Iterator[int]:
    """Yield the titles that a card in this place may have."""
    for title in range(len(cases[0].pool) if cases else 0):
        for known, _, pool, free, _ in cases:
            if known[place][title] or (free[place] and pool[title]):
                yield title
                break


def odds_in_a_cell(cases: Sequence[Case]) -> tuple[list[int], int]:
    """Return the odds that a face-down cell holds each title.

    The result has a numerator for each title, and the common denominator of all numerators.
    """
    scale = lcm(*(case.size or 1 for case in cases))
    sums = [0] * (len(cases[0].pool) if cases else 0)
    whole = 0
    for known, weight, pool, free, size in cases:
        each = weight * scale
        share = each * free[DOWN] // (size or 1)
        whole += each * (sum(known.down) + free[DOWN])
        for title, copies in enumerate(pool):
            sums[title] += known.down[title] * each + copies * share
    return sums, whole


def odds_in_the_hand(cases: Sequence[Case]) -> tuple[list[int], int]:
    """Return the odds that the hand holds at least one card of each title.

    The result has a numerator for each title, and the common denominator of all numerators.
    """
    hands = [comb(case.size, case.free[HAND]) for case in cases]
    scale = lcm(*hands)
    whole = scale * sum(case.weight for case in cases)
    sums = [whole] * (len(cases[0].pool) if cases else 0)
    for (known, weight, pool, free, size), ways in zip(cases, hands, strict=True):
        each = weight * (scale // ways)
        for title, copies in enumerate(pool):
            if not known.hand[title]:
                sums[title] -= each * comb(size - copies, free[HAND])
    return sums, whole
