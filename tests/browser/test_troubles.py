"""Tables recover without help from the usual troubles of a call."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person, open_lobby
from tests.cluster.fleet import Fleet
from tests.guarantees.proxy import Proxy
from tests.support.servers.server import Party, RealServer
from tests.support.timed import LENIENCE

pytestmark = pytest.mark.browser


@pytest.fixture
def proxy(server: RealServer) -> Iterator[Proxy]:
    standing = Proxy(server.port)
    yield standing
    standing.close()


def open_window(server: RealServer, ben: Person, nope_seconds: int = 30) -> Party:
    """Open Ben's page, on which he can Nope Ana's Skip. Ben holds the window's clock, so that the
    window stays open. Ana has no page."""
    party = server.create_table("Ana", "Ben", options={"nope_seconds": nope_seconds})
    party.begin().instruct()
    party.host.send_command("play", card="skip")
    party.clients[1].send_command("hold", window=party.host.view["window"]["id"])
    party.clients[1].close()
    ben.open_seat(party, 1)
    expect(ben.page.locator('[data-say="release"]')).to_be_visible()
    return party


def wait_for_nope(party: Party) -> None:
    """Wait until somebody has Noped the card of the window."""
    party.host.wait(lambda: party.host.view["played"]["nopes"])


def expect_newest_event(ben: Person, party: Party) -> None:
    """Check that the page shows the newest event in its log that isn't the beginning of a turn."""
    log = party.host.view["log"]
    newest = [entry["version"] for entry in log if not entry["type"].endswith("_began")][-1]
    expect(ben.page.locator(".peek")).to_have_attribute("data-version", str(newest))


