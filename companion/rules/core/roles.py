"""Who may say a thing: the turn player, any living player, the host and so on.

A family has roles of its own. This module must not know in which step which of them is asked.
"""

from companion.rules.core.machine import Who
from companion.rules.core.model import Game, Table


def _turn_player(table: Table, game: Game) -> tuple[str, ...]:
    return (game.turn.seat,) if game.turn else ()


def _holder(table: Table, game: Game) -> tuple[str, ...]:
    if game.window is None or game.window.held_by is None:
        return game.living
    host = table.host if table.host in game.living else None
    return tuple({game.window.held_by: 0, **({host: 0} if host else {})})


def _host(table: Table, game: Game) -> tuple[str, ...]:
    return (table.host,) if table.host else ()


def _living(table: Table, game: Game) -> tuple[str, ...]:
    return game.living


TURN_PLAYER = Who("turn player", _turn_player, "own-turn")
HOLDER = Who("holder or host", _holder, "hold")
HOST = Who("host", _host, "host-only")
ALIVE = Who("any living player", _living, "out-is-out")
