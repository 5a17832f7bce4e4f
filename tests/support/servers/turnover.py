"""Create tables, play for a while and leave them, and measure the server's memory meanwhile."""

import asyncio
import time

from tests.support.servers.load import read_resident_bytes
from tests.support.servers.load_tables import RealTable

ROWS = 20
"""Number of memory samples."""


async def play_table(url: str, seed: int, commands: int) -> None:
    """Play at one table: five players connect, send commands and disconnect."""
    # Use another thread, because this thread has to answer pings.
    table = await asyncio.to_thread(RealTable, url, seed, True)
    try:
        await table.open(int(url.rpartition(":")[2]))
        for _ in range(commands):
            await table.step()
    finally:
        table.close()


async def measure_memory(
    url: str, process: int, tables: int, seconds: float, commands: int
) -> list[float]:
    """Play tables, spread evenly over the time. Return ``ROWS`` samples of the memory in MB."""
    found: list[float] = []
    began = time.monotonic()
    every = seconds / tables
    sitting: set[asyncio.Task[None]] = set()
    for number in range(tables):
        await asyncio.sleep(began + number * every - time.monotonic())
        sitting.add(asyncio.create_task(play_table(url, number, commands)))
        done = {task for task in sitting if task.done()}
        sitting -= done
        await asyncio.gather(*done)
        if (number + 1) * ROWS // tables > len(found):
            found.append(read_resident_bytes(process) / 1e6)
    await asyncio.gather(*sitting)
    return found
