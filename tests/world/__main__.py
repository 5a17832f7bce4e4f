"""Plays worlds: ``--seeds 300`` all of 0 to 299, ``--seed 4711`` one again."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence

from tests.world.faults import Planned
from tests.world.world import World


def broken(world: World) -> str | None:
    """Why a world is broken, if it is."""
    try:
        world.play()
    except Exception:
        return traceback.format_exc(limit=-3)
    return None


def shrunk(seed: int) -> Sequence[Planned]:
    """The faults of a broken world without those that it is broken without."""
    faults = World(seed).faults
    for fault in [*faults]:
        fewer = [one for one in faults if one is not fault]
        if broken(World(seed, fewer)):
            faults = fewer
    return faults


def main() -> int:
    """1 where a world is broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.world", description=__doc__)
    parser.add_argument("--seeds", type=int, help="play so many worlds, and say which are broken")
    parser.add_argument("--seed", type=int, default=0, help="play this one")
    parser.add_argument("--trace", action="store_true", help="tell what happened")
    parser.add_argument("--shrink", action="store_true", help="leave out what it breaks without")
    wanted = parser.parse_args()
    failed = []
    for seed in range(wanted.seeds) if wanted.seeds else [wanted.seed]:
        world = World(seed, shrunk(seed) if wanted.shrink else None)
        why = broken(world)
        if wanted.trace:
            print(*world.trace, sep="\n")
        if wanted.seeds is None:
            print(*world.faults, sep="\n")
            print(f"seed {seed}: {world.digest}")
        if why is not None:
            failed.append(seed)
            print(f"seed {seed} is broken: {why}", flush=True)
    if failed:
        print("broken:", *failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
