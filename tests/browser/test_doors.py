"""Tests for joining a table: by link, by code, without spectators, and during a game."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.notices import expect_notice, note_notices
from tests.browser.people import Person, open_lobby
from tests.support.servers.server import Party, RealServer, wait_until

pytestmark = pytest.mark.browser

UNWATCHED = {"spectators": False}
ASK_THE_HOST = "Are you Ben? Ask the host for your seat’s link."


def test_where_watching_is_off_visitors_join_by_link_and_by_code(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", options=UNWATCHED)
    ben = person("Ben")
    cleo = person("Cleo")
    ben.page.goto(f"{server.url}/t/{party.table}")
    ben.page.fill(".join [name=name]", "Ana")
    ben.page.click(".join .main")
    expect(ben.page.locator(".join [role=alert]")).to_contain_text("Ana")
    ben.page.fill(".join [name=name]", "Ben")
    ben.page.click(".join .main")
    expect(ben.page.locator(".seats li.me")).to_contain_text("Ben")
    cleo.join_table(party.table)
    expect(ben.page.locator(".seats li")).to_have_count(3)


def test_a_whole_link_is_as_good_as_a_code(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana")
    table = f"{server.url}/t/{party.table}"
    page = person("Ben").page
    page.goto(f"{server.url}/no/such/page")
    expect(page.locator(".home > .lost")).to_contain_text("nothing at this address")
    page.route("**/t/*", lambda route: route.fulfill(status=204))  # so that the page isn't left
    for typed in (
        table,
        f" http://elsewhere.example/hiss/T/{party.table.lower()}/#with=Ben ",
        f"{server.url}/{party.table}",
    ):
        page.fill("[name=code]", typed)
        with page.expect_request(table):
            page.locator("form button").last.click()
    page.unroute("**/t/*")
    page.locator("form button").last.click()
    expect(page.locator(".join [name=name]")).to_be_visible()
    host = party.tokens[0]
    claim = f"/api/tables/{party.table}/seats/{party.seats[0]}/claim"
    link = server.post(claim, Authorization=f"Bearer {host}").json["url"]
    page.goto(server.url)
    page.fill("[name=code]", link)
    page.locator("form button").last.click()
    expect(page.locator(".seats li.me")).to_contain_text("Ana")


def test_a_locked_door_opens_by_itself_for_a_waiting_visitor(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", options={**UNWATCHED, "locked": True})
    ben = person("Ben")
    ben.page.goto(f"{server.url}/t/{party.table}")
    expect(ben.page.locator("h1")).to_contain_text("locked")
    party.host.send_command("options", locked=False)
    expect(ben.page.locator(".join")).to_be_visible()


def test_the_panel_that_popped_out_leaves_a_note_and_a_way_back(
    person: Callable[..., Person], server: RealServer
) -> None:
    ana = person("Ana")
    open_lobby(server, [ana])
    ana.page.get_by_label("Menu").click()
    with ana.page.context.expect_page() as popped:
        ana.page.get_by_role("button", name="on top of the call").click()
    expect(popped.value.locator(".seats li.me")).to_contain_text("Ana")
    expect(ana.page.locator(".seats")).to_have_count(0)
    ana.page.locator("[data-popped] button").click()
    expect(ana.page.locator(".seats li.me")).to_contain_text("Ana")
    expect(ana.page.locator("[data-popped]")).to_have_count(0)


@pytest.mark.parametrize(
    "options",
    [{}, pytest.param(UNWATCHED, marks=pytest.mark.repetition)],
    ids=["watched", "unwatched"],
)
def test_a_latecomer_gets_a_seat_in_the_next_game(
    person: Callable[..., Person], server: RealServer, options: dict[str, bool]
) -> None:
    party = server.create_table("Ana", "Ben", options=options).begin()
    dora = person("Dora")
    dora.page.goto(f"{server.url}/t/{party.table}")
    if not options:
        expect(dora.page.locator(".dock")).to_contain_text("The game is on")
        dora.page.click("[data-do=wait]")
    dora.page.fill(".join [name=name]", "Dora")
    expect(dora.page.locator(".join .main")).to_have_text("Keep me a seat")
    dora.page.click(".join .main")
    expect(dora.page.locator("main")).to_contain_text("in the next game")
    party.host.wait(lambda: party.host.view["waiting"], 20)
    party.host.send_command("end_game")
    expect(dora.page.locator(".seats li.me")).to_contain_text("Dora")


def test_a_latecomer_during_preparation_sits_down_at_once(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben")
    party.host.send_command("prepare")
    dora = person("Dora")
    dora.page.goto(f"{server.url}/t/{party.table}")
    dora.page.fill(".join [name=name]", "Dora")
    dora.page.click(".join .main")
    expect(dora.page.locator(".seats li.me")).to_contain_text("Dora")
    dora.give_command("ready")
    party.host.wait(
        lambda: [s["ready"] for s in party.host.view["seats"]] == [False, False, True], 20
    )


def ask_for_seat(visitor: Person, party: Party) -> None:
    """Open a table with a running game, and ask for a seat in the next game."""
    visitor.page.goto(f"{visitor.url}/t/{party.table}")
    visitor.page.click("[data-do=wait]")
    visitor.page.fill(".join [name=name]", visitor.name)
    visitor.page.click(".join .main")


def test_a_waiting_visitor_can_change_their_mind(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben").begin()
    dora = person("Dora")
    ask_for_seat(dora, party)
    expect(dora.page.locator(".dock")).to_contain_text("You’re in the next game")
    dora.page.click("[data-do=wait]")
    dora.page.click("[data-do=give-up]")
    expect(dora.page.locator(".dock")).to_contain_text("The game is on")
    party.host.wait(lambda: not party.host.view["waiting"], 20)


@pytest.mark.parametrize(
    ("options", "locale", "question", "notice"),
    [
        pytest.param({}, "en-GB", ASK_THE_HOST, "Ben is at the door", marks=pytest.mark.repetition),
        ({}, "it-IT", "Sei Ben? Chiedi all’host il link del tuo posto.", "Ben è alla porta"),
        (UNWATCHED, "en-GB", ASK_THE_HOST, "Ben is at the door"),
    ],
)
def test_162_a_player_without_their_device_is_sent_to_the_host_who_is_notified(
    person: Callable[..., Person], server: RealServer, options: dict[str, bool],
    locale: str, question: str, notice: str,
) -> None:  # fmt: skip
    party = server.create_table("Ana", "Ben", "Cleo", options=options).begin()
    path = f"/api/tables/{party.table}/seats/{party.seats[0]}/claim"
    claim = server.post(path, Authorization=f"Bearer {party.tokens[0]}").json["claim"]
    ana = person("Ana", locale=locale)
    ana.page.goto(f"{server.url}/t/{party.table}#claim={claim}")
    expect(ana.page.get_by_role("navigation")).to_contain_text("Ana")
    note_notices(ana.page)
    party.clients[1].close()
    cleo = party.clients[2]
    lost = party.seats[1]
    wait_until(lambda: cleo.presence["seats"].get(lost) == "away")
    ben = person("Ben", locale=locale)
    ben.page.goto(f"{server.url}/t/{party.table}")
    if not options:
        ben.page.click("[data-do=wait]")
    ben.page.fill(".join [name=name]", "Ben")
    ben.page.click(".join .main")
    expect(ben.page.locator(".join [role=alert]")).to_contain_text(question)
    expect(ben.page.locator(".join .names")).to_have_count(0)
    expect_notice(ana.page, notice)


def test_162_in_the_lobby_a_friend_in_another_browser_is_sent_to_the_host_who_is_notified(
    person: Callable[..., Person], server: RealServer
) -> None:
    """A link in a chat often opens in the chat's own browser first, and then in the usual one."""
    ana, ben = person("Ana"), person("Ben")
    party = open_lobby(server, [ana, "Ben"])
    note_notices(ana.page)
    seat = f'.people [data-seat="{party.seats[1]}"]'
    party.clients[1].close()
    expect(ana.page.locator(f"{seat} .away")).to_be_visible()
    ben.page.goto(f"{server.url}/t/{party.table}")
    ben.page.fill(".join [name=name]", "Ben")
    ben.page.click(".join .main")
    expect(ben.page.locator(".join [role=alert]")).to_contain_text(ASK_THE_HOST)
    expect_notice(ana.page, "Ben is at the door")


def test_162_a_host_without_their_device_is_sent_to_the_players_who_are_notified(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben", "Cleo").begin()
    path = f"/api/tables/{party.table}/seats/{party.seats[1]}/claim"
    claim = server.post(path, Authorization=f"Bearer {party.tokens[1]}").json["claim"]
    ben = person("Ben")
    ben.page.goto(f"{server.url}/t/{party.table}#claim={claim}")
    expect(ben.page.get_by_role("navigation")).to_contain_text("Ben")
    party.host.close()
    cleo = party.clients[2]
    wait_until(lambda: cleo.presence["seats"].get(party.seats[0]) == "away")
    ana = person("Ana")
    ask_for_seat(ana, party)
    expect(ana.page.locator(".join [role=alert]")).to_contain_text("Are you Ana? The host is away.")
    expect(ana.page.locator(".join .names")).to_have_count(0)
    expect(ben.page.locator(".toast")).to_contain_text("Become the host in the menu")
