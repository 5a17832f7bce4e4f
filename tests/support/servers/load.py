"""Measure commands per second, latency and CPU time of a server with several tables.

This process is the client. Its own share of a core is measured, too, to show that it isn't the
bottleneck.
"""

import asyncio
import os
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from tests.support.servers.load_tables import CLIENTS, Round

WARM_UP = 80
"""Number of commands per table before measuring starts. By then, the log in views has reached its
full length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One measurement of the commands at several tables."""

    rate: float  # commands per second
    p50: float  # median time per command, in ms
    p95: float  # 95th percentile of the times per command, in ms
    p99: float  # 99th percentile of the times per command, in ms
    cpu: float  # the server's CPU time per command, in ms
    client: float  # share of a core that this process used as the client
    kilobytes: float  # data received per command


def read_cpu_seconds(*processes: int) -> float:
    """Return the CPU time of these processes in seconds."""
    return sum(map(_cpu_seconds, processes))


def _cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_resident_bytes(process: int) -> int:
    """Return the resident memory of a process in bytes."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


async def measure_tables(
    tables: Sequence[Round], process: int | Sequence[int], seconds: float
) -> Figures:
    """Keep all tables busy for a while, each with one command at a time.

    ``process`` is the id of the process whose CPU time is measured, or a list of several ids.
    """
    processes = [process] if isinstance(process, int) else process
    took: list[float] = []
    end = time.perf_counter() + seconds

    async def play(table: Round) -> None:
        while time.perf_counter() < end:
            took.append(await table.step())

    received = sum(table.bytes_received for table in tables)
    began = time.perf_counter()
    used = read_cpu_seconds(*processes)
    own = time.process_time()
    await asyncio.gather(*(play(table) for table in tables))
    elapsed = time.perf_counter() - began
    cuts = statistics.quantiles(took, n=100)
    return Figures(
        rate=len(took) / elapsed,
        p50=cuts[49] * 1000,
        p95=cuts[94] * 1000,
        p99=cuts[98] * 1000,
        cpu=(read_cpu_seconds(*processes) - used) / len(took) * 1000,
        client=(time.process_time() - own) / elapsed,
        kilobytes=(sum(table.bytes_received for table in tables) - received) / len(took) / 1000,
    )


async def open_tables(tables: Sequence[Round], port: int, process: int) -> float:
    """Open all connections. Return the server's memory per connection in kB."""
    before = read_resident_bytes(process)
    for table in tables:
        await table.open(port)
    await asyncio.sleep(0.5)
    return (read_resident_bytes(process) - before) / (len(tables) * CLIENTS) / 1000


async def warm_up(tables: Sequence[Round], commands: int) -> None:
    """Play the first commands, which aren't measured."""

    async def play(table: Round) -> None:
        for _ in range(commands):
            await table.step()

    await asyncio.gather(*(play(table) for table in tables))


def hang_up(tables: Sequence[Round]) -> None:
    """Close all connections."""
    for table in tables:
        table.close()


def print_figures(name: str, found: Figures, memory: float) -> None:
    """Print one row of the table of results."""
    click.echo(
        f"{name:5} {found.rate:7.0f} {found.p50:8.2f} {found.p95:8.2f} {found.p99:8.2f}"
        f" {found.cpu:9.3f} {memory:8.0f} {found.kilobytes:8.1f} {found.client:7.0%}"
    )


def print_ratios(count: int, figures: dict[str, list[Figures]]) -> None:
    """Print the ratio of the first server's medians to those of the last server."""
    one, *_, other = figures

    def compute_ratio(figure: str) -> float:
        of = {
            name: statistics.median(getattr(found, figure) for found in rounds)
            for name, rounds in figures.items()
        }
        return float(of[one] / of[other])

    click.echo(
        f"{count} tables, {one} ÷ {other}: commands per second {compute_ratio('rate'):.2f},"
        f" p50 {compute_ratio('p50'):.2f}, p95 {compute_ratio('p95'):.2f},"
        f" p99 {compute_ratio('p99'):.2f},"
        f" CPU per command {compute_ratio('cpu'):.2f}"
    )
