"""Measures speed and memory of a server with 1 to 400 tables, and draws the curves.

    python -m tools.benchmarks.growth [--picture docs/pictures/growth.svg]

Opens more and more tables of five on one server. All of them are kept busy, each with one command
at a time. The picture shows only the measured curves and their labels.
"""

import asyncio
import statistics
import tempfile
from collections.abc import Callable, Sequence
from math import log
from pathlib import Path
from typing import NamedTuple

import click

from companion.robots.demo import Server, free_port
from tests.support.servers.load import (
    Figures,
    hang_up,
    measure_tables,
    read_resident_bytes,
    warm_up,
)
from tests.support.servers.load_tables import CLIENTS, RealTable

LINE = "{0.tables:5} {0.rate:7.0f} {0.p50:8.2f} {0.p99:8.2f} {0.megabytes:6.0f} {0.cpu:6.2f}"
STEPS = (1, 3, 10, 30, 100, 400)
WIDTH = 250
HEIGHT = 150
LEFT = 30
TOP = 40
BETWEEN = 60


class Point(NamedTuple):
    """The measurement for one number of tables."""

    tables: int
    rate: float  # commands per second
    p50: float  # median time per command, in ms
    p99: float  # 99th percentile of the times per command, in ms
    megabytes: float  # memory of the server
    cpu: float  # CPU time per command, in ms


async def measure_growth(
    real: Server, steps: Sequence[int], rounds: int, seconds: float
) -> list[Point]:
    """Open more and more tables on one server. Return the medians for each number of tables."""
    port = int(real.url.rpartition(":")[2])
    process = real.process.pid
    sat: list[RealTable] = []
    found = []
    for count in steps:
        new = []
        for seed in range(len(sat), count):
            # Use another thread, because this thread has to answer pings.
            new.append(await asyncio.to_thread(RealTable, real.url, seed, True))
            await new[-1].open(port)
        sat += new
        await warm_up(new, 30)
        figures = [await measure_tables(sat, process, seconds) for _ in range(rounds)]
        found.append(_make_point(count, figures, read_resident_bytes(process)))
        click.echo(LINE.format(found[-1]))
    hang_up(sat)
    return found


def _make_point(count: int, figures: Sequence[Figures], memory: int) -> Point:
    def find_median(of: Callable[[Figures], float]) -> float:
        return statistics.median(map(of, figures))

    rate = find_median(lambda one: one.rate)
    p50 = find_median(lambda one: one.p50)
    p99 = find_median(lambda one: one.p99)
    cpu = find_median(lambda one: one.cpu)
    return Point(count, rate, p50, p99, memory / 1e6, cpu)


# --- the picture -----------------------------------------------------------------------

STYLE = (
    "svg{font:12px system-ui,sans-serif;color:#222;background:#fff}"
    "@media(prefers-color-scheme:dark){svg{color:#ddd;background:#111}}"
    "text{fill:currentColor}.axis{stroke:currentColor;opacity:.4}"
    ".curve{fill:none;stroke:#d2691e;stroke-width:2}circle{fill:#d2691e}.name{font-weight:600}"
)


def draw_curves(points: Sequence[Point]) -> str:
    """Draw three curves over the number of tables, side by side, as SVG."""
    panels = (
        ("commands a second", [point.rate for point in points], "{:.0f}"),
        ("ms until the last of five has it (median)", [point.p50 for point in points], "{:.1f}"),
        ("memory of the server, MB", [point.megabytes for point in points], "{:.0f}"),
    )
    width = LEFT + len(panels) * (WIDTH + BETWEEN)
    height = TOP + HEIGHT + 50
    drawn = "".join(
        f'<g transform="translate({LEFT + number * (WIDTH + BETWEEN)} {TOP})">'
        f"{_draw_curve(name, [point.tables for point in points], values, form)}</g>"
        for number, (name, values, form) in enumerate(panels)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="How the server grows from {points[0].tables} to {points[-1].tables} tables">'
        f"<style>{STYLE}</style>{drawn}</svg>\n"
    )


def _draw_curve(name: str, tables: Sequence[int], values: Sequence[float], form: str) -> str:
    most = max(values) * 1.15
    across = [WIDTH * log(count / tables[0]) / log(tables[-1] / tables[0]) for count in tables]
    up = [HEIGHT - HEIGHT * value / most for value in values]
    spots = [*zip(across, up, strict=True)]
    curve = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    marks = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>'
        f'<text x="{x:.1f}" y="{y - 8:.1f}" text-anchor="middle">{form.format(value)}</text>'
        f'<text x="{x:.1f}" y="{HEIGHT + 16}" text-anchor="middle">{count}</text>'
        for (x, y), value, count in zip(spots, values, tables, strict=True)
    )
    return (
        f'<text class="name" x="0" y="-20">{name}</text>'
        f'<path class="axis" d="M0 {HEIGHT}H{WIDTH}"/><polyline class="curve" points="{curve}"/>'
        f'{marks}<text x="{WIDTH}" y="{HEIGHT + 34}" text-anchor="end">tables of {CLIENTS}</text>'
    )


@click.command
@click.option("--tables", type=int, multiple=True, default=STEPS, show_default=True)
@click.option("--rounds", type=int, default=3, show_default=True)
@click.option("--seconds", type=float, default=2.0, show_default=True)
@click.option("--picture", "file", type=click.Path(path_type=Path))
def main(tables: tuple[int, ...], rounds: int, seconds: float, file: Path | None) -> None:
    """Measure a growing server and draw the curves."""
    rates = {"COMPANION_COMMAND_RATE": "none", "COMPANION_JOIN_RATE": "none"}
    more = {"COMPANION_ADDRESS_CONNECTIONS": "0"}
    click.echo("tables  cmd/s   p50 ms   p99 ms     MB CPU ms")
    with tempfile.TemporaryDirectory() as name:
        database = f"sqlite:///{Path(name, 'load.sqlite3')}"
        with Server(port=free_port(), database=database, settings={**rates, **more}) as real:
            points = asyncio.run(measure_growth(real, tables, rounds, seconds))
    if file is not None:
        file.write_text(draw_curves(points))


if __name__ == "__main__":
    main()
