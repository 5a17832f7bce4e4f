"""The ways in which the unseen cards may lie, as worlds of marked cards.

A *world* says how many cards bear each mark in each place. It stands for every lie of the
cards in which each card is of a title that it bears. An observation strikes worlds out,
changes marks, or splits worlds, where it leaves open *which* card it was: the marked one
or one of the others? Equal worlds are one; docs/deduction.md says why this is exact.

Worlds are kept by the total of their marks: what that allows is worked out once for all
worlds that have it (``settled``).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache

from companion.rules.pile.marks import (
    Counts,
    Marks,
    Titles,
    certain,
    marked,
    narrowed,
    narrowest,
    plus,
    reach,
    together,
    without,
)

World = tuple[Marks, ...]
"""The marks of the unseen cards in each place."""
Worlds = Mapping[Marks, frozenset[World]]
"""All worlds, by the total of their marks."""
Branches = Iterable[tuple[Marks, World]]
"""The worlds that something leads to, each with its total."""


def put(world: World, place: int, marks: Marks) -> World:
    """The world with other marks in the place."""
    return (*world[:place], marks, *world[place + 1 :])


def total(world: World) -> Marks:
    """The marks of all its cards."""
    marks: Marks = ()
    for each in world:
        marks = together(marks, each)
    return marks


def number(worlds: Worlds) -> int:
    """How many worlds there are."""
    return sum(map(len, worlds.values()))


def each(worlds: Worlds) -> Iterator[tuple[Marks, World]]:
    """Every world with its total."""
    for marks, alike in worlds.items():
        for world in alike:
            yield marks, world


# -- What happens to the cards --------------------------------------------------------


def shown(worlds: Worlds, place: int, title: int) -> Branches:
    """A card of the title left the place and lies open."""
    for marks, world in each(worlds):
        for mark in narrowest(world[place], 1 << title):
            yield plus(marks, mark, -1), put(world, place, plus(world[place], mark, -1))


def told(worlds: Worlds, place: int, counts: Counts) -> Branches:
    """All cards of the place lie open: of each title so many."""
    for marks, world in each(worlds):
        if narrowed(world[place], counts) is not None:
            yield changed(marks, world[place], ()), put(world, place, ())


def given(worlds: Worlds, giver: int, taker: int, title: int) -> Branches:
    """A card of the title went from place to place, seen by all."""
    bit = 1 << title
    for marks, world in each(worlds):
        for mark in narrowest(world[giver], bit):
            after = put(world, giver, plus(world[giver], mark, -1))
            yield (
                plus(plus(marks, mark, -1), bit),
                put(after, taker, plus(after[taker], bit)),
            )


def moved(worlds: Worlds, giver: int, taker: int) -> Branches:
    """A card, whichever, went from place to place unseen."""
    for marks, world in each(worlds):
        for mark, _ in world[giver]:
            after = put(world, giver, plus(world[giver], mark, -1))
            yield marks, put(after, taker, plus(after[taker], mark))


def lacking(worlds: Worlds, place: int, title: int) -> Branches:
    """No card of the place is of the title."""
    for marks, world in each(worlds):
        if not any(mark == 1 << title for mark, _ in world[place]):
            after = put(world, place, without(world[place], 1 << title))
            yield changed(marks, world[place], after[place]), after


def taken(worlds: Worlds, place: int, title: int) -> Branches:
    """A card that lay open, of the title, came to the place."""
    bit = 1 << title
    for marks, world in each(worlds):
        yield plus(marks, bit), put(world, place, plus(world[place], bit))


def poured(worlds: Worlds, giver: int, taker: int) -> Branches:
    """All cards of a place went to another, unseen."""
    for marks, world in each(worlds):
        after = put(world, taker, together(world[taker], world[giver]))
        yield marks, put(after, giver, ())


@lru_cache(maxsize=1 << 10)
def changed(marks: Marks, before: Marks, after: Marks) -> Marks:
    """The total when some cards' marks have changed."""
    numbers = dict(marks)
    for sign, some in ((-1, before), (1, after)):
        for mark, many in some:
            numbers[mark] = numbers.get(mark, 0) + sign * many
    return marked(numbers)


# -- What can be ----------------------------------------------------------------------


def gathered(branches: Branches) -> Worlds:
    """The branches by their totals, equal ones once."""
    worlds: dict[Marks, set[World]] = {}
    for marks, world in branches:
        worlds.setdefault(marks, set()).add(world)
    return {marks: frozenset(alike) for marks, alike in worlds.items()}


def settled(worlds: Worlds, unseen: Counts) -> Worlds:
    """The worlds with which some deal agrees, no card marked with what it can't be."""
    return gathered(_settled(worlds, unseen))


def _settled(worlds: Worlds, unseen: Counts) -> Branches:
    for marks, alike in worlds.items():
        open_to = narrowed(marks, unseen)
        if open_to is None:
            continue
        if all(mark == now for mark, now in open_to.items()):
            yield from ((marks, world) for world in alike)
            continue
        again = _translation(open_to)
        for world in alike:
            yield again(marks), tuple(map(again, world))


def _translation(open_to: Mapping[Titles, Titles]) -> Callable[[Marks], Marks]:
    """Marks in what they have been narrowed to."""

    @cache
    def again(marks: Marks) -> Marks:
        numbers: dict[Titles, int] = {}
        for mark, many in marks:
            numbers[open_to[mark]] = numbers.get(open_to[mark], 0) + many
        return marked(numbers)

    return again


def widened(worlds: Worlds) -> Worlds:
    """One world for all: what is certain in each of them, else what may be in any.

    Every lie of the cards with which some world agrees agrees with it, and more.
    """
    all_worlds = [world for _, world in each(worlds)]
    one = tuple(map(_common, zip(*all_worlds, strict=True)))
    return {total(one): frozenset({one})}


def _common(marks: tuple[Marks, ...]) -> Marks:
    distinct = [dict(each) for each in set(marks)]
    numbers = {
        mark: min(each.get(mark, 0) for each in distinct)
        for mark in set().union(*distinct)
        if certain(mark)
    }
    titles = 0
    for each in distinct:
        others = {mark: many - numbers.get(mark, 0) for mark, many in each.items()}
        titles |= reach(marked(others))
    rest = sum(distinct[0].values()) - sum(numbers.values())
    numbers[titles] = numbers.get(titles, 0) + rest
    return marked(numbers)
