"""Tests that play worlds with random faults, and check that these worlds find planted bugs.

``python3 tests all`` and ``python -m tests.simulation --seeds 300`` play 300 worlds, other runs 20.
"""

import os
import subprocess
import sys
from random import Random

import pytest

from tests.simulation import __main__ as worlds
from tests.simulation.__main__ import find_error, find_seed
from tests.simulation.faults import FAULTS, Planned
from tests.simulation.hub import EPOCH_MS
from tests.simulation.mutants import FOUND_BY, MUTANTS, SCENARIOS
from tests.simulation.store import Store
from tests.simulation.world import World, faults_of_seed
from tests.support.iterations import EVERYTHING, scale_count

SEEDS = range(300) if EVERYTHING else range(7, 27)
"""In ``python3 tests``, twenty seeds whose worlds together have every kind of fault."""

AT_ONCE = 20


@pytest.mark.parametrize("first", SEEDS[::AT_ONCE])
def test_140_the_promises_hold_under_every_seeds_faults(first: int) -> None:
    for seed in range(first, first + AT_ONCE):
        why = find_error(World(seed))
        assert why is None, (
            f"python -m tests.simulation --seed {seed}@{worlds.VERSION} --trace\n{why}"
        )


def test_140_a_process_forgets_processes_that_are_gone() -> None:
    spares_the_first = [seed for seed in range(20) if Random(seed).randrange(3)]
    kills = [Planned(3_000 * n, 2_000, "kill", seed) for n, seed in enumerate(spares_the_first)]
    world = World(3, kills)
    assert find_error(world) is None
    assert sum(" start " in line for line in world.trace) == 3 + len(kills) > 12


@pytest.mark.parametrize("mutant", MUTANTS)
def test_140_every_planted_fault_is_found(mutant: str) -> None:
    assert find_seed(mutant, FOUND_BY[mutant]) is not None, (
        "python -m tests.simulation --mutants looks for other seeds"
    )


@pytest.mark.parametrize("mutant", SCENARIOS)
def test_140_without_its_planted_fault_a_scenario_breaks_nothing(mutant: str) -> None:
    assert find_error(World(FOUND_BY[mutant], SCENARIOS[mutant])) is None


def test_140_a_seed_always_gives_the_same_world() -> None:
    assert (
        len({(find_error(world := World(12)), world.digest) for _ in range(scale_count(2, 50))})
        == 1
    )


@pytest.mark.parametrize("seed", [pytest.param("5", marks=pytest.mark.repetition), "12"])
def test_140_a_seed_gives_the_same_world_for_every_hash_seed(seed: str) -> None:
    command = [sys.executable, "-m", "tests.simulation", "--seed", seed, "--trace"]
    told = {
        subprocess.check_output(command, env={**os.environ, "PYTHONHASHSEED": hash})
        for hash in ("0", "1")
    }
    assert len(told) == 1
    assert told.pop().count(b"\n") > 100


def test_140_the_seeds_cover_every_fault_and_play_games() -> None:
    met = {fault.name for seed in SEEDS for fault in faults_of_seed(seed)}
    assert met == {*FAULTS}
    world = World(5)
    assert find_error(world) is None
    assert world.record.views > 100
    assert world.record.windows


def test_140_players_of_some_worlds_pass_ahead() -> None:
    world = World(12)
    assert find_error(world) is None
    assert any(" auto_pass ok" in line for line in world.trace)


def test_140_a_seed_of_another_world_version_is_refused() -> None:
    with pytest.raises(SystemExit, match="Seed 4711 is of another version of the world"):
        worlds.parse_seed("4711@another")


def test_140_a_world_that_never_ends_is_reported_as_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.simulation.world.MOST_STEPS", 100)
    assert "no end" in (find_error(World(0)) or "")


def test_140_shrinking_drops_faults_that_are_not_needed() -> None:
    with worlds.mutate("a command is acknowledged before it is committed"):
        assert find_error(World(0))
        assert len(worlds.shrink_faults(0)) < len(worlds.faults_of_seed(0))


def test_a_process_that_could_not_read_the_databases_clock_retries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(3, faults=[])
    apart = list[int]()
    opens = Store.open

    def open_world(store: Store) -> None:
        """Connect to the database. After the process that starts at 1.6 s has connected, make the
        database unavailable."""
        opens(store)
        if world.hub.now > EPOCH_MS + 1_000:
            world.database.away_until = EPOCH_MS + 5_000

    def record_clock_differences() -> None:
        now = [process.tables.clock.now() for process in world.processes]
        apart.extend(abs(one - world.database.now) for one in now)

    monkeypatch.setattr(Store, "open", open_world)
    world.hub.call(1_600, lambda: world.start_process(len(world.processes), 40_000))
    world.hub.call(7_500, record_clock_differences)
    assert find_error(world) is None
    assert len(apart) == len(world.processes)
    assert max(apart) < 50, apart
