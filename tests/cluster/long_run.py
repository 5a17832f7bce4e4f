"""Several server processes on one PostgreSQL and one Redis: games during failures, races, a rolling
upgrade, and speed.

    python -m tests.cluster.long_run --games 100 --kills 20 --redis 5 --postgres 5 --freezes 5
    python -m tests.cluster.long_run --games 20 --freeze-every 4 --busy --seed 7
    python -m tests.cluster.long_run --races 10000
    python -m tests.cluster.long_run --upgrade
    python -m tests.cluster.long_run --speed

Prints figures. Fails if an acknowledged command is missing, happened twice or was shown differently
from the log, or if a game stood still for more than 5 s without a failure.
"""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import click

from tests.cluster import faults, races
from tests.cluster.fleet import Fleet
from tests.cluster.games import Hall
from tests.cluster.upgrade import upgrade_fleet
from tests.guarantees.races import SECONDS, copy_variants_with_short_windows
from tests.support.servers.load import Figures, hang_up, measure_tables, print_figures, warm_up
from tests.support.servers.load_tables import RealTable, Round
from tests.support.servers.wire import Socket

TABLES = 6
"""Number of tables that play at once."""

WARM_UP = 60

STILL = 5.0
"""Longest allowed pause of a game in seconds, unless the benchmark has caused a failure. A Nope
window alone takes 3 s."""

AWAY = 3.0
"""Number of seconds for which PostgreSQL is stopped."""


def print_result(name: str, figures: str) -> None:
    """Print one line of the result."""
    click.echo(f"{name:12} {figures}")
    sys.stdout.flush()


async def play_with_failures(
    fleet: Fleet, games: int, wrong: dict[str, tuple[faults.Fault, int]], seed: int, every: float
) -> None:
    """Play games while failures happen in random order. Freeze a process every ``every`` seconds.

    Raise ``click.ClickException`` if a game stood still.
    """
    hall = Hall(fleet, seed)
    chance = Random(seed)
    order = [name for name, (_, times) in wrong.items() for _ in range(times)]
    chance.shuffle(order)
    after: dict[str, list[float]] = {name: [] for name in wrong}
    async with asyncio.TaskGroup() as group:
        freezing = (
            group.create_task(faults.freeze_processes(hall, every, chance)) if every else None
        )
        filling = group.create_task(hall.play_games(TABLES, games))
        for name in order:
            after[name].append(await faults.run_during_games(hall, wrong[name][0], chance))
        hall.allow_end()
        await filling
        if freezing:
            freezing.cancel()
    for name, found in after.items():
        if found:
            print_result(
                name,
                f"{len(found)} times; everyone right again after {statistics.median(found):.1f} s"
                f" (median), {max(found):.1f} s (longest)",
            )
    checked = hall.checked
    print_result(
        "games",
        f"{hall.games_played} whole games over {len(fleet.processes)} processes;"
        f" {checked.views} views, {checked.answers} answers and {checked.windows} windows"
        " held against the log: all agree",
    )
    print_result(
        "stood still", f"{hall.standstill.longest:.1f} s (longest) while nothing was wrong"
    )
    if hall.standstill.longest > STILL:
        raise click.ClickException(f"a game stood still for too long: {hall.standstill.longest_at}")


@contextmanager
def run_busy_loops(loops: int) -> Iterator[None]:
    """Run busy loops that compete for the processor."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for one in running:
            one.kill()
            one.wait()


async def race_nopes(fleet: Fleet, count: int) -> None:
    """Let Nopes race against the end of their windows."""
    outcomes, checked = await races.race_nopes(
        fleet, tables=24, races=count, seed=1, seconds=SECONDS
    )
    print_result(
        "races",
        f"{outcomes.total()} of a Nope against its window's end, each with one outcome:"
        f" {dict(outcomes)}; {checked.views} views and {checked.answers} answers agree",
    )
    same = await races.race_same_command(fleet, count // 20, seed=2)
    print_result(
        "twice", f"{same.answers} commands sent through two processes at once: each happened once"
    )
    both = await races.race_same_version(fleet, count // 20, seed=3)
    print_result(
        "at once", f"{both.answers} commands, two by two at one version: one order for everyone"
    )


async def measure_upgrade(fleet: Fleet) -> None:
    """Upgrade one process after the other, while robots play at the pace of a quick person."""
    hall = Hall(fleet, seed=4, pace=0.1)
    async with asyncio.TaskGroup() as group:
        group.create_task(hall.play_games(TABLES, TABLES))
        await asyncio.sleep(3)
        found = await upgrade_fleet(hall)
        hall.allow_end()
    print_result(
        "upgrade",
        f"each of {len(fleet.processes)} processes ended within {found.ended:.1f} s;"
        f" {found.refused} commands were told to try again; longest pause of a client"
        f" {found.pause:.2f} s, longest wait for an answer {found.wait:.2f} s",
    )


# --- what it costs ----------------------------------------------------------------------


class SpreadTable(RealTable):
    """A table of five. Its seats are connected to the given ports in turn."""

    def __init__(self, url: str, seed: int, ports: Sequence[int]) -> None:
        super().__init__(url, seed, patches=True)
        self.ports = ports

    async def connect(self, port: int, auths: Sequence[dict[str, str]]) -> None:
        """Open a connection for each seat, to each of the ports in turn."""
        for number, auth in enumerate(auths):
            at = self.ports[number % len(self.ports)]
            self.sockets.append(await Socket.connect("127.0.0.1", at, auth, self.on_packet))


async def open_tables_on(fleet: Fleet, count: int, *, spread: bool) -> list[Round]:
    """Open tables. If ``spread`` is true, connect each table's players to all processes in turn.

    Otherwise connect all players of a table to the same process, as a proxy would.
    """
    ports = [process.port for process in fleet.processes]
    tables: list[Round] = []
    for seed in range(count):
        at = ports if spread else [ports[seed % len(ports)]]
        tables.append(await asyncio.to_thread(SpreadTable, fleet.url, seed, at))
        await tables[-1].open(at[0])
    await warm_up(tables, WARM_UP)
    return tables


SIDES = "alone", "apart", "led", "across"
"""The four setups: one process; two separate processes, each with half of the tables; two processes
of a fleet, each with half of the tables; and two processes of a fleet, each with half of every
table's players."""


