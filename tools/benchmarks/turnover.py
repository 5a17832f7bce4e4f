"""Checks that memory stays flat while tables are created, played for a while and left.

    python -m tools.benchmarks.turnover [--tables 1900] [--minutes 20] [--commands 100]

The tables have five players each and start one after the other, evenly spread over the time. Each
table plays its commands and disconnects. Prints the server's memory over time, and fails if it
exceeds a limit or still grows in the second half.
"""

import asyncio
import tempfile
from pathlib import Path

import click

from companion.robots.demo import Server, free_port
from tests.support.servers.load import read_resident_bytes
from tests.support.servers.turnover import measure_memory

WIDTH = 60

FLAT = 0.1
"""Largest permitted growth of the memory in the second half of the run; 0.1 means ten per cent."""

SETTINGS = {
    "COMPANION_COMMAND_RATE": "none",
    "COMPANION_JOIN_RATE": "none",
    "COMPANION_ADDRESS_CONNECTIONS": "0",
}


def draw_chart(found: list[float], seconds: float) -> str:
    """Return a chart of the memory over time, with one row per sample."""
    rows = []
    for number, megabytes in enumerate(found, 1):
        bar = "▇" * round(WIDTH * megabytes / max(found))
        rows.append(f"{seconds * number / len(found) / 60:6.1f} min {bar} {megabytes:.0f} MB")
    return "\n".join(rows)


@click.command
@click.option("--tables", type=int, default=1900, show_default=True)
@click.option("--minutes", type=float, default=20.0, show_default=True)
@click.option("--commands", type=int, default=100, show_default=True)
@click.option("--most", type=float, default=250.0, show_default=True, help="MB at any time.")
def main(tables: int, minutes: float, commands: int, most: float) -> None:
    """Measure and draw the memory while tables come and go."""
    with tempfile.TemporaryDirectory() as name:
        database = f"sqlite:///{Path(name, 'turnover.sqlite3')}"
        with Server(port=free_port(), database=database, settings=SETTINGS) as real:
            process = real.process.pid
            before = read_resident_bytes(process) / 1e6
            asked = measure_memory(real.url, process, tables, minutes * 60, commands)
            found = asyncio.run(asked)
            faults = real.error_lines
    click.echo(f"{tables} tables of five in {minutes:g} minutes; {before:.0f} MB before\n")
    click.echo(draw_chart(found, minutes * 60))
    if faults:
        raise click.ClickException(faults[0])
    if max(found) > most:
        raise click.ClickException(f"{max(found):.0f} MB are more than {most:.0f}")
    if found[-1] > (1 + FLAT) * found[len(found) // 2]:
        raise click.ClickException("it still grows in the second half")


if __name__ == "__main__":
    main()
