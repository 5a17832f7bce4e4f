"""Tests that play whole classic games on the page, from choosing the box to the winner."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import (
    Person,
    begin_game,
    open_game,
    open_lobby,
    open_pages,
    open_preparation,
    pass_for_all,
    prepare_game,
    seat_players,
    send_when_allowed,
    set_longest_window,
)
from tests.browser.test_keyboard import Typist
from tests.support.chromium import wait_for_truth
from tests.support.servers.server import Client, RealServer

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
    for (const node of addedNodes) {
      if (node.dataset?.scene) window.shown.push(node.dataset.scene);
      if (node.matches?.(".boom")) window.shown.push(node.querySelector(".boom-words").textContent);
    }
  }
}).observe(document.body, { childList: true, subtree: true }));
"""
"""Records the texts of the live region, the kinds of the scenes, and the sentence of each BOOM."""


def test_211_a_game_with_imploding_kittens_is_played_to_its_end(
    person: Callable[..., Player], server: RealServer
) -> None:
    """Ben, the host, has no page."""
    cleo, ana = pages = [person(name, kind=Player) for name in ("Cleo", "Ana")]
    cleo.context.add_init_script(ANNOUNCED)
    party = open_preparation(server, ["Ben", *pages], "imploding-original-56")
    ben = party.host
    expect(cleo.page.locator(".steps")).to_contain_text("the expansion’s other 19 cards")
    expect(cleo.page.locator(".steps")).to_contain_text("Put the Imploding Kitten and 1 Exploding")
    party.begin_prepared(first=2)
    expect(ana.page.locator(".play-way")).to_have_attribute("data-way", "clockwise")
    ana.play_card("reverse")
    pass_for_all(pages, ben)
    expect(cleo.page.locator(".play-way")).to_have_attribute("data-way", "counterclockwise")
    wait_for_truth(cleo.page, "window.shown.includes('reverse')")
    wait_for_truth(cleo.page, "window.announced.some((text) => /Play goes/.test(text))")
    heard = cleo.page.evaluate("window.announced.filter((text) => /counterclockwise/.test(text))")
    assert len(heard) == 1 and heard[0].count("Play goes counterclockwise.") == 1, heard
    cleo.give_command("imploding")
    cleo.expect_headline("Put the Imploding Kitten back, face up")
    cleo.press_button("place")
    cleo.give_command("put_back")
    expect(cleo.page.locator(".heap-notes .noted")).to_have_count(1)
    expect(ana.page.locator("[data-lies]")).to_have_attribute("data-lies", "up")
    draw_card(ben, "safe")
    ana.give_command("see_imploding")
    for player in pages:
        expect(player.page.locator(".heap > .card-face")).to_be_visible()
    ana.expect_headline("The Imploding Kitten is on top!")
    ana.play_card("skip")
    pass_for_all(pages, ben)
    cleo.give_command("imploding")
    cleo.give_command("report")
    expect(ana.page.locator(f'.tile.is-out[data-seat="{cleo.seat}"]')).to_have_count(1)
    wait_for_truth(cleo.page, "window.shown.some((text) => text.trim() === 'You imploded.')")
    draw_card(ben, "kitten")
    ben.send_command("explode")
    expect(ana.page.locator(".over h1")).to_be_visible()
    expect(cleo.page.locator(".over h1")).to_contain_text("Ana")


def draw_card(client: Client, outcome: str) -> None:
    """Draw the top card for a player without a page, and report what it is."""
    send_when_allowed(client, "draw")
    client.send_command("report", outcome=outcome)


def test_each_lesson_is_shown_once_at_its_moment_and_can_be_turned_off(
    person: Callable[..., Player], server: RealServer
) -> None:
    """Only players who asked for lessons see them (promise 71)."""
    ana, ben = everyone = [person(name, kind=Player) for name in ("Ana", "Ben")]
    code = open_game(server, everyone, ana, "party-120").table
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


