"""Tests for robots on the page: in practice games, in the lobby, and as stand-ins."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.people import Person, open_lobby, open_pages
from tests.browser.test_device_decks import NO_STORAGE, Holder
from tests.support.servers.server import RealServer, wait_until
from tests.support.timed import limit_seconds

pytestmark = pytest.mark.browser

LATE = 240
"""Time limit of a game in seconds."""

LISTEN = """
window.given = [];
let last = "";
new MutationObserver(() => {
  const lesson = document.querySelector(".lesson")?.dataset.lesson ?? "";
  if (lesson && lesson !== last) window.given.push(lesson);
  last = lesson;
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
"""Records each lesson that the page shows."""

MOVE = """() => {
  const one = (...parts) => parts.map((part) => [...document.querySelectorAll(part)]
    .find((el) => !el.disabled && !el.matches(".pending"))).find(Boolean);
  const told = document.querySelector("main .grid.large .told");
  const plays = window.played ??= new Set();
  const card = told && [...document.querySelectorAll("[data-play]")]
    .find((el) => !plays.has(el.dataset.play) && !el.matches(".pending"));
  const button = one(".boom", ".window-dock [data-say=pass]", "[data-do=uncover]",
    ".targets [data-cell].able", "[data-do=hide]", "[data-say=explode]", "[data-ask=explode]")
    ?? card ?? one("main .grid.large [data-cell].able");
  if (button === card && card) plays.add(card.dataset.play);
  button?.click();
}"""
"""Takes a player's next step: plays each kind of card once, passes, and draws the instructed card.
"""


END = """() => {
  const yes = document.querySelector("[data-say=end_game]:not([aria-disabled=true])");
  const ask = document.querySelector("[data-ask=end_game]");
  const sheet = document.querySelector(".sheet");
  (yes ?? ask ?? (sheet ? null : document.querySelector(".play [aria-label=Menu]")))?.click();
}"""
"""Takes the host's step that brings the game closest to its end, even while robots play."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: Any) -> Iterator[RealServer]:
    """Start a server whose robots play without a pause."""
    folder = tmp_path_factory.mktemp("server")
    running = RealServer(folder, COMPANION_ROBOT_PACE="0")
    yield running
    running.close()


def start_practice(page: Page, url: str) -> None:
    """Start a practice game with one tap on the start page."""
    page.goto(url)
    button = page.locator('[data-do="practise"]')
    expect(button).to_be_visible()
    with limit_seconds(20):
        button.click()
        expect(page.locator(".play .grid.large")).to_be_visible(timeout=60_000)


@pytest.mark.timed
def test_one_tap_leads_to_a_game_alone_that_teaches_each_thing_once(
    person: Callable[..., Person], server: RealServer
) -> None:
    """Tests promises 70 and 71 on a small screen without typing. A second game follows."""
    page = person("Paws").page
    page.add_init_script(LISTEN)
    start_practice(page, server.url)
    deadline = time.monotonic() + LATE
    while not page.locator("main.over").count():
        assert time.monotonic() < deadline, page.locator("#app").inner_text()
        page.evaluate(MOVE)
        page.wait_for_timeout(50)
    expect(page.locator('.lesson[data-lesson="over"]')).to_be_visible()
    given = Counter(page.evaluate("window.given"))
    assert {"tell", "draw", "over"} <= given.keys()
    assert set(given.values()) == {1}, given
    expect(page.locator(".award").first).to_be_visible()
    # Devices open their decks 15 s after the end. Until then the end can be undone.
    decks = page.locator(".marks [role=status]")
    expect(decks).to_have_text("Checking the decks …")
    expect(page.locator('[data-mark="honest"]')).to_have_count(3, timeout=60_000)
    expect(decks).to_contain_text("This panel checked them")

    page.locator('[data-say="rematch"]').click()
    expect(page.locator(".play .grid.large")).to_be_visible()
    # End this game. Only a table's first game begins by itself, so after this one the table stays
    # in the lobby.
    while not page.locator("main.lobby").count():
        assert time.monotonic() < deadline, page.locator("#app").inner_text()
        page.evaluate(END)
        page.wait_for_timeout(50)
    again = page.evaluate("window.given")
    assert len(set(again)) == len(again), again


def test_three_practice_games_in_a_row_each_begin_at_once(
    person: Callable[..., Person], server: RealServer
) -> None:
    """The server has its usual number of robots, and runs on the player's own machine."""
    page = person("Paws").page
    for _ in range(3):
        start_practice(page, server.url)
    free = server.get("/api/robots").json["free"]
    page.goto(server.url)
    expect(page.locator('[data-do="practise"]')).to_be_visible()
    deadline = time.monotonic() + 60
    while server.get("/api/robots").json["free"] <= free:
        assert time.monotonic() < deadline, "the robots of a table that was left are still taken"
        time.sleep(0.5)


ONE_NOPE = {"cards": {"nope": 1, "skip": 4}}
"""House rules with which most hands hold no Nope."""


def has_passed(page: Page, server: RealServer) -> bool:
    """Return True if the person at the page's table has passed since a card was last played."""
    view = server.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}").json
    own = next(seat["seat"] for seat in view["seats"] if not seat.get("robot"))
    latest = takewhile(lambda entry: entry["type"] != "card_played", reversed(view["log"]))
    return any(entry["type"] == "passed" and entry["seat"] == own for entry in latest)


def play_until_panel_passes(page: Page, *, stop: bool = False) -> dict[str, str]:
    """Play until a window is open in which the panel passes by itself, after a second and a half.

    Returns the role and the text of the page's note about that.

    Args:
        stop: True to press the button that stops it
    """
    deadline = time.monotonic() + LATE
    while not (note := page.evaluate(MOVE_UNLESS_ALONE, stop)):
        assert time.monotonic() < deadline, page.locator("#app").inner_text()
        page.wait_for_timeout(30)
    return dict(note)


MOVE_UNLESS_ALONE = f"""(stop) => {{
  const note = document.querySelector(".alone-pass");
  if (note && !document.querySelector(".boom")) {{
    const found = {{ role: note.getAttribute("role"), text: note.textContent }};
    if (stop) document.querySelector('[data-do="pass-myself"]').click();
    return found;
  }}
  document.querySelector(".boom")?.click();
  if (note) return;
  const next = ["rematch", "ready", "begin-lot"].map((command) => `[data-say="${{command}}"]`);
  if (document.querySelector("main:is(.over, .setup)"))
    document.querySelector(next.join())?.click();
  else ({MOVE})();
}}"""
"""Takes a player's next step, or returns the note that the panel passes by itself."""


def test_alone_with_robots_a_hand_without_a_nope_passes_by_itself(
    person: Callable[..., Person], server: RealServer
) -> None:
    paws = person("Paws", kind=Holder)
    page = paws.page
    party = server.create_table("Paws", rules=ONE_NOPE, options={"nope_seconds": 30})
    token = {"Authorization": f"Bearer {party.tokens[0]}"}
    for _ in range(2):
        server.post(f"/api/tables/{party.table}/robots", {}, **token)
    party.host.send_command("prepare")
    open_pages(party, [paws])
    paws.choose_device_deck()
    paws.give_command("ready")
    paws.give_command("begin-lot")
    expect(page.locator(".play")).to_be_visible()  # a robot that begins may play a card at once
    note = play_until_panel_passes(page)
    assert note["role"] == "status"
    assert "You hold no Nope" in note["text"]
    wait_until(lambda: has_passed(page, server))

    play_until_panel_passes(page, stop=True)
    expect(page.locator(".alone-pass")).to_have_count(0)
    pass_button = page.locator(".window-dock [data-say=pass]")
    page.wait_for_timeout(2500)
    expect(pass_button).to_be_visible()
    pass_button.click()
    page.get_by_label("Menu").click()
    switch = page.locator("[name=passAlone]")
    expect(switch).not_to_be_checked()
    switch.check()
    page.keyboard.press("Escape")
    play_until_panel_passes(page)


def test_a_device_without_storage_is_warned_before_a_table_exists(
    person: Callable[..., Person], server: RealServer
) -> None:
    page = person("Paws").page
    page.add_init_script(NO_STORAGE)
    page.goto(server.url)
    page.locator('[data-do="practise"]').click()
    expect(page.locator(".home > [role=alert]")).to_contain_text("stores nothing")
    assert page.url == f"{server.url}/"


def test_a_robot_is_added_with_one_tap_and_stands_in_until_its_player_is_back(
    person: Callable[..., Any], server: RealServer
) -> None:
    ana = person("Ana", kind=Holder)
    page: Page = ana.page
    code = open_lobby(server, [ana]).table
    ana.unfold_section("seats")
    page.locator(".robots summary").click()
    robots = page.locator(".people li", has=page.get_by_role("img", name="robot"))

    def fill_in_next(route: Route) -> None:
        """Fill in the next robot's fields before the first robot is seated."""
        page.locator(".robots [name=name]").fill("Whirr")
        page.locator(".robots [value=dreamy]").check()
        route.continue_()

    page.route("**/robots", fill_in_next, times=1)
    page.locator('[data-do="robot"]').click()
    expect(robots).to_have_count(1)
    page.locator('[data-do="robot"]:not(.pending)').click()
    expect(robots).to_have_count(2)
    expect(robots.last).to_contain_text("Whirr")

    def get_robots_by_name() -> dict[str, Any]:
        seat_views = server.get(f"/api/tables/{code}").json["seats"]
        return {seat_view["name"]: seat_view.get("robot") for seat_view in seat_views}

    assert get_robots_by_name()["Whirr"] == "dreamy"
    ana.give_command("prepare")
    ana.choose_device_deck()
    ana.give_command("ready")
    ana.give_command("begin-lot")
    expect(page.locator(".dock").first).to_be_visible()
    expect(page.locator(".lesson")).to_have_count(0)  # lessons are off by default
    page.get_by_label("Menu").click()
    page.locator('[data-do="show-me"]').click()
    expect(page.locator(".lesson[data-lesson]")).to_be_visible()

    page.get_by_label("Menu").click()
    page.locator('[data-do="stand-in"]').click()
    expect(page.locator("main h1")).to_have_text("A robot is playing for you, with your deck.")
    assert get_robots_by_name()["Ana"]
    page.get_by_role("button", name="I’ll play on").click()
    expect(page.locator("main h1")).not_to_contain_text("A robot plays on")
    deadline = time.monotonic() + LATE
    while get_robots_by_name()["Ana"]:
        assert time.monotonic() < deadline, "the robot stays"
