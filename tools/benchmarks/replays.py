"""Compares every moment of a replay with the view that was sent to a spectator, in many games.

Two to ten robots play each box on a real server. The host undoes commands, and players leave. Each
game is exported to a file, imported and exported again. The second file must be identical, byte for
byte, and show the same moments. A test does the same with three games.

Run from the root: ``python -m tools.benchmarks.replays --games 200``.
"""

import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from tests.support.servers.recorded_games import RecordedGame
from tests.support.servers.server import RealServer

BOXES = {
    "quarantined": (2, 10),
    "party-120": (2, 10),
    "assault": (2, 8),
    "party-122": (2, 10),
    "original-56": (2, 5),
}


@click.command
@click.option("--games", default=200, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(games: int, seed: int) -> None:
    """Play, replay and compare games. Stop at the first difference."""
    told = Counter[str]()
    began = time.monotonic()
    with TemporaryDirectory() as folder:
        server = RealServer(Path(folder))
        for number in range(games):
            box = [*BOXES][number % len(BOXES)]
            least, most = BOXES[box]
            robots = least + number // len(BOXES) % (most - least + 1)
            game = RecordedGame(server, box, robots, seed + number)
            told += Counter(games=1, undos=game.undone, leavers=game.left)
            told += Counter(views=game.check_views(), moments=len(game.replayed_views))
            told["bytes"] += game.check_export()
            if number % 10 == 9:
                click.echo(f"{dict(told)} in {time.monotonic() - began:.0f} s")
        server.close()
    click.echo(f"{dict(told)}: no difference")


if __name__ == "__main__":
    main()
