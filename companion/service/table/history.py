"""Finds the finished games in a log: which events belong to each game, and its result.

A game's number is ``game`` in the view. Only a rematch increases it, after the game has ended.
"""

from collections import Counter
from functools import cached_property

from msgspec import Struct, structs

from companion.rules.core.events import WentOut, WindowClosed
from companion.rules.core.state import Table
from companion.rules.core.table_events import HouseRulesChanged, Prepared, Rematched, Undone
from companion.rules.core.types import Event, Json


class Span(Struct, frozen=True):
    """The events of a finished game: those from ``start`` to ``last``, and the ``late`` events."""

    start: Table  # the table before its cards were prepared, with the house rules of the game
    last: int  # version of the event that ended the game
    late: tuple[int, ...] = ()  # versions of events after the end that belong to the game

    @property
    def versions(self) -> list[int]:
        """The versions of all events of the game."""
        return [*range(self.start.version + 1, self.last + 1), *self.late]


class NotableEvent(Struct, frozen=True):
    """An event that counts in a seat's result: the seat went out, or its Nope took effect."""

    version: int
    kind: str  # "out" or "nope"
    seat: str


class Result:
    """The result of a finished game."""

    def __init__(self, end: Table, at: int, notable: tuple[NotableEvent, ...]) -> None:
        """``end`` is the table at the end of the game, ``at`` the time of the end in ms."""
        self._end = end
        self._at = at
        self._notable = notable

    @cached_property
    def as_json(self) -> Json:
        """The result as JSON, with the players by rank. Computed when it is first needed."""
        assert self._end.game is not None
        out = [event.seat for event in self._notable if event.kind == "out"]
        nopes = Counter(event.seat for event in self._notable if event.kind == "nope")
        ranked = [self._end.game.winner, *reversed(out)]
        players = [self._player_result(str(seat), n, nopes) for n, seat in enumerate(ranked, 1)]
        return {"game": self._end.games, "at": self._at, "players": players}

    def _player_result(self, seat: str, place: int, nopes: Counter[str]) -> Json:
        part = self._end.family.views.seats(self._end)[seat]
        view = part.show(*part.inputs)
        keys = ("seat", "name", "robot", "out", "survival")
        player: Json = {key: view[key] for key in keys if key in view}
        return {**player, "place": place, "nopes": nopes[seat]}


class History:
    """The finished games of one log, by number, as far as the log has been read."""

    def __init__(self) -> None:
        self.spans: dict[int, Span] = {}
        self._results: dict[int, Result] = {}
        # the table when the last setup of a game began, or when house rules changed after that
        self._prepared: Table | None = None
        # the value of ``_prepared`` when the current or last game began
        self._dealt: Table | None = None
        self._newest = 0  # number of the newest finished game; 0 during a game
        self._notable: tuple[NotableEvent, ...] = ()  # notable events of the current or last game

    def add(self, before: Table, event: Event, after: Table, at: int) -> None:
        """Process the next event, with the table before and after it."""
        undone = isinstance(event, Undone)
        number = after.games
        begins = before.game is None and after.game is not None and not undone
        was_over = _is_over(before)
        over = _is_over(after)
        if isinstance(event, Prepared | Rematched | HouseRulesChanged):
            self._prepared = after
        elif begins:
            self._dealt = self._prepared
            self._newest = 0
            self._notable = ()
        elif isinstance(event, Undone):
            self._results.pop(number, None)
            self._notable = tuple(n for n in self._notable if n.version < event.version)
        self._notable += _notable_events(before, event, after.version)
        if event.after_game and self._newest:
            span = self.spans[self._newest]
            self.spans[self._newest] = structs.replace(span, late=(*span.late, after.version))
        elif over and not was_over and self._dealt is not None:
            self._newest = number
            self.spans[number] = Span(self._dealt, after.version)
        elif was_over and undone:
            self.spans.pop(number, None)
            self._newest = 0
        if over and not was_over:
            end = structs.replace(after, past=(), ended=None)
            self._results[number] = Result(end, at, self._notable)

    def results_as_json(self) -> Json:
        """Return the results of all finished games as JSON."""
        return {"games": [result.as_json for result in self._results.values()]}


def _notable_events(before: Table, event: Event, version: int) -> tuple[NotableEvent, ...]:
    """Return what this event contributes to the seats' results.

    Nopes on one card alternate between stopping the card and allowing it. The last Nope took
    effect, and so did every second Nope before it.
    """
    if isinstance(event, WentOut):
        return (NotableEvent(version, "out", event.seat),)
    if isinstance(event, WindowClosed) and before.game is not None and before.game.played:
        seats = before.game.played.nopes[::-2]
        return tuple(NotableEvent(version, "nope", seat) for seat in seats)
    return ()


def _is_over(table: Table) -> bool:
    return table.game is not None and table.game.winner is not None
