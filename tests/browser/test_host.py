"""Tests for the host's tools: undo, and commands for other seats."""

import re
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from tests.browser.people import (
    Person,
    Player,
    open_lobby,
    open_pages,
    send_when_allowed,
)
from tests.support.servers.server import Party, RealServer

pytestmark = pytest.mark.browser


def begin_three(server: RealServer, ana: Person, ben: Player, cleo: Player) -> Party:
    """Begin a game of three in which Ana, the host, has been instructed which card to draw."""
    party = server.create_table("Ana", "Ben", "Cleo", options={"nope_seconds": 30}).begin()
    return open_pages(party.instruct(), [ana, ben, cleo])


def tap_twice(ana: Person, command: str) -> None:
    """Tap the button and, a moment later, the same point again, as nervous players do."""
    button = ana.page.locator(f'.sheet [data-say="{command}"]').first
    box = ana.wait_until_still(button)
    x = (box["left"] + box["right"]) / 2
    y = (box["top"] + box["bottom"]) / 2
    ana.page.evaluate(TWICE, [x, y])


TWICE = """([x, y]) => new Promise((done) => {
  document.elementFromPoint(x, y).click();
  setTimeout(() => done(document.elementFromPoint(x, y)?.click()), 250);
})"""


def test_a_nervous_double_tap_undoes_only_one_command(
    person: Callable[..., Person], server: RealServer
) -> None:
    ana = person("Ana")
    party = begin_three(server, ana, "Ben", "Cleo")
    ana.play_card("skip")
    send_when_allowed(party.clients[1], "nope")
    expect(ana.page.locator(".verdict")).to_contain_text("lost")
    ana.page.get_by_label("Undo", exact=True).click()
    tap_twice(ana, "undo")
    expect(ana.page.locator(".sheet")).to_have_count(0)
    ana.page.wait_for_timeout(500)
    expect(ana.page.locator(".verdict")).to_contain_text("counts")


def test_the_host_passes_for_seats_without_a_panel_and_speaks_for_absent_players(
    person: Callable[..., Person], server: RealServer
) -> None:
    ana = person("Ana")
    party = open_lobby(server, [ana, "Ben"])
    ben = party.clients[1]
    bens = SimpleNamespace(seat=party.seats[1])
    ana.unfold_section("seats")
    for name in ("Dora", "Edo"):
        ana.page.fill(".adder [name=name]", name)
        ana.page.click(".adder button")
        expect(ana.page.locator(".seats")).to_contain_text(name)
    ana.give_command("prepare")
    ana.give_command("ready")
    ana.report_ready_for_others(2)
    expect(ana.page.locator(".foot")).to_contain_text("Still preparing: Ben")
    ana.page.locator(f'.tokens [data-seat="{bens.seat}"] button').click()
    ana.page.click(f'.sheet [data-say="ready-{bens.seat}"]')
    ana.give_command(f"begin-{ana.seat}")
    ana.tap_cell(ana, (0, 0))
    ana.play_card("skip")
    send_when_allowed(ben, "pass")
    ana.give_command("pass-absent")
    ana.expect_headline("Tell Ben")
    ana.tap_cell(bens, (0, 0))
    ana.expect_headline("Ben draws")
    expect(ana.page.locator(".stand")).to_have_text("Tap for Ben")
    ben.close()
    away = ana.page.locator(".stand.away")
    expect(away).to_contain_text("Ben is away", timeout=20_000)
    ana.give_command("stand")
    ana.tap_cell(bens, (0, 0))
    ana.expect_headline("What did Ben draw?")


def test_a_shouted_nope_is_entered_once_and_for_one_seat_only(
    person: Callable[..., Person], server: RealServer
) -> None:
    ana = person("Ana")
    party = begin_three(server, ana, "Ben", "Cleo")
    ana.play_card("skip")
    ana.give_command("others")
    tap_twice(ana, "nope-for")
    expect(ana.page.locator(".sheet")).to_have_count(0)
    ana.page.wait_for_timeout(500)
    expect(ana.page.locator(".nopes .slams")).to_have_count(1)
    assert len(server.get(f"/api/tables/{party.table}").json["played"]["nopes"]) == 1


TWICE_AT_ONCE = """async ([one, other]) => {
  document.querySelector(one).click();
  for (let turn = 0; turn < 20; turn += 1) await null;
  document.querySelector(other).click();
}"""
"""Taps twice. The time between the taps is just enough for the panel to redraw."""


