"""Tests for the start page: its language, its theme, and the choice of a game."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.browser.faults import find_violations
from tests.browser.people import Person
from tests.support.servers.server import RealServer

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
    assert not find_violations(page)

    page.locator("[name=code]").fill("AAAAAA")
    page.locator("form button").last.click()
    wrong = page.locator("form", has=page.locator("[name=code]")).get_by_role("alert")
    expect(wrong).to_have_text("Non c’è nessun tavolo con questo codice.", timeout=WAIT_MS)

    anna.create_table()
    expect(page.locator(".which-game")).to_have_text("Pesca dalla griglia", timeout=WAIT_MS)
    expect(page.locator("html")).to_have_attribute("lang", "it", timeout=WAIT_MS)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark", timeout=WAIT_MS)
    expect(page.locator("main h1").first).to_have_text("Chi gioca?", timeout=WAIT_MS)


def test_the_start_page_waits_for_its_games_and_moves_nothing_under_a_thumb(
    person: Callable[..., Person],
) -> None:
    """The list of games arrives after the page and is drawn above the buttons.

    The page sends all its requests at once, so that a slow answer doesn't delay another request.
    """
    ana = person("Ana")
    page = ana.page
    held = list[Route]()
    page.route(re.compile("/api/(variants|server)$"), lambda route: held.append(route))
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    form = page.locator("form")
    games = page.locator(".games-fold")
    for soon in (True, False):
        with page.expect_request("**/api/server"):
            page.goto(ana.url)
        expect(page.locator(".skeleton")).to_be_visible()
        expect(form).to_have_count(0)
        variants, robots = held
        if soon:
            robots.continue_()
        else:
            page.clock.run_for(500)
            expect(form.first).to_be_visible()
            expect(games).to_have_count(0)
        variants.continue_()
        expect(games).to_be_visible()
        expect(form).to_have_count(2)
        if soon:
            expect(page.locator(".friends")).to_be_visible()
            page.wait_for_load_state("networkidle")
            assert held == [variants, robots]
        held.clear()


def test_chosen_things_and_targets_show_in_colours_of_their_own(
    person: Callable[..., Person],
) -> None:
    """A browser with forced colours shows no background colours, so they must not carry
    information."""
    page = person("Ana", forced_colors="active").page
    page.goto(person("Ben").url)
    for selector in ("label:has(> input:checked)", "form .press.main"):
        expect(page.locator(selector).first).to_have_css("outline-style", "solid")
    expect(page.locator("label:has(> input:not(:checked))").first).to_have_css(
        "outline-style", "none"
    )


def test_a_table_plays_the_game_and_box_that_are_chosen(person: Callable[..., Person]) -> None:
    ben = person("Ben")
    page = ben.page
    page.goto(ben.url)
    page.locator(".games-fold summary").click()
    page.locator("[name=family][value=pile]").check()
    expect(page.locator(".games-players")).to_have_text("2–5 players", timeout=WAIT_MS)
    expect(page.locator(".hero h1")).to_contain_text("around one table")
    expect(page.locator(".comic li").nth(1)).to_have_text("Then draw from the pile")
    expect(page.locator(".need")).to_contain_text("one room")
    page.select_option("[name=variant]", "party-122")
    expect(page.locator(".games-players")).to_have_text("2–10 players", timeout=WAIT_MS)
    expansion = page.locator("[name=expansion]")
    expansion.select_option(label="Imploding Kittens")
    page.select_option("[name=variant]", "original-56")
    expect(expansion).to_have_value("imploding-original-56", timeout=WAIT_MS)
    expect(page.locator(".games-players")).to_have_text("2–6 players", timeout=WAIT_MS)
    assert not find_violations(page)
    ben.create_table()
    expect(page.locator(".which-game")).to_have_text(
        "Classic: original box (56) with Imploding Kittens"
    )
    page.goto(ben.url)
    expect(page.locator("[name=variant]")).to_have_value("original-56", timeout=WAIT_MS)
    expect(expansion).to_have_value("imploding-original-56")
    page.locator(".games-fold summary").click()
    expansion.select_option(label="None")
    expect(page.locator(".games-players")).to_have_text("2–5 players", timeout=WAIT_MS)


def test_an_evening_is_summed_up_and_begun_anew_with_the_same_people(
    server: RealServer, person: Callable[..., Person]
) -> None:
    party = server.create_table("Ana", "Ben")
    for game in (1, 2):
        party.begin().instruct()
        say = party.host.send_command
        say("draw", **{"as": party.seats[0], "cell": [0, 0]})
        say("report", **{"as": party.seats[0], "outcome": "kitten"})
        say("explode", **{"as": party.seats[0]})
        if game == 1:
            say("rematch")
            say("to_lobby")

    ana = person("Ana")
    ben = person("Ben")
    page = ana.page
    ana.open_seat(party, 0)
    evening = page.locator(".evening")
    expect(evening).to_contain_text("The evening: 2 games")
    expect(evening.locator("tbody tr").first).to_contain_text("Ben")
    expect(evening.locator("tbody tr").first.locator("td").first).to_have_text("2")
    evening.locator("[data-do=again]").click()
    page.get_by_role("button", name="Ana").click()
    expect(page.locator("[name=name]")).to_have_value("Ana")
    page.locator("form button.main").click()
    page.wait_for_url("**/t/*#with=Ben")
    link = page.url

    page.goto(ana.url)
    past = page.locator(".past li")
    expect(past).to_contain_text("Ben, Ana")
    assert not find_violations(page)

    ben.page.goto(link)
    ben.page.get_by_role("button", name="Ben").click()
    ben.page.click(".join button.main")
    expect(ben.page.locator(".seats li.me")).to_contain_text("Ben")
