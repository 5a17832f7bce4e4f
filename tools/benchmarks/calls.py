"""Counts the function calls per command, in this program's modules and in libraries.

    python -m tools.benchmarks.calls [--most 25]

Starts the real server (SQLite, no effective rate limits) and plays one game over real connections,
at a table of five with patches. Prints the number of calls for each type of command, and the
functions that are called most often. On an idle machine each run gives the same figures; on a busy
machine they vary by a percent, because of locks. The exit status is 1 if a figure exceeds its
bound. Needs Python 3.12 (``tools.benchmarks.counted``).
"""

import asyncio
import json
import statistics
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from tests.support.servers.server import RealServer
from tools.benchmarks.load import hang_up, warm_up
from tools.benchmarks.tables import RealTable

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


BOUND = Figures(calls=267, changes=157, modules=40, all=360)
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
        server = RealServer(Path(name), "tools.benchmarks.counted", **rates, **made)
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


def print_calls(by_type: Mapping[str, Sequence[Calls]], most: int) -> None:
    """Print the figures of each command type, and the functions called most often."""
    every = list(chain(*by_type.values()))
    click.echo("per command      number   calls changes modules with libraries'")
    for name, commands in [("any", every), *sorted(by_type.items())]:
        found = average_calls(commands)
        click.echo(
            f"{name:16} {len(commands):6} {found.calls:7.1f} {found.changes:7.1f}"
            f" {found.modules:7} {found.all:15.1f}"
        )
    ours = [[call for call in calls if call[0]] for calls in every]
    lists = {
        "modules": (module for calls in ours for module, _ in calls),
        "functions": (f"{module} {name}" for calls in ours for module, name in calls),
        "changes of module": (
            f"{one} → {next}"
            for calls in ours
            for (one, _), (next, _) in pairwise(calls)
            if one != next
        ),
        "functions of libraries": (name for calls in every for module, name in calls if not module),
    }
    for title, listed in lists.items():
        click.echo(f"\n{title}, by calls per command")
        for called, times in Counter(listed).most_common(most):
            click.echo(f"{times / len(every):8.2f} {called}")


@click.command
@click.option("--most", type=int, default=25, show_default=True, help="How long the lists are.")
def main(most: int) -> None:
    """Count the function calls per command."""
    if sys.version_info < OLDEST:
        raise click.ClickException("It takes Python 3.12, which counts calls (sys.monitoring).")
    by_type = play_game()
    print_calls(by_type, most)
    if above := average_calls(list(chain(*by_type.values()))).describe_excesses(BOUND):
        raise click.ClickException("above its bound: " + ", ".join(above))


if __name__ == "__main__":
    main()
