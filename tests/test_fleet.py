"""Several processes that serve the same tables, on a real PostgreSQL and a real Redis.

What holds in whichever order things go wrong is shown by the worlds (``tests/test_world.py``).
The long form, with its figures, is ``python -m benchmarks.fleet``.
"""

import asyncio
from collections.abc import Iterator
from random import Random

import pytest

from tests.fleet import faults, races
from tests.fleet.fleet import Fleet
from tests.fleet.games import Hall
from tests.fleet.upgrade import Upgraded, upgrade
from tests.promises.races import SECONDS, short_windows
from tests.timed import LENIENCE

pytestmark = [pytest.mark.postgresql, pytest.mark.redis, pytest.mark.slow]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    """Two processes and what they share."""
    variants = short_windows(tmp_path_factory.mktemp("fleet") / "variants")
    with Fleet(2, COMPANION_VARIANTS_DIR=str(variants)) as fleet:
        yield fleet


async def _played_through(fleet: Fleet, wrong: list[faults.Fault], games: int) -> Hall:
    """Games during which all of this goes wrong, one after the other."""
    hall = Hall(fleet, seed=1)
    chance = Random(1)
    async with asyncio.TaskGroup() as group:
        group.create_task(hall.fill(tables=games, games=games))
        for fault in wrong:
            await faults.during(hall, fault, chance)
        hall.enough()
    return hall


def test_one_process_comes_through_a_kill_and_a_restart_of_postgresql() -> None:
    with Fleet(1) as alone:
        wrong = [faults.kill, faults.postgresql_away(0.5)]
        hall = asyncio.run(_played_through(alone, wrong, games=2))
    assert hall.checked.answers > 0


@pytest.mark.timed
def test_games_across_processes_survive_any_fault(two: Fleet) -> None:
    wrong = [
        faults.kill,
        faults.redis_away(2),
        faults.redis_silent(2),
        faults.postgresql_away(0.5),
        faults.freeze(3),
    ]
    hall = asyncio.run(_played_through(two, wrong, games=4))
    assert hall.checked.answers > 0 and hall.checked.windows > 0
    assert hall.stood.longest < 5 * LENIENCE, hall.stood.what


def test_a_nope_and_the_end_of_its_window_have_one_outcome_across_processes(two: Fleet) -> None:
    race = races.windows(two, tables=5, races=30, seed=1, seconds=SECONDS, rounds=6)
    outcomes, checked = asyncio.run(race)
    assert outcomes.total() >= 30 and checked.windows >= outcomes["window_closed"]


def test_a_command_sent_through_two_processes_happens_once(two: Fleet) -> None:
    assert asyncio.run(races.same_command(two, times=4, seed=1)).answers == 4


def test_of_two_commands_at_one_version_through_two_processes_one_is_first(two: Fleet) -> None:
    assert asyncio.run(races.same_version(two, times=4, seed=1)).answers == 8


@pytest.mark.timed
def test_an_upgrade_of_one_process_after_the_other_refuses_and_pauses_nobody(two: Fleet) -> None:
    async def upgrade_under_play() -> Upgraded:
        hall = Hall(two, seed=2, pace=0.03)
        async with asyncio.TaskGroup() as group:
            group.create_task(hall.fill(tables=3, games=3))
            await asyncio.sleep(1)
            found = await upgrade(hall)
            hall.enough()
        return found

    found = asyncio.run(upgrade_under_play())
    assert found.refused == 0
    assert found.pause < 2 * LENIENCE and found.ended < 10 * LENIENCE, found