def test_the_host_plays_for_nine_of_ten_players(
    person: Callable[..., Player], server: RealServer
) -> None:
    host = person("Ana", kind=Player)
    party = server.create_table("Ana", variant="party-120")
    for name in ("Ben", "Cleo", "Dora", "Eve", "Finn", "Gus", "Hal", "Ida", "Jon"):
        party.host.send_command("add_seat", name=name)
    party.host.send_command("prepare")
    for seat in party.host.view["seats"][3:]:
        party.host.send_command("ready", **{"as": seat["seat"], "ready": True})
    open_pages(party, [host])
    host.give_command("ready")
    host.report_ready_for_others(2)
    host.page.click(".firsts [data-say^=begin-s]")
    let_player_explode(host, living=10)
    expect(host.page.locator(".tile:not(.is-out)")).to_have_count(9)
    table = host.page.url
    host.page.goto("about:blank")
    client = server.connect_client(party.table, party.tokens[0])
    while sum(seat["alive"] for seat in client.view["seats"]) > 2:
        up = {"as": client.view["turn"]["seat"]}
        client.send_command("draw", **up)
        client.send_command("report", outcome="kitten", **up)
        client.send_command("explode", **up)
    client.close()
    host.page.goto(table)
    let_player_explode(host, living=2)
    expect(host.page.locator(".over h1")).to_contain_text("Jon")


def let_player_explode(host: Player, *, living: int) -> None:
    """Let the turn player explode on the host's page, which shows this number of living
    players."""
    expect(host.page.locator(".tile:not(.is-out)")).to_have_count(living)
    host.give_command("kitten")
    host.confirm_command("explode")


def test_a_classic_game_by_keyboard_alone(
    person: Callable[..., Typist], server: RealServer
) -> None:
    """Ben has no page. ``tests/browser/test_keyboard.py`` plays a game on the draw grid."""
    ana = person("Ana", kind=Typist)
    ana.page.goto(ana.url)
    ana.tab_to("form [name=name]")
    ana.page.keyboard.type("Ana")
    ana.press_enter_on(".games-fold > summary")
    ana.tab_to("[name=family]:checked")
    ana.press_keys("ArrowRight")
    ana.press_enter_on("form .main")
    ana.page.wait_for_url("**/t/*")
    code = ana.page.url.rsplit("/", 1)[1]
    seat = server.post(f"/api/tables/{code}/seats", {"name": "Ben"}).json
    ben = server.connect_client(code, seat["token"])
    ana.press_enter_on("[data-fold=seating] > summary")
    ana.tab_to(".order .grip")
    ana.press_keys("ArrowDown")
    expect(ana.page.locator(".order li").first).to_contain_text("Ben")
    ana.press_enter_on("[data-say=prepare]")
    ben.wait(lambda: ben.view["phase"] == "setup")
    ben.send_command("ready", ready=True)
    ana.press_enter_on("[data-say=ready]")
    ana.press_enter_on(".firsts [data-say^=begin-s]")
    send_when_allowed(ben, "play", card="attack")
    ana.press_when_enabled("[data-say=nope]", "n")
    send_when_allowed(ben, "pass")
    draw_card(ben, "safe")
    ana.press_enter_on("[data-play=see_future]")
    send_when_allowed(ben, "pass")
    ana.press_enter_on("[data-say=look]")
    ana.press_when_enabled("[data-do=combo]", "c")
    ana.press_when_enabled("[data-pick]", "1")  # with two players, there is only one target
    send_when_allowed(ben, "nope")
    ana.press_when_enabled("[data-say=safe]", "s")
    send_when_allowed(ben, "play", card="skip")
    ana.press_when_enabled("[data-say=pass]", "p")
    ana.press_when_enabled(".pile-button[data-say=draw]", "d")
    expect(ana.page.locator("[data-say=draw]")).to_have_count(0)
    ana.press_when_enabled("[data-say=kitten]", "k")
    ana.press_enter_on("[data-ask=explode]")
    ana.press_enter_on("[data-say=explode]")
    expect(ana.page.locator(".over h1")).to_be_visible()


def test_a_host_moves_a_player_three_places_with_three_quick_taps(
    person: Callable[..., Player], server: RealServer
) -> None:
    """The taps come faster than the server's answers."""
    ana = person("Ana")
    party = open_lobby(server, [ana, "Ben", "Cleo", "Dan"], "party-120")
    ana.unfold_section("seating")
    ana.page.get_by_label("Dan one seat earlier").evaluate(
        "(button) => { for (let taps = 0; taps < 3; taps++) "
        "setTimeout(() => button.click(), taps); }"
    )
    expect(ana.page.locator(".order li").first).to_contain_text("Dan")
    order = [party.seats[place] for place in (3, 0, 1, 2)]
    party.clients[1].wait(
        lambda: [seat["seat"] for seat in party.clients[1].view["seats"]] == order
    )
