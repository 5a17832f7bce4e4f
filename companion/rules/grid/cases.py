"""The ways in which a player's unseen cards may lie, and how they split.

The cards lie in three places: the hand, the face-down cells, away. Some are *known*:
nobody sees them now, yet their title and place are certain. All others, the *pool*, lie
in the places' *free* slots in any order, each as likely as the next. An observation
splits such a case into a few cases of the same kind (docs/deduction.md)."""

from collections.abc import Iterator, Sequence
from math import comb, gcd, lcm, prod
from typing import NamedTuple

Counts = tuple[int, ...]  # one number for each title, in the deck's order

HAND, DOWN, AWAY = range(3)  # the three places, as ``Known`` and ``Case.free`` number them


class Known(NamedTuple):
    """How many cards of each title surely lie in each place."""

    hand: Counts
    down: Counts
    away: Counts


class Case(NamedTuple):
    """One way in which the unseen cards may lie, and how much it weighs. The cards of ``pool`` (a
    number for each title) lie evenly shuffled in the ``free`` slots (a number for each place): both
    add up to ``size``."""

    known: Known
    weight: int
    pool: Counts
    free: Counts
    size: int


Branch = tuple[Known, int, int]  # what is known next, its weight as numerator and denominator


def add_to(counts: Counts, title: int, number: int = 1) -> Counts:
    return (*counts[:title], counts[title] + number, *counts[title + 1 :])


def plus(counts: Counts, others: Counts) -> Counts:
    return tuple(map(int.__add__, counts, others))


def reveal(case: Case, place: int, title: int) -> Iterator[Branch]:
    """A card of ``place``, each as likely, turned out to be of the title."""
    known, weight, pool, free, size = case
    if known[place][title]:
        counts = list(known)
        counts[place] = add_to(known[place], title, -1)
        yield Known(*counts), weight * known[place][title], 1
    if free[place] and pool[title]:
        yield known, weight * free[place] * pool[title], size


def play_forced(case: Case, title: int) -> Iterator[Branch]:
    """A card of the title left the hand because it had to, if there was one. That says of the pool
    only "one or more in the hand", which is no even shuffle: so the cards of this title are dealt
    out to the three places, way by way."""
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
    """A face-down card, each as likely but those of one title, moved to the hand."""
    known, weight, _, free, _ = case
    for title, copies in enumerate(known.down):
        if copies and title != but:
            hand = add_to(known.hand, title)
            down = add_to(known.down, title, -1)
            yield Known(hand, down, known.away), weight * copies, 1
    if free[DOWN]:
        yield known, weight * free[DOWN], 1


def merge(branches: Sequence[Branch]) -> dict[Known, int]:
    """The branches with equal ones added up, weighed in the smallest whole numbers."""
    scale = lcm(*(denominator for _, _, denominator in branches))
    sums: dict[Known, int] = {}
    for known, weight, denominator in branches:
        sums[known] = sums.get(known, 0) + weight * (scale // denominator)
    shared = gcd(*sums.values())
    return {known: weight // shared for known, weight in sums.items()}


def may_lie(cases: Sequence[Case], place: int) -> Iterator[int]:
    for title in range(len(cases[0].pool) if cases else 0):
        for known, _, pool, free, _ in cases:
            if known[place][title] or (free[place] and pool[title]):
                yield title
                break


def in_a_cell(cases: Sequence[Case]) -> tuple[list[int], int]:
    """For each title, in how many lies of the cards out of so many it lies in a face-down cell."""
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


def in_the_hand(cases: Sequence[Case]) -> tuple[list[int], int]:
    """For each title, in how many lies of the cards out of so many the hand has one or more."""
    hands = [comb(case.size, case.free[HAND]) for case in cases]
    scale = lcm(*hands)
    whole = scale * sum(case.weight for case in cases)
    sums = [whole] * (len(cases[0].pool) if cases else 0)
    for (known, weight, pool, free, size), lies in zip(cases, hands, strict=True):
        each = weight * (scale // lies)
        for title, copies in enumerate(pool):
            if not known.hand[title]:
                sums[title] -= each * comb(size - copies, free[HAND])
    return sums, whole
