"""Pass for me, on the page: the choice is explained, seen by all, and ends with one tap."""

import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Person, open_game, send_when_allowed
from tests.support.painting import take_screenshot
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("SHOTS")
"""The folder for pictures of each step for a person. By default, no picture is taken."""
SIZES = ((320, 568), (390, 844), (1280, 800))


def take_pictures(page: Page, name: str) -> None:
    if not SHOTS:
        return
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)
        take_screenshot(page, path=f"{SHOTS}/{name}-{width}.png")
    page.set_viewport_size({"width": 320, "height": 568})


@pytest.mark.parametrize("box", ["", "party-120"], ids=["grid", "pile"])
def test_a_player_passes_until_their_next_turn_and_everybody_sees_it(
    person: Callable[..., Any], server: RealServer, box: str
) -> None:
    ana: Person = person("Ana")
    cleo: Person = person("Cleo")
    party = open_game(server, [ana, "Ben", cleo], ana, box)
    ben = party.clients[1]

    def list_passing_players() -> list[str]:
        seats = server.get(f"/api/tables/{party.table}").json["seats"]
        return [seat["name"] for seat in seats if seat.get("auto_pass")]

    if not box:
        cleo.tap_cell(ana, (0, 0))
    ana.play_card("skip")
    page = cleo.page
    take_pictures(page, f"window-{box}")
    page.locator("[data-do=ahead]").focus()
    page.keyboard.press("Enter")
    sheet = page.locator(".sheet-ahead")
    expect(sheet).to_contain_text("The others can see it")
    take_pictures(page, f"sheet-{box}")
    assert list_passing_players() == [], "nothing is chosen by opening the sheet"
    sheet.locator("[data-say=auto_pass]").click()
    bar = page.locator(".ahead")
    expect(bar).to_contain_text("You pass until your next turn")
    expect(page.locator("#live, [aria-live]").first).to_be_attached()
    assert list_passing_players() == ["Cleo"]
    take_pictures(page, f"on-{box}")
    take_pictures(ana.page, f"seen-{box}")
    mark = ana.page.get_by_role("img", name="Passes until their next turn")
    expect(mark).to_have_count(1)
    page.reload()
    expect(bar).to_be_visible()
    send_when_allowed(ben, "pass")  # Cleo has passed automatically, so the window closes
    expect(ana.page.locator(".stage.window")).to_have_count(0)

    if not box:
        ana.tap_cell(SimpleNamespace(seat=party.seats[1]), (0, 0))
    send_when_allowed(
        ben, "play", card="skip"
    )  # Cleo passes automatically again; her turn begins when Ana has passed
    ana.give_command("pass")
    expect(bar).to_have_count(0)
    assert list_passing_players() == []

    page.get_by_label("Menu").click()
    page.locator(".sheet [data-do=ahead]").click()
    page.locator("[data-say=auto_pass]").click()
    expect(bar).to_be_visible()
    bar.locator("[data-do=ahead-stop]").click()
    expect(bar).to_have_count(0)
    assert list_passing_players() == []
