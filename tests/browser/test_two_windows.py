"""Two pages of one browser: what a person chooses in one of them holds in the other, too."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import Person, open_lobby
from tests.support.chromium import ARGUMENTS, find_chromium
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser

WITHOUT_PIP = "delete globalThis.documentPictureInPicture"
"""Makes Chromium like Safari and Firefox, where the small window is a page of its own."""

TABLE = "/t/[A-Z0-9]{6}$"
"""The end of the address of a table's page."""

HIDDEN_CODE = "••••••"

FILL_STORAGE = """() => {
  for (let size = 2 ** 23; size >= 1; size /= 2) {
    try {
      localStorage[`filler${size}`] = "x".repeat(size);
    } catch {}
  }
}"""
"""Fills the device's storage to the last character."""


@pytest.fixture
def caching_browser(chromium: Browser) -> Iterator[Browser]:
    """Yield a browser that shows a page again as it was when the person goes back to it.

    Playwright's browsers load it again.
    """
    browser = chromium.browser_type.launch(
        executable_path=find_chromium(whole=True),
        args=ARGUMENTS,
        ignore_default_args=["--disable-back-forward-cache"],
    )
    yield browser
    browser.close()


def read_preferences(page: Page) -> dict[str, Any]:
    return dict(json.loads(page.evaluate("localStorage['hiss.prefs']")))


def hide_code(page: Page) -> None:
    page.get_by_label("Menu").click()
    page.locator("[name=veil]").click()
    page.keyboard.press("Escape")


def go_back(page: Page) -> None:
    """Go back to the page before, which the browser has kept as it was."""
    page.evaluate("history.back()")  # Playwright would wait until the page has loaded again
    page.wait_for_url(lambda url: not re.search(TABLE, url), wait_until="commit")
    navigation = "performance.getEntriesByType('navigation')[0].type"
    assert page.evaluate(navigation) == "navigate", "the page was loaded again"


def test_what_is_chosen_in_the_small_window_holds_in_the_tab(
    person: Callable[..., Person], server: RealServer
) -> None:
    ana = person("Ana", viewport={"width": 1280, "height": 800})
    ana.context.add_init_script(WITHOUT_PIP)
    code = open_lobby(server, [ana]).table
    expect(ana.page.locator("[data-code]")).to_have_text(code)
    ana.page.get_by_label("Menu").click()
    with ana.page.expect_popup() as opened:
        ana.page.get_by_role("button", name="Small window").click()
    small = opened.value
    hide_code(small)
    expect(small.locator("[data-code]")).to_have_text(HIDDEN_CODE)
    small.close()
    expect(ana.page.locator("[data-code]")).to_have_text(HIDDEN_CODE)
    ana.page.get_by_label("Menu").click()
    ana.page.get_by_role("radio", name="Dark").check()
    preferences = read_preferences(ana.page)
    assert (preferences["veil"], preferences["theme"]) == (True, "dark")


def test_the_start_page_hides_the_code_that_was_hidden_at_the_table(
    caching_browser: Browser, server: RealServer
) -> None:
    """The browser goes back to the start page as it was before there was a table."""
    ana = Person(caching_browser, "Ana", server.url)
    code = ana.create_table()
    hide_code(ana.page)
    go_back(ana.page)
    expect(ana.page.locator(".back")).to_be_visible()
    assert code not in ana.page.locator("body").inner_text()
    ana.page.get_by_role("radio", name="Dark").check()
    ana.page.locator(".back").click()
    expect(ana.page.locator("[data-code]")).to_have_text(HIDDEN_CODE)
    assert not ana.complaints
    ana.context.close()


def test_a_launchers_page_that_comes_back_leads_to_the_same_seat_without_cookies(
    caching_browser: Browser, server: RealServer
) -> None:
    ana = Person(caching_browser, "Ana", server.url)
    ana.page.goto(f"{server.url}/t/new?room=call-1234567890-two-windows&name=Ana")
    ana.page.click("[data-do=enter]")
    ana._sit_down()
    ana.context.clear_cookies()
    go_back(ana.page)
    ana.page.click("[data-do=enter]")
    ana.page.wait_for_url(re.compile(TABLE))
    ana._sit_down()
    expect(ana.page.locator(".seats li")).to_have_count(1)
    assert not ana.complaints
    ana.context.close()


def test_a_person_whose_device_is_full_keeps_the_seat_and_the_preferences_while_the_page_is_open(
    person: Callable[..., Person], server: RealServer
) -> None:
    code = server.create_table("Ana").table
    ben = person("Ben")
    ben.page.goto(f"{server.url}/t/{code}")
    ben.page.evaluate(FILL_STORAGE)
    ben.page.fill(".join [name=name]", "Ben")
    ben.page.click(".join .main")
    ben._sit_down()
    hide_code(ben.page)
    ben.page.get_by_label("Menu").click()
    ben.page.get_by_role("radio", name="Dark").check()
    ben.page.keyboard.press("Escape")
    expect(ben.page.locator("[data-code]")).to_have_text(HIDDEN_CODE)
