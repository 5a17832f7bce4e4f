"""A page stays useful for hours: over slow networks, reloads, several games and upgrades."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.people import Person, open_lobby
from tests.guarantees.proxy import Proxy
from tests.support.chromium import wait_for_truth
from tests.support.paths import ROOT
from tests.support.servers.server import Party, RealServer, wait_until

pytestmark = pytest.mark.browser

COUNT_DECKS = """async () => {
  const open = indexedDB.open("hiss", 1);
  await new Promise((done) => { open.onsuccess = open.onerror = done; });
  if (!open.result.objectStoreNames.contains("decks")) return 0;
  const asked = open.result.transaction("decks").objectStore("decks").count();
  await new Promise((done) => { asked.onsuccess = done; });
  return asked.result;
}"""
"""Returns the number of decks that this device stores."""


def make_link_with_deck(party: Party, number: int) -> str:
    """Return a link that moves a seat and a deck to another device."""
    path = f"/api/tables/{party.table}/seats/{party.seats[number]}/claim"
    claim = party.server.post(path, Authorization=f"Bearer {party.tokens[number]}").json["claim"]
    return f"{party.server.url}/t/{party.table}#claim={claim}.{'5a' * 32}"


def test_a_link_moves_a_seat_and_its_deck_before_a_slow_server_has_sent_the_cards(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben").begin()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    ben = person("Ben")
    ben.page.route("**/variant?*", hold)
    ben.page.goto(make_link_with_deck(party, 1))
    expect(ben.page.locator(".chain .me, .seats .me")).to_contain_text("Ben")
    wait_until(lambda: ben.page.evaluate(COUNT_DECKS) == 1)
    assert "#" not in ben.page.url
    for route in held:
        route.continue_()


def test_a_link_is_used_only_after_the_part_that_keeps_decks_has_loaded(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben").begin()
    link = make_link_with_deck(party, 1)
    ben = person("Ben")
    ben.page.route("**/keeper*.js", lambda route: route.abort())
    ben.page.goto(link)
    expect(ben.page.locator(".play [role=alert]")).to_contain_text("No connection")
    assert ben.page.url == link
    ben.page.unroute("**/keeper*.js")
    ben.page.reload()
    expect(ben.page.locator(".chain .me, .seats .me")).to_contain_text("Ben")
    wait_until(lambda: ben.page.evaluate(COUNT_DECKS) == 1)


def play_game(party: Party, loser: int) -> None:
    """Play a game in which this player draws an Exploding Kitten at once."""
    party.begin(first=loser)
    explode(party, loser)


def explode(party: Party, loser: int) -> None:
    """Let this player, whose turn it is, draw an Exploding Kitten."""
    party.instruct()
    turn = {"as": party.seats[loser]}
    party.host.send_command("draw", cell=[0, 0], **turn)
    party.host.send_command("report", outcome="kitten", **turn)
    party.host.send_command("explode", **turn)


def test_a_page_that_missed_a_whole_game_shows_the_story_of_the_game_that_it_names(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben")
    play_game(party, loser=0)
    proxy = Proxy(server.port)
    cleo = person("Cleo", proxy.url)
    try:
        cleo.page.goto(f"{proxy.url}/t/{party.table}")
        expect(cleo.page.locator(".story-fates")).to_contain_text("Ana exploded")
        expect(cleo.page.locator(".story-fates .award")).not_to_have_count(0)
        proxy.refuse()
        party.host.send_command("rematch")
        party.host.send_command("to_lobby")
        play_game(party, loser=1)
        proxy.mend()
        cleo.page.locator("[data-do=go-on]").click()
        expect(cleo.page.locator(".winner")).to_contain_text("Ana has won")
        expect(cleo.page.locator(".story-fates")).to_contain_text("Ben exploded")
    finally:
        proxy.close()


def test_a_former_player_sees_the_whole_story_the_evening_and_the_replay(
    person: Callable[..., Person], server: RealServer
) -> None:
    """Ben leaves in the lobby and stays on the page. The others play two games. In the second,
    so much has happened since Ana went out that the view's log no longer contains it."""
    ben = person("Ben")
    page = ben.page
    party = open_lobby(server, ["Ana", ben, "Cleo", "Dan"])
    page.get_by_label("Menu").click()
    page.get_by_role("button", name="My seat").click()
    for tap in ("[data-ask=leave]", "[data-say=leave]"):
        page.click(tap)
    expect(page.locator(".seats li")).to_have_count(3)
    del party.seats[1], party.tokens[1], party.clients[1]
    host = party.host
    play_game(party, loser=0)
    explode(party, 1)
    host.send_command("rematch")
    host.send_command("to_lobby")
    page.locator("[data-do=go-on]").click()
    play_game(party, loser=0)
    for change in range(60):
        host.send_command("options", nope_seconds=10 + change % 2)
    explode(party, 1)
    expect(page.locator(".winner")).to_contain_text("Dan has won")
    expect(page.locator(".evening")).to_contain_text("The evening: 2 games")
    expect(page.locator(".story-fates")).to_contain_text("Ana exploded in turn 1.")
    page.locator("[data-do=replay]").click()
    expect(page.locator(".reel")).to_be_visible()
    expect(page.locator("[data-reel=write]")).to_have_count(0)


COUNT_LOCKS = """
window.locks = 0;
const { request } = WakeLock.prototype;
WakeLock.prototype.request = function (...of) {
  locks += 1;
  return request.apply(this, of);
};
"""
"""Counts the requests to keep the screen on, in ``locks``."""


