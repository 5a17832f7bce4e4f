"""A page stays useful for hours: over slow networks, reloads, several games and upgrades."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.browser.people import Person
from tests.guarantees.proxy import Proxy
from tests.support.chromium import wait_for_truth
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
    party.begin(first=loser).instruct()
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
