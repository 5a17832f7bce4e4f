"""Whole classic games on the page, from choosing the box to the winner."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person, all_pass, begin, no_hurry, prepare, sit_down
from tests.browser.test_keyboard import Typist

pytestmark = pytest.mark.browser

SMALL, PHONE, DESK = (
    {"width": width, "height": height} for width, height in ((320, 568), (390, 844), (1280, 800))
)


class Player(Person):
    """A person at a table with one pile."""

    def does(self, what: str) -> None:
        self._tap(self.page.locator(f'[data-do="{what}"]'))

    def picks(self, *cards: str) -> None:
        for card in cards:
            self._tap(self.page.locator(f'[data-pick="{self.titles.get(card, card)}"]'))

    def aims_at(self, other: Person) -> None:
        self._tap(self.page.locator(f'[data-whom="{other.seat}"]'))

    def learns(self, lesson: str, words: str) -> None:
        expect(self.page.locator(f'.lesson[data-lesson="{lesson}"]')).to_contain_text(words)

    def begins_a_combo(self, kind: str, *cards: str) -> None:
        self.does("combo")
        self._tap(self.page.locator(f'[data-kind="{kind}"]'))
        self.picks(*cards)


def play(ana: Player, ben: Player, cleo: Player) -> None:
    everyone = [ana, ben, cleo]
    sit_down(everyone, box="pile")
    no_hurry(ana)
    prepare(everyone)
    begin(everyone, first=ana)
    a_look_a_noped_pair_and_a_theft(ana, ben, cleo)
    an_attack_a_favor_and_a_secret_defuse(ana, ben, cleo)
    a_triple_and_an_explosion(ana, ben, cleo)
    five_different_and_the_last_one_standing(ben, cleo)
    for one in everyone:
        expect(one.page.locator(".over h1")).to_contain_text("Ben" if one is not ben else "")
    ana.says("rematch")
    for one in (ben, cleo):
        one.page.click("[data-do=go-on]")
        expect(one.page.locator('[data-say="ready"]')).to_be_visible()


def a_look_a_noped_pair_and_a_theft(ana: Player, ben: Player, cleo: Player) -> None:
    everyone = [ana, ben, cleo]
    ana.plays("see_future")
    all_pass(everyone)
    ana.does("saw")
    ana.picks("skip", "nope", "kitten")
    ana.says("look")
    expect(ana.page.locator(".heap-notes .noted")).to_have_count(3)
    expect(ben.page.locator(".heap-notes")).to_have_count(0)
    ana.begins_a_combo("pair", "tacocat")
    ana.aims_at(ben)
    ben.says("nope")
    all_pass(everyone)
    ana.begins_a_combo("pair", "beard_cat")
    ana.aims_at(cleo)
    all_pass(everyone)
    ana.says("take")
    ana.says("safe")


def an_attack_a_favor_and_a_secret_defuse(ana: Player, ben: Player, cleo: Player) -> None:
    everyone = [ana, ben, cleo]
    ben.plays("attack")
    all_pass(everyone)
    expect(cleo.page.locator(".paw")).to_have_count(2)
    cleo.plays("favor")
    cleo.aims_at(ben)
    all_pass(everyone)
    ben.page.reload()
    ben.says("give")
    cleo.says("safe")
    expect(ana.page.locator(".paw")).to_have_count(1)
    cleo.says("kitten")
    cleo.does("place")
    cleo.page.locator("[name=place]").fill("3")
    cleo.says("defuse")
    expect(cleo.page.locator(".heap-notes .noted")).to_have_count(1)
    expect(ana.page.locator(".pile-end.guess")).to_have_count(2)


def a_triple_and_an_explosion(ana: Player, ben: Player, cleo: Player) -> None:
    ana.begins_a_combo("triple", "cattermelon", "defuse")
    ana.aims_at(cleo)
    all_pass([ana, ben, cleo])
    cleo.says("answer-false")
    ana.says("kitten")
    ana.is_sure("explode")


def five_different_and_the_last_one_standing(ben: Player, cleo: Player) -> None:
    ben.begins_a_combo("five", "skip", "shuffle", "favor", "feral_cat", "see_future")
    ben.says("combo")
    all_pass([ben, cleo])
    ben.picks("attack")
    ben.says("safe")
    cleo.says("kitten")
    cleo.is_sure("explode")


def test_each_lesson_is_shown_once_at_its_moment_and_can_be_turned_off(
    person: Callable[..., Player],
) -> None:
    """Lessons are only shown to players who asked for them (promise 71)."""
    ana, ben = everyone = [person(name, kind=Player) for name in ("Ana", "Ben")]
    code = sit_down(everyone, box="party-120")
    no_hurry(ana)
    prepare(everyone)
    begin(everyone, first=ana)
    expect(ana.page.locator(".acts")).to_be_visible()
    expect(ana.page.locator(".lesson")).to_have_count(0)
    for one in everyone:
        one.page.get_by_label("Menu").click()
        one.page.click("[data-do=show-me]")
    ana.learns("top", "Draw the top card")
    ben.learns("watch", "example turn")
    link = ben.page.locator(".lesson [data-do=example]")
    expect(link).to_have_attribute("href", f"/t/{code}/replay/example")
    ana.plays("see_future")
    ana.learns("grab", "the same time")
    ben.learns("nope", "Nope")
    all_pass(everyone)
    ana.learns("peek", "off camera")
    ana.says("look")
    ana.learns("mix", "you can still shuffle")
    ana.says("kitten")
    ana.learns("slip", "right on top")
    ana.says("defuse")
    ana.learns("keep", "keep a Defuse")
    ben.learns("top", "Draw the top card")
    ben.says("safe")
    ana.learns("play.table", "hold each up to the camera")
    ana.page.click("[data-do=no-hints]")
    expect(ana.page.locator(".lesson")).to_have_count(0)
    ana.says("safe")
    ben.learns("play.table", "hold each up to the camera")
    expect(ana.page.locator(".lesson")).to_have_count(0)


def test_ten_play_of_whom_the_host_speaks_for_nine(person: Callable[..., Player]) -> None:
    host = person("Ana", kind=Player)
    host.makes_a_table("party-120")
    host.unfolds("seats")
    for name in ("Ben", "Cleo", "Dora", "Eve", "Finn", "Gus", "Hal", "Ida", "Jon"):
        adder = host.page.locator(".adder")
        adder.locator("[name=name]").fill(name)
        adder.locator("button").click()
        expect(host.page.locator(".people .seats")).to_contain_text(name)
    host.says("prepare")
    host.says("ready")
    host.speaks_for_those_without_a_panel(9)
    host.page.click(".firsts [data-say^=begin-s]")
    for left in range(9, 0, -1):
        expect(host.page.locator(".tile:not(.is-out)")).to_have_count(left + 1)
        expect(host.page.locator(".boom")).to_have_count(0)
        host.says("kitten")
        host.is_sure("explode")
        host.page.locator(".boom, .over h1").first.wait_for()
        host.page.keyboard.press("Escape")
    expect(host.page.locator(".over h1")).to_contain_text("Jon")


def test_a_classic_game_by_keyboard_alone(person: Callable[..., Typist]) -> None:
    ana = person("Ana", kind=Typist)
    ben = person("Ben", kind=Typist)
    ana.page.goto(ana.url)
    ana.reaches("form [name=name]")
    ana.page.keyboard.type("Ana")
    ana.reaches("[name=family]:checked")
    ana.presses("ArrowRight")
    ana.enters("form .main")
    ana.page.wait_for_url("**/t/*")
    ben.page.goto(ana.page.url)
    ben.reaches(".join [name=name]")
    ben.page.keyboard.type("Ben")
    ben.presses("Enter")
    ana.enters("[data-fold=seating] > summary")
    ana.reaches(".order .grip")
    ana.presses("ArrowDown")
    expect(ana.page.locator(".order li").first).to_contain_text("Ben")
    ana.enters("[data-say=prepare]")
    ben.enters("[data-say=ready]")
    ana.enters("[data-say=ready]")
    ana.enters(".firsts [data-say^=begin-s]")
    ben.enters("[data-play=see_future]")
    ana.may_press("[data-say=pass]", "p")
    ben.enters("[data-say=look]")
    ben.may_press("[data-do=combo]", "c")
    ben.may_press("[data-pick]", "1")  # with two players, the target is clear
    ana.may_press("[data-say=nope]", "n")
    ben.may_press("[data-say=pass]", "p")
    ben.may_press("[data-say=safe]", "s")
    ana.may_press(".pile-button[data-say=draw]", "d")
    expect(ana.page.locator("[data-say=draw]")).to_have_count(0)
    ana.may_press("[data-say=kitten]", "k")
    ana.enters("[data-ask=explode]")
    ana.enters("[data-say=explode]")
    for one in (ana, ben):
        expect(one.page.locator(".over h1")).to_be_visible()
