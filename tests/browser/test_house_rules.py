"""Tests for house rules on the page: making, showing, playing, saving and reopening them."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.faults import find_violations
from tests.browser.people import Person, open_lobby
from tests.browser.test_device_decks import Game, Holder, has_drawn
from tests.browser.test_practice import LATE, MOVE
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser

SMALL_TARGETS = """() => [...document.querySelectorAll(".house :is(button, input, summary)")]
  .filter((one) => one.checkVisibility() && !one.matches(".unseen, [type=checkbox], [type=radio]"))
  .map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect()])
  .filter(([, { width, height }]) => Math.min(width, height) < 43.5)
  .map(([html]) => html)"""
"""Returns the targets that are too small for a thumb."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: Any) -> Iterator[RealServer]:
    """Start a server whose robots play without a pause."""
    running = RealServer(tmp_path_factory.mktemp("server"), COMPANION_ROBOT_PACE="0")
    yield running
    running.close()


def find_field(page: Page, key: str) -> Locator:
    return page.locator(f'[data-field="{key}"]')


def open_form(page: Page) -> None:
    page.locator("[data-do=house]").click()
    expect(page.locator(".house")).to_be_visible()


def press_more(page: Page, key: str) -> None:
    find_field(page, key).locator("[data-step=more]").click()


def apply_rules(page: Page) -> None:
    page.locator("[data-say=house_rules]").click()
    expect(page.locator(".sheet")).to_have_count(0)


def make_three_by_three(page: Page, meanwhile: Callable[[], None]) -> None:
    """Make house rules with a 3×3 grid, four Skips that are called Snooze, and instructions that
    can be Noped.

    Only the title is typed, and everything else is tapped.

    Args:
        meanwhile: called when half of the title is typed
    """
    open_form(page)
    press_more(page, "cards.skip")
    press_more(page, "grid.rows")
    expect(page.locator(".house-foot p.short")).to_have_text("16 of 14 cards placed")
    expect(page.locator("[data-say=house_rules]")).to_have_count(0)
    page.locator("[data-do=fit]").click()
    expect(page.locator(".house-foot p")).to_have_text("14 of 14 cards placed")
    find_field(page, "instruction_nopes").get_by_role("switch").check()
    expect(find_field(page, "instruction_nopes")).to_contain_text("was off")
    page.locator(".house summary").first.click()
    title = find_field(page, "titles.skip").locator("input")
    title.fill("Snoo")
    meanwhile()
    title.press_sequentially("ze")
    page.locator(".house-shelf summary").click()
    page.locator("[name=rules]").fill("Ours")


def test_made_with_a_thumb_seen_by_friends_played_replayed_and_opened_next_week(
    person: Callable[..., Any], server: RealServer, tmp_path: Path
) -> None:
    ana = person("Ana", kind=Holder)
    ben = person("Ben")
    page: Page = ana.page
    game = Game(server, [ana])
    code = game.code

    def let_robot_join() -> None:
        """Let a robot join, so that the page is redrawn."""
        token = {"Authorization": f"Bearer {game.party.tokens[0]}"}
        assert server.post(f"/api/tables/{code}/robots", {}, **token).status == 201
        expect(page.locator(".seats li")).to_have_count(2)

    make_three_by_three(page, let_robot_join)
    assert not page.evaluate(SMALL_TARGETS)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    with page.expect_download() as saving:
        page.locator("[data-do=save]").click()
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    assert json.loads(file.read_text("utf-8")) == {
        "format": "hiss-rules",
        "version": 1,
        "like": "quarantined",
        "rules": {
            "name": "Ours",
            "cards": {"skip": 4},
            "deal": {"put_away": 2, "grid": 8},
            "grid": {"rows": 3},
            "instruction_nopes": True,
            "titles": {"skip": "Snooze"},
        },
    }
    apply_rules(page)

    words = (
        "House rules “Ours”: 4× Snooze, 2 put away, 3×3, an instruction can be Noped and"
        " Skip is called “Snooze”"
    )
    ben.page.goto(f"{server.url}/t/{code}")  # Ben watches
    for player in (ana, ben):
        expect(player.page.locator("[data-house]")).to_contain_text(words)
    expect(ben.page.locator("[data-do=house]")).to_have_count(0)
    ben.page.goto("about:blank")
    ana.give_command("prepare")
    ana.choose_device_deck()
    expect(page.locator("[data-house]")).to_contain_text("4× Snooze")
    ana.give_command("ready")
    robot = game.view["seats"][1]["seat"]
    ana.give_command(f"begin-{robot}")
    grid = page.locator("main [data-grid]").first
    expect(grid.locator("[data-cell]")).to_have_count(9)
    page.get_by_label("Help").click()
    expect(page.locator(".sheet [data-house]")).to_contain_text("4× Snooze")
    expect(page.locator(".cards-help")).to_contain_text("Snooze")
    expect(page.locator(".cards-help")).not_to_contain_text("Skip")
    page.keyboard.press("Escape")

    deadline = time.monotonic() + LATE
    while not page.locator("main.over").count() and not has_drawn(game, ana.seat):
        assert time.monotonic() < deadline, page.locator("#app").inner_text()
        page.evaluate(MOVE)
        page.wait_for_timeout(50)
    if not page.locator("main.over").count():
        ana.confirm_in_sheet(page.locator(f'.chain [data-seat="{robot}"]'), "remove_seat")
    expect(page.locator(".story [data-house]")).to_contain_text("Ours")
    expect(page.locator(".recap-rules")).to_contain_text("Ours")
    instructions = page.evaluate(
        """code => fetch(`/api/tables/${code}/log`).then((answer) => answer.json())
          .then((log) => log.filter(({ type }) => type === "instructed"))""",
        code,
    )
    assert any(instruction["facts"].get("closes_at") for instruction in instructions)
    expect(page.locator('[data-mark="honest"]')).to_have_count(2, timeout=60_000)

    page.locator("[data-do=replay]").click()
    expect(page.locator(".now [data-house]")).to_contain_text("4× Snooze")

    # Open the saved file on another device at another table.
    cleo = person("Cleo")
    open_lobby(server, [cleo])
    open_form(cleo.page)
    cleo.page.locator(".house-shelf summary").click()
    cleo.page.locator("[type=file]").set_input_files(file)
    expect(find_field(cleo.page, "cards.skip").locator("output")).to_have_text("4")
    apply_rules(cleo.page)
    expect(cleo.page.locator("[data-house]")).to_contain_text(words)


