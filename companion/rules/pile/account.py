"""The account of the unseen cards: where they may lie, place by place and title by title.

Places and titles have numbers here. A step says what happened to the cards and gives the
next account, without a world if that can't have been; the questions are about any one
place. ``deduction`` puts seats, names and observations to it.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from companion.rules.pile import worlds as ways
from companion.rules.pile.marks import Counts, Five, Marks, Titles, fits, reach, surely
from companion.rules.pile.worlds import Branches, Worlds


@dataclass(frozen=True, eq=False, kw_only=True)
class Account:
    """All worlds, with what is counted in the open.

    ``unseen`` counts the unseen cards by title, ``noted`` those that lie noted on the
    discard pile, ``sizes`` the unseen cards by place. (Without slots: the cached
    properties need the room.)
    """

    unseen: Counts
    noted: Counts
    sizes: tuple[int, ...]
    worlds: Worlds

    # -- Questions --------------------------------------------------------------------

    def least(self, place: int, title: int) -> int:
        """How many cards of the title surely lie in the place."""
        if place not in self._least:
            titles = range(len(self.unseen))
            self._least[place] = tuple([self._fewest(place, title) for title in titles])
        return self._least[place][title]

    def may_be(self, place: int) -> Titles:
        """The titles of which a card may lie in the place."""
        return self._may_be[place]

    def may_lie(self, place: int, titles: tuple[int, ...]) -> bool:
        """Whether cards of all these titles may lie in the place at once."""
        if len(titles) > self.sizes[place]:
            return False
        bits = sum([1 << title for title in {*titles}])
        if bits & ~self._may_be[place]:
            return False
        for total, marks in self._there[place]:
            if not bits & ~reach(marks) and (
                len(titles) == 1 or fits(marks, total, self.unseen, titles)
            ):
                return True
        return False

    def some_five(self, place: int, cats: Titles, feral: Titles) -> bool:
        """Whether five different cards may lie in the place (ruling five-different)."""
        return self.sizes[place] > 0 and any(
            Five(marks=marks, total=total, unseen=self.unseen, cats=cats, feral=feral).found()
            for total, marks in self._there[place]
        )

    @cached_property
    def _there(self) -> tuple[frozenset[tuple[Marks, Marks]], ...]:
        """For each place what it may be: the total of a world, and the marks there."""
        there: list[set[tuple[Marks, Marks]]] = [set() for _ in self.sizes]
        for total, world in ways.each(self.worlds):
            for marks, some in zip(world, there, strict=True):
                some.add((total, marks))
        return tuple(map(frozenset, there))

    @cached_property
    def _may_be(self) -> tuple[Titles, ...]:
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
            fewest = min(fewest, surely(marks, total, self.unseen, title))
        return fewest

    # -- Steps ------------------------------------------------------------------------

    def shown(self, place: int, title: int) -> "Account":
        """A card of the title left the place and lies open."""
        return replace(
            self,
            unseen=more(self.unseen, title, -1),
            noted=more(self.noted, title),
            sizes=more(self.sizes, place, -1),
        ).settled(ways.shown(self.worlds, place, title))

    def told(self, place: int, titles: tuple[int, ...]) -> "Account":
        """All cards of the place lie open: they are of these titles."""
        counts = tuple(map(titles.count, range(len(self.unseen))))
        return replace(
            self,
            unseen=tuple(map(int.__sub__, self.unseen, counts)),
            noted=tuple(map(int.__add__, self.noted, counts)),
            sizes=more(self.sizes, place, -len(titles)),
        ).settled(ways.told(self.worlds, place, counts))

    def taken(self, place: int, title: int) -> "Account":
        """A card of the title that lay open came to the place."""
        return replace(
            self,
            unseen=more(self.unseen, title),
            noted=more(self.noted, title, -1),
            sizes=more(self.sizes, place),
            worlds=ways.gathered(ways.taken(self.worlds, place, title)),
        )

    def given(self, giver: int, taker: int, title: int) -> "Account":
        """A card of the title went from place to place."""
        sizes = more(more(self.sizes, giver, -1), taker)
        return replace(self, sizes=sizes).settled(ways.given(self.worlds, giver, taker, title))

    def moved(self, giver: int, taker: int) -> "Account":
        """A card went from place to place unseen."""
        sizes = more(more(self.sizes, giver, -1), taker)
        worlds = ways.gathered(ways.moved(self.worlds, giver, taker))
        return replace(self, sizes=sizes, worlds=worlds)

    def lacking(self, place: int, title: int) -> "Account":
        """No card of the place is of the title."""
        return self.settled(ways.lacking(self.worlds, place, title))

    def poured(self, giver: int, taker: int) -> "Account":
        """All cards of a place went to another unseen."""
        many = self.sizes[giver]
        sizes = more(more(self.sizes, giver, -many), taker, many)
        worlds = ways.gathered(ways.poured(self.worlds, giver, taker))
        return replace(self, sizes=sizes, worlds=worlds)

    def widened(self) -> "Account":
        """The same in one world: coarser, and right."""
        return self.settled(ways.each(ways.widened(self.worlds)))

    def settled(self, branches: Branches) -> "Account":
        """With these worlds, as far as they can be."""
        return replace(self, worlds=ways.settled(ways.gathered(branches), self.unseen))


def more(counts: Counts, place: int, number: int = 1) -> Counts:
    """The counts with ``number`` more in the place."""
    return (*counts[:place], counts[place] + number, *counts[place + 1 :])
