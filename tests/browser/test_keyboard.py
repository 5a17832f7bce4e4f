"""A whole game played with the keyboard alone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person

pytestmark = pytest.mark.browser


class Typist(Person):
    """A person who only uses the keyboard."""

    def presses(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def enters(self, selector: str) -> None:
        """Press Tab until the element has the focus, then Enter."""
        self.reaches(selector)
        self.presses("Enter")

    def reaches(self, selector: str) -> None:
        expect(self.page.locator(selector).first).to_be_enabled()
        for _ in range(80):
            if self.page.evaluate("s => !!document.activeElement?.matches(s)", selector):
                return
            self.presses("Tab")
        raise AssertionError(f"{self.name} never gets to {selector} with Tab")

    def may_press(self, what: str, key: str) -> None:
        """Press a shortcut once its button is enabled."""
        expect(self.page.locator(what).first).to_be_enabled()
        self.presses(key)

    def cell_key(self, cell: int) -> None:
        self.may_press(".stage .grid.large .cell.able", str(cell))


def test_a_game_by_keyboard_alone(person: Callable[..., Typist]) -> None:
    ana = person("Ana", kind=Typist)
    ben = person("Ben", kind=Typist)
    to_the_first_turn(ana, ben)
    a_look_a_favor_and_a_defuse(ana, ben)
    a_skip_noped_and_yupped(ana, ben)
    an_explosion(ana, ben)
    a_turn_with_a_deck_on_the_device(ana, ben)


def to_the_first_turn(ana: Typist, ben: Typist) -> None:
    ana.page.goto(ana.url)
    ana.reaches("form [name=name]")
    ana.page.keyboard.type("Ana")
    ana.presses("Enter")
    ana.page.wait_for_url("**/t/*")
    ben.page.goto(ana.page.url)
    ben.reaches(".join [name=name]")
    ben.page.keyboard.type("Ben")
    ben.presses("Enter")
    expect(ana.page.locator(".seats li")).to_have_count(2)
    for one in (ana, ben):
        one.seat = one.page.locator(".seats li.me").get_attribute("data-seat") or ""
    ana.enters("[data-say=prepare]")
    ben.enters("[data-say=ready]")
    ana.enters("[data-say=ready]")
    ana.enters(".firsts [data-say^=begin-s]")


def a_look_a_favor_and_a_defuse(ana: Typist, ben: Typist) -> None:
    ben.cell_key(1)
    ana.presses("?")
    expect(ana.page.get_by_role("dialog")).to_be_visible()
    ana.presses("Escape")
    expect(ana.page.get_by_role("dialog")).to_have_count(0)
    ana.enters("[data-play=see_future]")
    ben.may_press("[data-say=pass]", "p")
    ana.cell_key(2)
    ana.enters("[data-play=favor]")
    ana.presses("1", "3")
    ben.may_press("[data-say=pass]", "p")
    ben.enters("[data-reveal=skip]")
    ana.cell_key(1)
    ana.may_press("[data-say=kitten]", "k")
    ana.enters("[data-say=defuse]")


def a_skip_noped_and_yupped(ana: Typist, ben: Typist) -> None:
    ana.cell_key(3)
    ben.enters("[data-play=skip]")
    ana.may_press("[data-say=nope]", "n")
    ben.may_press("[data-say=nope]", "n")
    ana.may_press("[data-say=pass]", "p")


def an_explosion(ana: Typist, ben: Typist) -> None:
    ben.cell_key(2)
    ana.cell_key(2)
    ana.may_press("[data-say=kitten]", "k")
    ana.enters("[data-ask=explode]")
    ana.enters("[data-say=explode]")
    for one in (ana, ben):
        expect(one.page.locator(".over h1")).to_be_visible()
    ana.enters("[data-say=rematch]")
    ben.enters("[data-do=go-on]")
    expect(ben.page.locator("[data-say=ready]")).to_be_visible()


def a_turn_with_a_deck_on_the_device(ana: Typist, ben: Typist) -> None:
    """Play a turn of the next game, in which Ana's device keeps her deck."""
    ana.enters("[data-deck=device]")
    expect(ana.page.locator("[data-deck=device]")).to_have_attribute("aria-checked", "true")
    for one in (ana, ben):
        one.enters("[data-say=ready]")
    ana.enters(f".firsts [data-say=begin-{ana.seat}]")
    ben.cell_key(1)
    ana.enters("[data-do=uncover]")
    expect(ana.page.locator(".dock.kept [data-held]").first).to_be_visible()
    ana.enters("[data-do=cover]")
    ana.cell_key(1)
    hides = ana.page.locator("[data-do=hide]")
    tells = ana.page.locator(f".stage [data-grid={ben.seat}] .able").first
    expect(hides.or_(tells)).to_be_visible()
    if hides.count():
        ana.enters("[data-do=hide]")
        ana.cell_key(2)
    expect(tells).to_be_visible()
    ana.cell_key(1)
    expect(ben.page.locator(".cell.told").first).to_be_visible()
