"""A rolling upgrade under robots: each process ends in good order, and another one follows it."""

import asyncio
import time
from typing import NamedTuple

from tests.fleet.faults import right_again
from tests.fleet.games import Hall


class Upgraded(NamedTuple):
    """``pause``: the longest for which any client had no connection, ``wait``: the longest for
    which a command had no answer, ``ended``: the longest that a process took to end, all in
    seconds; ``refused``: commands that were answered with try again."""

    pause: float
    wait: float
    ended: float
    refused: int


async def upgrade(hall: Hall) -> Upgraded:
    """Every process of the fleet ends and has a successor, one after the other."""
    lines = [line for game in hall.games for line in game.lines]
    for line in lines:
        line.pauses.clear()
        line.waits.clear()
        line.again = 0
    ended = [0.0]
    for process in hall.fleet.processes:
        began = time.monotonic()
        assert await asyncio.to_thread(process.stop) == 0, process.log_lines[-5:]
        ended.append(time.monotonic() - began)
        await asyncio.to_thread(process.start)
        await right_again(hall)
    return Upgraded(
        pause=max((pause for line in lines for pause in line.pauses), default=0.0),
        wait=max((wait for line in lines for wait in line.waits), default=0.0),
        ended=max(ended),
        refused=sum(line.again for line in lines),
    )
