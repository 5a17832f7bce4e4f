"""Checks the promises in long runs. The tests check the same in short runs.

Spends a fifth of the time on killing the server, a fifth on races of Nopes and a fifth on fuzzing,
about a minute on crowds, and the rest on a hundred tables of five robots on one server. Prints the
figures, and fails if a promise is broken.

Run from the root: ``python -m tests.guarantees.soak --minutes 20``.
"""

import asyncio
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from companion.robots.demo import Server, free_port
from tests.guarantees import crowds, fuzz, races, stuck
from tests.guarantees.kills import Kills
from tests.support.servers.load_tables import RealTable
from tests.support.servers.server import UNLIMITED, RealServer

MEGA = 1_000_000


def read_resident_bytes(process: int) -> int:
    """Return the resident memory of a process in bytes."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096


def print_result(name: str, figures: str) -> None:
    """Print one line of the result."""
    click.echo(f"{name:8} {figures}")
    sys.stdout.flush()


def check_kills(folder: Path, seconds: float, least: int, commands: int) -> None:
    """Play games while the server is killed again and again."""
    soaked = Kills(RealServer(folder), tables=6, seed=int(time.time()))
    end = time.monotonic() + seconds
    while time.monotonic() < end or soaked.kills < least or soaked.acknowledged_count < commands:
        soaked.play_and_kill()
    soaked.finish()
    soaked.server.close()
    waits = sorted(second * 1000 for game in soaked.games for second in game.seconds)
    print_result(
        "kills",
        f"{soaked.kills} kills, {soaked.acknowledged_count} commands acknowledged,"
        " 0 lost, 0 half done;"
        f" p50 {statistics.median(waits):.1f} ms, p99 {waits[len(waits) * 99 // 100]:.1f} ms",
    )


def check_races(folder: Path, seconds: float, least: int) -> None:
    """Let Nopes race each other and the end of their windows."""
    variants = races.copy_variants_with_short_windows(folder / "variants")
    more = {"COMPANION_VARIANTS_DIR": str(variants), "COMPANION_ADDRESS_CONNECTIONS": "0"}
    server = RealServer(folder, **more)
    end = time.monotonic() + seconds
    seed = 0
    outcomes = Counter[str]()
    while time.monotonic() < end or sum(outcomes.values()) < least:
        outcomes += races.run_races(server, tables=40, rounds=20, seed=seed)
        seed += 1
    server.close()
    print_result(
        "races", f"{sum(outcomes.values())} races, each with one outcome: {dict(outcomes)}"
    )


def check_payloads(folder: Path, count: int) -> None:
    """Send random payloads within this process, and one in fifty over a real socket."""
    began = time.monotonic()
    inside = fuzz.fuzz_in_process(count, seed=1)
    server = RealServer(folder)
    outside = fuzz.fuzz_over_sockets(server, count // 50, seed=1)
    server.close()
    assert not inside.changed and not outside.changed
    print_result(
        "fuzz",
        f"{inside.answered} payloads on decoder and dispatcher, memory"
        f" {inside.grown / MEGA:+.1f} MB; {outside.answered} over the socket, memory"
        f" {outside.grown / MEGA:+.1f} MB; no exception, no change;"
        f" {time.monotonic() - began:.0f} s",
    )


def check_crowds(folder: Path, seconds: float) -> None:
    """Let crowds connect while a table of five goes on playing."""
    crowds.raise_file_limit(2500)
    parts = [Path(folder, name) for name in ("idle", "watching", "slow")]
    for part in parts:
        part.mkdir()
    found = {
        "1,084 idle with 1,024 files": crowds.open_idle_crowd(parts[0]),
        "700 join one table": crowds.open_spectator_crowd(parts[1]),
        f"1,050 slow at 1,000 places for {seconds:.0f} s": crowds.open_slow_crowd(
            parts[2], seconds
        ),
    }
    assert found["1,084 idle with 1,024 files"].after <= 10, found
    for name, noticed in found.items():
        print_result(
            "doors",
            f"{name}: no player dropped, {noticed.commands} commands, each heard by all five"
            f" within {noticed.heard:.2f} s; a newcomer was answered within"
            f" {max(noticed.answered, noticed.after):.2f} s, also after its end",
        )


def check_stuck_clients(folder: Path, seconds: float) -> None:
    """Let clients stop reading while the tables go on playing."""
    found = stuck.measure_stuck_clients(folder, seconds)
    print_result(
        "readers",
        f"{stuck.TABLES} that read nothing while {seconds:.0f} s are played, one at each table:"
        f" others' p99 {found.beside:.1f} ms beside {found.quiet:.1f} ms where they read;"
        f" {found.disconnected} let go, the rest caught up",
    )


async def play_at_tables(url: str, port: int, process: int, tables: int, seconds: float) -> None:
    """Play at tables of five robots. Each table gets one command per second."""
    sat = [RealTable(url, seed) for seed in range(tables)]
    for table in sat:
        await table.open(port)
    waits: list[float] = []
    first = 0
    end = time.monotonic() + seconds

    async def play(table: RealTable) -> None:
        while time.monotonic() < end:
            await asyncio.sleep(table.chance.uniform(0.5, 1.5))
            waits.append(await table.step())

    async def watch() -> None:
        nonlocal first
        await asyncio.sleep(min(30, seconds / 4))
        first = read_resident_bytes(process)

    await asyncio.gather(watch(), *(play(table) for table in sat))
    for table in sat:
        table.close()
    ranked = sorted(waits[len(waits) // 10 :])
    print_result(
        "tables",
        f"{tables} tables of 5 on SQLite, {len(waits)} commands in {seconds:.0f} s;"
        f" acknowledged and shown to all: p50 {ranked[len(ranked) // 2] * 1000:.1f} ms,"
        f" p99 {ranked[len(ranked) * 99 // 100] * 1000:.1f} ms;"
        f" memory {first / MEGA:.0f} MB at the start,"
        f" {read_resident_bytes(process) / MEGA:.0f} MB at the end",
    )


def check_robots(folder: Path, seconds: float, tables: int) -> None:
    """Start a server, and play at its tables with robots."""
    port = free_port()
    database = f"sqlite:///{folder / 'soak.sqlite3'}"
    with Server(port=port, database=database, settings=UNLIMITED) as server:
        asyncio.run(play_at_tables(server.url, port, server.process.pid, tables, seconds))
        assert not server.error_lines, server.error_lines[:3]


@click.command
@click.option("--minutes", type=float, default=20.0, show_default=True)
@click.option("--tables", type=int, default=100, show_default=True)
def main(minutes: float, tables: int) -> None:
    """Check the promises for the given time."""
    share = min(1.0, minutes / 20)  # the promised amounts are for 20 minutes
    with TemporaryDirectory() as name:
        folders = [
            Path(name, part) for part in ("kills", "races", "fuzz", "doors", "readers", "hall")
        ]
        for folder in folders:
            folder.mkdir()
        began = time.monotonic()
        check_kills(folders[0], minutes * 12, round(200 * share), round(10_000 * share))
        check_races(folders[1], minutes * 12, round(10_000 * share))
        check_payloads(folders[2], round(1_000_000 * share))
        check_crowds(folders[3], 60 * share)
        check_stuck_clients(folders[4], max(10, 30 * share))
        left = minutes * 60 - (time.monotonic() - began)
        check_robots(folders[5], max(minutes * 6, left), tables)


if __name__ == "__main__":
    main()
