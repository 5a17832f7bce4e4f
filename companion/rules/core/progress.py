"""What the events that any game has change in it: windows, steps, going out, the end.

This module must not know what is allowed, nor what a card does.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.rules.core import events
from companion.rules.core.model import Game, Window

G = TypeVar("G", bound=Game)

Fold = Callable[[Any, Any, int], Any]


def with_player(game: Any, seat: str, **changes: Any) -> tuple[Any, ...]:
    """The players, one of them changed."""
    return tuple(replace(p, **changes) if p.seat == seat else p for p in game.players)


def with_turn(game: Any, **changes: Any) -> Any:
    """The turn, changed."""
    return None if game.turn is None else replace(game.turn, **changes)


def window(seconds: int, closes_at: int | None, version: int) -> Window | None:
    """A window that opens at this version, if one opens."""
    if closes_at is None:
        return None
    return Window(id=version, seconds=seconds, closes_at=closes_at)


def _change_window(game: G, **changes: Any) -> G:
    return game if game.window is None else replace(game, window=replace(game.window, **changes))


def _passed(game: G, event: events.Passed, version: int) -> G:
    passed = game.window.passed if game.window else ()
    return _change_window(game, passed=(*passed, event.seat))


def _held(game: G, event: events.Held, version: int) -> G:
    return _change_window(
        game,
        held=(*(game.window.held if game.window else ()), event.seat),
        held_by=event.seat,
        left_ms=event.left_ms,
        closes_at=event.until + event.left_ms,
    )


def _released(game: G, event: events.Released, version: int) -> G:
    return _change_window(game, held_by=None, left_ms=0, closes_at=event.closes_at)


def _window_extended(game: G, event: events.WindowExtended, version: int) -> G:
    return _change_window(game, closes_at=event.closes_at)


def _window_closed(game: G, event: events.WindowClosed, version: int) -> G:
    if event.counts:
        return replace(game, window=None)
    return replace(game, window=None, played=None, turn=with_turn(game, step="act"))


def _step_began(game: G, event: events.StepBegan, version: int) -> G:
    return replace(game, turn=with_turn(game, step=event.step))


FOLDS: dict[type, Fold] = {
    events.Passed: _passed,
    events.Held: _held,
    events.Released: _released,
    events.WindowExtended: _window_extended,
    events.WindowClosed: _window_closed,
    events.StepBegan: _step_began,
}
"""By kind of event: the game after it, given the version it makes."""
