"""A rolling upgrade while robots play: every process is stopped and started again in turn."""

import asyncio
import time
from typing import NamedTuple

from tests.fleet.faults import right_again
from tests.fleet.games import Hall


class Upgraded(NamedTuple):
    """What the clients noticed of an upgrade. Times are in seconds."""

    pause: float  # the longest time that any client had no connection
    wait: float  # the longest time that a command had no answer
    ended: float  # the longest time that a process took to stop
    refused: int  # number of answers that asked for a retry


async def upgrade(hall: Hall) -> Upgraded:
    """Stop and restart every process of the fleet, one after another."""
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
