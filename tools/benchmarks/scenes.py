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
from itertools import pairwise
from typing import Any

import click
from playwright.sync_api import Browser, Page

from tests.panel import scenes
from tests.panel.shots import ScenePage
from tests.support.chromium import launch_chromium

SLOWED = 6
PHONE = (390, 844)
FRAME_MS = 16
"""The longest frame that a scene may have."""

CATEGORIES = ["toplevel", "blink.user_timing", "cc"]
TASK = "ThreadControllerImpl::RunTask"
MICROSECONDS = 1_000_000

KINDS = {
    "draw": {"card": "skip", "drawn": "skip", "to": [".tile"]},
    "kitten": {"card": "kitten"},
    "look": {"card": "skip", "to": [".stage .cell"]},
    "phew": {"to": [".tile"]},
    "lots": {},
    "first": {},
}
"""What each kind of scene shows."""

PLAY = """async ([view, scene, watches]) => {
  const { createScenePlayer } = await import("/static/js/shell/scenes.js");
  const { loadStyleSheet, loadSharedFiles } = await import("/static/js/core/late.js");
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

    To watch the frames costs time in each of them.
    """
    return list(page.evaluate(PLAY, [view, make_scene(kind, view), watches]))


def measure(browser: Browser, kind: str, size: tuple[int, int]) -> tuple[float, float]:
    """Play a scene once. Return two times in ms, multiplied by six: the CPU time of its longest
    frame and of its longest task."""
    drawn = ScenePage(browser, size, "light", "en")
    scene = scenes.scene("act-turn")
    page = drawn.draw(scene)
    page.emulate_media(reduced_motion="no-preference")
    play_scene(page, scene["view"], kind)  # compile everything first
    browser.start_tracing(page=page, categories=CATEGORIES)
    play_scene(page, scene["view"], kind)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    page.context.close()
    frames, tasks = zip(*find_costs(events), strict=True)
    return SLOWED * max(frames), SLOWED * max(tasks)


def find_costs(events: list[dict[str, Any]]) -> Iterator[tuple[float, float]]:
    """Yield the CPU time of each 1/60 s on the page's thread, and of its longest task, in ms."""
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


def measure_slowed(browser: Browser, kind: str, size: tuple[int, int]) -> tuple[float, int]:
    """Play a scene in a slowed browser.

    Return the longest time between two frames in ms, and the number of frames that came late.
    """
    drawn = ScenePage(browser, size, "light", "en")
    scene = scenes.scene("act-turn")
    page = drawn.draw(scene)
    page.emulate_media(reduced_motion="no-preference")
    play_scene(page, scene["view"], kind)
    chrome = page.context.new_cdp_session(page)
    chrome.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    times = play_scene(page, scene["view"], kind, watches=True)
    page.context.close()
    gaps = [later - earlier for earlier, later in pairwise(times)]
    return max(gaps), sum(gap > 1.5 * 1000 / 60 for gap in gaps)


@click.command
@click.option("--tries", default=3, show_default=True)
@click.option("--size", type=(int, int), default=PHONE, show_default=True)
@click.option("--only", default="", help="only this kind of scene")
def main(tries: int, size: tuple[int, int], only: str) -> None:
    """Print the best of several tries."""
    with launch_chromium() as browser:
        for kind in [kind for kind in KINDS if only in kind]:
            frame, task = min(measure(browser, kind, size) for _ in range(tries))
            gap, late = min(measure_slowed(browser, kind, size) for _ in range(tries))
            click.echo(
                f"{kind:7} longest frame {frame:5.1f} ms of the thread, × {SLOWED}"
                f" (task {task:5.1f}); slowed: {gap:5.1f} ms, {late} late frames"
            )


if __name__ == "__main__":
    main()