async def compare_setups(
    alone: Fleet, another: Fleet, two: Fleet, count: int, rounds: int
) -> dict[str, list[Figures]]:
    """Measure the four setups in turn."""
    half = await open_tables_on(alone, count // 2, spread=False)
    tables = [
        await open_tables_on(alone, count, spread=False),
        half + await open_tables_on(another, count - len(half), spread=False),
        await open_tables_on(two, count, spread=False),
        await open_tables_on(two, count, spread=True),
    ]
    fleets = [alone], [alone, another], [two], [two]
    figures: dict[str, list[Figures]] = {side: [] for side in SIDES}
    for _ in range(rounds):
        for side, sitting, serving in zip(SIDES, tables, fleets, strict=True):
            processes = [each.process.pid for fleet in serving for each in fleet.processes]
            figures[side].append(await measure_tables(sitting, processes, 2.0))
            print_figures(side, figures[side][-1], 0)
    hang_up([table for sitting in tables for table in sitting])
    return figures


def measure_speed(counts: Sequence[int], rounds: int) -> None:
    """Compare two processes with one. Each fleet has its own database."""
    with Fleet(1) as alone, Fleet(1) as another, Fleet(2) as two:
        for count in counts:
            click.echo(
                f"{count} tables\n"
                "        cmd/s   p50 ms   p95 ms   p99 ms  CPU ms/c           kB/cmd  client"
            )
            found = asyncio.run(compare_setups(alone, another, two, count, rounds))
            for side in SIDES[1:]:
                cpu, p50 = (
                    statistics.median(getattr(figure, what) for figure in found[side])
                    / statistics.median(getattr(figure, what) for figure in found["alone"])
                    for what in ("cpu", "p50")
                )
                print_result(f"{side} ÷ alone", f"CPU per command {cpu:.2f}, p50 {p50:.2f}")


@click.command
@click.option("--games", type=int, default=0)
@click.option("--kills", type=int, default=0, help="kill -9 of a process")
@click.option("--redis", type=int, default=0, help="Redis stopped for 30 s")
@click.option("--postgres", type=int, default=0, help="PostgreSQL stopped and started")
@click.option("--freezes", type=int, default=0, help="a process frozen for 20 s")
@click.option("--freeze-every", type=float, default=0, help="seconds from one freeze to the next")
@click.option("--busy", "beside", is_flag=True, help="a busy loop on each core beside it")
@click.option("--seed", type=int, default=1)
@click.option("--races", "nopes", type=int, default=0)
@click.option("--upgrade", "upgrading", is_flag=True)
@click.option("--speed", "speeding", is_flag=True)
@click.option("--tables", type=int, multiple=True, default=(2, 20), help="for --speed")
@click.option("--rounds", type=int, default=5, help="for --speed")
def main(
    games: int, kills: int, redis: int, postgres: int, freezes: int, freeze_every: float,
    beside: bool, seed: int, nopes: int, upgrading: bool, speeding: bool, tables: tuple[int, ...],
    rounds: int,
) -> None:  # fmt: skip
    """Check the promises about several processes."""
    wrong = {
        "kill -9": (faults.kill_process, kills),
        "Redis": (faults.stop_redis(30), redis),
        "PostgreSQL": (faults.stop_postgresql(AWAY), postgres),
        "frozen": (faults.freeze_process(20), freezes),
    }
    if games:
        with Fleet(2) as fleet, run_busy_loops((os.cpu_count() or 1) if beside else 0):
            asyncio.run(play_with_failures(fleet, games, wrong, seed, freeze_every))
    if nopes:
        with tempfile.TemporaryDirectory() as folder:
            variants = copy_variants_with_short_windows(Path(folder, "variants"))
            with Fleet(2, COMPANION_VARIANTS_DIR=str(variants)) as fleet:
                asyncio.run(race_nopes(fleet, nopes))
    if upgrading:
        with Fleet(2) as fleet:
            asyncio.run(measure_upgrade(fleet))
    if speeding:
        measure_speed(tables, rounds)


if __name__ == "__main__":
    main()
