"""Several processes that serve the same tables, on a real PostgreSQL and a real Redis.

The long form, with its figures, is ``python -m benchmarks.fleet``.
"""

import asyncio
from collections.abc import Iterator
from random import Random

import pytest

from tests.fleet import faults
from tests.fleet.fleet import Fleet
from tests.fleet.games import Hall

pytestmark = [pytest.mark.postgresql, pytest.mark.redis, pytest.mark.slow]


@pytest.fixture(scope="module")
def alone() -> Iterator[Fleet]:
    """One process, as most run it: without a bus."""
    with Fleet(1) as fleet:
        yield fleet


def test_one_process_comes_through_a_kill_and_a_restart_of_postgresql(alone: Fleet) -> None:
    async def play() -> None:
        hall, chance = Hall(alone, seed=1), Random(1)
        async with asyncio.TaskGroup() as group:
            group.create_task(hall.fill(tables=2, games=2))
            await faults.during(hall, faults.kill, chance)
            await faults.during(hall, faults.postgresql_away(0.5), chance)
            hall.enough()
        assert hall.checked.answers > 0

    asyncio.run(play())
