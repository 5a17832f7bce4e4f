"""Taking back the last thing that somebody said (ruling undo).

This module must not know what was said, nor what is restored.
"""

from companion.rules.core import commands, events
from companion.rules.core.commands import Word
from companion.rules.core.events import Happened
from companion.rules.core.model import Table
from companion.rules.core.rulings import Refused


def decide_undo(table: Table, word: Word[commands.Undo]) -> tuple[Happened, ...]:
    """The game goes back to before the last thing said; a window that was open starts anew."""
    playing = table.phase in ("play", "over") or table.ended is not None
    if not playing or not table.undoable:
        raise Refused("undo", case="nothing")
    past = table.undoable[-1]
    closes_at = word.moment.now + table.options.nope_seconds * 1000 if past.game.window else None
    return (events.Undone(version=past.version, closes_at=closes_at),)
