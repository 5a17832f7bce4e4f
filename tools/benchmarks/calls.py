"""Counts the function calls per command, in this program's modules and in libraries.

    python -m tools.benchmarks.calls [--most 25]

Starts the real server (SQLite, no effective rate limits) and plays one game over real connections,
at a table of five that get patches. Prints the number of calls for each type of command, and the
functions that are called most often. On an idle machine each run gives the same figures; on a busy
machine they vary by a percent, because of locks. The exit status is 1 if a figure exceeds its
bound. Needs Python 3.12 (``tests.support.servers.counted``).
"""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise

import click

from tests.support.servers.calls import BOUND, OLDEST, Calls, average_calls, play_game


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
