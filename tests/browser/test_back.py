"""Tests for Back, Forward and reload while a sheet is open over the table."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Person
from tests.support.chromium import wait_for_truth
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser


LOBBY_ONCE = pytest.mark.parametrize(
    "seated", ["lobby", pytest.param("play", marks=pytest.mark.repetition)], indirect=True
)
PLAY_ONCE = pytest.mark.parametrize(
    "seated", ["play", pytest.param("lobby", marks=pytest.mark.repetition)], indirect=True
)
"""Runs a test in a game, and in ``python3 tests all`` in the lobby, too. ``LOBBY_ONCE`` does the
opposite."""


@pytest.fixture(name="seated")
def seat_people(
    request: pytest.FixtureRequest, server: RealServer, person: Callable[..., Person]
) -> Person:
    """Open Ana's page in the lobby or in a game. In the browser's history, the start page comes
    before Ana's page."""
    party = server.create_table("Ana", "Ben")
    if request.param == "play":
        party.begin()
    ana = person("Ana")
    ana.page.goto(ana.url)
    expect(ana.page.locator("form").first).to_be_visible()
    credentials = f'{{"seat": "{party.seats[0]}", "token": "{party.tokens[0]}"}}'
    ana.page.evaluate(f"localStorage['hiss.seat.{party.table}'] = '{credentials}'")
    ana.page.goto(f"{ana.url}/t/{party.table}")
    expect(ana.page.locator(".table-code")).to_have_text(party.table)
    expect(ana.page.locator("main:not([inert])").first).to_be_visible()
    return ana


def open_sheet(page: Page, name: str) -> None:
    page.get_by_label(name, exact=True).first.click()
    expect(page.locator(".sheet")).to_be_visible()


def expect_sheet_closed(page: Page, table: str) -> None:
    """Check that the sheet is closed and the page still shows the table."""
    expect(page.locator(".sheet")).to_have_count(0)
    assert page.url == table


@PLAY_ONCE
def test_back_puts_a_sheet_away_and_only_then_leaves_the_table(seated: Person) -> None:
    page = seated.page
    table = page.url
    for name in ("Help", "Menu", "Help"):
        open_sheet(page, name)
        page.go_back()
        expect_sheet_closed(page, table)
    page.go_back()
    expect(page.locator(".home")).to_be_visible()
    assert not seated.complaints, seated.complaints


@LOBBY_ONCE
def test_a_sheet_that_was_put_away_otherwise_leaves_nothing_for_back_to_do(seated: Person) -> None:
    page = seated.page
    table = page.url
    for _ in range(2):
        open_sheet(page, "Help")
        page.keyboard.press("Escape")
        expect_sheet_closed(page, table)
        open_sheet(page, "Menu")
        page.get_by_label("Close").click()
        expect_sheet_closed(page, table)
    wait_for_truth(page, "!history.state?.sheet")
    page.go_back()
    expect(page.locator(".home")).to_be_visible()


@pytest.mark.parametrize("seated", ["lobby"], indirect=True)
def test_back_closes_the_house_rules_while_the_host_types(seated: Person) -> None:
    page = seated.page
    table = page.url
    page.locator("[data-do=house]").click()
    page.locator(".house-shelf summary").click()
    page.locator("[name=rules]").press_sequentially("Ours")
    page.go_back()
    wait_for_truth(page, "!history.state?.sheet")
    expect_sheet_closed(page, table)
    page.go_back()
    expect(page.locator(".home")).to_be_visible()


@PLAY_ONCE
def test_forward_opens_the_sheet_again(seated: Person) -> None:
    page = seated.page
    table = page.url
    open_sheet(page, "Help")
    page.go_back()
    expect_sheet_closed(page, table)
    page.go_forward()
    expect(page.locator(".sheet-help")).to_be_visible()
    page.go_back()
    expect_sheet_closed(page, table)
    page.go_back()
    expect(page.locator(".home")).to_be_visible()
    page.go_forward()
    expect(page.locator(".table-code")).to_be_visible()
    expect_sheet_closed(page, table)


@LOBBY_ONCE
def test_after_a_reload_in_a_sheet_back_leaves_the_table_at_once(seated: Person) -> None:
    page = seated.page
    table = page.url
    open_sheet(page, "Help")
    page.reload()
    expect(page.locator(".table-code")).to_be_visible()
    wait_for_truth(page, "!history.state?.sheet")
    expect_sheet_closed(page, table)
    page.go_back()
    expect(page.locator(".home")).to_be_visible()
    assert not seated.complaints, seated.complaints


@pytest.mark.parametrize("locale", ["it-IT", pytest.param("en-GB", marks=pytest.mark.repetition)])
def test_the_way_back_to_a_table_is_in_the_start_pages_first_screenful(
    person: Callable[..., Person], locale: str
) -> None:
    ana = person("Ana", locale=locale)
    code = ana.create_table()
    page = ana.page
    page.goto(ana.url)
    back = page.locator(".home .back")
    expect(back).to_contain_text(code)
    for width, height in ((390, 844), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        box = back.bounding_box()
        assert box and box["y"] + box["height"] <= height and box["height"] >= 44
    back.click()
    expect(page.locator(".table-code")).to_have_text(code)
