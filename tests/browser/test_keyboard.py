"""A whole game played with the keyboard alone."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person, open_lobby, send_when_allowed
from tests.support.servers.server import Client, RealServer

pytestmark = pytest.mark.browser


class Typist(Person):
    """A person who only uses the keyboard."""

    def press_keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def press_enter_on(self, selector: str) -> None:
        """Press Tab until the element has the focus, then Enter."""
        self.tab_to(selector)
        self.press_keys("Enter")

    def tab_to(self, selector: str) -> None:
        expect(self.page.locator(selector).first).to_be_enabled()
        for _ in range(80):
            if self.page.evaluate("s => !!document.activeElement?.matches(s)", selector):
                return
            self.press_keys("Tab")
        raise AssertionError(f"{self.name} never gets to {selector} with Tab")

    def press_when_enabled(self, selector: str, key: str) -> None:
        """Press a shortcut once its button is enabled."""
        expect(self.page.locator(selector).first).to_be_enabled()
        self.press_keys(key)

    def press_cell_key(self, cell: int) -> None:
        """Press the number of a cell of one's own grid, once that cell can be tapped."""
        expect(self.page.locator(".stage .grid.large .cell").nth(cell - 1)).to_contain_class("able")
        self.press_keys(str(cell))


def test_a_game_by_keyboard_alone(person: Callable[..., Typist], server: RealServer) -> None:
    """Ben joins on his page, and then has none any more.

    ``tests/browser/test_pile_game.py`` creates a table by keyboard alone.
    """
    ana = person("Ana", kind=Typist)
    code = open_lobby(server, [ana]).table
    ben = join_by_keyboard(person("Ben", kind=Typist), server, code)
    play_to_first_turn(ana, ben)
    play_look_favor_and_defuse(ana, ben)
    play_favor_of_other_player(ana, ben)
    play_skip_noped_and_yupped(ana, ben)
    play_explosion(ana, ben)
    play_turn_with_device_deck(ana, ben)


def join_by_keyboard(player: Typist, server: RealServer, code: str) -> Client:
    """Join a table by keyboard. Returns a client that takes the seat over from the page."""
    player.page.goto(f"{server.url}/t/{code}")
    player.tab_to(".join [name=name]")
    player.page.keyboard.type(player.name)
    player.press_keys("Enter")
    expect(player.page.locator(".seats li")).to_have_count(2)
    stored = player.page.evaluate(f"localStorage['hiss.seat.{code}']")
    player.page.close()
    return server.connect_client(code, json.loads(stored)["token"])


def play_to_first_turn(ana: Typist, ben: Client) -> None:
    expect(ana.page.locator(".seats li")).to_have_count(2)
    ana.press_enter_on("[data-say=prepare]")
    get_ready(ben)
    ana.press_enter_on("[data-say=ready]")
    ana.press_enter_on(".firsts [data-say^=begin-s]")


def get_ready(ben: Client) -> None:
    ben.wait(lambda: ben.view["phase"] == "setup")
    ben.send_command("ready", ready=True)


def play_look_favor_and_defuse(ana: Typist, ben: Client) -> None:
    send_when_allowed(ben, "instruct", cell=[0, 0])
    ana.press_keys("?")
    expect(ana.page.get_by_role("dialog")).to_be_visible()
    ana.press_keys("Escape")
    expect(ana.page.get_by_role("dialog")).to_have_count(0)
    ana.press_enter_on("[data-play=see_future]")
    send_when_allowed(ben, "pass")
    ana.press_cell_key(2)
    ana.press_enter_on("[data-play=favor]")
    ana.press_keys("1", "3")
    send_when_allowed(ben, "pass")
    send_when_allowed(ben, "reveal", card="skip")
    ana.press_cell_key(1)
    ana.press_when_enabled("[data-say=kitten]", "k")
    ana.press_enter_on("[data-say=defuse]")


def play_favor_of_other_player(ana: Typist, ben: Client) -> None:
    ana.press_cell_key(3)
    send_when_allowed(ben, "play", card="favor", target=ana.seat, cell=[1, 2])
    ana.press_when_enabled("[data-say=pass]", "p")
    ana.press_enter_on("[data-reveal=skip]")


def play_skip_noped_and_yupped(ana: Typist, ben: Client) -> None:
    send_when_allowed(ben, "play", card="skip")
    ana.press_when_enabled("[data-say=nope]", "n")
    send_when_allowed(ben, "nope")
    ana.press_when_enabled("[data-say=pass]", "p")


def play_explosion(ana: Typist, ben: Client) -> None:
    send_when_allowed(ben, "instruct", cell=[0, 1])
    ana.press_cell_key(2)
    ana.press_when_enabled("[data-say=kitten]", "k")
    ana.press_enter_on("[data-ask=explode]")
    ana.press_enter_on("[data-say=explode]")
    expect(ana.page.locator(".over h1")).to_be_visible()
    ana.press_enter_on("[data-say=rematch]")
    expect(ana.page.locator("[data-say=ready]")).to_be_visible()


def play_turn_with_device_deck(ana: Typist, ben: Client) -> None:
    """Play a turn of the next game, in which Ana's device keeps her deck."""
    ana.press_enter_on("[data-deck=device]")
    expect(ana.page.locator("[data-deck=device]")).to_have_attribute("aria-checked", "true")
    get_ready(ben)
    ana.press_enter_on("[data-say=ready]")
    ana.press_enter_on(f".firsts [data-say=begin-{ana.seat}]")
    send_when_allowed(ben, "instruct", cell=[0, 0])
    bens = ben.view["turn"]["instructor"]
    ana.press_enter_on("[data-do=uncover]")
    expect(ana.page.locator(".dock.kept [data-held]").first).to_be_visible()
    ana.press_enter_on("[data-do=cover]")
    ana.press_cell_key(1)
    hides = ana.page.locator("[data-do=hide]")
    tells = ana.page.locator(f".stage [data-grid={bens}] .able").first
    expect(hides.or_(tells)).to_be_visible()
    if hides.count():
        ana.press_enter_on("[data-do=hide]")
        ana.press_cell_key(2)
    expect(tells).to_be_visible()
    ana.press_cell_key(1)
    ben.wait(lambda: ben.view["turn"]["seat"] == bens and ben.view["turn"]["told"])
