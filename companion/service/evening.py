"""What a table remembers of its games: who won, who went out when, whose Nopes stuck, how lucky.

This module must not know how it is shown.
"""

from collections import Counter
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.core.events import Happened, WentOut, WindowClosed
from companion.rules.core.model import Table
from companion.rules.core.table_events import Undone


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
    def shown(self) -> dict[str, Any]:
        """The game as JSON has it, its players by place; worked out when it is first asked for."""
        assert self._end.game is not None
        out = [deed.seat for deed in self._deeds if deed.kind == "out"]
        nopes = Counter(deed.seat for deed in self._deeds if deed.kind == "nope")
        ranked = [self._end.game.winner, *reversed(out)]
        players = [self._player(str(seat), n, nopes) for n, seat in enumerate(ranked, 1)]
        return {"game": self._end.games, "at": self._at, "players": players}

    def _player(self, seat: str, place: int, nopes: Counter[str]) -> dict[str, Any]:
        view = self._end.family.shown.seat(self._end, self._end.seat(seat))
        shown: dict[str, Any] = {
            key: view[key] for key in ("seat", "name", "robot", "out", "survival") if key in view
        }
        return {**shown, "place": place, "nopes": nopes[seat]}


class Evening:
    """The finished games of one log, by number, as far as it was read."""

    def __init__(self) -> None:
        self._results: dict[int, Result] = {}
        self._deeds: tuple[Deed, ...] = ()

    def add(self, before: Table, event: Happened, after: Table, at: int) -> None:
        """The next event."""
        if isinstance(event, Undone):
            self._results.pop(after.games, None)
            self._deeds = tuple(d for d in self._deeds if d.version < event.version)
        elif before.game is None and after.game is not None:
            self._deeds = ()
        self._deeds += _deeds(before, event, after.version)
        if after.game is not None and after.game.winner is not None and not _over(before):
            end = replace(after, past=(), ended=None)
            self._results[after.games] = Result(end, at, self._deeds)

    def shown(self) -> dict[str, Any]:
        """The evening as JSON has it."""
        return {"games": [result.shown for result in self._results.values()]}


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
