"""Plays classic games with real cards and only true reports, and counts the reports.

Every true report must be accepted, no player may be stuck, no card may be lost, and everything that
the panel shows as known must be true. ``tests/support/pile_truthful.py`` ends the run at the first
violation.

    python -m tools.benchmarks.truths --games 500
"""

import time

import click

from tests.support.pile_truthful import BOXES, play_games


@click.command
@click.option("--games", default=500, show_default=True, help="So many of each variant.")
@click.option("--first", default=0, show_default=True, help="The first game's seed.")
@click.argument("variants", nargs=-1, type=click.Choice([*BOXES]))
def truths(games: int, first: int, variants: tuple[str, ...]) -> None:
    """Play whole games of each variant, with every possible number of players."""
    for box in variants or BOXES:
        began = time.monotonic()
        said, exact = play_games(box, first, games)
        seconds = time.monotonic() - began
        words = ", ".join(f"{count} {kind}" for kind, count in said.most_common())
        click.echo(
            f"{box}: {games} games ({exact} exact throughout), {said.total()} truths"
            f" in {seconds:.0f} s: {words}"
        )


if __name__ == "__main__":
    truths()
