"""The account of the unseen cards: in which ways they may lie, as worlds of marked cards.

A *world* says how many cards bear each mark in each place. It stands for every lie of the
cards in which each card is of a title that it bears. An observation strikes worlds out,
changes marks, or splits worlds, where it leaves open *which* card it was: the marked one
or one of the others? Equal worlds are one; docs/deduction.md says why this is exact.

Places and titles have numbers here. ``deduction`` puts seats, names and observations to it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache

from companion.rules.pile.marks import (
    Counts,
    Marks,
    Titles,
    is_certain,
    can_hold,
    marks_of,
    add_to,
    narrow,
    narrowest,
    plus,
    reach,
    some_five,
    count_certain,
    join_marks,
    remove_titles,
)

World = tuple[Marks, ...]  # the marks of the unseen cards in each place
Worlds = Mapping[Marks, frozenset[World]]
"""All worlds by the total of their marks: what that allows is worked out once for all of them."""
Branches = Iterable[tuple[Marks, World]]  # the worlds that something leads to, each with its total


@dataclass(frozen=True, eq=False, kw_only=True)
class Account:
    """All worlds, with what is counted in the open. ``unseen`` counts the unseen cards by title,
    ``noted`` those that lie noted on the discard pile, ``sizes`` the unseen cards by place. A step
    gives the next account, without a world if that can't have been. (Without slots: the cached
    properties need the room.)"""

    unseen: Counts
    noted: Counts
    sizes: tuple[int, ...]
    worlds: Worlds

    @property
    def number(self) -> int:
        return sum(map(len, self.worlds.values()))

    @property
    def each(self) -> Branches:
        return ((total, world) for total, alike in self.worlds.items() for world in alike)

    def least(self, place: int, title: int) -> int:
        """How many cards of the title surely lie in the place."""
        if place not in self._least:
            titles = range(len(self.unseen))
            self._least[place] = tuple([self._fewest(place, title) for title in titles])
        return self._least[place][title]

    def may_lie(self, place: int, titles: tuple[int, ...]) -> bool:
        """Whether cards of all these titles may lie in the place at once."""
        if len(titles) > self.sizes[place]:
            return False
        bits = sum([1 << title for title in {*titles}])
        if bits & ~self.may_be[place]:
            return False
        for total, marks in self._there[place]:
            if not bits & ~reach(marks) and (
                len(titles) == 1 or can_hold(marks, total, self.unseen, titles)
            ):
                return True
        return False

    def some_five(self, place: int, cats: Titles, feral: Titles) -> bool:
        """Whether five different cards may lie in the place (ruling five-different)."""
        return self.sizes[place] > 0 and any(
            some_five(marks, total, self.unseen, cats, feral) for total, marks in self._there[place]
        )

    @cached_property
    def _there(self) -> tuple[frozenset[tuple[Marks, Marks]], ...]:
        """For each place what it may be: the total of a world, and the marks there."""
        there: list[set[tuple[Marks, Marks]]] = [set() for _ in self.sizes]
        for total, world in self.each:
            for marks, some in zip(world, there, strict=True):
                some.add((total, marks))
        return tuple(map(frozenset, there))

    @cached_property
    def may_be(self) -> tuple[Titles, ...]:
        may = [0] * len(self.sizes)
        for place, there in enumerate(self._there):
            for _, marks in there:
                may[place] |= reach(marks)
        return tuple(may)

    @cached_property
    def _least(self) -> dict[int, Counts]:
        """What has been worked out of ``least``, by place."""
        return {}

    def _fewest(self, place: int, title: int) -> int:
        fewest = self.sizes[place] if self.worlds else 0
        for total, marks in self._there[place]:
            if not fewest:
                break
            fewest = min(fewest, count_certain(marks, total, self.unseen, title))
        return fewest

    def reveal(self, place: int, title: int) -> "Account":
        """A card of the title left the place and lies open."""
        branches = (
            (plus(total, mark, -1), with_marks_at(world, place, plus(world[place], mark, -1)))
            for total, world in self.each
            for mark in narrowest(world[place], 1 << title)
        )
        unseen = add_to(self.unseen, title, -1)
        noted = add_to(self.noted, title)
        sizes = add_to(self.sizes, place, -1)
        return replace(self, unseen=unseen, noted=noted, sizes=sizes).with_worlds(branches)

    def reveal_all(self, place: int, titles: tuple[int, ...]) -> "Account":
        """All cards of the place lie open: they are of these titles."""
        counts = tuple(map(titles.count, range(len(self.unseen))))
        branches = (
            (_replace_marks(total, world[place], ()), with_marks_at(world, place, ()))
            for total, world in self.each
            if narrow(world[place], counts) is not None
        )
        return replace(
            self,
            unseen=tuple(map(int.__sub__, self.unseen, counts)),
            noted=tuple(map(int.__add__, self.noted, counts)),
            sizes=add_to(self.sizes, place, -len(titles)),
        ).with_worlds(branches)

    def take_noted(self, place: int, title: int) -> "Account":
        """A card of the title that lay open came to the place."""
        bit = 1 << title
        worlds = group_by_total(
            (plus(total, bit), with_marks_at(world, place, plus(world[place], bit)))
            for total, world in self.each
        )
        unseen = add_to(self.unseen, title)
        noted = add_to(self.noted, title, -1)
        sizes = add_to(self.sizes, place)
        return replace(self, unseen=unseen, noted=noted, sizes=sizes, worlds=worlds)

    def move_seen(self, giver: int, taker: int, title: int) -> "Account":
        """A card of the title went from place to place, seen by all."""
        bit = 1 << title
        branches = (
            (plus(plus(total, mark, -1), bit), _move_card(world, giver, taker, mark, bit))
            for total, world in self.each
            for mark in narrowest(world[giver], bit)
        )
        return replace(self, sizes=self._sizes(giver, taker, 1)).with_worlds(branches)

    def move_unseen(self, giver: int, taker: int) -> "Account":
        """A card, whichever, went from place to place unseen."""
        worlds = group_by_total(
            (total, _move_card(world, giver, taker, mark, mark))
            for total, world in self.each
            for mark, _ in world[giver]
        )
        return replace(self, sizes=self._sizes(giver, taker, 1), worlds=worlds)

    def rule_out(self, place: int, title: int) -> "Account":
        """No card of the place is of the title."""
        bit = 1 << title
        lacks = (
            (total, world, remove_titles(world[place], bit))
            for total, world in self.each
            if not any(mark == bit for mark, _ in world[place])
        )
        return self.with_worlds(
            (_replace_marks(total, world[place], now), with_marks_at(world, place, now))
            for total, world, now in lacks
        )

    def move_all_unseen(self, giver: int, taker: int) -> "Account":
        """All cards of a place went to another unseen."""
        worlds = group_by_total(
            (
                total,
                with_marks_at(
                    with_marks_at(world, taker, join_marks(world[taker], world[giver])), giver, ()
                ),
            )
            for total, world in self.each
        )
        return replace(self, sizes=self._sizes(giver, taker, self.sizes[giver]), worlds=worlds)

    def widen(self) -> "Account":
        """One world for all: what is certain in each of them, else what may be in any. Every lie of
        the cards with which some world agrees agrees with it, and more."""
        one = tuple(map(_common, zip(*[world for _, world in self.each], strict=True)))
        return self.with_worlds([(total(one), one)])

    def with_worlds(self, branches: Branches) -> "Account":
        """With those of the worlds with which some deal agrees, no mark wider than can be."""
        return replace(
            self, worlds=group_by_total(_possible_worlds(group_by_total(branches), self.unseen))
        )

    def _sizes(self, giver: int, taker: int, many: int) -> tuple[int, ...]:
        return add_to(add_to(self.sizes, giver, -many), taker, many)


def with_marks_at(world: World, place: int, marks: Marks) -> World:
    return (*world[:place], marks, *world[place + 1 :])


def total(world: World) -> Marks:
    return marks_of([one for marks in world for one in marks])


def group_by_total(branches: Branches) -> Worlds:
    """The branches by their totals, equal ones once."""
    worlds: dict[Marks, set[World]] = {}
    for marks, world in branches:
        worlds.setdefault(marks, set()).add(world)
    return {marks: frozenset(alike) for marks, alike in worlds.items()}


def _move_card(world: World, giver: int, taker: int, mark: Titles, then: Titles) -> World:
    """With a card of the mark gone from place to place, where it bears what it bears ``then``."""
    after = with_marks_at(world, giver, plus(world[giver], mark, -1))
    return with_marks_at(after, taker, plus(after[taker], then))


@lru_cache(maxsize=1 << 10)
def _replace_marks(marks: Marks, before: Marks, after: Marks) -> Marks:
    return marks_of((*marks, *((mark, -number) for mark, number in before), *after))


def _possible_worlds(worlds: Worlds, unseen: Counts) -> Branches:
    for marks, alike in worlds.items():
        open_to = narrow(marks, unseen)
        if open_to is None:
            continue
        if all(mark == now for mark, now in open_to.items()):
            yield from ((marks, world) for world in alike)
            continue
        again = _translation(open_to)
        for world in alike:
            yield again(marks), tuple(map(again, world))


def _translation(open_to: Mapping[Titles, Titles]) -> Callable[[Marks], Marks]:
    @cache
    def again(marks: Marks) -> Marks:
        return marks_of([(open_to[mark], number) for mark, number in marks])

    return again


def _common(marks: tuple[Marks, ...]) -> Marks:
    distinct = [dict(each) for each in set(marks)]
    numbers = {
        mark: min(each.get(mark, 0) for each in distinct)
        for mark in set().union(*distinct)
        if is_certain(mark)
    }
    titles = 0
    for each in distinct:
        others = {mark: many - numbers.get(mark, 0) for mark, many in each.items()}
        titles |= reach(marks_of(others.items()))
    rest = sum(distinct[0].values()) - sum(numbers.values())
    return marks_of([*numbers.items(), (titles, rest)])
