"""Games on several processes that share a real PostgreSQL and a real Redis.

The simulated worlds (``tests/simulation/test_world.py``) try faults in every order. ``python -m
tests.cluster.long_run`` is a longer run with figures.
"""

import asyncio
from collections.abc import Iterator
from random import Random

import pytest

from tests.cluster import faults, races
from tests.cluster.fleet import Fleet
from tests.cluster.games import Hall
from tests.cluster.upgrade import UpgradeResult, upgrade_fleet
from tests.guarantees.races import SECONDS, copy_variants_with_short_windows
from tests.support.aio import run_coroutine
from tests.support.timed import LENIENCE

pytestmark = [pytest.mark.postgresql, pytest.mark.redis, pytest.mark.slow]


@pytest.fixture(scope="module")
def two_processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    """Start two processes with one database and one Redis."""
    variants = copy_variants_with_short_windows(tmp_path_factory.mktemp("fleet") / "variants")
    with Fleet(2, COMPANION_VARIANTS_DIR=str(variants)) as fleet:
        yield fleet


async def play_through_faults(
    fleet: Fleet, fault_list: list[faults.Fault], games: int, pace: float = 0
) -> Hall:
    """Play games at this pace while these faults happen one after the other."""
    hall = Hall(fleet, seed=1, pace=pace)
    chance = Random(1)
    async with asyncio.TaskGroup() as group:
        group.create_task(hall.play_games(tables=games, games=games))
        for fault in fault_list:
            await faults.run_during_games(hall, fault, chance)
        hall.allow_end()
    return hall


def test_games_on_one_process_survive_a_kill_and_a_restart_of_postgresql() -> None:
    with Fleet(1) as one_process:
        fault_list = [faults.kill_process, faults.stop_postgresql(0.5)]
        hall = run_coroutine(play_through_faults(one_process, fault_list, games=1))
    assert hall.checked.answers > 0


@pytest.mark.timed
def test_games_across_processes_survive_any_fault(two_processes: Fleet) -> None:
    fault_list = [
        faults.kill_process,
        faults.stop_redis(2),
        faults.pause_redis(2),
        faults.stop_postgresql(0.5),
        faults.freeze_process(3),
    ]
    # with pauses, games last for several faults
    hall = run_coroutine(play_through_faults(two_processes, fault_list, games=2, pace=0.02))
    assert hall.checked.answers > 0 and hall.checked.windows > 0
    assert hall.standstill.longest < 5 * LENIENCE, hall.standstill.longest_at


def test_a_nope_and_the_end_of_its_window_have_one_outcome_across_processes(
    two_processes: Fleet,
) -> None:
    race = races.race_nopes(two_processes, tables=5, races=30, seed=1, seconds=SECONDS, rounds=6)
    outcomes, checked = run_coroutine(race)
    assert outcomes.total() >= 30 and checked.windows >= outcomes["window_closed"]


def test_a_command_sent_through_two_processes_takes_effect_once(two_processes: Fleet) -> None:
    assert run_coroutine(races.race_same_command(two_processes, times=4, seed=1)).answers == 4


def test_two_commands_at_one_version_through_two_processes_are_ordered(
    two_processes: Fleet,
) -> None:
    assert run_coroutine(races.race_same_version(two_processes, times=4, seed=1)).answers == 8


@pytest.mark.timed
def test_a_rolling_upgrade_refuses_and_delays_no_command(
    two_processes: Fleet,
) -> None:
    async def upgrade_under_play() -> UpgradeResult:
        hall = Hall(two_processes, seed=2, pace=0.05)
        async with asyncio.TaskGroup() as group:
            group.create_task(hall.play_games(tables=2, games=2))
            await asyncio.sleep(1)
            upgraded = await upgrade_fleet(hall)
            hall.allow_end()
        return upgraded

    upgraded = run_coroutine(upgrade_under_play())
    assert upgraded.refused == 0
    assert upgraded.pause < 2 * LENIENCE and upgraded.ended < 10 * LENIENCE, upgraded