def test_a_game_is_ended_when_asked_once_more_and_that_is_taken_back(
    person: Callable[..., Person], server: RealServer
) -> None:
    ana, ben = person("Ana"), person("Ben")
    begin_three(server, ana, ben, "Cleo")
    page = ana.page
    ana.play_card("skip")
    page.get_by_label("Menu").click()
    expect(page.locator("[data-ask=end_game]")).to_be_visible()
    page.evaluate(TWICE_AT_ONCE, ["[data-ask=end_game]", "[data-say=end_game]"])
    # The second tap must not confirm. Confirming with the keyboard must still work.
    page.locator(".sure [data-back]").press("Enter")
    expect(page.locator("[data-ask=end_game]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-say=end_game]")).to_be_enabled()
    expect(page.locator(".sure [role=alert]")).to_contain_text("for everybody")
    page.keyboard.press("Enter")
    for player in (ana, ben):
        expect(player.page.locator(".lobby .seats li")).to_have_count(3)
    page.get_by_label("Undo", exact=True).click()
    ana.give_command("undo")
    for player in (ana, ben):
        expect(player.page.locator(".verdict")).to_contain_text("counts")


def test_leaving_and_removing_ask_once_more(
    person: Callable[..., Person], server: RealServer
) -> None:
    ana, cleo = person("Ana"), person("Cleo")
    party = begin_three(server, ana, "Ben", cleo)
    cleo.page.get_by_label("Menu").click()
    cleo.page.get_by_role("button", name="My seat").click()
    cleo.page.click("[data-ask=leave]")
    for answer in ("[data-say=leave]", ".sure [data-back]"):
        expect(cleo.page.locator(answer)).to_be_in_viewport(ratio=0.9)
    cleo.page.click("[data-say=leave]")
    expect(ana.page.locator(f'.tile[data-seat="{cleo.seat}"]')).to_have_class(re.compile("is-out"))
    expect(ana.page.locator(".boom")).to_have_count(0)
    ana.page.locator(f'.tile[data-seat="{party.seats[1]}"]').click()
    for tap in ("[data-ask=remove_seat]", "[data-say=remove_seat]"):
        ana.page.click(tap)
    expect(ana.page.locator("h1")).to_contain_text("You’ve won")


def test_a_question_stays_open_while_others_play_and_a_held_key_counts_once(
    person: Callable[..., Person], server: RealServer
) -> None:
    ana = person("Ana")
    party = server.create_table("Ana", "Ben", "Cleo", options={"nope_seconds": 30})
    open_pages(party.begin(first=1).instruct(), [ana, "Ben", "Cleo"])
    ana.page.get_by_label("Menu").click()
    ana.page.get_by_role("button", name="My seat").click()
    ana.page.click("[data-ask=leave]")
    send_when_allowed(party.clients[1], "play", card="skip")
    expect(ana.page.locator(".window")).to_be_visible()
    expect(ana.page.locator("[data-say=leave]")).to_be_visible()

    for _ in range(2):  # the first Escape closes the question, and the second one the sheet
        ana.page.keyboard.press("Escape")
    ana.page.keyboard.down("h")
    expect(ana.page.locator("[data-say=release]")).to_be_visible()
    for _ in range(5):
        ana.page.keyboard.down("h")
    ana.page.keyboard.up("h")
    send_when_allowed(party.clients[2], "pass")
    assert party.clients[2].view["window"]["held_by"] == party.seats[0]


def test_a_slip_is_taken_back_by_agreement(
    person: Callable[..., Person], server: RealServer
) -> None:
    people = ana, ben, cleo = [person(name) for name in ("Ana", "Ben", "Cleo")]
    begin_three(server, *people)
    ana.page.get_by_label("Menu").click()
    ana.page.locator(".options label", has_text="If others agree").click()
    ana.page.keyboard.press("Escape")
    ana.play_card("skip")
    ben.give_command("nope")
    ben.page.get_by_label("Undo", exact=True).click()
    expect(ben.page.locator(".sheet .log.lost")).to_contain_text("Nope")
    ben.give_command("ask_back")
    expect(ben.page.locator(".plea")).to_contain_text("Waiting for a yes from Ana.")
    for player in (cleo, ana):
        expect(player.page.locator(".plea")).to_contain_text("Ben asks to undo this:")
        expect(player.page.locator("[data-say=pass], [data-say=nope]").first).to_be_visible()
    cleo.page.click("[data-do=decline]")
    expect(cleo.page.locator("[data-say=agree]")).to_have_count(0)
    ana.give_command("agree")
    for player in people:
        expect(player.page.locator(".verdict")).to_contain_text("counts")
        expect(player.page.locator(".plea")).to_have_count(0)
    expect(ben.page.locator("[data-say=nope]")).to_be_visible()
