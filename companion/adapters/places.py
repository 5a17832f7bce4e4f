"""The places that there are for connections, and who gives his up when all are taken.

Whoever sits at a table keeps his place, and so do those who watch, as long as a quarter of
all is left for seats. Everybody else only passes through, with a question or a long breath:
the one who came first goes first, so that a newcomer is always heard. This module must not
know what a connection is.
"""

from collections import OrderedDict
from collections.abc import Callable


class Place:
    """One connection's place; ``give_up`` ends the connection."""

    def __init__(self, give_up: Callable[[], None]) -> None:
        self.give_up = give_up


class Places:
    """So many places, a quarter of which is for seats alone."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._passing: OrderedDict[Place, None] = OrderedDict()
        self._seated: set[Place] = set()
        self._watching: set[Place] = set()

    def __len__(self) -> int:
        return len(self._passing) + len(self._seated) + len(self._watching)

    def take(self, give_up: Callable[[], None]) -> Place | None:
        """A place for a newcomer, if need be that of who passes through; else none."""
        if len(self) >= self.most and not self.clear():
            return None
        place = Place(give_up)
        self._passing[place] = None
        return place

    def clear(self) -> bool:
        """Takes the place of who has passed through for longest; whether there was anybody."""
        if not self._passing:
            return False
        place, _ = self._passing.popitem(last=False)
        place.give_up()
        return True

    def ask(self, place: Place) -> None:
        """Whoever passes through asks something new, and is the last to go."""
        if place in self._passing:
            self._passing.move_to_end(place)

    def keep(self, place: Place, *, seated: bool) -> None:
        """The place is kept from now on: for a seat always, for who watches while there is room."""
        if place not in self._passing:
            return
        if seated or len(self._watching) < self.most - max(1, self.most // 4):
            del self._passing[place]
            (self._seated if seated else self._watching).add(place)

    def leave(self, place: Place) -> None:
        """The connection is gone."""
        self._passing.pop(place, None)
        self._seated.discard(place)
        self._watching.discard(place)
