"""Marks of hidden cards, and the titles that the cards can really have.

A *mark* is the set of titles that a card may have, stored as the bits of a number. If nothing is
known about a card, its mark contains all titles. If the card's title is certain, its mark contains
only that title. "I have no Nope" removes the Nope from every mark of a hand.

A card can't always have every title in its mark. That depends on the marks of all hidden cards
together (their *total*) and on the number of hidden cards of each title, but not on who holds them.
For example, one Nope and one Skip are hidden, and two cards have the marks Nope-or-Skip and Skip.
The second card is the Skip, so the first can only be the Nope.

In general the cards must be matched with the titles. For a set of titles, let *need* be the number
of cards that can have no other title, and *room* the number of hidden cards with these titles. By
Hall's theorem, a matching exists if and only if no set of titles has more need than room. It is
enough to examine unions of marks, and there are few. If a union is *full* (its need equals its
room), no other card can have its titles, so they are removed from the other marks.

An example: one Nope and two Skips are hidden. Ana has two of these cards, and the third card is in
the pile. All three cards have the mark Nope-or-Skip.

- Ana certainly has at least one Skip. If neither of her cards were a Skip, both would need to be
  Nopes. The need would be 2 and the room is 1, so one card too many would need to be a Nope. This
  excess is the number of Skips that she certainly has (``count_certain``).
- Ana may have a Nope and a Skip at once. To see this, set one Nope and one Skip apart for her: only
  her cards may have these two titles. The third card is then the other Skip, and all cards are
  matched with a title (``can_hold``).
- Ana plays a Skip while her cards have the marks Skip and Nope-or-Skip. If she played the card with
  the mark Skip, her other card may be a Nope or a Skip. If she played the other card, the card that
  is left is a Skip. The first case includes the second, so only the narrower mark is considered
  (``narrowest_marks``).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

Titles = int  # A set of titles as a bit mask, in which bit n stands for the title with number n.
# pairs of a mark and the number of cards that have it, sorted by mark
Marks = tuple[tuple[Titles, int], ...]
Counts = tuple[int, ...]  # one number for each title


def sum_by_mark(cards: Iterable[tuple[Titles, int]]) -> dict[Titles, int]:
    """Return the number of cards for each mark.

    If several entries have the same mark, their numbers are added up.
    """
    numbers: dict[Titles, int] = {}
    for mark, number in cards:
        numbers[mark] = numbers.get(mark, 0) + number
    return numbers


def marks_of(cards: Iterable[tuple[Titles, int]]) -> Marks:
    """Return the cards as sorted ``Marks``.

    If several entries have the same mark, their numbers are added up.
    """
    return tuple(sorted([entry for entry in sum_by_mark(cards).items() if entry[1]]))


@lru_cache(maxsize=1 << 14)
def add_cards(marks: Marks, mark: Titles, number: int = 1) -> Marks:
    """Return the marks with ``number`` cards of this mark added, or removed if ``number`` is
    negative."""
    return marks_of((*marks, (mark, number)))


@lru_cache(maxsize=1 << 12)
def join_marks(marks: Marks, others: Marks) -> Marks:
    return marks_of((*marks, *others))


@lru_cache(maxsize=1 << 12)
def remove_titles(marks: Marks, titles: Titles) -> Marks:
    """Return the marks after these titles were ruled out.

    A card that can have no other title is left with an empty mark.
    """
    return marks_of([(mark & ~titles, number) for mark, number in marks])


@lru_cache(maxsize=1 << 14)
def possible_titles(marks: Marks) -> Titles:
    """Return the titles that at least one of the cards may have."""
    titles = 0
    for mark, _ in marks:
        titles |= mark
    return titles


@lru_cache(maxsize=1 << 14)
def narrowest_marks(marks: Marks, title: Titles) -> tuple[Titles, ...]:
    """Return the narrowest marks among those that contain this title.

    A mark is left out if it contains another one of these marks. If a card of the title leaves a
    place, it is enough to consider the narrowest marks (see the example at the top). A card with a
    wider mark can have more titles, so the remaining cards allow more arrangements if the wider
    mark stays.
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
    """Return the number of hidden cards of each title that have a mark with several titles.

    The cards whose mark has only one title are subtracted from ``unseen``.
    """
    rest = [*unseen]
    for mark, number in total:
        if is_certain(mark):
            rest[mark.bit_length() - 1] -= number
    return tuple(rest)


def count_room(rest: Counts, titles: Titles) -> int:
    """Return the total number of cards of these titles; ``rest`` has the number for each title."""
    return sum([number for title, number in enumerate(rest) if titles >> title & 1])


def list_unions(marks: Iterable[Titles]) -> set[Titles]:
    """Return every union of some of the marks, including the empty union."""
    unions = {0}
    for mark in marks:
        unions |= {other | mark for other in unions}
    return unions


def count_needing(numbers: Mapping[Titles, int], titles: Titles) -> int:
    """Return the number of cards that can have no title other than these."""
    return sum([number for mark, number in numbers.items() if not mark & ~titles])


@lru_cache(maxsize=1 << 12)
def narrow(total: Marks, unseen: Counts) -> Mapping[Titles, Titles] | None:
    """Map each mark to the titles that its cards can really have.

    Return None if the cards can't be matched with the titles at all.
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
    """Return the minimum number of cards of the title among the cards with ``marks``.

    ``marks`` has some of the cards in ``total``, whose marks must have been narrowed. The result
    counts the cards whose mark is exactly this title. For the other cards, suppose that none of
    them has the title, and remove the title from their marks. If some union of marks now has more
    need than room, the result also counts the excess (see the example at the top).
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
    """Return True if the cards with ``marks`` may include cards of all these titles at once.

    ``marks`` has some of the cards in ``total``. If the mark of one of these cards is exactly one
    of the titles, that card is used for the title. For each other title, the function sets a hidden
    card apart and gives it an extra title, which only the cards with ``marks`` may have. The result
    is True if all cards can then be matched with the titles (see the example at the top).
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
    """Return True if five of these cards may be different. ``cats`` are the titles of the plain
    cats.

    A Feral Cat stands for any cat that is missing, or for itself. So the five cards may include
    several Feral Cats, as long as there are enough kinds of cats.
    """
    present = {mark for mark, _ in marks}
    any_cat = cats | feral
    at_most = sum(
        number if mark & feral else min(number, mark.bit_count()) for mark, number in marks
    )
    possible = [title for title in range(len(unseen)) if possible_titles(marks) >> title & 1]
    titles = sorted(possible, key=lambda title: (1 << title not in present, title))

    def can_complete(chosen: tuple[int, ...], start: int) -> bool:
        """Return True if titles from ``titles[start:]`` can complete the chosen titles to five."""
        as_cats = sum(any_cat >> title & 1 for title in chosen)
        if as_cats > any_cat.bit_count() or not can_hold(marks, total, unseen, chosen):
            return False
        return len(chosen) == FIVE or any(
            can_complete((*chosen, title), at if 1 << title == feral else at + 1)
            for at, title in enumerate(titles[start:], start)
        )

    return at_most >= FIVE and can_complete((), 0)
