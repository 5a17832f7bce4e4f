"""Exact deduction of the hidden cards in a classic game, by worlds of marked cards.

In a classic game cards pass from hand to hand unseen, by a Favor or a pair. So each player's cards
can't be deduced on their own, as on the draw grid, and there are far too many arrangements to list.
``HiddenCards`` doesn't compute odds. It answers two questions exactly: may these cards lie in this
place, and how many cards of a title certainly lie there?

Every hidden card has a *mark*: the set of titles that it may have (``marks.py``). The places are
the pile (without its Kittens, which are only counted), the cards of unknown title on the discard
pile, the cards that left the game, and the hands. A *world* is one possible count of the cards with
each mark in each place. It stands for all arrangements in which each card has a title of its mark,
and each title has the right number of cards. Right after the deal there is one world. An
observation then

- changes marks: "I have no Nope" removes the Nope from every mark of that hand;
- moves a card with its mark, which gives a world for each mark that the card may have had;
- removes a card that is laid face up, which gives a world for each mark that includes its title;
- removes worlds that have become impossible.

Equal worlds are stored once. A statement that is true in every world is certain. A statement that
is true in at least one world is possible.

This is an example. In play are two Defuses (D), a Nope (N) and three Skips (S). Ana and Ben are
dealt a Defuse and one unknown card each; two cards are in the pile. It is known where both Defuses
are, so every other card has the mark NS.

=============================  ============================  ==============================
observation                    worlds (Ana | Ben | pile)     certain
=============================  ============================  ==============================
the deal                       1: D NS | D NS | NS NS        each has a Defuse
Ben gives Ana a card, unseen   1: D D NS | NS | NS NS        Ana has a Defuse
                               2: D NS NS | D | NS NS
Ben says that he has no Nope   1: D D NS | S | NS NS         Ana has a Defuse, Ben no Nope
                               2: D NS NS | D | NS NS
Ana plays a Defuse             1: D NS | S | NS NS           Ben has no Nope
                               2: NS NS | D | NS NS
Ana plays a Defuse again       1: NS | S | NS NS             Ben has a Skip
=============================  ============================  ==============================

In the last row world 2 is impossible, because Ana has no Defuse to play in it. So Ben gave away his
Defuse, and since he has no Nope, the card that he kept is a Skip.

A world is possible if its cards can be matched with the hidden cards of each title. Hall's theorem
says when they can. ``marks.narrow`` applies it to the numbers of cards with each mark in all places
together (the world's *total*), since it doesn't matter where the cards are. So worlds are grouped
by their totals, and each total is examined once.

The number of worlds stays small: usually there are a handful, and some hundreds after many Favors.
If the number exceeds a limit (``Deal.most``), all worlds are replaced by one world that allows
everything that any of them allows (``HiddenCards.widen``). Its answers are still correct, but less
exact, and the view says ``"exact": false``. docs/deduction.md explains why the deduction is exact.

In this module places and titles are numbers. ``deduction.py`` translates seats, names and
observations.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache

from companion.rules.pile.marks import (
    Counts,
    Marks,
    Titles,
    add_cards,
    add_to,
    can_hold,
    can_hold_five,
    count_certain,
    is_certain,
    join_marks,
    marks_of,
    narrow,
    narrowest_marks,
    possible_titles,
    remove_titles,
)

World = tuple[Marks, ...]  # the marks of the hidden cards in each place
Worlds = Mapping[Marks, frozenset[World]]  # worlds, grouped by their totals
Branches = Iterable[tuple[Marks, World]]  # pairs of a world's total and the world itself


@dataclass(frozen=True, eq=False, kw_only=True)
class HiddenCards:
    """Everything that is known about the hidden cards: all possible worlds, and the numbers of
    cards.

    Each method for an observation returns the hidden cards after the observation. If no arrangement
    of the cards allows the observation, the result has no worlds.
    """

    # This is a dataclass without slots, because its cached properties need a ``__dict__``.

    unseen: Counts  # number of hidden cards of each title
    # number of noted cards of each title on the discard pile (a noted card's title is known)
    noted: Counts
    sizes: tuple[int, ...]  # number of hidden cards in each place
    worlds: Worlds

    @property
    def world_count(self) -> int:
        """The number of possible worlds."""
        return sum(map(len, self.worlds.values()))

    @property
    def worlds_with_totals(self) -> Branches:
        """All worlds, each in a pair with its total."""
        return ((total, world) for total, alike in self.worlds.items() for world in alike)

    def certain_count(self, place: int, title: int) -> int:
        """Return the number of cards of the title that certainly lie in the place."""
        if place not in self._certain_counts:
            titles = range(len(self.unseen))
            self._certain_counts[place] = tuple(
                [self._count_certain(place, title) for title in titles]
            )
        return self._certain_counts[place][title]

    def place_may_hold(self, place: int, titles: tuple[int, ...]) -> bool:
        """Return True if this place may hold cards of all these titles at the same time."""
        if len(titles) > self.sizes[place]:
            return False
        bits = sum([1 << title for title in {*titles}])
        if bits & ~self.titles_by_place[place]:
            return False
        for total, marks in self._marks_by_place[place]:
            if not bits & ~possible_titles(marks) and (
                len(titles) == 1 or can_hold(marks, total, self.unseen, titles)
            ):
                return True
        return False

    def may_hold_five(self, place: int, cats: Titles, feral: Titles) -> bool:
        """Return True if this place may hold five different cards (ruling five-different)."""
        return self.sizes[place] > 0 and any(
            can_hold_five(marks, total, self.unseen, cats, feral)
            for total, marks in self._marks_by_place[place]
        )

    @cached_property
    def _marks_by_place(self) -> tuple[frozenset[tuple[Marks, Marks]], ...]:
        """For each place, the marks of its cards in each world.

        The marks are in a pair with the world's total. Worlds that differ only in other places give
        equal pairs, which are stored once.
        """
        pairs: list[set[tuple[Marks, Marks]]] = [set() for _ in self.sizes]
        for total, world in self.worlds_with_totals:
            for marks, pairs_of_place in zip(world, pairs, strict=True):
                pairs_of_place.add((total, marks))
        return tuple(map(frozenset, pairs))

    @cached_property
    def titles_by_place(self) -> tuple[Titles, ...]:
        """For each place, the titles that at least one of its cards may have."""
        may = [0] * len(self.sizes)
        for place, pairs in enumerate(self._marks_by_place):
            for _, marks in pairs:
                may[place] |= possible_titles(marks)
        return tuple(may)

    @cached_property
    def _certain_counts(self) -> dict[int, Counts]:
        """The cached results of ``certain_count``, by place."""
        return {}

    def _count_certain(self, place: int, title: int) -> int:
        fewest = self.sizes[place] if self.worlds else 0
        for total, marks in self._marks_by_place[place]:
            if not fewest:
                break
            fewest = min(fewest, count_certain(marks, total, self.unseen, title))
        return fewest

    def reveal(self, place: int, title: int) -> "HiddenCards":
        """Return the hidden cards after a card of this title left the place and lies face up."""
        branches = (
            (
                add_cards(total, mark, -1),
                with_marks_at(world, place, add_cards(world[place], mark, -1)),
            )
            for total, world in self.worlds_with_totals
            for mark in narrowest_marks(world[place], 1 << title)
        )
        unseen = add_to(self.unseen, title, -1)
        noted = add_to(self.noted, title)
        sizes = add_to(self.sizes, place, -1)
        return replace(self, unseen=unseen, noted=noted, sizes=sizes).with_worlds(branches)

    def reveal_all(self, place: int, titles: tuple[int, ...]) -> "HiddenCards":
        """Return the hidden cards after all cards of the place were laid face up and had these
        titles."""
        counts = tuple(map(titles.count, range(len(self.unseen))))
        branches = (
            (_replace_marks(total, world[place], ()), with_marks_at(world, place, ()))
            for total, world in self.worlds_with_totals
            if narrow(world[place], counts) is not None
        )
        return replace(
            self,
            unseen=tuple(map(int.__sub__, self.unseen, counts)),
            noted=tuple(map(int.__add__, self.noted, counts)),
            sizes=add_to(self.sizes, place, -len(titles)),
        ).with_worlds(branches)

    def take_noted(self, place: int, title: int) -> "HiddenCards":
        """Return the hidden cards after a card that was face up on the discard pile went to
        ``place``."""
        bit = 1 << title
        worlds = group_by_total(
            (add_cards(total, bit), with_marks_at(world, place, add_cards(world[place], bit)))
            for total, world in self.worlds_with_totals
        )
        unseen = add_to(self.unseen, title)
        noted = add_to(self.noted, title, -1)
        sizes = add_to(self.sizes, place)
        return replace(self, unseen=unseen, noted=noted, sizes=sizes, worlds=worlds)

    def move_seen(self, giver: int, taker: int, title: int) -> "HiddenCards":
        """Return the hidden cards after a card of this title moved, and everybody knows
        its title."""
        bit = 1 << title
        branches = (
            (add_cards(add_cards(total, mark, -1), bit), _move_card(world, giver, taker, mark, bit))
            for total, world in self.worlds_with_totals
            for mark in narrowest_marks(world[giver], bit)
        )
        return replace(self, sizes=self._sizes_after_move(giver, taker, 1)).with_worlds(branches)

    def move_unseen(self, giver: int, taker: int) -> "HiddenCards":
        """Return the hidden cards after a card of unknown title moved from ``giver`` to
        ``taker``."""
        worlds = group_by_total(
            (total, _move_card(world, giver, taker, mark, mark))
            for total, world in self.worlds_with_totals
            for mark, _ in world[giver]
        )
        return replace(self, sizes=self._sizes_after_move(giver, taker, 1), worlds=worlds)

    def rule_out(self, place: int, title: int) -> "HiddenCards":
        """Return the hidden cards after everybody learned that the place has no card of
        this title."""
        bit = 1 << title
        branches = (
            (total, world, remove_titles(world[place], bit))
            for total, world in self.worlds_with_totals
            if not any(mark == bit for mark, _ in world[place])
        )
        return self.with_worlds(
            (_replace_marks(total, world[place], now), with_marks_at(world, place, now))
            for total, world, now in branches
        )

    def move_all_unseen(self, giver: int, taker: int) -> "HiddenCards":
        """Return the hidden cards after all cards of ``giver`` moved to ``taker``, and nobody saw
        them."""
        worlds = group_by_total(
            (
                total,
                with_marks_at(
                    with_marks_at(world, taker, join_marks(world[taker], world[giver])), giver, ()
                ),
            )
            for total, world in self.worlds_with_totals
        )
        return replace(
            self, sizes=self._sizes_after_move(giver, taker, self.sizes[giver]), worlds=worlds
        )

    def widen(self) -> "HiddenCards":
        """Replace all worlds by one world that allows everything that any of the worlds allows.

        Cards that are certain in every world stay certain. All other cards of a place get the same
        mark, which contains every title that at least one of these cards may have in some world.
        The result is still correct, but less exact.
        """
        widest = tuple(
            map(_widest_marks, zip(*[world for _, world in self.worlds_with_totals], strict=True))
        )
        return self.with_worlds([(total_marks(widest), widest)])

    def with_worlds(self, branches: Branches) -> "HiddenCards":
        """Return the hidden cards with only those of the given worlds that are possible."""
        return replace(
            self, worlds=group_by_total(_possible_worlds(group_by_total(branches), self.unseen))
        )

    def _sizes_after_move(self, giver: int, taker: int, number: int) -> tuple[int, ...]:
        return add_to(add_to(self.sizes, giver, -number), taker, number)


def with_marks_at(world: World, place: int, marks: Marks) -> World:
    return (*world[:place], marks, *world[place + 1 :])


def total_marks(world: World) -> Marks:
    """Return the total of a world: the marks of its hidden cards in all places together."""
    return marks_of([entry for marks in world for entry in marks])


def group_by_total(branches: Branches) -> Worlds:
    """Group the worlds by their totals, and remove duplicates."""
    groups: dict[Marks, set[World]] = {}
    for marks, world in branches:
        groups.setdefault(marks, set()).add(world)
    return {marks: frozenset(group) for marks, group in groups.items()}


def _move_card(world: World, giver: int, taker: int, mark: Titles, new_mark: Titles) -> World:
    """Return the world after a card moved from ``giver`` to ``taker``.

    The card's mark was ``mark`` before the move, and is ``new_mark`` after the move.
    """
    after = with_marks_at(world, giver, add_cards(world[giver], mark, -1))
    return with_marks_at(after, taker, add_cards(after[taker], new_mark))


@lru_cache(maxsize=1 << 10)
def _replace_marks(marks: Marks, before: Marks, after: Marks) -> Marks:
    return marks_of((*marks, *((mark, -number) for mark, number in before), *after))


def _possible_worlds(worlds: Worlds, unseen: Counts) -> Branches:
    """Yield the possible worlds with their totals. Each mark is reduced to the titles that its
    cards can really have."""
    for marks, group in worlds.items():
        narrowed = narrow(marks, unseen)
        if narrowed is None:
            continue
        if all(before == after for before, after in narrowed.items()):
            yield from ((marks, world) for world in group)
            continue
        replace_marks = _mark_replacer(narrowed)
        for world in group:
            yield replace_marks(marks), tuple(map(replace_marks, world))


def _mark_replacer(narrowed: Mapping[Titles, Titles]) -> Callable[[Marks], Marks]:
    """Return a function that replaces each mark by the mark to which ``narrowed`` maps it."""

    @cache
    def replace_marks(marks: Marks) -> Marks:
        return marks_of([(narrowed[mark], number) for mark, number in marks])

    return replace_marks


def _widest_marks(marks: tuple[Marks, ...]) -> Marks:
    """Return marks that allow every title that some entry of ``marks`` allows.

    ``marks`` has the marks of one place in each world.
    """
    distinct = [dict(each) for each in set(marks)]
    numbers = {
        mark: min(each.get(mark, 0) for each in distinct)
        for mark in set().union(*distinct)
        if is_certain(mark)
    }
    titles = 0
    for each in distinct:
        others = {mark: number - numbers.get(mark, 0) for mark, number in each.items()}
        titles |= possible_titles(marks_of(others.items()))
    rest = sum(distinct[0].values()) - sum(numbers.values())
    return marks_of([*numbers.items(), (titles, rest)])
