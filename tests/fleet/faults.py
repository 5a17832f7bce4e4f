"""Faults for a fleet. Each begins and ends, and then everyone must be right again.

A fault is a coroutine that returns at its end. A client is *right* if it is connected, has seen
everything that the log had when it was asked, and has the current presence.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from random import Random

from tests.fleet.fleet import Fleet, Process
from tests.fleet.games import Hall
from tests.fleet.line import SILENCE

Fault = Callable[[Fleet, Random], Awaitable[None]]

LONG = SILENCE + 2
"""Seconds after which the clients of a frozen process have connected to another one."""

PATIENCE = 60.0
"""Seconds after which everyone must be right again."""


async def kill(fleet: Fleet, chance: Random) -> None:
    """Kill one process and start it again a second later."""
    process = chance.choice(fleet.processes)
    await asyncio.to_thread(process.kill)
    await asyncio.sleep(1)
    await asyncio.to_thread(process.start)


def redis_away(seconds: float) -> Fault:
    """Stop Redis, which loses its data, for this many seconds."""

    async def away(fleet: Fleet, chance: Random) -> None:
        fleet.redis.stop()
        await asyncio.sleep(seconds)
        await asyncio.to_thread(fleet.redis.start)

    return away


def redis_silent(seconds: float) -> Fault:
    """Pause Redis for this many seconds; its connections stay open."""

    async def silent(fleet: Fleet, chance: Random) -> None:
        with fleet.redis.silent():
            await asyncio.sleep(seconds)

    return silent


def postgresql_away(seconds: float) -> Fault:
    """Stop PostgreSQL at once and start it again this many seconds later."""

    async def away(fleet: Fleet, chance: Random) -> None:
        await asyncio.to_thread(fleet.postgresql.stop)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(fleet.postgresql.start)

    return away


def freeze(seconds: float) -> Fault:
    """Freeze one process for this many seconds."""

    async def frozen(fleet: Fleet, chance: Random) -> None:
        process: Process = chance.choice(fleet.processes)
        process.freeze()
        try:
            await asyncio.sleep(seconds)
        finally:
            process.thaw()

    return frozen


async def right_again(hall: Hall) -> float:
    """Wait until everyone at every table is right. Returns the seconds that it took.

    Games go on meanwhile: clients must reach the log's end of the time of the call. Games that
    are over don't count.
    """
    began = time.monotonic()
    newest = await asyncio.to_thread(hall.fleet.newest)
    left = [game for game in hall.games if game.on]
    while left := [game for game in left if game.on and game.wrong(newest[game.table])]:
        late = [trouble for game in left for trouble in game.wrong(newest[game.table])]
        assert time.monotonic() < began + PATIENCE, late
        await asyncio.sleep(0.02)
    return time.monotonic() - began


async def during(hall: Hall, fault: Fault, chance: Random) -> float:
    """Let a fault happen during the games. Returns the seconds until everyone is right again."""
    await asyncio.sleep(chance.uniform(0.5, 2))
    await happens(hall, fault, chance)
    return await right_again(hall)


async def happens(hall: Hall, fault: Fault, chance: Random) -> None:
    """Run a fault to its end; games may stand still meanwhile."""
    hall.stood.faults += 1
    try:
        await fault(hall.fleet, chance)
    finally:
        hall.stood.faults -= 1


async def freezes(hall: Hall, every: float, chance: Random) -> None:
    """Freeze one process after the other, one each ``every`` seconds; never returns.

    Half of the freezes are too short for a client to leave; the others are longer than it waits.
    """
    while True:
        await asyncio.sleep(every)
        short = chance.random() < 0.5
        await happens(hall, freeze(chance.uniform(0.2, 4) if short else LONG), chance)
