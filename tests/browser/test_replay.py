"""Tests for replays in Chromium: keyboard, links to moments, watching together, and speed."""

import gzip
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser import reel
from tests.browser.faults import FAULTS, TARGETS, find_violations, get_least_target_size
from tests.browser.people import Person, open_lobby
from tests.browser.reel import make_game_file
from tests.cluster.fleet import Fleet
from tests.server.test_replay import with_new_checksum
from tests.support.chromium import wait_for_truth
from tests.support.iterations import EVERYTHING
from tests.support.servers.server import ROOT, Party, RealServer
from tests.support.timed import LENIENCE, only_measures

pytestmark = pytest.mark.browser

FILES = {"grid": "tests/data/replays/1-grid.json", "pile": "tests/data/replays/1-pile.json"}
LOOKS = [((320, 568), "dark"), ((390, 844), "light"), ((1280, 800), "dark")]
"""The sizes and themes in which moments are checked."""

LOOKED_AT = 3
"""Number of moments of a replay whose accessibility is checked, each in one of ``LOOKS``. The last
moment is checked in all of them, at a pile only in ``python3 tests all``."""

CLOSE_MS = 300
REPORTS_AFTER_MS = 1200
"""Time after which a page without an answer has reported its own moment."""


@pytest.fixture(scope="module")
def addresses() -> Iterator[dict[str, str]]:
    """Return the address at which ``companion replay`` serves a file of each family."""
    command = [sys.executable, "-m", "companion", "replay"]
    running = {
        name: subprocess.Popen([*command, path], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for name, path in FILES.items()
    }
    yield {
        name: process.stdout.readline().split()[1]
        for name, process in running.items()
        if process.stdout
    }
    for process in running.values():
        process.terminate()
        process.communicate()


STILL = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let moving = [null]; moving.length; ) {
    await Promise.all(moving.map((one) => one?.finished.catch(() => null)));
    await frame(), await frame();
    moving = document.getAnimations().filter(
      (one) => one.playState === "running" && one.effect.getComputedTiming().endTime < 5000);
  }
}"""
"""Waits until all animations have ended, after which colours are final."""

OpenPerson = Callable[..., Person]


def open_replay(person: OpenPerson, address: str, **context: Any) -> Page:
    page = person("Ana", **{"reduced_motion": "reduce", **context}).page
    page.goto(address)
    expect(page.locator(".reel")).to_be_visible()
    return page


ADDRESSED = "() => new Promise((done) => setTimeout(done, 1000))"
"""Waits until the address contains the current moment. The page updates the address with a delay.
"""


def read_moment(page: Page) -> int:
    return int(page.locator(".track input").input_value())


def read_last_moment(page: Page) -> int:
    return int(page.locator(".track input").get_attribute("max") or 0)


WALK = """async (steps) => {
  const walked = [];
  for (let step = 0; step < steps; step++) {
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
    await new Promise((drawn) => queueMicrotask(() => queueMicrotask(drawn)));
    const headline = document.querySelector(".now h1").innerText;
    walked.push([Number(document.querySelector(".track input").value), headline]);
  }
  return walked;
}"""
"""Steps forward by keys that follow each other so fast that few moments are painted. Returns the
number and the headline of each moment.

