"""On a slow connection the page shows only whole sentences, is never blank, and doesn't jump."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.notices import expect_notice, note_notices
from tests.browser.people import Person
from tests.support.servers.server import ROOT, Party, RealServer, wait_until

pytestmark = pytest.mark.browser

SLOW = {"offline": False, "latency": 150, "downloadThroughput": 50_000, "uploadThroughput": 50_000}

WATCH = """
window.seen = { words: new Set(), blank: 0, places: [] };
const NAMED = ["aria-label", "title", "placeholder"];
const look = () => {
  requestAnimationFrame(look);
  const app = document.getElementById("app");
  if (!app) return;
  const said = document.body.innerText.split("\\n");
  const named = [...document.querySelectorAll(NAMED.map((name) => `[${name}]`))].flatMap((one) =>
    NAMED.map((name) => one.getAttribute(name) ?? ""));
  for (const words of [...said, ...named]) seen.words.add(words.trim());
  if (![...app.children].some((one) => one.getClientRects().length)) seen.blank += 1;
  const still = document.querySelector("[data-say=pass], .lobby .seats");
  const place = still?.getBoundingClientRect().top;
  if (place !== undefined && seen.places.at(-1) !== place) seen.places.push(place);
};
requestAnimationFrame(look);
"""

LOOKS_LIKE_A_KEY = re.compile(r"[a-z-]+(\.[a-z_-]+)+")


def load_texts(language: str) -> dict[str, Any]:
    files = (ROOT / "static/text").rglob(f"{language}.json")
    return {key: text for file in files for key, text in json.loads(file.read_text()).items()}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """Start a server that other machines can reach."""
    running = RealServer(tmp_path_factory.mktemp("server"), COMPANION_HOST="0.0.0.0")
    yield running
    running.close()


OpenSlowPage = Callable[[str, str], Person]


@pytest.fixture
def open_slow_page(person: Callable[..., Person]) -> OpenSlowPage:
    """Return a function that opens a browser in a language, with a connection of 50 kB/s. Each
    frame of its page is recorded."""

    def open_page(name: str, language: str) -> Person:
        viewer = person(name, locale=language)
        viewer.page.add_init_script(WATCH)
        chrome = viewer.context.new_cdp_session(viewer.page)
        chrome.send("Network.enable")
        chrome.send("Network.emulateNetworkConditions", SLOW)
        return viewer

    return open_page


def check_texts(viewer: Person) -> list[float]:
    """Check that the page was never blank and never showed the key of a text.

    Returns the successive positions of the Pass button or, in the lobby, of the players.
    """
    record = viewer.page.evaluate("({ ...seen, words: [...seen.words] })")
    language = viewer.page.evaluate("document.documentElement.lang")
    texts = load_texts(language)
    keys = texts.keys() - {str(text) for text in texts.values()}
    shown_keys = [
        text for text in record["words"] if text in keys or LOOKS_LIKE_A_KEY.fullmatch(text)
    ]
    assert not shown_keys and len(record["words"]) > 1, record["words"]
    assert not record["blank"]
    places: list[float] = record["places"]
    return places


def store_seat(player: Person, party: Party, at: int) -> None:
    credentials = json.dumps({"seat": party.seats[at], "token": party.tokens[at]})
    player.context.add_init_script(f"localStorage['hiss.seat.{party.table}'] ??= {credentials!r}")


PATHS = ("/", "/nothing/here", "/t/AAAAAA", "/t/AAAAAA/replay/3")
LANGUAGES = ("en-GB", "it-IT")


@pytest.mark.parametrize(
    ("path", "language"),
    [
        pytest.param(path, language, marks=() if at % 2 == number else pytest.mark.repetition)
        for at, path in enumerate(PATHS)
        for number, language in enumerate(LANGUAGES)
    ],
)
def test_pages_show_whole_sentences_only(
    open_slow_page: OpenSlowPage, server: RealServer, path: str, language: str
) -> None:
    ana = open_slow_page("Ana", language)
    ana.page.goto(f"{server.url}{path}", wait_until="commit")
    expect(ana.page.locator("#app .press").first).to_be_visible()
    check_texts(ana)


@pytest.mark.parametrize(
    "languages",
    [LANGUAGES, pytest.param(LANGUAGES[::-1], marks=pytest.mark.repetition)],
    ids=["English host", "Italian host"],
)
def test_people_in_the_lobby_stay_where_they_are_first_drawn(
    open_slow_page: OpenSlowPage, server: RealServer, languages: tuple[str, str]
) -> None:
    party = server.create_table("Ana", "Ben")
    for at, name in enumerate(("Ana", "Ben")):
        player = open_slow_page(name, languages[at])
        store_seat(player, party, at)
        player.page.goto(f"{server.url}/t/{party.table}", wait_until="commit")
        expect(player.page.locator('.lobby [data-deck="device"]')).to_be_visible()
        player.page.wait_for_load_state("networkidle")
        assert len(check_texts(player)) == 1


@pytest.mark.parametrize(
    ("box", "language"),
    [
        ("quarantined", "en-GB"),
        ("party-120", "it-IT"),
        pytest.param("quarantined", "it-IT", marks=pytest.mark.repetition),
        pytest.param("party-120", "en-GB", marks=pytest.mark.repetition),
    ],
)
def test_a_window_that_is_open_stays_where_it_is_on_a_reload(
    open_slow_page: OpenSlowPage, server: RealServer, box: str, language: str
) -> None:
    party = server.create_table("Ana", "Ben", variant=box, options={"nope_seconds": 30}).begin()
    if box == "quarantined":
        party.instruct()
    ben = open_slow_page("Ben", language)
    store_seat(ben, party, 1)
    ben.page.goto(f"{server.url}/t/{party.table}", wait_until="commit")
    expect(ben.page.locator(".play .dock")).to_be_visible()
    party.host.send_command("play", card="skip")
    expect(ben.page.locator("[data-say=pass]")).to_be_visible()
    check_texts(ben)
    ben.page.reload(wait_until="commit")
    expect(ben.page.locator("main:not([inert]) [data-say=pass]")).to_be_visible()
    ben.page.wait_for_load_state("networkidle")
    assert len(check_texts(ben)) == 1


def test_nothing_can_be_tapped_in_what_a_device_saw_last_until_the_server_answers(
    person: Callable[..., Person], server: RealServer
) -> None:
    """Before the server answers, a tap would have no effect, and the player wouldn't know."""
    party = server.create_table("Ana", "Ben")
    ana = person("Ana")
    store_seat(ana, party, 0)
    silent = False
    waiting: list[WebSocketRoute] = []
    ana.page.route_web_socket(
        "**/socket.io/**",
        lambda line: waiting.append(line) if silent else line.connect_to_server(),
    )

    def reload_page() -> None:
        """Reload the page, to which the server doesn't answer yet."""
        nonlocal silent
        silent = True
        ana.page.reload()
        expect(ana.page.locator("main[inert]")).to_be_visible()
        wait_until(lambda: ana.page.wait_for_timeout(20) or waiting)

    def let_server_answer() -> None:
        nonlocal silent
        silent = False
        while waiting:
            waiting.pop().connect_to_server()
        expect(ana.page.locator("main:not([inert])")).to_be_visible()

    ana.page.goto(f"{server.url}/t/{party.table}")
    for word in ("prepare", "ready", f"begin-{party.seats[1]}"):
        expect(ana.page.locator(f'main:not([inert]) [data-say="{word}"]')).to_be_visible()
        reload_page()
        let_server_answer()
        ana.give_command(word)
        if word == "ready":
            party.clients[1].send_command("ready", ready=True)
    expect(ana.page.locator(".play main:not([inert])")).to_be_visible()
    reload_page()
    note_notices(ana.page)
    end_game(ana)
    expect_notice(ana.page, "Reconnecting")
    ana.page.get_by_label("Close").first.click()
    expect(ana.page.locator(".sheet")).to_have_count(0)
    let_server_answer()
    end_game(ana)
    expect(ana.page.locator('[data-say="prepare"]')).to_be_visible()


def end_game(host: Person) -> None:
    host.page.get_by_label("Menu").click()
    host.page.locator("[data-ask=end_game]").click()
    host.page.locator("[data-say=end_game]:not([aria-disabled])").click()
