"""The finished games of a log: where they stand in it, and what their table remembers of them. A
game's number is the view's ``game``: only a rematch raises it, after its end."""

from collections import Counter
from functools import cached_property

from msgspec import Struct, structs

from companion.rules.core.events import Event, WentOut, WindowClosed
from companion.rules.core.family import Json
from companion.rules.core.model import Table
from companion.rules.core.table_events import HouseRulesChanged, Prepared, Rematched, Undone


class Span(Struct, frozen=True):
    """A finished game: the table as its cards were to be prepared, by the last house rules, and
    what follows: all events up to the version ``last`` are the game's, and the ``late`` ones."""

    start: Table
    last: int
    late: tuple[int, ...] = ()

    @property
    def versions(self) -> list[int]:
        return [*range(self.start.version + 1, self.last + 1), *self.late]


class NotableEvent(Struct, frozen=True):
    """What a seat did or suffered in the event ``version``: ``out``, or a ``nope`` that stuck."""

    version: int
    kind: str
    seat: str


class Result:
    """A game that is over: the table at its end (at this time in ms), and what its seats did."""

    def __init__(self, end: Table, at: int, deeds: tuple[NotableEvent, ...]) -> None:
        self._end = end
        self._at = at
        self._deeds = deeds

    @cached_property
    def as_json(self) -> Json:
        """The game as JSON has it, its players by place; worked out when it is first asked for."""
        assert self._end.game is not None
        out = [deed.seat for deed in self._deeds if deed.kind == "out"]
        nopes = Counter(deed.seat for deed in self._deeds if deed.kind == "nope")
        ranked = [self._end.game.winner, *reversed(out)]
        players = [self._player(str(seat), n, nopes) for n, seat in enumerate(ranked, 1)]
        return {"game": self._end.games, "at": self._at, "players": players}

    def _player(self, seat: str, place: int, nopes: Counter[str]) -> Json:
        part = self._end.family.views.seats(self._end)[seat]
        view = part.show(*part.inputs)
        shown: Json = {
            key: view[key] for key in ("seat", "name", "robot", "out", "survival") if key in view
        }
        return {**shown, "place": place, "nopes": nopes[seat]}


class History:
    """The finished games of one log by number, as far as it was read: ``spans``, and results."""

    def __init__(self) -> None:
        self.spans: dict[int, Span] = {}
        self._results: dict[int, Result] = {}
        self._prepared: Table | None = None
        self._dealt: Table | None = None
        self._newest = 0
        self._deeds: tuple[NotableEvent, ...] = ()

    def add(self, before: Table, event: Event, after: Table, at: int) -> None:
        undone = isinstance(event, Undone)
        number = after.games
        begins = before.game is None and after.game is not None and not undone
        was_over = _over(before)
        over = _over(after)
        if isinstance(event, Prepared | Rematched | HouseRulesChanged):
            self._prepared = after
        elif begins:
            self._dealt = self._prepared
            self._newest = 0
            self._deeds = ()
        elif isinstance(event, Undone):
            self._results.pop(number, None)
            self._deeds = tuple(d for d in self._deeds if d.version < event.version)
        self._deeds += _deeds(before, event, after.version)
        if event.after_game and self._newest:
            span = self.spans[self._newest]
            self.spans[self._newest] = structs.replace(span, late=(*span.late, after.version))
        elif over and not was_over and self._dealt is not None:
            self._newest, self.spans[number] = number, Span(self._dealt, after.version)
        elif was_over and undone:
            self.spans.pop(number, None)
            self._newest = 0
        if over and not was_over:
            end = structs.replace(after, past=(), ended=None)
            self._results[number] = Result(end, at, self._deeds)

    def evening(self) -> Json:
        """What the table remembers of its finished games, as JSON has it."""
        return {"games": [result.as_json for result in self._results.values()]}


def _deeds(before: Table, event: Event, version: int) -> tuple[NotableEvent, ...]:
    """A Nope stuck if what it wanted came to be: the last one's did, and every other before it."""
    if isinstance(event, WentOut):
        return (NotableEvent(version, "out", event.seat),)
    if isinstance(event, WindowClosed) and before.game is not None and before.game.played:
        stuck = before.game.played.nopes[::-2]
        return tuple(NotableEvent(version, "nope", seat) for seat in stuck)
    return ()


def _over(table: Table) -> bool:
    return table.game is not None and table.game.winner is not None