Playwright waits after each key until the page is painted, which takes most of a step's time.
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "lang"), [("grid", "it"), pytest.param("pile", "en", marks=pytest.mark.repetition)]
)
def test_a_whole_replay_by_keyboard_alone(
    person: OpenPerson, addresses: dict[str, str], family: str, lang: str
) -> None:
    page = open_replay(person, addresses[family], locale={"en": "en-GB", "it": "it-IT"}[lang])
    expect(page.locator("html")).to_have_attribute("lang", lang)
    whole = read_last_moment(page)
    assert whole > 90
    walked: list[tuple[int, str]] = []
    last_looks = LOOKS if EVERYTHING or family == "grid" else LOOKS[2:]
    for number, moment in enumerate([*range(0, whole, whole // LOOKED_AT)[1:LOOKED_AT], whole]):
        walked += page.evaluate(WALK, moment - read_moment(page) - 1)
        page.keyboard.press("ArrowRight")
        expect(page.locator(".track input")).to_have_js_property("value", str(moment))
        walked.append((moment, page.locator(".now h1").inner_text()))
        for size, theme in last_looks if moment == whole else [LOOKS[number % len(LOOKS)]]:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.emulate_media(color_scheme=theme)
            page.evaluate(STILL)
            faults = find_violations(page) + page.evaluate(FAULTS)
            faults += page.evaluate(TARGETS, get_least_target_size(size))
            assert not faults, (moment, size, theme, faults)
    assert [moment for moment, _ in walked] == [*range(1, whole + 1)]
    words = {headline for _, headline in walked}
    assert len(words) > 20, words
    assert {"it": "Vince", "en": "won"}[lang] in " ".join(words)
    page.keyboard.press("Home")
    expect(page.locator(".track input")).to_have_js_property("value", "0")
    page.keyboard.press("PageDown")
    assert read_moment(page) > 0, "to the first Nope or explosion"
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".track input")).to_have_js_property("value", str(whole - 1))


def test_it_plays_by_itself_at_three_speeds(person: OpenPerson, addresses: dict[str, str]) -> None:
    page = open_replay(person, addresses["grid"])
    speed = page.locator("[data-reel=speed]")
    labels = set[str | None]()
    for _ in range(3):
        labels.add(speed.get_attribute("aria-label"))
        speed.click()
    assert len(labels) == 3
    while "fast" not in (speed.get_attribute("aria-label") or ""):
        speed.click()
    page.locator(".now").focus()
    page.keyboard.press("Space")
    expect(page.locator("[data-reel=pause]")).to_be_visible()
    wait_for_truth(page, "document.querySelector('.track input').value > 3")
    page.keyboard.press("Space")
    expect(page.locator("[data-reel=play]")).to_be_visible()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    expect(page.locator("[data-reel=play]")).to_be_visible()
    assert read_moment(page) == read_last_moment(page), "it ends with the game"


def test_a_link_leads_to_a_moment_or_the_nearest(
    person: OpenPerson, addresses: dict[str, str]
) -> None:
    page = open_replay(person, f"{addresses['pile']}#57")
    expect(page).to_have_url(f"{addresses['pile']}#57")
    expect(page.locator(".toast")).to_have_count(0)
    moment = read_moment(page)
    page.evaluate("location.hash = '99999'")
    expect(page.locator(".now [role=alert]")).to_contain_text("no moment 99999")
    assert read_moment(page) == read_last_moment(page)
    page.evaluate("location.hash = 'over'")
    expect(page.locator(".now [role=alert]")).to_contain_text("no moment over")
    assert read_moment(page) == 0
    page.go_back()
    page.go_back()
    expect(page.locator(".track input")).to_have_js_property("value", str(moment))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".toast")).to_have_count(0)
    wait_for_truth(page, "location.hash !== '#57'")


def test_hidden_cards_are_shown_where_decks_were_opened(
    person: OpenPerson, addresses: dict[str, str]
) -> None:
    page = open_replay(person, f"{addresses['grid']}")
    page.keyboard.press("PageDown")
    bare = page.locator("[data-reel=bare]")
    expect(bare).to_have_attribute("aria-pressed", "false")
    assert page.locator(".cell.down").count() > 0
    bare.focus()
    page.keyboard.press("Enter")
    expect(bare).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".chain .cell.down")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator(".hidden-then")).to_have_count(0)
    assert page.locator(".cell.down").count() > 0
    page.goto(addresses["pile"])
    expect(page.locator(".reel")).to_be_visible()
    for name in ("bare", "together"):
        expect(page.locator(f"[data-reel={name}]")).to_have_count(0)


def play_game(server: RealServer) -> Party:
    """Play a short game of two to its end."""
    party = server.create_table("Ana", "Ben").begin()
    for _ in range(5):
        party.instruct()
        party.host.send_command("undo")
    party.instruct()
    party.host.send_command("draw", cell=[0, 0])
    party.host.send_command("report", outcome="kitten")
    party.host.send_command("explode")
    return party


