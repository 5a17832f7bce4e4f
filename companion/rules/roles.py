"""Who may say a thing: the turn player, the instructor, a Favor's target and so on.

This module must not know in which step which of them is asked.
"""

from collections.abc import Callable

from msgspec import Struct

from companion.rules.model import Game, Table


class Who(Struct, frozen=True):
    """A role: its name in the docs, who has it now, and the ruling which refuses others."""

    name: str
    seats: Callable[[Table, Game], tuple[str, ...]]
    ruling: str


def _turn_player(table: Table, game: Game) -> tuple[str, ...]:
    return (game.turn.seat,) if game.turn else ()


def _instructor(table: Table, game: Game) -> tuple[str, ...]:
    return (game.before(game.turn.seat),) if game.turn else ()


def _target(table: Table, game: Game) -> tuple[str, ...]:
    waits = game.turn is not None and game.turn.step == "reveal" and game.played is not None
    return (game.played.target or "",) if waits and game.played else game.living


def _holder(table: Table, game: Game) -> tuple[str, ...]:
    if game.window is None or game.window.held_by is None:
        return game.living
    host = table.host if table.host in game.living else None
    return tuple({game.window.held_by: 0, **({host: 0} if host else {})})


def _host(table: Table, game: Game) -> tuple[str, ...]:
    return (table.host,) if table.host else ()


def _caller(table: Table, game: Game) -> tuple[str, ...]:
    return (game.caller,) if game.caller else game.living


def _living(table: Table, game: Game) -> tuple[str, ...]:
    return game.living


TURN_PLAYER = Who("turn player", _turn_player, "own-turn")
INSTRUCTOR = Who("instructor", _instructor, "told-by-previous")
TARGET = Who("Favor's target", _target, "favor-turns-one-up")
HOLDER = Who("holder or host", _holder, "hold")
HOST = Who("host", _host, "host-only")
CALLER = Who("caller", _caller, "roll-call")
ALIVE = Who("any living player", _living, "out-is-out")
