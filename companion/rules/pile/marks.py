"""What unseen cards may be: marks, and what the numbers of the titles allow.

A *mark* is the set of titles that a card may be of, as the bits of a number. A card of
which nothing is known bears all titles, one whose title is certain bears one, and "I have
no Nope" takes the Nope off every card of a hand.

Whether a card can really be of a title that it bears depends on the marks of all unseen
cards together (their *total*) and on how many cards of each title are unseen; no longer
on who holds them. By Hall's theorem cards and titles fit if no union of marks has more
cards that can go nowhere else than there is room in it."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

Titles = int  # a set of titles: bit n for the title of number n
Marks = tuple[tuple[Titles, int], ...]  # how many cards bear each mark, in the marks' order
Counts = tuple[int, ...]  # one number for each title


def sum_by_mark(cards: Iterable[tuple[Titles, int]]) -> dict[Titles, int]:
    """How many cards bear each mark, of so many with one and another."""
    numbers: dict[Titles, int] = {}
    for mark, number in cards:
        numbers[mark] = numbers.get(mark, 0) + number
    return numbers


def marks_of(cards: Iterable[tuple[Titles, int]]) -> Marks:
    """The marks that are borne by so many cards with one and another."""
    return tuple(sorted([one for one in sum_by_mark(cards).items() if one[1]]))


@lru_cache(maxsize=1 << 14)
def plus(marks: Marks, mark: Titles, number: int = 1) -> Marks:
    """With ``number`` more cards of the mark, or fewer."""
    return marks_of((*marks, (mark, number)))


@lru_cache(maxsize=1 << 12)
def join_marks(marks: Marks, others: Marks) -> Marks:
    return marks_of((*marks, *others))


@lru_cache(maxsize=1 << 12)
def remove_titles(marks: Marks, titles: Titles) -> Marks:
    """The same cards, none of which is of these titles; without a mark where none is left."""
    return marks_of([(mark & ~titles, number) for mark, number in marks])


@lru_cache(maxsize=1 << 14)
def reach(marks: Marks) -> Titles:
    """The titles that any of the cards may be of."""
    titles = 0
    for mark, _ in marks:
        titles |= mark
    return titles


@lru_cache(maxsize=1 << 14)
def narrowest(marks: Marks, title: Titles) -> tuple[Titles, ...]:
    """The marks with the title that have no narrower one beside them. If a card of the title leaves
    a place, whatever may lie there after a wider mark left may also lie there after the narrower
    one did: it leaves the wider one behind."""
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
    """How many of each title are not yet taken by the cards that are certain of it."""
    rest = [*unseen]
    for mark, number in total:
        if is_certain(mark):
            rest[mark.bit_length() - 1] -= number
    return tuple(rest)


def count_room(rest: Counts, titles: Titles) -> int:
    """How many cards of these titles there are."""
    return sum([number for title, number in enumerate(rest) if titles >> title & 1])


def list_unions(marks: Iterable[Titles]) -> set[Titles]:
    """Every union of some of the marks, the empty one too."""
    made = {0}
    for mark in marks:
        made |= {other | mark for other in made}
    return made


def count_needing(numbers: Mapping[Titles, int], titles: Titles) -> int:
    """How many of these cards can be of no other titles."""
    return sum([number for mark, number in numbers.items() if not mark & ~titles])


@lru_cache(maxsize=1 << 12)
def narrow(total: Marks, unseen: Counts) -> Mapping[Titles, Titles] | None:
    """For each mark the titles that its cards can still be of; ``None``: no deal agrees. By Hall's
    theorem cards and titles fit if no union of marks has more cards that need it than it has room.
    A union that is full to the brim is closed to all other cards."""
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
    return {mark: mark if is_certain(mark) else _remove_full_unions(mark & live, full) for mark, _ in total}


def _remove_full_unions(mark: Titles, full: Iterable[Titles]) -> Titles:
    for titles in full:
        if mark & ~titles:
            mark &= ~titles
    return mark


@lru_cache(maxsize=1 << 14)
def count_certain(marks: Marks, total: Marks, unseen: Counts, title: int) -> int:
    """How many cards of the title these ones hold at least, the total being ``narrowed``. Besides
    those that are certain of it, as many as find no room if none of the others is of the title;
    only unions without the title can run short by that."""
    bit = 1 << title
    numbers = {mark: number for mark, number in total if not mark & bit and not is_certain(mark)}
    for mark, number in marks:
        if mark & bit and not is_certain(mark):
            numbers[mark & ~bit] = numbers.get(mark & ~bit, 0) + number
    rest = count_unclaimed(total, unseen)
    short = max([count_needing(numbers, titles) - count_room(rest, titles) for titles in list_unions(numbers)])
    return dict(marks).get(bit, 0) + short


def can_hold(marks: Marks, total: Marks, unseen: Counts, titles: tuple[int, ...]) -> bool:
    """Whether these cards, some of all, may hold cards of all these titles at once. That is: if as
    many of each title are set apart, for these cards alone, all still find room. A title set apart
    has a bit of its own, beyond all others. Cards that are certain go first: they are the
    narrowest."""
    apart = [0] * len(unseen)
    held = dict(marks)
    for title in titles:
        if held.get(1 << title):
            held[1 << title] -= 1
            total = plus(total, 1 << title, -1)
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


def some_five(marks: Marks, total: Marks, unseen: Counts, cats: Titles, feral: Titles) -> bool:
    """Whether five of these cards may be different ones; ``cats`` are the plain ones. A Feral Cat
    among the five is whatever cat is missing, itself included: so any number of them may be there,
    as long as there are cats enough for them to be."""
    surely = {mark for mark, _ in marks}
    any_cat = cats | feral
    most = sum(many if mark & feral else min(many, mark.bit_count()) for mark, many in marks)
    there = [title for title in range(len(unseen)) if reach(marks) >> title & 1]
    titles = sorted(there, key=lambda title: (1 << title not in surely, title))

    def grown(some: tuple[int, ...], start: int) -> bool:
        """Whether these, with others from ``start`` on, may be the five."""
        as_cats = sum(any_cat >> title & 1 for title in some)
        if as_cats > any_cat.bit_count() or not can_hold(marks, total, unseen, some):
            return False
        return len(some) == FIVE or any(
            grown((*some, title), at if 1 << title == feral else at + 1)
            for at, title in enumerate(titles[start:], start)
        )

    return most >= FIVE and grown((), 0)
