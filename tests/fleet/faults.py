"""What goes wrong under a fleet: each fault begins and ends, and then everyone must be right again.

A fault returns at its end. ``Right`` is who has seen all that the log had when it was asked, is
connected, and knows who is here.
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
"""Seconds after which whoever was at a process that is frozen is at another one."""

PATIENCE = 60.0
"""Seconds after which everyone was not right again."""


async def kill(fleet: Fleet, chance: Random) -> None:
    """The power of one process goes, and comes again a second later."""
    process = chance.choice(fleet.processes)
    await asyncio.to_thread(process.kill)
    await asyncio.sleep(1)
    await asyncio.to_thread(process.start)


def redis_away(seconds: float) -> Fault:
    """Redis is gone for so long, with all that it had."""

    async def away(fleet: Fleet, chance: Random) -> None:
        fleet.redis.stop()
        await asyncio.sleep(seconds)
        await asyncio.to_thread(fleet.redis.start)

    return away


def redis_silent(seconds: float) -> Fault:
    """Redis says nothing for so long, and hangs up on nobody."""

    async def silent(fleet: Fleet, chance: Random) -> None:
        with fleet.redis.silent():
            await asyncio.sleep(seconds)

    return silent


def postgresql_away(seconds: float) -> Fault:
    """PostgreSQL stops at once, and is started again so much later."""

    async def away(fleet: Fleet, chance: Random) -> None:
        await asyncio.to_thread(fleet.postgresql.stop)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(fleet.postgresql.start)

    return away


def freeze(seconds: float) -> Fault:
    """One process does nothing for so long."""

    async def frozen(fleet: Fleet, chance: Random) -> None:
        process: Process = chance.choice(fleet.processes)
        process.freeze()
        try:
            await asyncio.sleep(seconds)
        finally:
            process.thaw()

    return frozen


async def right_again(hall: Hall) -> float:
    """Seconds until everyone at every table is right.

    Games go on meanwhile: what counts is what the log had when it was asked, and a game that is
    over is over.
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
    """A fault in the middle of the games; gives the seconds until everyone is right again."""
    await asyncio.sleep(chance.uniform(0.5, 2))
    await happens(hall, fault, chance)
    return await right_again(hall)


async def happens(hall: Hall, fault: Fault, chance: Random) -> None:
    """A fault, from its beginning to its end: games that stand still meanwhile are excused."""
    hall.stood.faults += 1
    try:
        await fault(hall.fleet, chance)
    finally:
        hall.stood.faults -= 1


async def freezes(hall: Hall, every: float, chance: Random) -> None:
    """One process after the other is frozen, so many seconds apart; never returns.

    Half of the time for so short that nobody goes, and else for longer than a client waits.
    """
    while True:
        await asyncio.sleep(every)
        short = chance.random() < 0.5
        await happens(hall, freeze(chance.uniform(0.2, 4) if short else LONG), chance)
