"""Taking back the last thing that somebody said: by the host (ruling undo), or by whoever said it
if the others agree (ruling by-agreement)."""

from msgspec.structs import replace

from companion.rules.core import commands
from companion.rules.core import table_events as events
from companion.rules.core.commands import DecisionInputs
from companion.rules.core.events import Events
from companion.rules.core.model import Table, TableContext, UndoPoint, UndoRequest
from companion.rules.core.moves import ALWAYS, HOST, TableMove
from companion.rules.core.rulings import Refused, Stale

ASKED_MS = 15_000  # how long the others have to agree (ruling by-agreement)


def undo_point(table: Table) -> UndoPoint | None:
    """What would be taken back next, if anything may be."""
    return None if table.any_deck_opened else _last(table)


def _last(table: Table) -> UndoPoint | None:
    """The last word of the game, if words are taken back at this table."""
    playing = table.phase in ("play", "over") or table.ended is not None
    words = table.undoable if playing and table.options.take_back != "nobody" else ()
    return words[-1] if words else None


def _to_take_back(table: Table) -> UndoPoint:
    """The last word of the game; raises ``Refused`` where it stands (ruling undo)."""
    last = _last(table)
    if last is None or table.any_deck_opened:
        raise Refused("undo", case="opened" if last else "nothing")
    return last


def waits_for(table: Table, asked: UndoRequest) -> tuple[str, ...]:
    """Who has yet to agree, in order of play; the host alone is enough, too."""
    living = table.game.living if table.game else ()
    return tuple(seat for seat in living if seat != asked.seat and seat not in asked.agreed)


def may_agree(table: Table, seat: str) -> bool:
    asked = table.asked
    if asked is None or seat == asked.seat or seat in asked.agreed:
        return False
    return seat == table.host or seat in waits_for(table, asked)


def _undo(context: TableContext[commands.Undo]) -> Events:
    """The game goes back to before the last thing said; a window that was open starts anew."""
    table = context.table
    if table.options.take_back == "nobody":
        raise Refused("undo", case="nobody")
    return (_undo_to(table, context.inputs),)


def _ask_back(context: TableContext[commands.AskBack]) -> Events:
    """The others are asked; the game goes on meanwhile, and its next word is the answer."""
    table = context.table
    if table.options.take_back != "agreement":
        raise Refused("by-agreement", case=table.options.take_back)
    if table.asked is not None:
        raise Refused("by-agreement", case="asked", by=table.asked.seat)
    last = _to_take_back(table)
    if last.seat != context.seat:
        raise Refused("by-agreement", case="next", by=last.seat)
    return (events.BackAsked(seat=context.seat, until=context.inputs.now + ASKED_MS),)


def _agree(context: TableContext[commands.Agree]) -> Events:
    """Once the host or everybody else alive agrees, it is taken back."""
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
    if seat != table.host and waits_for(table, after):
        return (agreed,)
    return agreed, _undo_to(table, context.inputs, asked.seat)


def expire_request(table: Table, inputs: DecisionInputs) -> Events:
    """A request that not all agreed to in time, or whose clock was set back."""
    asked = table.asked
    if asked is None or inputs.now < asked.until <= inputs.now + ASKED_MS:
        return ()
    return (events.BackLapsed(seat=asked.seat),)


def _undo_to(table: Table, inputs: DecisionInputs, seat: str | None = None) -> events.Undone:
    past = _to_take_back(table)
    closes_at = inputs.now + table.options.nope_seconds * 1000 if past.game.window else None
    return events.Undone(version=past.version, closes_at=closes_at, seat=seat)


MOVES: tuple[TableMove, ...] = (
    TableMove(commands.Undo, ALWAYS, "undo", _undo, by=HOST),
    TableMove(commands.AskBack, ALWAYS, "by-agreement", _ask_back),
    TableMove(commands.Agree, ALWAYS, "by-agreement", _agree),
)
