"""Measures the frames of the panel's scenes, such as a drawn card that turns over.

Each scene is played on a drawn table, in a window of a phone's size. Two kinds of figures are
printed for each scene. One is the CPU time that the page's thread spends on the longest frame,
multiplied by six to stand for a phone; other programs hardly affect it. The other is the longest
time between two frames in a Chromium that is slowed down six times, by the wall's clock; it needs
an otherwise idle machine.

Run from the root: ``python -m tools.benchmarks.scenes``.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from playwright.sync_api import Browser, Page, expect

from tests.support.chromium import launch_chromium
from tests.support.servers.server import RealServer

SLOWED = 6
PHONE = (390, 844)
FRAME_MS = 16
"""The longest frame that a scene may have."""

CATEGORIES = ["toplevel", "blink.user_timing", "cc"]
TASK = "ThreadControllerImpl::RunTask"
MICROSECONDS = 1_000_000

KINDS: dict[str, dict[str, Any]] = {
    "draw": {"card": "skip", "drawn": "skip", "to": [".tile"]},
    "kitten": {"card": "kitten"},
    "look": {"card": "skip", "to": [".stage .cell"]},
    "phew": {"to": [".tile"]},
    "lots": {},
    "first": {},
}
"""The cards and places in each kind of scene."""

PLAY = """async ([view, scene, watches]) => {
  const { createScenePlayer } = await import("/static/js/shell/scenes.js");
  const { loadStyleSheet, loadSharedFiles } = await import("/static/js/core/late.js");
  const { setVariant } = await import("/static/js/core/deck.js");
  const variant = await fetch(`/api/tables/${view.table}/variant`);
  setVariant(await variant.json());
  await Promise.all([loadStyleSheet("scenes"), loadSharedFiles()]);
  const frame = () => new Promise(requestAnimationFrame);
  const nothing = () => {};
  const ctrl = {
    view, me: view.seats[0].seat, prefs: {}, scene: null, sheet: null, draw: nothing, set: nothing,
  };
  const root = document.getElementById("app");
  const play = createScenePlayer(ctrl, () => scene);
  const after = { ...view, window: null, log: [{ version: view.version + 1, type: "other" }] };
  await new Promise((later) => setTimeout(later, 300));
  const times = [];
  let on = watches;
  (async () => { while (on) times.push(await frame()); })();
  await frame();
  performance.mark("scene-begins");
  play(root, { before: view, view: after, deckBefore: null });
  await new Promise((later) => setTimeout(later, 2000));
  ctrl.scene?.skip();
  await new Promise((later) => setTimeout(later, 700));
  on = false;
  performance.mark("scene-ends");
  return times;
}"""
"""Script that plays one scene. Returns the times of all frames in ms."""


def make_scene(kind: str, view: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a scene, as the panel's families of games return it."""
    seat = view["seats"][0]["seat"]
    return {"kind": kind, "seat": seat, "from": ".stage .cell", **KINDS[kind]}


def play_scene(
    page: Page, view: dict[str, Any], kind: str, *, watches: bool = False
) -> list[float]:
    """Play a scene. With ``watches``, return the times of its frames in ms.

    Each frame takes longer while the frames are measured.
    """
    return list(page.evaluate(PLAY, [view, make_scene(kind, view), watches]))


@contextmanager
def open_table(browser: Browser, server: RealServer, size: tuple[int, int]) -> Iterator[Any]:
    """Yield the page of a running game, and its view.

    Each scene has been played there once, so that everything is compiled.
    """
    code = server.create_table("Ana", "Ben", "Cleo").begin().instruct().table
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        reduced_motion="no-preference",
        service_workers="block",
    )
    page = context.new_page()
    page.goto(f"{server.url}/t/{code}")
    expect(page.locator(".play .grid.large")).to_be_visible()
    view = server.get(f"/api/tables/{code}").json
    for kind in KINDS:
        play_scene(page, view, kind)
    yield page, view
    context.close()


def measure(browser: Browser, page: Page, view: dict[str, Any], kind: str) -> tuple[float, float]:
    """Play a scene once. Return two times in ms, multiplied by six: the CPU time of its longest
    frame and of its longest task."""
    browser.start_tracing(page=page, categories=CATEGORIES)
    play_scene(page, view, kind)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    frames, tasks = zip(*find_frame_times(events), strict=True)
    return SLOWED * max(frames), SLOWED * max(tasks)


def find_frame_times(events: list[dict[str, Any]]) -> Iterator[tuple[float, float]]:
    """Divide the scene into frames of 1/60 s. Yield two times in ms for each frame: the CPU time of
    all tasks of the page's thread, and that of the longest task."""
    marks = {one["name"]: one for one in events if one["name"].startswith("scene-")}
    begins, ends = marks["scene-begins"], marks["scene-ends"]
    frames: dict[int, list[float]] = {}
    for one in events:
        is_own = (one["pid"], one["tid"]) == (begins["pid"], begins["tid"])
        if not (
            is_own
            and one["name"] == TASK
            and "tdur" in one
            and begins["ts"] <= one["ts"] <= ends["ts"]
        ):
            continue
        frame = int((one["ts"] - begins["ts"]) / MICROSECONDS * 60)
        frames.setdefault(frame, []).append(one["tdur"] / 1000)
    for spent in frames.values():
        yield sum(spent), max(spent)


def measure_slowed(page: Page, view: dict[str, Any], kind: str) -> tuple[float, int]:
    """Play a scene in a slowed browser.

    Return the longest time between two frames in ms, and the number of frames that came late.
    """
    chrome = page.context.new_cdp_session(page)
    chrome.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    times = play_scene(page, view, kind, watches=True)
    chrome.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    gaps = [later - earlier for earlier, later in pairwise(times)]
    return max(gaps), sum(gap > 1.5 * 1000 / 60 for gap in gaps)


@click.command
@click.option("--tries", default=3, show_default=True)
@click.option("--size", type=(int, int), default=PHONE, show_default=True)
@click.option("--only", default="", help="only this kind of scene")
def main(tries: int, size: tuple[int, int], only: str) -> None:
    """Print the best of several tries."""
    with TemporaryDirectory() as folder, launch_chromium() as browser:
        server = RealServer(Path(folder))
        with open_table(browser, server, size) as (page, view):
            print_figures(browser, page, view, tries, only)
        server.close()


def print_figures(
    browser: Browser, page: Page, view: dict[str, Any], tries: int, only: str
) -> None:
    for kind in [kind for kind in KINDS if only in kind]:
        frame, task = min(measure(browser, page, view, kind) for _ in range(tries))
        gap, late = min(measure_slowed(page, view, kind) for _ in range(tries))
        click.echo(
            f"{kind:7} longest frame {frame:5.1f} ms of the thread, × {SLOWED}"
            f" (task {task:5.1f}); slowed: {gap:5.1f} ms, {late} late frames"
        )


if __name__ == "__main__":
    main()
