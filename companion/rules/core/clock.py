"""What time brings about at a table: the ends of windows and of requests, and when that is.

This module must not know what starts one.
"""

from companion.rules.core import undo, windows
from companion.rules.core.commands import Moment
from companion.rules.core.events import Happened
from companion.rules.core.model import Table


def due(table: Table) -> int | None:
    """When the clock has something to do here, in ms since the epoch."""
    ends = (windows.due(table), table.asked.until if table.asked else None)
    return min((end for end in ends if end is not None), default=None)


def tick(table: Table, moment: Moment) -> tuple[Happened, ...]:
    """What the clock brings about at ``moment``: nothing before its time.

    A request lapses before a window ends, so that the end does not come of an old question.
    """
    return undo.lapses(table, moment) or windows.tick(table, moment)


def resume(table: Table, moment: Moment) -> tuple[Happened, ...]:
    """What a restart brings about, after which the clock may say another time."""
    return *undo.resume(table, moment), *windows.resume(table, moment)
