"""Tests that play whole classic games on the page, from choosing the box to the winner."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import (
    Person,
    begin_game,
    pass_for_all,
    prepare_game,
    seat_players,
    set_longest_window,
)
from tests.browser.test_keyboard import Typist
from tests.support.chromium import wait_for_truth

pytestmark = pytest.mark.browser

SMALL, PHONE, DESK = (
    {"width": width, "height": height} for width, height in ((320, 568), (390, 844), (1280, 800))
)


class Player(Person):
    """A person at a table with one pile."""

    def press_button(self, action: str) -> None:
        self._tap_button(self.page.locator(f'[data-do="{action}"]'))

    def pick_cards(self, *cards: str) -> None:
        for card in cards:
            self._tap_button(self.page.locator(f'[data-pick="{self.titles.get(card, card)}"]'))

    def pick_target(self, other: Person) -> None:
        self._tap_button(self.page.locator(f'[data-whom="{other.seat}"]'))

    def expect_lesson(self, lesson: str, words: str) -> None:
        expect(self.page.locator(f'.lesson[data-lesson="{lesson}"]')).to_contain_text(words)

    def begin_combo(self, kind: str, *cards: str) -> None:
        self.press_button("combo")
        self._tap_button(self.page.locator(f'[data-kind="{kind}"]'))
        self.pick_cards(*cards)


def play_game(ana: Player, ben: Player, cleo: Player) -> None:
    everyone = [ana, ben, cleo]
    seat_players(everyone, box="pile")
    set_longest_window(ana)
    prepare_game(everyone)
    begin_game(everyone, first=ana)
    play_look_noped_pair_and_theft(ana, ben, cleo)
    play_attack_favor_and_secret_defuse(ana, ben, cleo)
    play_triple_and_explosion(ana, ben, cleo)
    play_five_and_last_explosion(ben, cleo)
    for player in everyone:
        expect(player.page.locator(".over h1")).to_contain_text("Ben" if player is not ben else "")
    ana.give_command("rematch")
    for player in (ben, cleo):
        player.page.click("[data-do=go-on]")
        expect(player.page.locator('[data-say="ready"]')).to_be_visible()


def play_look_noped_pair_and_theft(ana: Player, ben: Player, cleo: Player) -> None:
    everyone = [ana, ben, cleo]
    ana.play_card("see_future")
    pass_for_all(everyone)
    ana.press_button("saw")
    ana.pick_cards("skip", "nope", "kitten")
    ana.give_command("look")
    expect(ana.page.locator(".heap-notes .noted")).to_have_count(3)
    expect(ben.page.locator(".heap-notes")).to_have_count(0)
    ana.begin_combo("pair", "tacocat")
    ana.pick_target(ben)
    ben.give_command("nope")
    pass_for_all(everyone)
    ana.begin_combo("pair", "beard_cat")
    ana.pick_target(cleo)
    pass_for_all(everyone)
    ana.give_command("take")
    ana.give_command("safe")


def play_attack_favor_and_secret_defuse(ana: Player, ben: Player, cleo: Player) -> None:
    everyone = [ana, ben, cleo]
    ben.play_card("attack")
    pass_for_all(everyone)
    expect(cleo.page.locator(".paw")).to_have_count(2)
    cleo.play_card("favor")
    cleo.pick_target(ben)
    pass_for_all(everyone)
    ben.page.reload()
    ben.give_command("give")
    cleo.give_command("safe")
    expect(ana.page.locator(".paw")).to_have_count(1)
    cleo.give_command("kitten")
    cleo.press_button("place")
    cleo.page.locator("[name=place]").fill("3")
    cleo.give_command("defuse")
    expect(cleo.page.locator(".heap-notes .noted")).to_have_count(1)
    expect(ana.page.locator(".pile-end.guess")).to_have_count(2)


def play_triple_and_explosion(ana: Player, ben: Player, cleo: Player) -> None:
    ana.begin_combo("triple", "cattermelon", "defuse")
    ana.pick_target(cleo)
    pass_for_all([ana, ben, cleo])
    cleo.give_command("answer-false")
    ana.give_command("kitten")
    ana.confirm_command("explode")


def play_five_and_last_explosion(ben: Player, cleo: Player) -> None:
    ben.begin_combo("five", "skip", "shuffle", "favor", "feral_cat", "see_future")
    ben.give_command("combo")
    pass_for_all([ben, cleo])
    ben.pick_cards("attack")
    ben.give_command("safe")
    cleo.give_command("kitten")
    cleo.confirm_command("explode")


ANNOUNCED = """
window.announced = [];
window.shown = [];
addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    if (target.id === "says") window.announced.push(target.textContent);
    for (const { dataset } of addedNodes) if (dataset?.scene) window.shown.push(dataset.scene);
  }
}).observe(document.body, { childList: true, subtree: true }));
"""
"""Records the texts of the live region, and the kinds of the scenes."""


def test_211_a_game_with_imploding_kittens_is_played_to_its_end(
    person: Callable[..., Player],
) -> None:
    everyone = ana, ben, cleo = [person(name, kind=Player) for name in ("Ana", "Ben", "Cleo")]
    ben.context.add_init_script(ANNOUNCED)
    seat_players(everyone, box="imploding-original-56")
    set_longest_window(ana)
    ana.give_command("prepare")
    expect(ben.page.locator(".steps")).to_contain_text("the expansion’s other 19 cards")
    expect(ben.page.locator(".steps")).to_contain_text("Put the Imploding Kitten and 1 Exploding")
    for player in everyone:
        player.give_command("ready")
    begin_game(everyone, first=ana)
    expect(ana.page.locator(".play-way")).to_have_attribute("data-way", "clockwise")
    ana.play_card("reverse")
    pass_for_all(everyone)
    expect(ben.page.locator(".play-way")).to_have_attribute("data-way", "counterclockwise")
    wait_for_truth(ben.page, "window.shown.includes('reverse')")
    wait_for_truth(ben.page, "window.announced.some((text) => /Play goes/.test(text))")
    heard = ben.page.evaluate("window.announced.filter((text) => /counterclockwise/.test(text))")
    assert len(heard) == 1 and heard[0].count("Play goes counterclockwise.") == 1, heard
    cleo.give_command("imploding")
    cleo.expect_headline("Put the Imploding Kitten back, face up")
    cleo.press_button("place")
    cleo.give_command("put_back")
    expect(cleo.page.locator(".heap-notes .noted")).to_have_count(1)
    expect(ben.page.locator("[data-lies]")).to_have_attribute("data-lies", "up")
    ben.give_command("safe")
    ana.give_command("see_imploding")
    for player in everyone:
        expect(player.page.locator(".heap > .card-face")).to_be_visible()
    ana.expect_headline("The Imploding Kitten is on top!")
    ana.play_card("skip")
    pass_for_all(everyone)
    cleo.give_command("imploding")
    cleo.give_command("report")
    for player in (ana, ben):
        expect(player.page.locator(f'.tile.is-out[data-seat="{cleo.seat}"]')).to_have_count(1)
    ben.page.keyboard.press("Escape")
    ben.give_command("kitten")
    ben.confirm_command("explode")
    for player in everyone:
        expect(player.page.locator(".over h1")).to_contain_text("Ana" if player is not ana else "")


def test_each_lesson_is_shown_once_at_its_moment_and_can_be_turned_off(
    person: Callable[..., Player],
) -> None:
    """Only players who asked for lessons see them (promise 71)."""
    ana, ben = everyone = [person(name, kind=Player) for name in ("Ana", "Ben")]
    code = seat_players(everyone, box="party-120")
    set_longest_window(ana)
    prepare_game(everyone)
    begin_game(everyone, first=ana)
    expect(ana.page.locator(".acts")).to_be_visible()
    expect(ana.page.locator(".lesson")).to_have_count(0)
    for player in everyone:
        player.page.get_by_label("Menu").click()
        player.page.click("[data-do=show-me]")
    ana.expect_lesson("top", "Draw the top card")
    ben.expect_lesson("watch", "example turn")
    link = ben.page.locator(".lesson [data-do=example]")
    expect(link).to_have_attribute("href", f"/t/{code}/replay/example")
    ana.play_card("see_future")
    ana.expect_lesson("grab", "the same time")
    ben.expect_lesson("nope", "Nope")
    pass_for_all(everyone)
    ana.expect_lesson("peek", "off camera")
    ana.give_command("look")
    ana.expect_lesson("mix", "you can still shuffle")
    ana.give_command("kitten")
    ana.expect_lesson("slip", "right on top")
    ana.give_command("defuse")
    ana.expect_lesson("keep", "keep a Defuse")
    ben.expect_lesson("top", "Draw the top card")
    ben.give_command("safe")
    ana.expect_lesson("play.table", "hold each up to the camera")
    ana.page.click("[data-do=no-hints]")
    expect(ana.page.locator(".lesson")).to_have_count(0)
    ana.give_command("safe")
    ben.expect_lesson("play.table", "hold each up to the camera")
    expect(ana.page.locator(".lesson")).to_have_count(0)


def test_the_host_plays_for_nine_of_ten_players(person: Callable[..., Player]) -> None:
    host = person("Ana", kind=Player)
    host.create_table("party-120")
    host.unfold_section("seats")
    for name in ("Ben", "Cleo", "Dora", "Eve", "Finn", "Gus", "Hal", "Ida", "Jon"):
        adder = host.page.locator(".adder")
        adder.locator("[name=name]").fill(name)
        adder.locator("button").click()
        expect(host.page.locator(".people .seats")).to_contain_text(name)
    host.give_command("prepare")
    host.give_command("ready")
    host.report_ready_for_others(9)
    host.page.click(".firsts [data-say^=begin-s]")
    for living in range(10, 1, -1):
        expect(host.page.locator(".tile:not(.is-out)")).to_have_count(living)
        host.page.keyboard.press("Escape")
        host.give_command("kitten")
        host.confirm_command("explode")
    expect(host.page.locator(".over h1")).to_contain_text("Jon")


def test_a_classic_game_by_keyboard_alone(person: Callable[..., Typist]) -> None:
    ana = person("Ana", kind=Typist)
    ben = person("Ben", kind=Typist)
    ana.page.goto(ana.url)
    ana.tab_to("form [name=name]")
    ana.page.keyboard.type("Ana")
    ana.press_enter_on(".games-fold > summary")
    ana.tab_to("[name=family]:checked")
    ana.press_keys("ArrowRight")
    ana.press_enter_on("form .main")
    ana.page.wait_for_url("**/t/*")
    ben.page.goto(ana.page.url)
    ben.tab_to(".join [name=name]")
    ben.page.keyboard.type("Ben")
    ben.press_keys("Enter")
    ana.press_enter_on("[data-fold=seating] > summary")
    ana.tab_to(".order .grip")
    ana.press_keys("ArrowDown")
    expect(ana.page.locator(".order li").first).to_contain_text("Ben")
    ana.press_enter_on("[data-say=prepare]")
    ben.press_enter_on("[data-say=ready]")
    ana.press_enter_on("[data-say=ready]")
    ana.press_enter_on(".firsts [data-say^=begin-s]")
    ben.press_enter_on("[data-play=see_future]")
    ana.press_when_enabled("[data-say=pass]", "p")
    ben.press_enter_on("[data-say=look]")
    ben.press_when_enabled("[data-do=combo]", "c")
    ben.press_when_enabled("[data-pick]", "1")  # with two players, there is only one target
    ana.press_when_enabled("[data-say=nope]", "n")
    ben.press_when_enabled("[data-say=pass]", "p")
    ben.press_when_enabled("[data-say=safe]", "s")
    ana.press_when_enabled(".pile-button[data-say=draw]", "d")
    expect(ana.page.locator("[data-say=draw]")).to_have_count(0)
    ana.press_when_enabled("[data-say=kitten]", "k")
    ana.press_enter_on("[data-ask=explode]")
    ana.press_enter_on("[data-say=explode]")
    for player in (ana, ben):
        expect(player.page.locator(".over h1")).to_be_visible()