WATCHED = """() => {
  window.shown = [];
  const count = () => Number(document.querySelector(".track input").value);
  const kinds = { subtree: true, attributes: true, childList: true, characterData: true };
  new MutationObserver(() => {
    if (shown.at(-1)?.[0] !== count()) shown.push([count(), Date.now()]);
  }).observe(document.querySelector("#app"), kinds);
}"""
"""Records which moment the page shows at which time."""


def measure_delay(first_page: Page, second_page: Page, moments: list[int]) -> float:
    """Return the longest time in ms by which the second page showed one of these moments later than
    the first."""
    times = [dict(page.evaluate("shown")) for page in (first_page, second_page)]
    return max(float(times[1][moment] - times[0][moment]) for moment in moments)


@pytest.mark.timed
def test_two_people_who_watch_together_never_differ_for_long(
    person: OpenPerson, server: RealServer
) -> None:
    """Either viewer can step. To take part, it is enough to follow the link at the end of
    the game."""
    party = play_game(server)
    ana = person("Ana").page
    ben = person("Ben").page
    ana.goto(f"{server.url}/t/{party.table}")
    ana.locator("[data-do=replay]").click()
    ben.goto(f"{server.url}/t/{party.table}/replay/1")
    for page in (ana, ben):
        expect(page.locator(".reel-here")).to_have_text("2")
        page.evaluate(WATCHED)
    for leads, follows in ((ben, ana), (ana, ben)):
        leads.keyboard.press("Home")
        expect(follows.locator(".track input")).to_have_js_property("value", "0")
        for page in (ana, ben):
            page.evaluate("shown = []")
        for moment in (1, 2, 3, 4):
            leads.keyboard.press("ArrowRight")
            expect(follows.locator(".track input")).to_have_js_property("value", str(moment))
        assert measure_delay(leads, follows, [1, 2, 3, 4]) < CLOSE_MS * LENIENCE
    ben.locator("[data-reel=together]").click()
    expect(ben.locator("[data-reel=together]")).to_have_attribute("aria-pressed", "false")
    expect(ana.locator(".reel-here")).to_have_count(0)
    ana.keyboard.press("End")
    expect(ana.locator(".track input")).to_have_js_property("value", str(read_last_moment(ana)))
    assert read_moment(ben) == 4, "who doesn't follow stays"
    ben.locator("[data-reel=together]").click()
    expect(ben.locator(".track input")).to_have_js_property("value", str(read_last_moment(ben)))
    moments = server.get(f"/api/tables/{party.table}/games/1/moments").json["moments"]
    cleo = person("Cleo").page
    cleo.goto(f"{server.url}/t/{party.table}/replay/1#{moments[1]['version']}")
    for page in (cleo, ana, ben):  # a link to a moment moves all viewers to that moment
        expect(page.locator(".track input")).to_have_js_property("value", "2")
        expect(page.locator(".reel-here")).to_have_text("3")


@pytest.mark.parametrize(
    ("locale", "play", "pause", "said"),
    [
        ("en-GB", "Play", "Pause", ("Ana steered last", "A spectator steered last")),
        pytest.param(
            "it-IT",
            "Riproduci",
            "Pausa",
            ("Ha guidato per ultimo: Ana", "Ha guidato per ultimo uno"),
            marks=pytest.mark.repetition,
        ),
    ],
)
def test_180_the_film_is_everybodys_and_the_last_to_steer_is_named(
    person: OpenPerson,
    server: RealServer,
    locale: str,
    play: str,
    pause: str,
    said: tuple[str, str],
) -> None:
    party = play_game(server)
    ana = person("Ana", locale=locale)
    ben = person("Ben", locale=locale).page
    credentials = json.dumps({"seat": party.seats[0], "token": party.tokens[0]})
    ana.context.add_init_script(f"localStorage['hiss.seat.{party.table}'] = {credentials!r}")
    pages = [ana.page, ben]
    for page in pages:
        page.goto(f"{server.url}/t/{party.table}/replay/1")
    for page in pages:
        expect(page.locator(".reel-here")).to_have_text("2")
    for _ in range(2):  # the speed changes from normal to fast, then to slow
        ana.page.locator("[data-reel=speed]").click()
    ana.page.get_by_role("button", name=play, exact=True).click()
    for page in pages:
        expect(page.get_by_role("button", name=pause, exact=True)).to_be_visible()
    expect(ben.locator(".steered")).to_have_text(said[0])
    ben.get_by_role("button", name=pause, exact=True).click()
    for page in pages:
        expect(page.get_by_role("button", name=play, exact=True)).to_be_visible()
    expect(ana.page.locator(".steered")).to_contain_text(said[1])
    stands = read_moment(ben)
    ben.wait_for_timeout(3000)
    assert [read_moment(page) for page in pages] == [stands, stands]
    for page in pages:
        assert not page.evaluate(FAULTS)
    ben.get_by_role("button", name=play, exact=True).click()
    expect(ana.page.locator("[data-reel=pause]")).to_be_visible()
    ben.goto("about:blank")  # the replay pauses when the viewer who started it leaves
    expect(ana.page.locator("[data-reel=play]")).to_be_visible()


