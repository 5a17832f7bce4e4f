"""Where in a table's log its finished games stand.

A game's number is the view's ``game``: only a rematch raises it, and that takes a game that is
over. This module must not know what is made of a game.
"""

from msgspec import Struct, structs

from companion.rules.core.events import Happened
from companion.rules.core.model import Table
from companion.rules.core.table_events import Prepared, Rematched, Undone


class Span(Struct, frozen=True):
    """A finished game: the table as its cards were to be prepared, and the versions that follow.

    All events up to the version ``last`` are the game's, and of what came after it those in
    ``late``.
    """

    start: Table
    last: int
    late: tuple[int, ...] = ()

    @property
    def versions(self) -> list[int]:
        """The versions of the game's events, in order."""
        return [*range(self.start.version + 1, self.last + 1), *self.late]


class Finished:
    """The finished games of one log, by number, as far as it was read."""

    def __init__(self) -> None:
        self._spans: dict[int, Span] = {}
        self._prepared: Table | None = None
        self._dealt: Table | None = None
        self._newest = 0

    def add(self, before: Table, event: Happened, after: Table) -> None:
        """The next event."""
        if isinstance(event, Prepared | Rematched):
            self._prepared = after
        elif before.game is None and after.game is not None and not isinstance(event, Undone):
            self._dealt, self._newest = self._prepared, 0
        if event.late and self._newest:
            span = self._spans[self._newest]
            late = (*span.late, after.version)
            self._spans[self._newest] = structs.replace(span, late=late)
        elif _over(after) and not _over(before) and self._dealt is not None:
            self._newest = after.games
            self._spans[after.games] = Span(self._dealt, after.version)
        elif _over(before) and isinstance(event, Undone):
            self._spans.pop(after.games, None)
            self._newest = 0

    def game(self, number: int) -> Span | None:
        """The game with this number, if it is over."""
        return self._spans.get(number)


def _over(table: Table) -> bool:
    return table.game is not None and table.game.winner is not None
