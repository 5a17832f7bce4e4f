"""The places that there are for connections, and who gives his up when all are taken.

Whoever sits at a table keeps his place, and so do those who watch, as long as a quarter of
all is left for seats. Everybody else only passes through, with a question or a long breath:
the one who came first goes first, so that a newcomer is always heard.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable

log = logging.getLogger("companion")

PASSING = 16
"""So many more than there are to keep are for who passes through: a seat that comes back is
heard, and so is a question after the server's health, when all others are kept."""

SPARE_FILES = 128
"""So many of the files that a process may have open are for other things than connections."""

Place = Callable[[], None]
"""One connection's place: what ends the connection if it has to give it up."""


def room_for(connections: int) -> int:
    """How many there is room for, once this process may have as many files open as it can."""
    try:
        import resource
    except ImportError:  # Windows has none, and no such limit
        return connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    except (OSError, ValueError):  # some systems take no "unlimited"
        pass
    if soft == resource.RLIM_INFINITY or soft >= connections + SPARE_FILES:
        return connections
    room = max(soft // 4, soft - SPARE_FILES)
    log.info('{"what":"limited","files":%d,"connections":%d}', soft, room)
    return room


class Places:
    """So many places to keep, a quarter of which is for seats alone, and some to pass through."""

    def __init__(self, most: int, passing: int = PASSING) -> None:
        self.most, self.all = most, most + passing
        self._passing: OrderedDict[Place, None] = OrderedDict()
        self._seated: set[Place] = set()
        self._watching: set[Place] = set()

    def __len__(self) -> int:
        return len(self._passing) + len(self._seated) + len(self._watching)

    def take(self, give_up: Callable[[], None]) -> Place | None:
        """A place for a newcomer, if need be that of who passes through; else none."""
        if len(self) >= self.all and not self.clear():
            return None
        self._passing[give_up] = None
        return give_up

    def clear(self) -> bool:
        """Takes the place of who has passed through for longest; whether there was anybody."""
        if not self._passing:
            return False
        give_up, _ = self._passing.popitem(last=False)
        give_up()
        return True

    def ask(self, place: Place) -> None:
        """Whoever passes through asks something new, and is the last to go."""
        if place in self._passing:
            self._passing.move_to_end(place)

    def keep(self, place: Place | None, *, seated: bool) -> None:
        """The place is kept from now on: for a seat always, for who watches while there is room."""
        kept = len(self._seated) + len(self._watching)
        if place is None or place not in self._passing or kept >= self.most:
            return
        if seated or len(self._watching) < self.most - max(1, self.most // 4):
            del self._passing[place]
            (self._seated if seated else self._watching).add(place)

    def leave(self, place: Place | None) -> None:
        """The connection is gone."""
        if place is not None:
            self._passing.pop(place, None)
            self._seated.discard(place)
            self._watching.discard(place)
