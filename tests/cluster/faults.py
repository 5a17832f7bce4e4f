"""Faults that tests inject into a fleet.

A fault is a coroutine that returns when the fault has ended. Afterwards every client must be up to
date again: connected, with all events that the log had when the check began, and with the current
presence.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from random import Random

from tests.cluster.client import SILENCE
from tests.cluster.fleet import Fleet, Process
from tests.cluster.games import Hall

Fault = Callable[[Fleet, Random], Awaitable[None]]

LONG_FREEZE = SILENCE + 2
"""A freeze of this many seconds is longer than clients wait, so they connect to another process."""

PATIENCE = 60.0
"""Seconds after which every client must be up to date again."""


async def kill_process(fleet: Fleet, chance: Random) -> None:
    """Kill one process and start it again a second later."""
    process = chance.choice(fleet.processes)
    await asyncio.to_thread(process.kill)
    await asyncio.sleep(1)
    await asyncio.to_thread(process.start)


def stop_redis(seconds: float) -> Fault:
    """Stop Redis for this many seconds. Redis loses its data."""

    async def stop_and_start(fleet: Fleet, chance: Random) -> None:
        fleet.redis.stop()
        await asyncio.sleep(seconds)
        await asyncio.to_thread(fleet.redis.start)

    return stop_and_start


def pause_redis(seconds: float) -> Fault:
    """Pause Redis for this many seconds. Its connections stay open."""

    async def pause(fleet: Fleet, chance: Random) -> None:
        with fleet.redis.pause():
            await asyncio.sleep(seconds)

    return pause


def stop_postgresql(seconds: float) -> Fault:
    """Stop PostgreSQL at once, and start it again after this many seconds."""

    async def stop_and_start(fleet: Fleet, chance: Random) -> None:
        await asyncio.to_thread(fleet.postgresql.stop)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(fleet.postgresql.start)

    return stop_and_start


def freeze_process(seconds: float) -> Fault:
    """Freeze one process for this many seconds."""

    async def freeze_and_thaw(fleet: Fleet, chance: Random) -> None:
        process: Process = chance.choice(fleet.processes)
        process.freeze()
        try:
            await asyncio.sleep(seconds)
        finally:
            process.thaw()

    return freeze_and_thaw


async def wait_until_up_to_date(hall: Hall) -> float:
    """Wait until every client at every table is up to date. Returns the seconds that this took.

    Games continue during the wait. A client must reach the version that its log had when the wait
    began. Finished games aren't checked.
    """
    began = time.monotonic()
    newest = await asyncio.to_thread(hall.fleet.get_newest_versions)
    games = [game for game in hall.games if game.is_running]
    while games := [
        game for game in games if game.is_running and game.list_outdated_clients(newest[game.table])
    ]:
        troubles = [
            trouble for game in games for trouble in game.list_outdated_clients(newest[game.table])
        ]
        assert time.monotonic() < began + PATIENCE, troubles
        await asyncio.sleep(0.02)
    return time.monotonic() - began


async def run_during_games(hall: Hall, fault: Fault, chance: Random) -> float:
    """Run a fault during the games. Returns the seconds until every client is up to date again."""
    await asyncio.sleep(chance.uniform(0.5, 2))
    await run_fault(hall, fault, chance)
    return await wait_until_up_to_date(hall)


async def run_fault(hall: Hall, fault: Fault, chance: Random) -> None:
    """Run a fault until it has ended. Games needn't make progress during it."""
    hall.standstill.active_faults += 1
    try:
        await fault(hall.fleet, chance)
    finally:
        hall.standstill.active_faults -= 1


async def freeze_processes(hall: Hall, every: float, chance: Random) -> None:
    """Freeze a random process every ``every`` seconds, until cancelled.

    Half of the freezes are too short for a client to notice. The others outlast its timeout, so it
    reconnects to another process.
    """
    while True:
        await asyncio.sleep(every)
        short = chance.random() < 0.5
        await run_fault(
            hall, freeze_process(chance.uniform(0.2, 4) if short else LONG_FREEZE), chance
        )
