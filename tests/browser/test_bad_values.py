"""A page ignores unusable values in its address and in the device's storage."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person
from tests.server.test_replay import open_replay
from tests.support.iterations import select_share
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser

OpenPerson = Callable[..., Person]
BROKEN = ("%", "%E0%A4%A", "%zz")
"""Percent-encodings that are invalid."""

CHANGE_FRAGMENT = """async (fragment) => {
  const changed = new Promise((done) => {
    addEventListener("hashchange", () => setTimeout(done, 0), { once: true });
  });
  location.hash = fragment;
  await changed;
}"""
"""Changes the address's fragment, and waits until the page has been notified."""


@pytest.fixture(scope="module")
def game_address() -> Iterator[str]:
    """Return the address at which ``companion replay`` serves a game."""
    with open_replay(Path("tests/data/replays/1-grid.json")) as address:
        yield address


def test_124_a_replay_opens_with_any_fragment(person: OpenPerson, game_address: str) -> None:
    page = person("Ana", reduced_motion="reduce").page
    page.goto(f"{game_address}#{BROKEN[-1]}")
    track = page.locator(".track input")
    expect(track).to_have_js_property("value", "0")
    expect(page.locator(".toast")).to_have_count(0)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    for broken in BROKEN:
        page.evaluate(CHANGE_FRAGMENT, broken)
        expect(track).to_have_js_property("value", "3")
        expect(page.locator(".toast")).to_have_count(0)


def test_124_a_dead_address_opens_a_page_that_explains_it(
    person: OpenPerson, server: RealServer
) -> None:
    page = person("Ana").page
    for path in ("/t/%", "/t/%E0%A4%A", "/t/%/replay/1", "/t/KXQF7H/replay/%"):
        page.goto(server.url + path)
        expect(page.locator("#app h1, main h1").first, path).to_be_visible()


def test_124_a_table_opens_with_any_fragment(person: OpenPerson, server: RealServer) -> None:
    page = person("Ben").page
    for fragment in ("claim=%", "claim=%25.%zz", "claim=x.y", "with=%", "with=%00,%"):
        table = server.post("/api/tables", {"name": "Ana"}).json["table"]
        page.goto(f"{server.url}/t/{table}#{fragment}")
        expect(page.locator(".join [name=name]"), fragment).to_be_visible()


WRONG: list[Any] = [
    "", "{", "null", "7", '"x"', "[]", "{}", "[null]", "[7]", "[[]]", '{"seat":7,"token":{}}',
]  # fmt: skip
"""Values that are unusable under any key."""

PREFS: list[Any] = [
    {"name": 7, "theme": [], "language": {}, "game": []},
    {"lens": 7, "box": {"edition": "original", "players": "many"}},
    {"lens": {"TABLE.s1": {}}, "lessons": {"table": "TABLE", "seen": 7}},
    {"lessons": {"table": "TABLE"}, "practice": 7},
    {"practice": {"table": "TABLE", "begins": {}}, "lessons": []},
]
EVENINGS: list[Any] = [
    [{}], [{"table": 7, "names": [], "games": 1, "at": 1}], [{"table": "TABLE", "names": 7}],
    [{"table": "TABLE", "names": ["Ana"], "games": 1, "at": 1e300}],
    [{"table": "TABLE", "names": [7, None], "games": "x", "at": 1}],
]  # fmt: skip
VIEWS: list[Any] = [
    {"epoch": "x", "seats": 7},
    {"epoch": "x", "seats": [None], "family": "grid"},
    {"epoch": "x", "seats": [], "family": "grid", "phase": "play", "log": 7},
    {"epoch": "x", "seats": [], "family": "chess"},
    {"epoch": "x", "seats": [{"seat": "s1"}], "family": "grid", "phase": "over", "options": {}},
]
KEYS = ("prefs", "tables", "evenings", "seat", "last", "owed", "device")
MEMORIES = [
    *(
        {key: WRONG[(first + at) % len(WRONG)] for at, key in enumerate(KEYS)}
        for first in select_share(range(len(WRONG)), each=4)
    ),
    *(
        {"prefs": json.dumps(prefs), "evenings": json.dumps(evenings), "last": json.dumps(view)}
        for prefs, evenings, view in zip(PREFS, EVENINGS, VIEWS, strict=True)
    ),
]
"""Contents of a device's storage. In ``python3 tests all``, each unusable value is stored under
each key."""

REMEMBERS = """([table, kept]) => {
    localStorage.clear();
    for (const [key, value] of Object.entries(kept)) {
        const whole = ["seat", "last", "owed"].includes(key) ? `${key}.${table}` : key;
        localStorage.setItem(`hiss.${whole}`, value.replaceAll("TABLE", table));
    }
}"""


def test_124_a_devices_storage_may_hold_anything(person: OpenPerson, server: RealServer) -> None:
    party = server.create_table("Ana", "Ben").begin()
    ana = person("Cleo")
    ana.page.goto(server.url)
    for memory in MEMORIES:
        ana.page.evaluate(REMEMBERS, [party.table, memory])
        ana.page.goto(server.url)
        expect(ana.page.locator("form").first, str(memory)).to_be_visible()
        ana.page.goto(f"{server.url}/t/{party.table}")
        expect(ana.page.locator(".chain [data-seat]").first, str(memory)).to_be_visible()
        assert not ana.complaints, (memory, ana.complaints)


def test_124_a_stored_view_without_a_log_is_ignored_while_the_server_is_silent(
    person: OpenPerson, server: RealServer
) -> None:
    """Otherwise the log and the story, which are loaded later, would raise an error. The fixture
    ``person`` fails a test whose pages report an error."""
    party = server.create_table("Ana", "Ben").begin()
    page = person("Cleo").page
    page.goto(server.url)
    page.evaluate(REMEMBERS, [party.table, {"last": json.dumps(VIEWS[-1])}])
    page.route_web_socket("**/socket.io/**", lambda _: None)  # the server never sends anything
    with page.expect_response("**/scenes-*.js"):
        page.goto(f"{server.url}/t/{party.table}")
    page.wait_for_timeout(500)


@pytest.mark.parametrize(
    "value",
    ['[{"a": 1}]', *(pytest.param(one, marks=pytest.mark.repetition) for one in ("{}", "7"))],
)
def test_124_a_visitor_can_sit_down_with_anything_in_storage(
    person: OpenPerson, server: RealServer, value: str
) -> None:
    ana = person("Ana")
    ana.page.goto(server.url)
    ana.page.evaluate(REMEMBERS, ["", {"tables": value, "prefs": value, "evenings": value}])
    ana.create_table()