def test_a_single_change_can_be_reset_and_an_unbalanced_sum_is_named_at_its_field(
    person: Callable[..., Person], server: RealServer
) -> None:
    """This test uses only the keyboard."""
    ana = person("Ana")
    page = ana.page
    open_lobby(server, [ana])
    page.locator("[data-do=house]").press("Enter")
    skip = find_field(page, "cards.skip")
    skip.locator("[data-step=more]").press("Enter")
    skip.locator("[data-step=more]").press("Enter")
    expect(skip).to_contain_text("was 3")
    more_of = find_field(page, "cards.nope")
    for _ in range(12):
        more_of.locator("[data-step=more]").press("Enter")
    expect(more_of.locator("[data-hint]")).to_contain_text("second one")
    assert not find_violations(page)
    skip.locator("[data-do=back]").press("Enter")
    expect(skip.locator("output")).to_have_text("3")
    expect(skip.locator("[data-do=back]")).to_have_count(0)
    page.locator('[data-start="By the sheet"]').press("Enter")
    expect(page.locator(".house li.changed")).to_have_count(0)

    # Remove so many cards that the deal can no longer be balanced, and the button "fit"
    # disappears.
    for key in ("see_future", "favor", "nope", "shuffle", "skip"):
        count_field = find_field(page, f"cards.{key}")
        while count_field.locator("output").inner_text() != "0":
            count_field.locator("[data-step=fewer]").press("Enter")
    expect(page.locator("[data-do=fit]")).to_have_count(0)
    page.locator("[data-say=house_rules]").press("Enter")
    expect(find_field(page, "deal.put_away").get_by_role("alert")).to_be_visible()
    expect(page.locator(".sheet .toast")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-house]")).to_contain_text("none")


def test_a_link_brings_house_rules_to_a_table_that_is_made_and_the_device_remembers(
    person: Callable[..., Person],
) -> None:
    rules = {"name": "Wild cats", "hand": 5, "combos": ["pair"], "titles": {"skip": "Snooze"}}
    document = {"format": "hiss-rules", "version": 1, "like": "party-120", "rules": rules}
    ana = person("Ana")
    page = ana.page
    page.goto(ana.url)
    page.evaluate(
        "text => location.assign('#rules=' + encodeURIComponent(text))", json.dumps(document)
    )
    expect(page.locator("[name=rules]")).to_have_value("Wild cats")
    assert not find_violations(page)
    page.locator("form").first.locator("[name=name]").fill("Ana")
    page.locator("form button.main").click()
    expect(page.locator("[data-house]")).to_contain_text(
        "“Wild cats”: 5 dealt to each, combos: two alike"
    )
    open_form(page)
    press_more(page, "hand")
    apply_rules(page)
    page.goto(ana.url)
    expect(page.locator("[name=rules] option")).to_have_text(["None", "Wild cats"])

    page.evaluate("location.assign('#rules=%7B')")
    expect(page.get_by_role("status")).to_contain_text("can’t be read")


def test_a_new_table_gets_the_house_rules_that_the_page_shows_for_its_game(
    person: Callable[..., Person],
) -> None:
    ana = person("Ana")
    page = ana.page
    page.goto(ana.url)
    shelf = [
        {"like": "quarantined", "rules": {"name": "Ours", "instruction_nopes": True}},
        {"like": "original-56", "rules": {"name": "Theirs", "hand": 5}},
    ]
    page.evaluate("text => localStorage.setItem('hiss.rules', text)", json.dumps(shelf))
    select = page.locator("[name=rules]")

    def choose_family(family: str) -> None:
        page.locator(f"[name=family][value={family}]").check()

    def make_table() -> Any:
        page.locator("form.make [name=name]").fill("Ana")
        with page.expect_request("**/api/tables") as sending:
            page.locator("form.make button.main").click()
        page.wait_for_url("**/t/*")
        return sending.value.post_data_json.get("rules")

    for family, shown, sent in (("pile", "None", None), ("grid", "Ours", shelf[0]["rules"])):
        page.goto(ana.url)
        page.locator(".games-fold summary").click()
        choose_family("grid")
        select.select_option("Ours")
        choose_family("pile")
        expect(select.locator("option")).to_have_text(["None", "Theirs"])
        choose_family(family)
        expect(select).to_have_value(shown)
        assert make_table() == sent