def test_the_screen_stays_on_after_a_reload_during_a_game_in_which_nobody_acts(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben").begin()
    ben = person("Ben")
    ben.page.add_init_script(COUNT_LOCKS)
    ben.open_seat(party, 1)
    wait_for_truth(ben.page, "locks === 1")
    ben.page.reload()
    wait_for_truth(ben.page, "locks === 1")


class Upgrade:
    """Answers requests for a part of a page with 404 and has a page with another script, like an
    upgraded server, or doesn't answer."""

    def __init__(self, viewer: Person, part: str) -> None:
        self.page = viewer.page
        self.part = part
        self.loads = 0
        """Number of times that the page was loaded from now on."""
        self.page.on("load", self._count_load)

    def _count_load(self) -> None:
        self.loads += 1

    def remove_part(self) -> None:
        self.page.route(self.part, lambda route: route.fulfill(status=404))

    def change_script(self) -> None:
        self.page.route("**/t/*", self._answer_with_another_script)

    def _answer_with_another_script(self, route: Route) -> None:
        if route.request.resource_type == "document":
            return route.continue_()
        html = '<script type="module" src="/static/lean/table-newer.js"></script>'
        return route.fulfill(body=html, content_type="text/html")

    def lose_network(self) -> None:
        for address in (self.part, "**/t/*"):
            self.page.route(address, lambda route: route.abort())

    def mend(self) -> None:
        self.page.unroute_all()


def expect_no_connection(page: Page) -> None:
    """Check that the page reports the missing connection, and that no sheet covers it."""
    expect(page.locator(".now [role=alert]")).to_contain_text("No connection")
    expect(page.locator(".under")).not_to_have_attribute("inert", "")


def test_a_page_whose_server_was_upgraded_reloads_once_and_then_has_its_parts(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben").begin()
    ben = person("Ben")
    ben.open_seat(party, 1)
    upgrade = Upgrade(ben, "**/sheets*.js")
    wait_until_settled(ben.page)
    upgrade.remove_part()
    menu = ben.page.get_by_label("Menu")
    menu.click()  # The server has the same page, so this is a fault of the network.
    expect_no_connection(ben.page)
    assert not upgrade.loads
    upgrade.change_script()
    with ben.page.expect_event("load"):
        menu.click()
    menu.click()  # The part is still missing, but the page doesn't reload for ever.
    expect_no_connection(ben.page)
    upgrade.mend()
    menu.click()
    expect(ben.page.locator(".sheet [name=theme]").first).to_be_visible()
    expect(ben.page.locator(".chain .me, .seats .me")).to_contain_text("Ben")
    assert upgrade.loads == 1


def test_without_a_connection_a_sheet_closes_and_the_page_says_so_and_tries_again_later(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben").begin().instruct()
    ben = person("Ben")
    ben.open_seat(party, 1)
    sheets, end = Upgrade(ben, "**/sheets*.js"), Upgrade(ben, "**/over*.js")
    wait_until_settled(ben.page)
    sheets.lose_network()
    end.lose_network()
    menu = ben.page.get_by_label("Menu")
    menu.click()
    expect_no_connection(ben.page)
    ben.page.unroute(sheets.part)
    menu.click()
    expect(ben.page.locator(".sheet [name=theme]").first).to_be_visible()
    ben.page.keyboard.press("Escape")
    party.host.send_command("leave")
    expect(ben.page.locator("main.notice h1")).to_contain_text("No connection")
    assert not end.loads
    end.mend()
    expect(ben.page.locator(".winner")).to_contain_text("You’ve won")


def wait_until_settled(page: Page) -> None:
    """Wait until the page has loaded what it loads ahead."""
    requested = "performance.getEntriesByType('resource').some(({ name }) => /recovery/.test(name))"
    wait_for_truth(page, requested)
    page.wait_for_load_state("networkidle")


FETCH_AFTER_UPGRADE = """async () => {
  const fetchFromServer = fetch;
  fetch = (request) =>
    request.url.includes("/static/")
      ? Promise.resolve(new Response("", { status: 404 }))
      : fetchFromServer(request);
}"""
"""Makes the service worker believe that the server has no static files any more."""

GET_STATUS = """async (name) =>
  (await fetch(`/static/lean/${name}`, { cache: "reload" })).status"""
"""Returns the status of the answer to a request for a bundle."""


def test_a_bundle_that_this_device_has_cached_outlives_an_upgrade_and_no_other_does(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana")
    ben = person("Ben", service_workers="allow")
    ben.page.goto(f"{server.url}/t/{party.table}")
    wait_for_truth(ben.page, "navigator.serviceWorker.controller !== null")
    cached, other = sorted(path.name for path in (ROOT / "static/lean").glob("sheets-*.js"))[:2]
    assert ben.page.evaluate(GET_STATUS, cached) == 200
    ben.context.service_workers[0].evaluate(FETCH_AFTER_UPGRADE)
    assert ben.page.evaluate(GET_STATUS, cached) == 200
    assert ben.page.evaluate(GET_STATUS, other) == 404


def test_a_part_whose_style_sheet_fails_once_is_drawn_with_it(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben").begin()
    ben = person("Ben")
    ben.page.route("**/css/sheets.css", lambda route: route.abort(), times=1)
    ben.open_seat(party, 1)
    ben.page.get_by_label("Menu").click()
    expect(ben.page.locator(".sheet")).to_have_css("display", "flex")
