"""The panel's two windows beside a call: a small one for a player, and one for a shared screen."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.browser import faults
from tests.browser.notices import expect_notice, note_notices
from tests.browser.people import Person, open_game, open_pages
from tests.panel import pile_scenes, scenes
from tests.panel.shots import OpenScenePage, ScenePage
from tests.support.chromium import wait_for_truth
from tests.support.iterations import EVERYTHING, select_share
from tests.support.servers.server import Party, RealServer

pytestmark = pytest.mark.browser

WITHOUT_PIP = "delete globalThis.documentPictureInPicture"
"""Makes Chromium like Safari and Firefox, which have no windows that stay on top."""

LAPTOP = {"width": 1280, "height": 800}
SMALL = "Small window beside the call"
SHARED = "Show on a shared screen"
NOTE_SCENES = """{
  globalThis.scenes = [];
  new MutationObserver(() => {
    const shown = document.querySelector("[data-scene]");
    if (shown) scenes.push(shown.dataset.scene);
  }).observe(document.body, { childList: true });
}"""
"""Notes the kind of each scene that is shown from now on. A scene is gone after two seconds."""

HIDE_TAB = """{
  Object.defineProperty(document, "hidden", { get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Makes the tab report that it is hidden, as if the call's window covered it."""

SQUEEZED = (640, 360)
"""The size to which a call may squeeze a shared screen."""


def open_panel(browser: Browser, server: RealServer) -> tuple[Person, Party]:
    """Open the panel of Ben, who has to draw a card."""
    party = server.create_table("Ana", "Ben", "Cleo").begin().instruct()
    party.host.send_command("draw", cell=[0, 0])
    party.host.send_command("report", outcome="safe")
    party.instruct()
    ben = Person(browser, "Ben", server.url, viewport=LAPTOP)
    ben.context.add_init_script(WITHOUT_PIP)
    open_pages(party, ["Ana", ben, "Cleo"])
    ben.expect_headline("Draw")
    return ben, party


def choose(page: Page, button: str) -> None:
    """Choose a button in the menu."""
    page.get_by_label("Menu").click()
    page.get_by_role("button", name=button).click()


def open_window(page: Page, button: str) -> Page:
    page.get_by_label("Menu").click()
    with page.expect_popup() as opened:
        page.get_by_role("button", name=button).click()
    return opened.value


def test_205_and_206_the_panel_opens_a_small_window_and_one_for_a_shared_screen(
    chromium: Browser, server: RealServer
) -> None:
    ben, party = open_panel(chromium, server)
    check_small_window(ben.page)
    check_shared_screen(ben, party)
    assert not ben.complaints
    ben.context.close()


def test_212_a_window_on_top_of_the_call_shows_all_that_the_tab_would(
    person: Callable[..., Person], server: RealServer
) -> None:
    """The tab is wide, and it is hidden because it lies behind the call."""
    party = server.create_table("Dora", "Ben", "Ana").begin()
    ana = person("Ana", viewport=LAPTOP, reduced_motion="no-preference")
    open_pages(party, ["Dora", "Ben", ana])
    ana.page.get_by_label("Menu").click()
    with ana.page.expect_popup() as opened:
        ana.page.get_by_role("button", name="on top of the call").click()
    ana.page.evaluate(HIDE_TAB)
    small = opened.value
    # Playwright gives each new window the size of the tab
    small.set_viewport_size({"width": 340, "height": 620})
    expect(small.locator(".now h1")).to_be_in_viewport()
    expect(small.locator(".grid.large")).to_be_in_viewport()
    expect(small.locator(".beside")).to_have_count(0)
    assert small.evaluate("document.documentElement.scrollWidth <= innerWidth")

    small.get_by_label("Menu").click()
    expect(small.get_by_role("button", name="on top of the call")).to_have_count(0)
    small.get_by_role("radio", name="Dark").check()
    expect(small.locator("html")).to_have_attribute("data-theme", "dark")
    small.keyboard.press("Escape")
    party.clients[1].socket.emit("sign", {"sign": "cheer"})
    expect(small.locator(".float")).to_contain_text("Ben")

    # the scene of a card goes on in the tab when the window is closed
    party.instruct()
    dora = {"as": party.seats[0]}
    party.host.send_command("draw", **dora, cell=[0, 0])
    party.host.send_command("report", **dora, outcome="kitten")
    expect(small.locator("[data-scene=kitten]")).to_contain_text("Dora has the Kitten!")
    small.close()
    expect(ana.page.locator("[data-scene=kitten]")).to_have_count(1)
    expect(ana.page.locator("[data-scene]")).to_have_count(0)
    ana.expect_headline("Dora shows the Kitten!")


def test_212_a_link_in_the_window_on_top_of_the_call_opens_in_the_tab(
    person: Callable[..., Person], server: RealServer
) -> None:
    ana = person("Ana", viewport=LAPTOP)
    open_game(server, [ana, "Ben"], "Ben")
    ana.page.get_by_label("Menu").click()
    with ana.page.expect_popup() as opened:
        ana.page.get_by_role("button", name="on top of the call").click()
    # If the window closes before the click has returned, Playwright raises an error.
    with opened.value.expect_event("close"), suppress(Error):
        opened.value.get_by_role("link", name="Hiss").click()
    ana.page.wait_for_url(f"{server.url}/")
    expect(ana.page.locator("form").first).to_be_visible()


def check_small_window(panel: Page) -> None:
    # a blocked window is explained
    panel.evaluate("void ([globalThis.opens, window.open] = [window.open, () => null])")
    note_notices(panel)
    choose(panel, SMALL)
    expect_notice(panel, "Allow pop-ups for this page")
    panel.evaluate("void (window.open = globalThis.opens)")
    panel.keyboard.press("Escape")

    small = open_window(panel, SMALL)
    expect(small.locator(".now h1")).to_contain_text("Draw")
    assert small.evaluate("[innerWidth, innerHeight]") == [400, 700]
    expect(panel.locator("h1")).to_have_text("The panel is in a small window.")
    small.get_by_label("Menu").click()
    expect(small.get_by_role("button", name=SHARED)).to_be_visible()
    expect(small.get_by_role("button", name=SMALL)).to_have_count(0)

    # after a reload the panel has its seat, and the next tap finds the same window
    panel.reload()
    expect(panel.locator(".now h1")).to_contain_text("Draw")
    expect(small.locator("h1")).to_contain_text("open somewhere else")
    choose(panel, SMALL)
    expect(small.locator(".now h1")).to_contain_text("Draw")
    assert len(panel.context.pages) == 2
    expect(panel.locator("h1")).to_have_text("The panel is in a small window.")

    small.close()
    expect(panel.locator(".now h1")).to_contain_text("Draw")

    small = open_window(panel, SMALL)
    with small.expect_event("close"):
        panel.get_by_role("button", name="Back into this tab").click()
    expect(panel.locator(".now h1")).to_contain_text("Draw")


def check_shared_screen(ben: Person, party: Party) -> None:
    panel = ben.page
    shared = open_window(panel, SHARED)
    headline = shared.locator(".screen-top h1")
    expect(headline).to_contain_text("Ben draws")
    expect(panel.locator(".watching")).to_have_text("1")  # a spectator, in no way Ben
    expect(shared.locator("[data-seat]")).to_have_count(3)
    expect(shared.locator(".cell.told .pin")).to_be_visible()
    check_nothing_is_secret(shared, party)
    check_is_legible(shared)

    # the same window is found again, and survives a reload
    choose(panel, SHARED)
    shared.reload()
    expect(headline).to_contain_text("Ben draws")
    assert len(panel.context.pages) == 2

    shared.evaluate(NOTE_SCENES)
    panel.locator(".stage .cell.told").click()
    expect(headline).to_contain_text("Ben draws …")
    ben.give_command("safe")
    wait_for_truth(shared, "scenes.includes('phew')")
    party.instruct()
    expect(headline).to_contain_text("Cleo draws")
    cleo = party.clients[2]
    cleo.send_command("play", card="skip")
    cleo.send_command("hold", window=cleo.view["window"]["id"])
    expect(shared.get_by_role("timer")).to_be_visible()
    check_nothing_is_secret(shared, party)
    check_is_legible(shared)

    # a link to it works on another device, and loses the code at once
    shared.goto(f"{ben.url}/t/{party.table}#screen")
    expect(headline).to_be_visible()
    check_nothing_is_secret(shared, party)

    party.host.send_command("options", spectators=False)
    expect(shared.locator("h1")).to_have_text("Nobody may watch this table.")
    panel.get_by_label("Menu").click()
    expect(panel.locator("[data-no-screen]")).to_be_visible()
    expect(panel.get_by_role("button", name=SHARED)).to_have_count(0)
    party.host.send_command("options", spectators=True)
    expect(headline).to_be_visible()
    shared.close()


def check_nothing_is_secret(shared: Page, party: Party) -> None:
    """The page has no control, no hand, no link, and nothing with the table's code."""
    assert shared.locator("button, a, input, [data-play], [data-held], .kept").count() == 0
    assert shared.url.endswith("/t/shared-screen")
    shown = shared.evaluate("document.title + document.body.innerText")
    markup = shared.evaluate("document.body.querySelector('#app').outerHTML")
    assert party.table not in shown.upper() and party.table not in markup.upper()


def check_is_legible(shared: Page) -> None:
    for width, height in ((1920, 1080), SQUEEZED, (640, 700), (1280, 720)):
        shared.set_viewport_size({"width": width, "height": height})
        wait_for_truth(shared, f"innerWidth === {width}")
        assert not shared.evaluate(LEGIBLE)


LEGIBLE = """async () => {
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  const faults = [];
  const least = {
    h1: 16, ".screen-line": 12, ".screen-name": 9.5, ".clock b": 36, ".count": 8,
  };
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) faults.push("scrolls");
  for (const [part, px] of Object.entries(least))
    for (const one of document.querySelectorAll(`.screen ${part}`)) {
      const size = parseFloat(getComputedStyle(one).fontSize);
      if (size < px) faults.push(`${part} has ${size} px`);
    }
  const find = (selector) => document.querySelectorAll(selector);
  for (const cell of find(".screen .cell"))
    if (cell.clientWidth < 20) faults.push(`a card is ${cell.clientWidth} px wide`);
  const inside = (part, whole) => {
    const [a, b] = [part, whole].map((one) => one.getBoundingClientRect());
    const beyond = Math.max(b.left - a.left, b.top - a.top, a.right - b.right, a.bottom - b.bottom);
    if (beyond > 1) faults.push(`${part.className} leaves ${whole.className} by ${beyond} px`);
  };
  for (const tile of find(".screen-tile")) {
    inside(tile, document.body);
    for (const part of tile.querySelectorAll(".screen-name, .cell, .count, .screen-out"))
      inside(part, tile);
  }
  for (const part of find(".screen-words, .screen-middle, .felt, .debt, .played, .clock"))
    inside(part, document.querySelector(".screen-top"));
  return faults;
}"""
"""Returns what is too small, cut off, or out of its place on a shared screen."""

NUMBERS = ("three", "five", "six", "seven", "eight", "nine", "ten")
GRID = ("tell-two", *(f"act-{n}" for n in NUMBERS), "window-ten", "window-told-noped", "boom")
GRID += ("lobby-ten", "setup-ten", "over-ten", "roll-call-ten", "reveal-ten")
PILE = ("act-two", *(f"act-{n}" for n in NUMBERS), "act-ten-owed", "window-ten", "kitten-ten")
PILE += ("act-owed", "lobby-ten", "over-winner", "window-five")
CHECKED_BY_AXE = select_share([name for name in (*GRID, *PILE) if name.endswith("ten")], each=3)
LOOKS = [(language, theme) for language in ("en", "it") for theme in ("light", "dark")]
USUAL = {scenes: LOOKS[1:2], pile_scenes: LOOKS[2:3]}
"""For each family, the language and the theme in which ``python3 tests`` draws its scenes."""


@pytest.mark.parametrize("family", (scenes, pile_scenes), ids=("grid", "pile"))
def test_206_a_shared_screen_is_legible_with_two_to_ten_players(
    open_scene_page: OpenScenePage, family: Any
) -> None:
    names = GRID if family is scenes else PILE
    for language, theme in LOOKS if EVERYTHING else USUAL[family]:
        scene_page = open_scene_page(SQUEEZED, theme, language, family.VARIANT)
        found = {name: show_shared(scene_page, family, name) for name in names}
        assert not {name: faults for name, faults in found.items() if faults}, (language, theme)


def show_shared(scene_page: ScenePage, family: Any, name: str) -> list[str]:
    """Draw a scene on a shared screen. Return its faults."""
    play, _, panel = family.SCENES[name]
    scene = scenes.scene(name, {name: (play, None, {})})
    scene["panel"] = {"isSharedScreen": True, "explosion": panel.get("explosion")}
    page = scene_page.draw(scene)
    found: list[str] = page.evaluate(LEGIBLE)
    return [*found, *(faults.find_violations(page) if name in CHECKED_BY_AXE else [])]
