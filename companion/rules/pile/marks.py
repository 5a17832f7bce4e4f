"""Marks of hidden cards, and the titles that the cards can really have.

A *mark* is the set of titles that a card may have, as the bits of a number. The mark of a card
about which nothing is known contains all titles. If the title is certain, the mark contains only
that one. "I have no Nope" removes the Nope from every mark of a hand.

Not every title of a mark is really possible: that depends on the marks of all hidden cards together
(their *total*) and on the number of hidden cards of each title, but not on who holds them. For
example, one Nope and one Skip are hidden, and two cards are marked Nope-or-Skip and Skip. The
second card is the Skip, so the first can only be the Nope.

In general the cards must be matched with the titles. By Hall's theorem that is possible if and only
if no set of titles has more cards that *need* it (cards that can have no other title) than *room*
(hidden cards with these titles). It is enough to examine unions of marks, and there are few. If a
union is *full* (as many cards need it as there is room), no other card can have its titles, so they
are removed from the other marks.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

Titles = int  # a set of titles, as bits: bit n is the title of number n
Marks = tuple[tuple[Titles, int], ...]  # marks in order, each with the number of its cards
Counts = tuple[int, ...]  # one number for each title


def sum_by_mark(cards: Iterable[tuple[Titles, int]]) -> dict[Titles, int]:
    """Return the number of cards with each mark, adding up entries of the same mark."""
    numbers: dict[Titles, int] = {}
    for mark, number in cards:
        numbers[mark] = numbers.get(mark, 0) + number
    return numbers


def marks_of(cards: Iterable[tuple[Titles, int]]) -> Marks:
    """Return these cards as marks in order, adding up entries of the same mark."""
    return tuple(sorted([entry for entry in sum_by_mark(cards).items() if entry[1]]))


@lru_cache(maxsize=1 << 14)
def add_cards(marks: Marks, mark: Titles, number: int = 1) -> Marks:
    """Return the marks with ``number`` more cards of this mark (fewer if negative)."""
    return marks_of((*marks, (mark, number)))


@lru_cache(maxsize=1 << 12)
def join_marks(marks: Marks, others: Marks) -> Marks:
    return marks_of((*marks, *others))


@lru_cache(maxsize=1 << 12)
def remove_titles(marks: Marks, titles: Titles) -> Marks:
    """Return the cards' marks without these titles.

    A card that can have no other title is left with an empty mark.
    """
    return marks_of([(mark & ~titles, number) for mark, number in marks])


@lru_cache(maxsize=1 << 14)
def possible_titles(marks: Marks) -> Titles:
    """Return all titles that at least one of the cards may have."""
    titles = 0
    for mark, _ in marks:
        titles |= mark
    return titles


@lru_cache(maxsize=1 << 14)
def narrowest_marks(marks: Marks, title: Titles) -> tuple[Titles, ...]:
    """Return the narrowest marks with the title: those that contain no other mark with it.

    When a card of the title leaves a place, only these marks matter. If the card with a narrower
    mark left, the one with the wider mark stays, and may be everything that the other may be.
    """
    bearing = [mark for mark, _ in marks if mark & title]
    return tuple(
        mark
        for mark in bearing
        if not any(other != mark and other & ~mark == 0 for other in bearing)
    )


def is_certain(mark: Titles) -> bool:
    return mark & (mark - 1) == 0 and mark != 0


@lru_cache(maxsize=1 << 12)
def count_unclaimed(total: Marks, unseen: Counts) -> Counts:
    """Return the number of cards of each title, without those whose mark is certain."""
    rest = [*unseen]
    for mark, number in total:
        if is_certain(mark):
            rest[mark.bit_length() - 1] -= number
    return tuple(rest)


def count_room(rest: Counts, titles: Titles) -> int:
    """Return the number of cards of these titles."""
    return sum([number for title, number in enumerate(rest) if titles >> title & 1])


def list_unions(marks: Iterable[Titles]) -> set[Titles]:
    """Return every union of some of the marks, the empty one included."""
    unions = {0}
    for mark in marks:
        unions |= {other | mark for other in unions}
    return unions


def count_needing(numbers: Mapping[Titles, int], titles: Titles) -> int:
    """Return the number of cards that can only have one of these titles."""
    return sum([number for mark, number in numbers.items() if not mark & ~titles])


@lru_cache(maxsize=1 << 12)
def narrow(total: Marks, unseen: Counts) -> Mapping[Titles, Titles] | None:
    """Return for each mark the titles that its cards can really have.

    Returns None if the cards can't be matched with the titles at all.
    """
    rest = count_unclaimed(total, unseen)
    if min(rest) < 0:
        return None
    live = sum([1 << title for title, number in enumerate(rest) if number])
    numbers = sum_by_mark([(mark & live, number) for mark, number in total if not is_certain(mark)])
    full = []
    for titles in list_unions(numbers):
        spare = count_room(rest, titles) - count_needing(numbers, titles)
        if spare < 0:
            return None
        if spare == 0:
            full.append(titles)
    return {
        mark: mark if is_certain(mark) else _remove_full_unions(mark & live, full)
        for mark, _ in total
    }


def _remove_full_unions(mark: Titles, full: Iterable[Titles]) -> Titles:
    for titles in full:
        if mark & ~titles:
            mark &= ~titles
    return mark


@lru_cache(maxsize=1 << 14)
def count_certain(marks: Marks, total: Marks, unseen: Counts, title: int) -> int:
    """Return the least number of cards of the title among ``marks``, a part of the narrowed total.

    These are the cards that certainly have the title, and as many others as would find no room if
    none of them had it. Only unions without the title can run short of room then.
    """
    bit = 1 << title
    numbers = {mark: number for mark, number in total if not mark & bit and not is_certain(mark)}
    for mark, number in marks:
        if mark & bit and not is_certain(mark):
            numbers[mark & ~bit] = numbers.get(mark & ~bit, 0) + number
    rest = count_unclaimed(total, unseen)
    short = max(
        [
            count_needing(numbers, titles) - count_room(rest, titles)
            for titles in list_unions(numbers)
        ]
    )
    return dict(marks).get(bit, 0) + short


def can_hold(marks: Marks, total: Marks, unseen: Counts, titles: tuple[int, ...]) -> bool:
    """Return True if ``marks``, a part of the total, may include cards of all these titles at once.

    The cards asked for are reserved for this part: they get extra titles, with bits beyond all
    others, that only cards of this part may have. The answer is True if all cards still find room.
    Cards that certainly have a title are used first, because they are the narrowest.
    """
    apart = [0] * len(unseen)
    held = dict(marks)
    for title in titles:
        if held.get(1 << title):
            held[1 << title] -= 1
            total = add_cards(total, 1 << title, -1)
            unseen = add_to(unseen, title, -1)
        else:
            apart[title] += 1
            unseen = add_to(unseen, title, -1)
    if min(unseen) < 0:
        return False
    some = sum([1 << title for title, number in enumerate(apart) if number])
    numbers = dict(total)
    for mark, number in held.items():
        if mark & some and not is_certain(mark):
            numbers[mark] -= number
            numbers[mark | (mark & some) << len(unseen)] = number
    return narrow(marks_of(numbers.items()), (*unseen, *apart)) is not None


def add_to(counts: Counts, at: int, number: int = 1) -> Counts:
    return (*counts[:at], counts[at] + number, *counts[at + 1 :])


FIVE = 5


def can_hold_five(marks: Marks, total: Marks, unseen: Counts, cats: Titles, feral: Titles) -> bool:
    """Return True if five of these cards may be different; ``cats`` are the titles of plain cats.

    A Feral Cat among the five stands for any cat that is missing, or for itself. So there may be
    several of them if there are enough kinds of cats.
    """
    present = {mark for mark, _ in marks}
    any_cat = cats | feral
    at_most = sum(
        number if mark & feral else min(number, mark.bit_count()) for mark, number in marks
    )
    possible = [title for title in range(len(unseen)) if possible_titles(marks) >> title & 1]
    titles = sorted(possible, key=lambda title: (1 << title not in present, title))

    def can_complete(chosen: tuple[int, ...], start: int) -> bool:
        """Return True if these titles, with others from ``start`` on, may be the five."""
        as_cats = sum(any_cat >> title & 1 for title in chosen)
        if as_cats > any_cat.bit_count() or not can_hold(marks, total, unseen, chosen):
            return False
        return len(chosen) == FIVE or any(
            can_complete((*chosen, title), at if 1 << title == feral else at + 1)
            for at, title in enumerate(titles[start:], start)
        )

    return at_most >= FIVE and can_complete((), 0)
