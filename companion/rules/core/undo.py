"""Undo of the last command in a game.

The host can undo a command (ruling undo). The player who sent the command can undo it if the others
agree (ruling by-agreement).
"""

from msgspec.structs import replace

from companion.rules.core import commands
from companion.rules.core import table_events as events
from companion.rules.core.commands import DecisionInputs
from companion.rules.core.moves import HOST, TableMove
from companion.rules.core.state import Table, TableContext, UndoPoint, UndoRequest
from companion.rules.core.types import ALWAYS, Events
from companion.rules.core.windows import automatic_passes
from companion.rules.text.rulings import Refused, Stale

ASKED_MS = 15_000  # time in which the others can agree (ruling by-agreement)


def undo_point(table: Table) -> UndoPoint | None:
    """Return the point that the next undo would go back to, or None if nothing can be undone."""
    return None if table.any_deck_opened else _last_undo_point(table)


def _last_undo_point(table: Table) -> UndoPoint | None:
    """Return the newest undo point, or None if there is no such point or the options don't allow an
    undo.

    An undo is also impossible after a device has published its deck's secret. This function doesn't
    check that.
    """
    playing = table.phase in ("play", "over") or table.ended is not None
    points = table.undo_points if playing and table.options.take_back != "nobody" else ()
    return points[-1] if points else None


def _require_undo_point(table: Table) -> UndoPoint:
    """Return the newest undo point; raises ``Refused`` if nothing can be undone (ruling undo)."""
    point = _last_undo_point(table)
    if point is None or table.any_deck_opened:
        raise Refused("undo", case="opened" if point else "nothing")
    return point


def seats_to_agree(table: Table, asked: UndoRequest) -> tuple[str, ...]:
    """Return the living seats that haven't agreed to the request yet, in order of play.

    The seat that made the request isn't one of them. The host's agreement alone is also
    enough for an undo.
    """
    living = table.game.living if table.game else ()
    return tuple(seat for seat in living if seat != asked.seat and seat not in asked.agreed)


def may_agree(table: Table, seat: str) -> bool:
    """Return True if the seat can agree to the open request for an undo."""
    asked = table.asked
    if asked is None or seat == asked.seat or seat in asked.agreed:
        return False
    return seat == table.host or seat in seats_to_agree(table, asked)


def _undo(context: TableContext[commands.Undo]) -> Events:
    """Undo the last command. A window that was open before that command opens again, with its full
    time."""
    table = context.table
    if table.options.take_back == "nobody":
        raise Refused("undo", case="nobody")
    return _undo_to(table, context.inputs)


def _ask_back(context: TableContext[commands.AskBack]) -> Events:
    """Open a request for an undo. The game goes on, and the next command cancels the request."""
    table = context.table
    if table.options.take_back != "agreement":
        raise Refused("by-agreement", case=table.options.take_back)
    if table.asked is not None:
        raise Refused("by-agreement", case="asked", by=table.asked.seat)
    point = _require_undo_point(table)
    if point.seat != context.seat:
        raise Refused("by-agreement", case="next", by=point.seat)
    return (events.BackAsked(seat=context.seat, until=context.inputs.now + ASKED_MS),)


def _agree(context: TableContext[commands.Agree]) -> Events:
    """Record an agreement, and undo once the host or all other living players have agreed."""
    table = context.table
    seat = context.seat
    asked = table.asked
    if asked is None:
        raise Refused("by-agreement", case="nothing")
    if context.command.asked != asked.id:
        raise Stale("by-agreement", case="nothing")
    if seat == asked.seat:
        raise Refused("by-agreement", case="own", seat=seat)
    if seat in asked.agreed:
        raise Refused("by-agreement", case="again", seat=seat)
    if not may_agree(table, seat):
        raise Refused("out-is-out", seat=seat)
    agreed = events.BackAgreed(seat=seat, by=asked.seat)
    after = replace(asked, agreed=(*asked.agreed, seat))
    if seat != table.host and seats_to_agree(table, after):
        return (agreed,)
    return agreed, *_undo_to(agreed.table_after(table), context.inputs, asked.seat)


def expire_request(table: Table, inputs: DecisionInputs) -> Events:
    """Return the event that ends the open request if it has timed out, or else no event.

    The request also ends if it would stay open for longer than ``ASKED_MS`` from now. This happens
    if somebody has set the clock back.
    """
    asked = table.asked
    if asked is None or inputs.now < asked.until <= inputs.now + ASKED_MS:
        return ()
    return (events.BackLapsed(seat=asked.seat),)


def _undo_to(table: Table, inputs: DecisionInputs, seat: str | None = None) -> Events:
    """Return the event of the undo. If the undo opens a window again, also return the passes of the
    players who pass automatically."""
    point = _require_undo_point(table)
    closes_at = inputs.now + table.options.nope_seconds * 1000 if point.game.window else None
    undone = events.Undone(version=point.version, closes_at=closes_at, seat=seat)
    return undone, *automatic_passes(table, undone)


MOVES: tuple[TableMove, ...] = (
    TableMove(commands.Undo, ALWAYS, "undo", _undo, by=HOST),
    TableMove(commands.AskBack, ALWAYS, "by-agreement", _ask_back),
    TableMove(commands.Agree, ALWAYS, "by-agreement", _agree),
)
