"""Count the function calls per command of a game on the real server, which records them.

The server is started with SQLite and without effective rate limits, and plays one game over real
connections, at a table of five that get patches. On an idle machine each run gives the same
figures; on a busy machine they vary by a percent, because of locks. Needs Python 3.12 (see
``counted``).
"""

import asyncio
import json
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec

from tests.support.servers.load import hang_up, warm_up
from tests.support.servers.load_tables import RealTable
from tests.support.servers.server import RealServer

WARM_UP = 80
"""Number of commands before counting starts. By then, the log in views has reached its full length.
"""

COMMANDS = 400

OLDEST = (3, 12)
"""The oldest version of Python that can count calls."""

NEVER_REACHED = "1000000/day"

Calls = Sequence[tuple[str, str]]
"""The functions that a command called, in order. Each is a pair: the function's module (empty for a
library) and its name."""


class Figures(NamedTuple):
    """Function calls per command."""

    calls: float  # calls of this program's functions
    changes: float  # pairs of successive calls that are in different modules
    modules: int  # largest number of modules that a single command used
    all: float  # calls of all functions, including those of libraries

    def describe_excesses(self, bound: "Figures") -> list[str]:
        """Return a text for each figure that exceeds its bound."""
        return [
            f"{name}: {found:.1f} (at most {most})"
            for name, found, most in zip(self._fields, self, bound, strict=True)
            if found > most
        ]


BOUND = Figures(calls=270, changes=160, modules=42, all=360)
"""Upper bounds for a command of any type. Lower them after an improvement."""


def average_calls(commands: Sequence[Calls]) -> Figures:
    """Return the averages over these commands. ``modules`` is the maximum."""
    ours = [[module for module, _ in calls if module] for calls in commands]
    return Figures(
        calls=_mean(map(len, ours)),
        changes=_mean(sum(one != next for one, next in pairwise(calls)) for calls in ours),
        modules=max(len({*calls}) for calls in ours),
        all=_mean(map(len, commands)),
    )


def _mean(numbers: Iterable[int]) -> float:
    return statistics.mean(numbers)


def play_game() -> dict[str, list[Calls]]:
    """Play a game. Return the recorded calls of each command, by command type."""

    async def play(url: str, port: int) -> None:
        table = RealTable(url, 1, patches=True)
        await table.open(port)
        await warm_up([table], WARM_UP + COMMANDS)
        hang_up([table])

    with tempfile.TemporaryDirectory() as name:
        counted = Path(name, "counted.json")
        rates = {"COMPANION_COMMAND_RATE": NEVER_REACHED, "COMPANION_JOIN_RATE": NEVER_REACHED}
        made = {"COUNTED": str(counted), "PYTHONHASHSEED": "1"}
        server = RealServer(Path(name), "tests.support.servers.counted", **rates, **made)
        try:
            asyncio.run(play(server.url, server.port))
            server.get("/healthz")  # once this request is answered, the last command is done
            server.stop()
        finally:
            server.close()
        heard = msgspec.json.decode(counted.read_bytes(), type=list[tuple[str, Calls]])
    by_type = defaultdict(list)
    for said, calls in heard[WARM_UP:]:
        by_type[json.loads(said[said.index("[") :])[1]["type"]].append(calls)
    return by_type