def test_180_a_film_pauses_for_a_viewer_who_stops_watching_together(
    person: OpenPerson, server: RealServer
) -> None:
    party = play_game(server)
    ana, ben = person("Ana").page, person("Ben").page
    for page in (ana, ben):
        page.goto(f"{server.url}/t/{party.table}/replay/1")
    for page in (ana, ben):
        expect(page.locator(".reel-here")).to_have_text("2")
    for _ in range(2):  # the speed changes from normal to fast, then to slow
        ana.locator("[data-reel=speed]").click()
    ana.locator("[data-reel=play]").click()
    expect(ben.locator("[data-reel=pause]")).to_be_visible()
    ben.locator("[data-reel=together]").click()
    expect(ben.locator("[data-reel=play]")).to_be_visible()
    expect(ana.locator("[data-reel=pause]")).to_be_visible()
    ben.locator("[data-reel=together]").click()
    expect(ben.locator("[data-reel=pause]")).to_be_visible()
    ana.locator("[data-reel=together]").click()
    expect(ana.locator("[data-reel=pause]")).to_be_visible()  # it is her own film
    expect(ben.locator("[data-reel=play]")).to_be_visible()


def test_180_a_moment_chosen_while_the_page_loads_is_shown_to_the_other_viewers(
    person: OpenPerson, server: RealServer
) -> None:
    party = play_game(server)
    ana, ben = person("Ana").page, person("Ben").page
    held: list[Route] = []
    ben.route("**/together*.js", lambda route: held.append(route))
    ana.goto(f"{server.url}/t/{party.table}/replay/1")
    expect(ana.locator(".track input")).to_have_js_property("value", "0")
    ana.keyboard.press("ArrowRight")
    expect(ana.locator(".track input")).to_have_js_property("value", "1")
    with ben.expect_request("**/together*.js"):
        ben.goto(f"{server.url}/t/{party.table}/replay/1")
    for _ in range(3):
        ben.keyboard.press("ArrowRight")
    expect(ben.locator(".track input")).to_have_js_property("value", "3")
    held[0].continue_()
    for page in (ana, ben):
        expect(page.locator(".reel-here")).to_have_text("2")
        expect(page.locator(".track input")).to_have_js_property("value", "3")


@pytest.mark.postgresql
@pytest.mark.redis
def test_180_a_viewer_through_another_process_joins_at_the_others_moment(
    person: OpenPerson,
) -> None:
    """Also if the other process answers so late that the viewer's page reports its own moment."""
    with Fleet() as fleet:
        first_process, second_process = fleet.processes
        party = play_game(first_process)
        ana, cleo = (person(name).page for name in ("Ana", "Cleo"))
        ana.goto(f"{first_process.url}/t/{party.table}/replay/1")
        expect(ana.locator("[data-reel=together]")).to_have_attribute("aria-pressed", "true")
        for _ in range(3):
            ana.keyboard.press("ArrowRight")
        expect(ana.locator(".track input")).to_have_js_property("value", "3")
        ana.evaluate(WATCHED)
        with fleet.redis.pause():
            cleo.goto(f"{second_process.url}/t/{party.table}/replay/1")
            expect(cleo.locator("[data-reel=together]")).to_have_attribute("aria-pressed", "true")
            cleo.wait_for_timeout(REPORTS_AFTER_MS)
            assert read_moment(cleo) == 0
        for page in (ana, cleo):
            expect(page.locator(".reel-here")).to_have_text("2")
        expect(cleo.locator(".track input")).to_have_js_property("value", "3")
        cleo.wait_for_timeout(1000)
        assert read_moment(ana) == 3 and not [
            moment for moment, _ in ana.evaluate("shown") if moment != 3
        ]
        moments = first_process.get(f"/api/tables/{party.table}/games/1/moments").json["moments"]
        dan = person("Dan").page
        dan.goto(f"{second_process.url}/t/{party.table}/replay/1#{moments[1]['version']}")
        # a link to a moment moves all viewers to it, also those at other processes
        for page in (dan, ana, cleo):
            expect(page.locator(".track input")).to_have_js_property("value", "2")
            expect(page.locator(".reel-here")).to_have_text("3")


