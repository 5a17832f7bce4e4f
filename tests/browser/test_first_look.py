"""Tests for the first screenful that a newcomer sees: the start page, and an invitation."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Person
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser

SIZES = ((320, 568), (390, 844), (1280, 800))
NEEDS = {
    ("quarantined", "en-GB"): "15 cards",
    ("quarantined", "it-IT"): "15 carte",
    ("party-120", "en-GB"): "in one room, in one pile",
    ("party-120", "it-IT"): "in una stanza, in un mazzo solo",
}
"""Words that a variant's invitation must contain."""


def expect_in_first_screenful(page: Page, game: str, need: str, button: str) -> None:
    """Expect that the first screenful shows the game's name, the comic, the button, and the text
    about what a player needs, and that nothing extends beyond the side, in both themes."""
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        for selector in (game, ".comic li:last-child", need, button):
            expect(page.locator(selector)).to_be_in_viewport(ratio=1)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.viewport_size["width"]
    assert page.evaluate("scrollY") == 0
    words = "el => el.textContent.replace(/\\s+/g, ' ')"
    assert "Exploding Kittens" in page.locator(game).evaluate(words)


@pytest.mark.parametrize("language", ["it-IT", pytest.param("en-GB", marks=pytest.mark.repetition)])
def test_a_newcomer_reads_game_need_and_button_on_the_first_screen_of_the_start_page(
    person: Callable[..., Person], language: str
) -> None:
    ana = person("Ana", locale=language)
    page, url = ana.page, ana.url
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(url)
        expect_in_first_screenful(page, ".hero h1", ".need", "form.make .main")
        expect(page.locator("form.make input:visible")).to_have_count(1)
        expect(page.locator("form.make button:visible")).to_have_count(1)
        [name, burst] = [
            page.locator(selector).bounding_box()
            for selector in (".hero-name svg", ".art-hero > path:first-of-type")
        ]
        assert name and burst and burst["x"] + burst["width"] <= name["x"]


@pytest.mark.parametrize(
    ("variant", "language"),
    [
        ("quarantined", "it-IT"),
        ("party-120", "en-GB"),
        pytest.param("quarantined", "en-GB", marks=pytest.mark.repetition),
        pytest.param("party-120", "it-IT", marks=pytest.mark.repetition),
    ],
)
def test_a_friend_reads_host_game_need_and_button_on_the_first_screen_of_an_invitation(
    person: Callable[..., Person], server: RealServer, language: str, variant: str
) -> None:
    table = server.post("/api/tables", {"name": "Dana", "variant": variant}).json["table"]
    page = person("Ben", locale=language).page
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{server.url}/t/{table}")
        expect_in_first_screenful(page, ".invited-to", ".need", ".join .main")
        expect(page.locator("h1")).to_contain_text("Dana")
        expect(page.locator(".join .free")).to_contain_text("account")
        expect(page.locator(".need")).to_contain_text(NEEDS[variant, language])


def test_a_visitor_to_a_table_without_spectators_reads_which_game_is_played(
    person: Callable[..., Person], server: RealServer
) -> None:
    made = server.post("/api/tables", {"name": "Dana", "options": {"spectators": False}}).json
    page = person("Ben").page
    page.goto(f"{server.url}/t/{made['table']}")
    expect(page.locator("main.door")).to_contain_text("Exploding Kittens")
    expect(page.locator(".join .free")).to_contain_text("account")
