"""Whether a hand may hold five different cards (ruling five-different).

A Feral Cat among the five is whatever cat is missing, itself included: so any number of
them may be there, as long as there are cats enough for them to be.
"""

from dataclasses import dataclass
from functools import cached_property

from companion.rules.pile.marks import Counts, Marks, Titles, fits, reach

FIVE = 5


@dataclass(frozen=True, kw_only=True)
class Five:
    """The search in one hand as it may be; ``cats`` are the plain ones."""

    marks: Marks
    total: Marks
    unseen: Counts
    cats: Titles
    feral: Titles

    def found(self) -> bool:
        """Whether there are five; fives that can't be are left as soon as that is certain."""
        return self.at_most >= FIVE and self._grown((), 0)

    @property
    def at_most(self) -> int:
        """No five can have more of these cards."""
        return sum(
            many if mark & self.feral else min(many, mark.bit_count()) for mark, many in self.marks
        )

    @cached_property
    def titles(self) -> tuple[int, ...]:
        """What the hand may hold, the titles of which it is certain first."""
        surely = {mark for mark, _ in self.marks}
        titles = [n for n in range(len(self.unseen)) if reach(self.marks) >> n & 1]
        return tuple(sorted(titles, key=lambda title: (1 << title not in surely, title)))

    def _grown(self, some: tuple[int, ...], start: int) -> bool:
        """Whether these, with others from ``start`` on, may be the five."""
        if len(some) == FIVE:
            return True
        for at, title in enumerate(self.titles[start:], start):
            again = at if 1 << title == self.feral else at + 1
            if self._may_be((*some, title)) and self._grown((*some, title), again):
                return True
        return False

    def _may_be(self, some: tuple[int, ...]) -> bool:
        kinds = (self.cats | self.feral).bit_count()
        asked = sum(1 << title & (self.cats | self.feral) != 0 for title in some)
        return asked <= kinds and fits(self.marks, self.total, self.unseen, some)