BELOW_HEADLINE = """() => document.querySelector(".remark-form").getBoundingClientRect().top
  - document.querySelector("main h1").getBoundingClientRect().bottom"""


def test_a_line_left_at_a_moment_is_there_for_all(person: OpenPerson, server: RealServer) -> None:
    party = play_game(server)
    ana = person("Ana", viewport={"width": 320, "height": 568})
    credentials = json.dumps({"seat": party.seats[0], "token": party.tokens[0]})
    ana.context.add_init_script(f"localStorage['hiss.seat.{party.table}'] = {credentials!r}")
    page = ana.page
    other = person("Ben").page
    address = f"{server.url}/t/{party.table}/replay/1"
    page.goto(address)
    page.locator("[data-reel=together]").click()
    page.keyboard.press("End")
    page.locator("[data-reel=write]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".remark-form input")).to_be_focused()
    assert page.evaluate(BELOW_HEADLINE) >= 4, "it covers the headline's descenders"
    page.evaluate(STILL)
    assert not find_violations(page) + page.evaluate(FAULTS) + page.evaluate(TARGETS, 44)
    page.keyboard.type("<b>That</b> one!")
    page.keyboard.press("Enter")
    expect(page.locator(".remark")).to_have_text("Ana <b>That</b> one!")
    expect(page.locator(".remark-form")).to_have_count(0)
    expect(page.locator("[data-reel=write]")).to_be_focused()
    assert not find_violations(page) + page.evaluate(FAULTS) + page.evaluate(TARGETS, 44)
    expect(page.locator(".mark-remark")).to_have_count(1)
    other.goto(address)
    expect(other.locator(".mark-remark")).to_have_count(1)
    page.locator("[data-reel=write]").click()
    page.keyboard.type("And this")
    page.get_by_role("button", name="Leave a line", exact=True).click()
    # the remark arrives without another request
    expect(other.locator(".mark-remark")).to_have_count(2)
    expect(other.locator("[data-reel=write]")).to_have_count(0)
    other.keyboard.press("End")
    expect(other.locator(".remark").first).to_contain_text("Ana")
    other.keyboard.press("Home")
    expect(other.locator(".remark")).to_have_count(0)


def test_texts_of_a_foreign_file_stay_text(person: OpenPerson, tmp_path: Path) -> None:
    """Every text of the file contains HTML, and some numbers in it are impossible."""
    foreign = "<img src=x onerror=document.title='had'>"
    game = json.loads((ROOT / FILES["grid"]).read_bytes())
    for seat in game["seats"]:
        seat["name"] = f"<img src=x>{seat['name']}"
    for texts in game["variant"]["texts"].values():
        texts["cards"] = {id: {**card, "title": foreign} for id, card in texts["cards"].items()}
    here = game["events"][-1]["version"]
    odd = [(here, foreign), (10**15, "never"), (-1, "never")]
    game["remarks"] = [{"moment": moment, "at": 0, "seat": game["seats"][0]["seat"], "text": text}
                       for moment, text in odd]  # fmt: skip
    path = tmp_path / "foreign.json"
    path.write_bytes(with_new_checksum(game))
    with reel.serve_replay(path) as address:
        page = open_replay(person, address, locale="en-GB")
        expect(page.locator(".mark-remark")).to_have_count(len(odd))
        page.evaluate(WALK, read_last_moment(page))
        expect(page.locator(".remark")).to_contain_text(foreign)
        expect(page.locator(".tile-name").first).to_contain_text("<img")
        assert page.locator("img").count() == 0
        assert page.title() != "had"


def test_a_game_that_is_not_over_has_no_replay(person: OpenPerson, server: RealServer) -> None:
    party = server.create_table("Ana", "Ben").begin()
    page = person("Ana").page
    page.goto(f"{server.url}/t/{party.table}/replay/1")
    expect(page.locator("main h1")).to_contain_text("no such game")


@pytest.mark.timed
@only_measures
def test_a_step_costs_little_however_long_the_game(
    chromium: Browser, addresses: dict[str, str], tmp_path: Path
) -> None:
    """The limits are ratios of processor times of the page's thread. ``tests/browser/reel.py``
    measures these times in ms."""
    long = tmp_path / "long.json"
    long.write_bytes(make_game_file(seed=1))
    with reel.serve_replay(long) as address:
        short, ten = (
            reel.measure_cpu_times(chromium, game_address)
            for game_address in (addresses["grid"], address)
        )
    assert ten.moments > 3 * short.moments
    assert ten.open < 3 * short.open and 100 * ten.step < 10 * ten.open, (short, ten)


def test_help_at_a_pile_leads_to_an_example_turn(person: OpenPerson, server: RealServer) -> None:
    """The example game opens in a new tab and can't be shared or saved."""
    ana = person("Ana")
    open_lobby(server, [ana], "party-120")
    ana.page.click("[aria-label=Help]")
    with ana.page.expect_popup() as opened:
        ana.page.click("[data-do=example]")
    page = opened.value
    expect(page.locator(".reel")).to_be_visible()
    expect(page).to_have_title("An example turn – Hiss")
    page.keyboard.press("End")
    expect(page.locator(".now h1")).to_contain_text("Ben is up")
    for name in ("together", "write", "file"):
        expect(page.locator(f"[data-reel={name}]")).to_have_count(0)
    assert not page.evaluate(FAULTS) + page.evaluate(TARGETS)


def test_a_file_opens_on_the_start_page_and_its_lines_lead_to_their_moments(
    person: OpenPerson, server: RealServer
) -> None:
    page = person("Ana", viewport={"width": 390, "height": 844}).page
    page.goto(server.url)
    page.set_input_files("input[type=file]", ROOT / FILES["grid"])
    expect(page.locator(".play.replay")).to_be_visible()
    page.keyboard.press("End")
    page.locator("[data-reel=log]").click()
    line = page.locator(".log li button").nth(3)
    words = line.inner_text()
    line.click()
    expect(page.locator(".now h1")).to_have_text(words)
    expect(page.locator(".sheet")).to_have_count(0)
    page.evaluate(STILL)
    assert not find_violations(page) + page.evaluate(FAULTS) + page.evaluate(TARGETS, 44)
    page.evaluate(ADDRESSED)
    page.reload()
    expect(page.locator(".now h1")).to_have_text(words)
    page.locator("a.brand").click()
    expect(page.locator(".home")).to_be_visible()
    page.go_back()
    expect(page.locator(".play.replay")).to_be_visible()


def test_a_dropped_files_fault_is_explained_in_the_viewers_language(
    person: OpenPerson, server: RealServer
) -> None:
    page = person("Ana", locale="it-IT").page
    for content, sentence in (
        ((ROOT / FILES["pile"]).read_bytes()[:9000].decode("latin-1"), "troncato"),
        ("dear diary", "non è una partita"),
        ("x" * 600_000, "troppo grande"),
        (gzip.compress(b"{}").decode("latin-1"), "compresso"),
        ("{}".encode("utf-16").decode("latin-1"), "UTF-16"),
    ):
        page.goto(server.url)
        expect(page.locator(".file")).to_be_visible()
        page.evaluate(
            """content => {
              const dataTransfer = new DataTransfer();
              const bytes = Uint8Array.from(content, (one) => one.charCodeAt(0));
              dataTransfer.items.add(new File([bytes], "game.json"));
              document.body.dispatchEvent(
                new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
            }""",
            content,
        )
        expect(page.locator("h1, [role=alert]").filter(has_text=sentence)).to_be_visible()