def test_a_window_made_wider_in_a_game_is_used_at_once(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben").begin()
    cleo = person("Cleo")
    cleo.page.goto(f"{server.url}/t/{party.table}")
    cleo.expect_headline("tells Ana")
    cleo.page.set_viewport_size({"width": 1280, "height": 800})
    expect(cleo.page.locator(".beside .ring")).to_be_visible()


def test_the_network_is_gone_for_20_seconds_in_a_window(
    person: Callable[..., Person], server: RealServer, proxy: Proxy
) -> None:
    ben = person("Ben", proxy.url)
    party = open_window(server, ben)
    proxy.lose()
    expect(ben.page.locator(".line-lost")).to_be_visible()
    ben.page.locator('[data-say="nope"]').click()
    ben.page.wait_for_timeout(12_000)
    proxy.mend()
    wait_for_nope(party)
    expect(ben.page.locator(".line-lost")).to_have_count(0)
    expect(ben.page.locator(".pending")).to_have_count(0)
    expect_newest_event(ben, party)


@pytest.mark.parametrize("language", ["en", pytest.param("it", marks=pytest.mark.repetition)])
def test_a_page_without_room_says_so_and_tries_again(
    person: Callable[..., Person], serve: Callable[..., RealServer], language: str
) -> None:
    server = serve(COMPANION_ADDRESS_CONNECTIONS="2")
    party = server.create_table("Ana", "Ben")
    cleo = person("Cleo", server.url, locale=language)
    cleo.page.goto(f"{server.url}/t/{party.table}")
    reason = {
        "en": "No room just now. Your network has 2 connections here already. Close a few tabs."
        " This page tries again by itself.",
        "it": "Adesso non c’è posto. Dalla tua rete ci sono già 2 connessioni. Chiudi qualche"
        " scheda. Questa pagina riprova da sola.",
    }
    expect(cleo.page.locator(".line-lost")).to_have_text(reason[language])
    party.clients[1].close()
    expect(cleo.page.locator(".line-lost")).to_have_count(0)
    expect(cleo.page.locator("body")).to_contain_text("Ana")


def test_a_reload_and_a_second_tab_keep_a_window_and_the_first_tab_steps_back(
    person: Callable[..., Person], server: RealServer
) -> None:
    ben = person("Ben")
    party = open_window(server, ben)
    ben.page.reload()
    expect(ben.page.locator('[data-say="release"]')).to_be_enabled()
    first = ben.page
    ben.page = ben.context.new_page()
    ben.page.goto(first.url)
    expect(first.locator(".notice")).to_be_visible()
    ben.give_command("release")
    ben.give_command("nope")
    wait_for_nope(party)
    first.locator(".notice button").click()
    expect(first.locator(".window")).to_be_visible()
    expect(ben.page.locator(".notice")).to_be_visible()
    first.close()  # the seat is free now
    expect(ben.page.locator(".window")).to_be_visible()


@pytest.fixture
def fleet() -> Iterator[Fleet]:
    with Fleet(2) as running:
        yield running


@pytest.mark.postgresql
@pytest.mark.redis
def test_a_tab_that_was_sent_away_waits_until_the_seat_is_free_at_any_process(
    person: Callable[..., Person], fleet: Fleet
) -> None:
    """The first tab repeatedly asks for its seat. Its process doesn't know the second tab yet."""
    first_process, second_process = fleet.processes
    ben = person("Ben", first_process.url)
    code = ben.create_table()
    first = ben.page
    ben.page = ben.context.new_page()
    # cookies don't depend on the port, so this tab has the seat's cookie
    ben.page.goto(f"{second_process.url}/t/{code}")
    # the page asks because only a cookie gives it the seat
    ben.page.get_by_role("button", name="Yes, I’m Ben").click()
    expect(ben.page.locator(".seats li.me")).to_contain_text("Ben")
    expect(first.locator(".notice")).to_be_visible()
    watch = """() => {
      const shows = () => document.querySelector("main").className;
      window.shown = new Set([shows()]);
      new MutationObserver(() => window.shown.add(shows())).observe(document.body, {
        childList: true, subtree: true, attributes: true,
      });
    }"""
    for page in (first, ben.page):
        page.evaluate(watch)
    first.wait_for_timeout(12_000)  # the first tab asks for its seat twice during this time
    assert first.evaluate("[...window.shown]") == ["page notice"]
    assert ben.page.evaluate("[...window.shown]") == ["page lobby"]
    ben.page.close()
    expect(first.locator(".seats li.me")).to_contain_text("Ben")


@pytest.mark.timed
def test_a_frozen_tab_is_current_when_it_thaws(
    person: Callable[..., Person], server: RealServer
) -> None:
    ben = person("Ben")
    party = open_window(server, ben, nope_seconds=5)
    chrome = ben.context.new_cdp_session(ben.page)
    chrome.send("Page.setWebLifecycleState", {"state": "frozen"})
    party.host.send_command("release", window=party.host.view["window"]["id"])
    party.host.wait(lambda: not party.host.view["window"])
    chrome.send("Page.setWebLifecycleState", {"state": "active"})
    expect(ben.page.locator(".window")).to_have_count(0, timeout=2500 * LENIENCE)
    expect_newest_event(ben, party)


def test_a_seat_moves_to_another_device(person: Callable[..., Person], server: RealServer) -> None:
    ana = person("Ana")
    ben = person("Ben")
    open_lobby(server, [ana, ben])
    ben.page.locator(".seats li.me button").click()
    ben.page.click("[data-do=claim]")
    link = ben.page.locator("[data-claim]").get_attribute("href") or ""
    phone = person("Ben's phone")
    phone.page.goto(link)
    expect(phone.page.locator(".seats li.me")).to_contain_text("Ben")
    assert "claim" not in phone.page.url
    expect(ben.page.locator(".seats li.me")).to_have_count(0)
    # A person who already has a seat is asked first, so that a link can't replace the seat
    # silently.
    phone.page.locator(".seats li.me button").click()
    phone.page.click("[data-do=claim]")
    link = phone.page.locator("[data-claim]").get_attribute("href") or ""
    ana.page.goto(link)  # only the fragment changes, so the browser doesn't load the page again
    for answer, name in (("[data-back]", "Ana"), ("[data-do=take]", "Ben")):
        expect(ana.page.locator(".sure [data-do=take]")).to_be_visible(timeout=20_000)
        expect(ana.page.locator(".seats li.me")).to_contain_text("Ana")
        assert "claim" not in ana.page.url
        ana.page.click(f".sure {answer}")
        expect(ana.page.locator(".sure")).to_have_count(0)
        expect(ana.page.locator(".seats li.me")).to_contain_text(name)
        if name == "Ana":
            ana.page.goto(link)
    expect(phone.page.locator(".seats li.me")).to_have_count(0)


def test_a_visitor_who_guesses_too_often_is_refused_and_goes_on_watching(
    person: Callable[..., Person], serve: Callable[..., RealServer]
) -> None:
    server = serve(COMPANION_COMMAND_RATE="12/5 second")
    ana = person("Ana", server.url)
    open_lobby(server, [ana])
    looks_up = "document.dispatchEvent(new Event('visibilitychange'))"
    ana.page.evaluate(f"for (let times = 0; times < 20; times += 1) {looks_up}")
    ana.page.wait_for_timeout(1000)  # enough time for all answers to arrive
    expect(ana.page.locator(".seats li.me")).to_contain_text("Ana")


def test_names_are_text_and_nothing_else(person: Callable[..., Person], server: RealServer) -> None:
    party = server.create_table("Ana", "<img src=x onerror=a()>")
    party.host.send_command("prepare")
    party.host.close()
    ana = person("Ana")
    ana.open_seat(party, 0)
    expect(ana.page.locator("main")).to_contain_text("<img src=x onerror=a()>")
    assert not ana.page.locator("img[src=x]").count()


def test_the_page_opens_without_a_network(
    person: Callable[..., Person], server: RealServer
) -> None:
    ana = person("Ana", service_workers="allow")
    open_lobby(server, [ana])
    ana.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    ana.page.reload()
    expect(ana.page.locator(".seats li.me")).to_be_visible()
    ana.context.set_offline(True)
    ana.page.reload()
    expect(ana.page.locator(".line-lost")).to_have_text(re.compile(r"\S"))
    ana.page.goto(f"{ana.page.url}/replay/1")
    expect(ana.page.locator("h1")).to_have_text("No network here")
    expect(ana.page.locator(".offline")).to_have_css("text-align", "center")
    assert ana.page.locator("img").evaluate("image => image.naturalWidth")
    ana.context.set_offline(False)
    ana.page.get_by_text("Try again").click()
    expect(ana.page.locator(".offline")).to_have_count(0)


def test_the_page_opens_on_a_device_that_is_full(
    person: Callable[..., Person], server: RealServer
) -> None:
    """The service worker stores the files that fit. The page gets all other files directly from the
    server."""
    ana = person("Ana", service_workers="allow")
    open_lobby(server, [ana])
    ana.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    chrome = ana.context.new_cdp_session(ana.page)
    origin = ana.page.evaluate("location.origin")
    chrome.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
    for _ in range(2):
        ana.page.reload()
        expect(ana.page.locator(".seats li.me")).to_be_visible()


def test_while_a_screen_is_shared_no_page_of_the_table_shows_its_code(
    person: Callable[..., Person], server: RealServer
) -> None:
    ana = person("Ana")
    code = open_lobby(server, [ana]).table
    page = ana.page
    expect(page.locator("#app")).to_contain_text(code)
    page.get_by_label("Menu").click()
    page.locator("[name=veil]").click()
    page.keyboard.press("Escape")
    page.reload()
    expect(page.locator("[data-code]")).to_have_text("••••••")
    assert code not in page.locator("body").inner_text() + page.title()
    assert not page.locator(".qr").count()
    page.get_by_label("Menu").click()
    page.locator("[name=veil]").click()
    page.keyboard.press("Escape")
    expect(page.locator("[data-code]")).to_have_text(code)


PRESENTED = """() => {
  const told = [document.title, document.body.innerText];
  for (const one of document.querySelectorAll("*")) {
    if (one.tagName === "SCRIPT") continue;
    if (one instanceof SVGElement) told.push(one.textContent);
    for (const name of ["aria-label", "title", "alt", "download"])
      told.push(one.getAttribute(name));
  }
  return told.join(" ");
}"""
"""Returns all texts that a page shows or gives to a screen reader, also in pictures, except
addresses."""


def test_a_hidden_code_is_on_no_page_in_no_picture_and_in_no_files_name(
    server: RealServer, person: Callable[..., Person]
) -> None:
    party = server.create_table("Ana", "Ben")
    for game in (1, 2):
        party.begin().instruct()
        say = party.host.send_command
        say("draw", **{"as": party.seats[0], "cell": [0, 0]})
        say("report", **{"as": party.seats[0], "outcome": "kitten"})
        say("explode", **{"as": party.seats[0]})
        if game == 1:
            say("rematch")
            say("to_lobby")
    ana = person("Ana")
    memory = {
        f"hiss.seat.{party.table}": {"seat": party.seats[0], "token": party.tokens[0]},
        "hiss.tables": [party.table],
        "hiss.prefs": {"veil": True, "call": True},
    }
    for key, value in memory.items():
        once = f"sessionStorage[{key!r}] ??= localStorage[{key!r}] = "
        ana.context.add_init_script(once + json.dumps(json.dumps(value)))
    # Without a clipboard, pictures are saved as files, and links are shown so that they can be
    # copied by hand.
    ana.context.add_init_script("delete Navigator.prototype.clipboard")
    ana.context.add_init_script("document.execCommand = () => false")
    page = ana.page
    home = server.url

    def check_code_is_hidden() -> None:
        assert party.table not in page.evaluate(PRESENTED).upper().replace(" ", "")

    page.goto(f"{home}/t/{party.table}")
    expect(page.locator(".evening")).to_contain_text("2 games")
    expect(page.locator(".recap-where").first).to_have_text(f"127.0.0.1:{server.port}")
    check_code_is_hidden()
    for section in (".story", ".evening"):
        with page.expect_download() as saved:
            page.locator(section).get_by_role("button", name="Copy as a picture").first.click()
        assert party.table not in saved.value.suggested_filename
    page.goto(f"{home}/t/{party.table}/replay/1")
    expect(page.locator(".reel-count")).to_be_visible()
    check_code_is_hidden()
    page.goto(home)
    expect(page.get_by_text("Back to your table")).to_be_visible()
    check_code_is_hidden()
    party = server.create_table("Ana")
    credentials = json.dumps({"seat": party.seats[0], "token": party.tokens[0]})
    page.evaluate("([key, value]) => localStorage.setItem(key, value)",
                  [f"hiss.seat.{party.table}", credentials])  # fmt: skip
    page.goto(f"{home}/t/{party.table}")
    page.locator(".seats li.me button").click()
    page.click("[data-do=claim]")
    page.locator(".claim [data-do=share]").click()
    by_hand = page.locator(".claim .by-hand input")
    assert party.table in by_hand.input_value()
    assert by_hand.evaluate("(one) => getComputedStyle(one).webkitTextSecurity") == "disc"
    assert not page.locator(".claim .qr, [data-claim]").count()
    check_code_is_hidden()
    assert not ana.complaints, ana.complaints


@pytest.mark.parametrize(
    ("language", "lost", "damaged"),
    [
        ("en-GB", "The server lost this table’s last moments", "record is damaged"),
        pytest.param(
            "it-IT",
            "Il server ha perso gli ultimi momenti",
            "sono danneggiati",
            marks=pytest.mark.repetition,
        ),
    ],
)
def test_a_table_that_is_damaged_or_lost_events_explains_it(
    person: Callable[..., Person], tmp_path: Path, language: str, lost: str, damaged: str
) -> None:
    server = RealServer(tmp_path)

    def execute(statement: str) -> None:
        with closing(sqlite3.connect(server.database)) as database, database:
            database.execute(statement)

    party = server.create_table("Ana", "Ben")
    party.host.send_command("rename", name="Anabel")
    cleo = person("Cleo", server.url, locale=language)
    cleo.page.goto(f"{server.url}/t/{party.table}")
    expect(cleo.page.locator("main")).to_contain_text("Anabel")
    newest = party.host.view["version"]
    execute(f"DELETE FROM events WHERE version >= {newest}")
    expect(cleo.page.locator('[role="alert"]')).to_contain_text(lost)
    party.host.send_command("rename", name="Anita")
    expect(cleo.page.locator("main")).to_contain_text("Anita")
    execute("UPDATE events SET body = 'cut off' WHERE version = 2")
    server.stop()
    server.start()
    expect(cleo.page.locator("main")).to_contain_text(damaged)
    server.stop()
    server.log_lines.clear()
    for client in party.clients:
        client.close()
