"""Play worlds: ``--seeds 300`` plays seeds 0 to 299, ``--seed 4711`` plays one."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from tests.simulation.faults import Planned
from tests.simulation.mutants import MUTANTS, SCENARIOS, mutate
from tests.simulation.record import require
from tests.simulation.world import World, faults_of_seed

SECRETS = 5
"""If a world has random players and its seed is a multiple of this number, the world is played a
second time with other secrets."""

MOST_SEEDS = 200
"""The number of seeds that are tried until one of them finds a planted bug."""

VERSION = sha256(b"".join(one.read_bytes() for one in sorted(Path(__file__).parent.glob("*.py"))))
VERSION = VERSION.hexdigest()[:8]
"""Version of the simulation. Another version gives another world for the same seed."""


def find_error(world: World) -> str | None:
    """Play a world. Returns the error that breaks it, or ``None``."""
    try:
        world.run()
        if world.by_chance and world.seed % SECRETS == 0:
            _check_secrets(world)
    except Exception:
        return traceback.format_exc(limit=-3)
    return None


def _check_secrets(world: World) -> None:
    """Play a world again with other secrets, and check that every observer receives the same events
    at the same time."""
    other = World(world.seed, world.faults, altered=True)
    other.run()
    for key in filter(world.is_observer, world.record.received):
        pairs = zip(world.record.received[key], other.record.received[key], strict=False)
        difference = next(((first, second) for first, second in pairs if first != second), None)
        require(not difference, key, "is told what nobody may know:", difference)


def shrink_faults(seed: int) -> Sequence[Planned]:
    """Leave out every fault that isn't needed to break the world. Return the remaining faults."""
    faults: Sequence[Planned] = faults_of_seed(seed)
    for fault in [*faults]:
        fewer = [other for other in faults if other is not fault]
        if find_error(World(seed, fewer)):
            faults = fewer
    return faults


def find_seed(mutant: str, first: int = 0) -> int | None:
    """Return the first seed, from ``first`` on, that finds a planted bug, or None."""
    faults = SCENARIOS.get(mutant)
    with mutate(mutant):
        seeds = range(first, first + MOST_SEEDS)
        return next((seed for seed in seeds if find_error(World(seed, faults))), None)


def parse_seed(text: str) -> int:
    """Parse ``4711`` or ``4711@version``. Raises ``SystemExit`` for another version."""
    seed, _, version = text.partition("@")
    if version not in ("", VERSION):
        sys.exit(
            f"Seed {seed} is of another version of the world: {version}, and this is {VERSION}."
        )
    return int(seed)


def _play(seed: int, options: argparse.Namespace) -> bool:
    """Play the world of a seed and print the result. Returns True if nothing broke."""
    world = World(seed, shrink_faults(seed) if options.shrink else None)
    error = find_error(world)
    if options.trace:
        print(*world.trace, sep="\n")
    if options.seeds is None:
        print(*world.faults, sep="\n")
        print(f"seed {seed}@{VERSION}: {world.digest}")
    if error is not None:
        print(f"seed {seed}@{VERSION} is broken: {error}", flush=True)
    return error is None


def main() -> int:
    """Run the command line. Returns 1 if a world is broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, help="number of worlds to play")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seed", type=parse_seed, default=0, help="play this seed")
    parser.add_argument("--trace", action="store_true", help="print what happens")
    parser.add_argument("--shrink", action="store_true", help="leave out faults that aren't needed")
    parser.add_argument("--mutants", action="store_true", help="find a seed for each planted fault")
    options = parser.parse_args()
    if options.mutants:
        for mutant in MUTANTS:
            print(find_seed(mutant), mutant, flush=True)
        return 0
    seeds = range(options.first, options.first + options.seeds) if options.seeds else [options.seed]
    failed = [seed for seed in seeds if not _play(seed, options)]
    if failed:
        print("broken:", *failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
