"""Measures how fast a phone opens the replay of a ten-player game and steps in it.

A whole game of ten robots is played in memory, written to a file and opened with ``companion
replay``, in a window of a phone's size. The browser is already running, and has nothing in its
cache. The time to open begins with the request for the page, and ends when the first moment is on
the screen and keys work. Two kinds of figures are printed. One is the CPU time of the page's
thread, multiplied by six to stand for a phone; other programs hardly affect it. The other is
wall-clock time in a Chromium that is slowed down six times; it needs an otherwise idle machine.

Run from the root: ``python -m tests.browser.reel``.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import urljoin

import click
from playwright.sync_api import Browser, Page, sync_playwright

from companion.service import codec
from companion.service.replays.file import record_game
from companion.service.table.log import Projection
from companion.storage.statements import StoredEvent
from tests.support.chromium import find_chromium
from tests.support.in_memory_table import QUARANTINED, InMemoryTable

SLOWED = 6
STEPS = 100
SECOND = 1000
PHONE = (390, 844)

OPENED = """window.opened = new Promise((open) =>
  new MutationObserver((_, observer) => {
    if (!document.querySelector(".reel")) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => open(performance.now())));
  }).observe(document, { subtree: true, childList: true }));
"""
"""Script that detects when the first picture is on the screen."""

STEP = """async (count) => {
  const spent = [];
  for (let n = 0; n < count; n++) {
    const began = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
    await new Promise((drawn) => queueMicrotask(() => queueMicrotask(drawn)));
    const drawn = performance.now();
    document.body.offsetHeight;
    spent.push([drawn - began, performance.now() - began]);
    await new Promise((later) => setTimeout(later, 25));
  }
  return spent;
}"""
"""Script that returns two times in ms for each step: of its script alone, and with style and
layout."""


class Spent(NamedTuple):
    """The CPU time of the page's thread, in ms."""

    moments: int  # number of the replay's last moment
    open: float  # time to open the replay
    step: float  # time of the script for one step
    layout: float  # time of style and layout for one step


def make_game_file(seed: int) -> bytes:
    """Return the file of a whole game of ten players."""
    table = InMemoryTable(10, seed)
    table.play_game()
    journal = Projection("PARLOR", QUARANTINED)
    rows = [(at, at * SECOND, codec.encode(event)) for at, event in enumerate(table.events, 1)]
    for event, (_, at, _) in zip(table.events, rows, strict=True):
        journal.add(event, at)
    span = journal.games.spans.get(1)
    assert span is not None
    wanted = {*span.versions}
    stored = (StoredEvent(at, when, body.decode(), "") for at, when, body in rows if at in wanted)
    return record_game(span, stored).bytes


@contextmanager
def serve_replay(file: Path) -> Iterator[str]:
    """Run ``companion replay`` on a file. Yield the address of the replay."""
    command = [sys.executable, "-m", "companion", "replay", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().split()[1]
        finally:
            process.terminate()


def measure_cpu_times(browser: Browser, address: str, size: tuple[int, int] = PHONE) -> Spent:
    """Open the replay once, jump to a third of it, and step forward from there."""
    page, chrome = _open_missing_page(browser, address, size)
    chrome.send("Performance.enable", {"timeDomain": "threadTicks"})
    blank = _read_metrics(chrome)["TaskDuration"]
    _open_replay(page, address)
    opened = _read_metrics(chrome)["TaskDuration"] - blank
    last = int(page.get_attribute(".track input", "max") or 0)
    _jump_to_a_third(page)
    before = _read_metrics(chrome)
    page.evaluate(STEP, STEPS)
    after = _read_metrics(chrome)
    page.context.close()
    spent = {key: (after[key] - before[key]) / STEPS for key in before}
    layout = spent["LayoutDuration"] + spent["RecalcStyleDuration"]
    return Spent(last, opened, spent["ScriptDuration"], layout)


def _open_missing_page(browser: Browser, address: str, size: tuple[int, int]) -> tuple[Page, Any]:
    """Request a missing page of the server, so that the browser is already running."""
    context = browser.new_context(
        service_workers="block", viewport={"width": size[0], "height": size[1]}
    )
    context.add_init_script(OPENED)
    page = context.new_page()
    page.goto(urljoin(address, "/nothing"))
    return page, context.new_cdp_session(page)


def _open_replay(page: Page, address: str) -> float:
    """Open the replay. Return the ms until its first moment was shown."""
    page.goto(address)
    return float(page.evaluate("opened"))


def _jump_to_a_third(page: Page) -> None:
    page.evaluate(
        """() => {
          const slider = document.querySelector(".track input");
          slider.value = slider.max / 3;
          slider.dispatchEvent(new Event("input"));
        }"""
    )
    page.wait_for_timeout(500)


def _read_metrics(chrome: Any) -> dict[str, float]:
    found = chrome.send("Performance.getMetrics")["metrics"]
    return {one["name"]: SECOND * one["value"] for one in found if "Duration" in one["name"]}


def measure_wall_clock(
    browser: Browser, address: str, size: tuple[int, int] = PHONE
) -> tuple[float, float, float]:
    """Measure wall-clock time in a slowed browser.

    Return three times in ms: to open the replay, the median of the script's time per step, and the
    same with style and layout.
    """
    page, chrome = _open_missing_page(browser, address, size)
    chrome.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    opened = _open_replay(page, address)
    _jump_to_a_third(page)
    spent = page.evaluate(STEP, STEPS)
    page.context.close()
    drawn, placed = (median(each) for each in zip(*spent, strict=True))
    return opened, drawn, placed


@click.command
@click.option("--tries", default=9, show_default=True)
@click.option("--size", type=(int, int), default=PHONE, show_default=True)
def main(tries: int, size: tuple[int, int]) -> None:
    """Print the best of several tries."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "game.json"
        file.write_bytes(make_game_file(seed=4))
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        with serve_replay(file) as address:
            thread = [measure_cpu_times(browser, address, size) for _ in range(tries)]
            wall = [measure_wall_clock(browser, address, size) for _ in range(tries)]
        browser.close()
    for name in ("open", "step", "layout"):
        best = min(getattr(one, name) for one in thread)
        click.echo(f"{name:7} {best:6.1f} ms of the thread, × {SLOWED}: {SLOWED * best:.0f} ms")
    opened, drawn, placed = (sorted(each) for each in zip(*wall, strict=True))
    click.echo(f"{thread[0].moments} moments; slowed {SLOWED} times, by the wall's clock:")
    click.echo(f"opened in {opened[0]:.0f} ms (median {median(opened):.0f}), ", nl=False)
    click.echo(f"a step in {drawn[0]:.1f} ms, with its layout in {placed[0]:.1f} ms")


if __name__ == "__main__":
    main()
