"""Measures commands per second, latency and CPU time, and compares them with a bare server.

    python -m tools.benchmarks.load [--rounds 5] [--seconds 2] [--tables 1 --tables 50]

Starts the real server (rules, views for each player, a durable log, no rate limits) and plays whole
games on it, once with patches and once with whole views only (``whole``). Starts the bare server
(tools/benchmarks/bare.py), which sends the views recorded on the real server. Measures all of them
in turn, in the same way. This process is the client. Its own share of a core is printed, to show
that it isn't the bottleneck.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from companion.robots.demo import Server, free_port
from tools.benchmarks.tables import CLIENTS, BareTable, RealTable, Round, record

WARM_UP = 80
"""Number of commands per table before measuring starts. By then, the log in views has reached its
full length."""

RECORDED = 300


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


async def compare_servers(
    real: Server, count: int, rounds: int, seconds: float, folder: Path
) -> dict[str, list[Figures]]:
    """Measure both servers in turn with this number of tables, and print the figures."""
    port = int(real.url.rpartition(":")[2])
    ours = [RealTable(real.url, seed, patches=True) for seed in range(count)]
    memory = {"real": await open_tables(ours, port, real.process.pid)}
    whole = [RealTable(real.url, seed) for seed in range(count)]
    memory["whole"] = await open_tables(whole, port, real.process.pid)
    await warm_up([*ours, *whole], WARM_UP)
    recording = folder / f"views-{count}.json"
    recording.write_text(json.dumps(await record(whole[0], RECORDED)))
    bare, bare_port = start_bare(recording)
    theirs = [BareTable(number) for number in range(count)]
    figures: dict[str, list[Figures]] = {"real": [], "whole": [], "bare": []}
    try:
        memory["bare"] = await open_tables(theirs, bare_port, bare.pid)
        await warm_up(theirs, 5)
        for _ in range(rounds):
            for name, tables, process in (
                ("real", ours, real.process.pid),
                ("whole", whole, real.process.pid),
                ("bare", theirs, bare.pid),
            ):
                found = await measure_tables(tables, process, seconds)
                figures[name].append(found)
                print_figures(name, found, memory[name])
    finally:
        hang_up([*ours, *whole, *theirs])
        bare.terminate()
        bare.wait(10)
    return figures


def start_bare(recording: Path) -> tuple["subprocess.Popen[str]", int]:
    """Start the bare server. Return its process and port."""
    port = free_port()
    script = str(Path(__file__).with_name("bare.py"))
    process = subprocess.Popen(
        [sys.executable, script, str(port), str(recording)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    if not process.stdout.readline().startswith("Ready: "):
        raise click.ClickException("The bare server did not start.")
    return process, port


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


@click.command
@click.option("--tables", type=int, multiple=True, default=(1, 50), show_default=True)
@click.option("--rounds", type=int, default=5, show_default=True)
@click.option("--seconds", type=float, default=2.0, show_default=True)
def main(tables: tuple[int, ...], rounds: int, seconds: float) -> None:
    """Measure the server and compare it with a bare server."""
    rates = {"COMPANION_COMMAND_RATE": "none", "COMPANION_JOIN_RATE": "none"}
    rates["COMPANION_ADDRESS_CONNECTIONS"] = "0"
    for count in tables:
        with tempfile.TemporaryDirectory() as name:
            database = f"sqlite:///{Path(name, 'load.sqlite3')}"
            click.echo(
                f"{count} tables of {CLIENTS}\n"
                "      cmd/s   p50 ms   p95 ms   p99 ms  CPU ms/c  kB/conn kB/cmd  client"
            )
            with Server(port=free_port(), database=database, settings=rates) as real:
                figures = asyncio.run(compare_servers(real, count, rounds, seconds, Path(name)))
            print_ratios(count, figures)


if __name__ == "__main__":
    main()
