"""Plays games with device decks, honest games and games with a lie, and checks all of them.

In honest games no report is refused and every opened deck matches. Each lie is found in the event
that contains it, both by ``companion/device_decks/check.py`` and by the panel's check in Node. The
run stops at the first game where this isn't so.

    python -m tools.benchmarks.honest --games 1000
"""

import tempfile
import time
from functools import partial
from itertools import islice
from pathlib import Path

import click

from tests.support.fair_run import (
    PanelChecker,
    WorldFactory,
    check_games_with_lie,
    check_honest_games,
    generate_worlds,
)
from tests.support.fair_world import LIES, OPENING, World
from tests.support.servers.fair_wire import WiredWorld
from tests.support.servers.server import RealServer


@click.command
@click.option("--games", default=1000, show_default=True, help="Honest, and with each kind of lie.")
@click.option("--served", default=40, show_default=True, help="By a server; a tenth with lies.")
def main(games: int, served: int) -> None:
    """Check honest games, then games with each kind of lie, in memory and on a server."""
    with PanelChecker() as panel, tempfile.TemporaryDirectory() as folder:
        check_games("in memory", World, (games, games), tuple(LIES), panel)
        server = RealServer(Path(folder))
        try:
            # leave out the lies about a deck's secret, because the server refuses a wrong secret
            lies = tuple(lie for lie in LIES if lie not in OPENING)
            counts = served, served // 10
            check_games("by a server", partial(WiredWorld, server), counts, lies, panel)
        finally:
            server.close()


def check_games(
    where: str,
    makes: WorldFactory,
    games: tuple[int, int],
    lies: tuple[str, ...],
    panel: PanelChecker,
) -> None:
    began = time.monotonic()
    seen = check_honest_games(islice(generate_worlds(makes), games[0]), panel)
    counted = ", ".join(f"{number} {kind}" for kind, number in sorted(seen.items()))
    click.echo(f"{where}, honest: none refused, all fit ({counted}) in {format_elapsed(began)}")
    for lie in lies:
        began = time.monotonic()
        found = sum(
            1
            for _ in islice(check_games_with_lie(lie, generate_worlds(makes, lie), panel), games[1])
        )
        click.echo(f"{where}, {LIES[lie]}: {found} of {found} found in {format_elapsed(began)}")


def format_elapsed(began: float) -> str:
    return f"{time.monotonic() - began:.0f} s"


if __name__ == "__main__":
    main()
