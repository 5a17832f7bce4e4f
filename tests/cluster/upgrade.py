"""A rolling upgrade while robots play: every process is stopped and started again in turn."""

import asyncio
import time
from typing import NamedTuple

from tests.cluster.faults import wait_until_up_to_date
from tests.cluster.games import Hall


class UpgradeResult(NamedTuple):
    """What the clients noticed of an upgrade. Times are in seconds."""

    pause: float  # the longest time that any client had no connection
    wait: float  # the longest time that a command had no answer
    ended: float  # the longest time that a process took to stop
    refused: int  # number of answers that asked for a retry


async def upgrade_fleet(hall: Hall) -> UpgradeResult:
    """Stop and restart every process of the fleet, one after another."""
    clients = [fleet_client for game in hall.games for fleet_client in game.clients]
    for fleet_client in clients:
        fleet_client.pauses.clear()
        fleet_client.command_seconds.clear()
        fleet_client.retry_answers = 0
    ended = [0.0]
    for process in hall.fleet.processes:
        began = time.monotonic()
        assert await asyncio.to_thread(process.stop) == 0, process.log_lines[-5:]
        ended.append(time.monotonic() - began)
        await asyncio.to_thread(process.start)
        await wait_until_up_to_date(hall)
    return UpgradeResult(
        pause=max(
            (pause for fleet_client in clients for pause in fleet_client.pauses), default=0.0
        ),
        wait=max(
            (wait for fleet_client in clients for wait in fleet_client.command_seconds), default=0.0
        ),
        ended=max(ended),
        refused=sum(fleet_client.retry_answers for fleet_client in clients),
    )
