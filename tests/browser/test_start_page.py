"""The start page: language and theme are chosen here as at a table, and stay chosen."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.people import Person

pytestmark = pytest.mark.browser

WAIT_MS = 20_000


def test_language_and_theme_chosen_on_the_start_page_hold_at_the_table(
    person: Callable[..., Person],
) -> None:
    anna = person("Anna")
    page = anna.page
    page.goto(anna.url)
    page.get_by_role("radio", name="Italiano").check()
    expect(page.locator("form button").first).to_have_text("Apri un tavolo", timeout=WAIT_MS)
    page.get_by_role("radio", name="Scuro").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark", timeout=WAIT_MS)
    assert not Axe().run(page).response["violations"]

    page.locator("[name=code]").fill("AAAAAA")
    page.locator("form button").last.click()
    wrong = page.locator("form", has=page.locator("[name=code]")).get_by_role("alert")
    expect(wrong).to_have_text("Non c'è nessun tavolo con questo codice.", timeout=WAIT_MS)

    anna.makes_a_table()
    expect(page.locator(".which-game")).to_have_text("Pesca dalla griglia", timeout=WAIT_MS)
    expect(page.locator("html")).to_have_attribute("lang", "it", timeout=WAIT_MS)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark", timeout=WAIT_MS)
    expect(page.locator("main h1").first).to_have_text("Chi gioca?", timeout=WAIT_MS)


def test_a_table_plays_the_game_and_box_that_are_chosen(person: Callable[..., Person]) -> None:
    ben = person("Ben")
    page = ben.page
    page.goto(ben.url)
    page.locator("[name=family][value=pile]").check()
    expect(page.locator(".games-players")).to_have_text("2–5 players", timeout=WAIT_MS)
    page.select_option("[name=variant]", "party-122")
    expect(page.locator(".games-players")).to_have_text("2–10 players", timeout=WAIT_MS)
    assert not Axe().run(page).response["violations"]
    ben.makes_a_table()
    expect(page.locator(".which-game")).to_have_text("Classic: older party pack (122)")
    page.goto(ben.url)
    expect(page.locator("[name=variant]")).to_have_value("party-122", timeout=WAIT_MS)
