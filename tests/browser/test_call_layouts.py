"""Tests for the panel next to a video call, in each layout that the start page recommends."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.faults import FAULTS, HIDDEN, ROWS, TARGETS
from tests.browser.people import Person
from tests.support.chromium import wait_for_truth
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser

CALL = """<style>body { margin: 0; background: #222 } video { width: 100vw; height: 100vh }</style>
<canvas width="1280" height="720" hidden></canvas><video autoplay muted></video>
<script>
  const canvas = document.querySelector("canvas"), pen = canvas.getContext("2d");
  setInterval(() => pen.fillRect(0, 0, Date.now() % 1280, 720), 40);
  document.querySelector("video").srcObject = canvas.captureStream(25);
</script>"""
"""A page with a video in the shape of a camera's picture."""

SHOWN = """() => {
  const { videoWidth, videoHeight, clientWidth, clientHeight } = document.querySelector("video");
  const scale = Math.min(clientWidth / videoWidth, clientHeight / videoHeight);
  return [videoWidth * scale, videoHeight * scale];
}"""
"""The size of the video's picture in px."""

LAPTOP = (1280, 800)
WAYS = {
    "phone": (LAPTOP, (390, 844)),
    "phone-small": (LAPTOP, (320, 568)),
    "phone-lying": (LAPTOP, (844, 390)),
    "side": ((LAPTOP[0] - 320, LAPTOP[1]), (320, LAPTOP[1])),
    "top": (LAPTOP, (340, 620)),
}
"""The size of the call's window and of the panel in each layout. In "top", the panel floats over
the call."""


ARE_STYLES_LOADED = """[...document.querySelectorAll("link[rel=stylesheet]")]
  .every((link) => link.sheet?.cssRules.length)"""


def open_call(person: Person, size: tuple[int, int]) -> Page:
    page = person.context.new_page()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.set_content(CALL)
    wait_for_truth(page, "document.querySelector('video').videoWidth")
    return page


@pytest.mark.parametrize("layout", WAYS)
def test_video_and_panel_have_room_beside_each_other(
    person: Callable[..., Person], server: RealServer, layout: str
) -> None:
    screen, (width, height) = WAYS[layout]
    party = server.create_table("Ana", "Ben", "Cleo").begin().instruct()
    ana = person("Ana", viewport={"width": width, "height": height})
    credentials = f'{{"seat": "{party.seats[0]}", "token": "{party.tokens[0]}"}}'
    ana.context.add_init_script(f"localStorage['hiss.seat.{party.table}'] = {credentials!r}")
    ana.page.goto(f"{server.url}/t/{party.table}")
    ana.expect_headline("Draw")
    panel = ana.page
    if layout == "top":
        panel.get_by_label("Menu").click()
        with ana.context.expect_page() as popped:
            panel.get_by_role("button", name="on top of the call").click()
        panel = popped.value
        panel.set_viewport_size({"width": width, "height": height})
        wait_for_truth(panel, ARE_STYLES_LOADED)
    assert panel.evaluate("[innerWidth, innerHeight]") == [width, height]
    check_everything_fits(panel)
    panel.locator("[data-play=favor]").click()
    expect(panel.locator(".targets [data-cell].able").first).to_be_visible()
    check_everything_fits(panel)

    wide, high = open_call(ana, screen).evaluate(SHOWN)
    assert abs(wide / high - 16 / 9) < 0.01
    covered = width * height if layout == "top" else 0
    assert wide >= 960 and covered < wide * high / 4, "faces stay in sight"


def check_everything_fits(panel: Page) -> None:
    for measure in (FAULTS, HIDDEN, ROWS):
        assert not panel.evaluate(measure)
    assert not panel.evaluate(TARGETS, 44)
