"""The finished games of a log: where they stand in it, and what their table remembers of them.

A game's number is the view's ``game``: only a rematch raises it, and that takes a game that is
over.
"""

from collections import Counter
from functools import cached_property

from msgspec import Struct, structs

from companion.rules.core.events import Happened, WentOut, WindowClosed
from companion.rules.core.family import Json
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


class Spans:
    """Where the finished games of one log stand, by number, as far as it was read."""

    def __init__(self) -> None:
        self.by_number: dict[int, Span] = {}
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
            span = self.by_number[self._newest]
            late = (*span.late, after.version)
            self.by_number[self._newest] = structs.replace(span, late=late)
        elif _over(after) and not _over(before) and self._dealt is not None:
            self._newest = after.games
            self.by_number[after.games] = Span(self._dealt, after.version)
        elif _over(before) and isinstance(event, Undone):
            self.by_number.pop(after.games, None)
            self._newest = 0


class Deed(Struct, frozen=True):
    """What a seat did or suffered in the event ``version``: ``out``, or a ``nope`` that stuck."""

    version: int
    kind: str
    seat: str


class Result:
    """A game that is over: the table at its end (at this time in ms), and what its seats did."""

    def __init__(self, end: Table, at: int, deeds: tuple[Deed, ...]) -> None:
        self._end, self._at, self._deeds = end, at, deeds

    @cached_property
    def shown(self) -> Json:
        """The game as JSON has it, its players by place; worked out when it is first asked for."""
        assert self._end.game is not None
        out = [deed.seat for deed in self._deeds if deed.kind == "out"]
        nopes = Counter(deed.seat for deed in self._deeds if deed.kind == "nope")
        ranked = [self._end.game.winner, *reversed(out)]
        players = [self._player(str(seat), n, nopes) for n, seat in enumerate(ranked, 1)]
        return {"game": self._end.games, "at": self._at, "players": players}

    def _player(self, seat: str, place: int, nopes: Counter[str]) -> Json:
        part = self._end.family.shown.seats(self._end)[seat]
        view = part.show(*part.inputs)
        shown: Json = {
            key: view[key] for key in ("seat", "name", "robot", "out", "survival") if key in view
        }
        return {**shown, "place": place, "nopes": nopes[seat]}


class Results:
    """How the finished games of one log ended, by number, as far as it was read."""

    def __init__(self) -> None:
        self.by_number: dict[int, Result] = {}
        self._deeds: tuple[Deed, ...] = ()

    def add(self, before: Table, event: Happened, after: Table, at: int) -> None:
        """The next event."""
        if isinstance(event, Undone):
            self.by_number.pop(after.games, None)
            self._deeds = tuple(d for d in self._deeds if d.version < event.version)
        elif before.game is None and after.game is not None:
            self._deeds = ()
        self._deeds += _deeds(before, event, after.version)
        if after.game is not None and after.game.winner is not None and not _over(before):
            end = structs.replace(after, past=(), ended=None)
            self.by_number[after.games] = Result(end, at, self._deeds)


class History:
    """The finished games of one log, as far as it was read."""

    def __init__(self) -> None:
        self._spans, self._results = Spans(), Results()

    def add(self, before: Table, event: Happened, after: Table, at: int) -> None:
        """The next event, which happened at this time in ms."""
        self._spans.add(before, event, after)
        self._results.add(before, event, after, at)

    def span(self, number: int) -> Span | None:
        """The game with this number, if it is over."""
        return self._spans.by_number.get(number)

    def evening(self) -> Json:
        """What the table remembers of its finished games, as JSON has it."""
        return {"games": [result.shown for result in self._results.by_number.values()]}


def _deeds(before: Table, event: Happened, version: int) -> tuple[Deed, ...]:
    """A Nope stuck if what it wanted came to be: the last one's did, and every other before it."""
    if isinstance(event, WentOut):
        return (Deed(version, "out", event.seat),)
    if isinstance(event, WindowClosed) and before.game is not None and before.game.played:
        stuck = before.game.played.nopes[::-2]
        return tuple(Deed(version, "nope", seat) for seat in stuck)
    return ()


def _over(table: Table) -> bool:
    return table.game is not None and table.game.winner is not None
