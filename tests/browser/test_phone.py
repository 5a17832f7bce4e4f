"""Tests for the cost of a game on a phone: the bytes transferred, and the work of drawing a
change."""

import json
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import CDPSession, Page, expect

from companion.robots.grid.player import Secrets
from companion.robots.party import player_factory
from companion.robots.player import TEMPERS, Player, Wish
from companion.robots.view import apply_patch
from companion.service.table.views import Patches
from tests.browser.people import Person
from tests.panel import scenes
from tests.panel.shots import OpenScenePage, ScenePage
from tests.support.servers.server import Party, RealServer
from tests.support.timed import only_measures

pytestmark = pytest.mark.browser

MOST = 400_000
"""Maximum number of bytes, in both directions, in a 40-minute game of five after the first load."""

TIMES = {"head": 480, "ping": 480, "pong": 480, "ask": 40, "told": 40, "presence": 40}
"""Number of messages in 40 minutes that don't depend on the game.

Heads (the table's version and epoch) and pings come every 5 s, and a clock measurement every
minute. The phone falls asleep and wakes up twenty times.
"""

KINDS = {'42["head"': "head", '42["presence"': "presence", '42["view"': "view", "2": "ping",
         "3": "pong"}  # fmt: skip

KEEP_THE_LINE = """
globalThis.WebSocket = class extends WebSocket {
  constructor(...how) { super(...how); globalThis.line = this; }
};
"""


HIGHEST_OWN_ACK_ID = 7000
"""The page's own Socket.IO acknowledgement ids are lower, and those of this test are higher."""
SEND = "text => line.readyState === WebSocket.OPEN && line.send(text)"
TRIES = 20
SECONDS_PER_TRY = 6.0


class Phone:
    """The host's page, which receives more than any other page. Every byte is counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.view = {}
        self.answer: Any = None
        self.ack_id = HIGHEST_OWN_ACK_ID
        """The acknowledgement id of the last command. Its answer has the same id."""
        self.bytes: Counter[str] = Counter()
        self.count: Counter[str] = Counter()
        page.add_init_script(KEEP_THE_LINE)
        self.chrome = page.context.new_cdp_session(page)
        self.chrome.send("Network.enable")
        self.chrome.on("Network.webSocketFrameReceived", self._on_frame_received)
        self.chrome.on("Network.webSocketFrameSent", lambda event: self._count_frame(event, mask=4))
        self.chrome.on(
            "Network.loadingFinished",
            lambda event: self._count_bytes("http", event["encodedDataLength"]),
        )

    def _count_bytes(self, kind: str, size: float) -> None:
        self.bytes[kind] += round(size)
        self.count[kind] += 1

    def _count_frame(self, event: Any, mask: int = 0) -> str:
        """Count a WebSocket frame, including its header. Returns its text."""
        text: str = event["response"]["payloadData"]
        size = len(text.encode())
        kind = next((kind for start, kind in KINDS.items() if text.startswith(start)), "game")
        kind = "ask" if '["sync"' in text[:20] else "told" if text.startswith("43") else kind
        kind = "game" if kind == "told" and '"ok"' in text[:20] else kind
        self._count_bytes(kind, size + mask + (2 if size < 126 else 4))
        return text

    def _on_frame_received(self, event: Any) -> None:
        text = self._count_frame(event)
        if text.startswith('42["view"'):
            self.view = json.loads(text[2:])[1]
        elif text.startswith('42["patch"'):
            self.view = apply_patch(self.view, json.loads(text[2:])[1])
            assert self.view
        if text.startswith(self._answer_begins):
            self.answer = json.loads(text.removeprefix(self._answer_begins))[0]

    @property
    def _answer_begins(self) -> str:
        return f"43{self.ack_id}"

    def wait_until(self, true: Callable[[], Any]) -> None:
        """Let the page run until the condition is true."""
        assert self._becomes_true(true, 60), self.view

    def _becomes_true(self, true: Callable[[], Any], seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while not (result := true()) and time.monotonic() < deadline:
            self.page.wait_for_timeout(20)
        return bool(result)

    def send_command(self, command: Any) -> Any:
        """Send a command over the page's own WebSocket. Returns the answer.

        Like the page itself, it sends the command again if the answer was lost with a connection.
        """
        self.answer = None
        self.ack_id += 1
        text = f"42{self.ack_id}" + json.dumps(["command", command])
        for _ in range(TRIES):
            self.page.evaluate(SEND, text)
            if self._becomes_true(lambda: self.answer, SECONDS_PER_TRY):
                return self.answer
        raise AssertionError(f"no answer to {command}")


def play_robots(phone: Phone, party: Party) -> None:
    """Play a whole game with robots. The host's commands are sent by the page."""
    chance = Random(14)
    variant = party.server.get(f"/api/tables/{party.table}/variant").json
    sit = player_factory(variant, chance)
    robots = [sit(seat, temper, chance) for seat, temper in zip(party.seats, TEMPERS, strict=False)]
    for robot in robots:
        # without fixed secrets, each run would play another game
        robot.secrets = Secrets(chance.randbytes(32).hex())
        robot.log = lambda: party.server.get(f"/api/tables/{party.table}/log").json
    others = dict(zip(party.seats, party.clients, strict=True))
    while phone.view["phase"] != "over":
        robot, wish = _choose_next_command(robots, phone.view)
        command = {"id": str(UUID(int=chance.getrandbits(128))), **wish.command}
        if robot.seat == party.seats[0]:
            answer = phone.send_command(command)
        else:
            answer = others[robot.seat].send(**command)
        if answer["ok"]:
            robot.on_accepted(wish, answer["version"])
        phone.wait_until(lambda answer=answer: phone.view["version"] >= answer["version"])


def _choose_next_command(robots: list[Player], view: Any) -> tuple[Player, Wish]:
    """Return the next robot to act and its command. The host's view has the commands of all
    seats."""
    wishes = ((robot, robot.choose(view)) for robot in robots)
    return next((robot, wish) for robot, wish in wishes if wish)


@pytest.mark.slow
def test_a_game_of_forty_minutes_costs_a_phone_400_kilobytes(
    person: Callable[..., Person], server: RealServer
) -> None:
    """The test plays the game fast and counts the messages.

    Messages that depend only on the time are multiplied to their number in 40 minutes.
    """
    party = server.create_table(
        "Ana", "Ben", "Cleo", "Dora", "Eve", options={"nope_seconds": 30}
    ).begin()
    ana = person("Ana")
    phone = Phone(ana.page)
    credentials = json.dumps({"seat": party.seats[0], "token": party.tokens[0]})
    seat = f"localStorage['hiss.seat.{party.table}'] = {json.dumps(credentials)}"
    ana.page.add_init_script(seat)
    ana.page.goto(f"{server.url}/t/{party.table}")
    expect(ana.page.locator(".play")).to_be_visible()
    phone.wait_until(lambda: phone.count["told"])
    loaded = phone.bytes.copy()
    play_robots(phone, party)
    expect(ana.page.get_by_role("button", name="Copy as text")).to_be_visible()
    phone.wait_until(
        lambda: phone.count["head"] and phone.count["ping"] and phone.count["presence"]
    )
    spent = phone.bytes - loaded
    of_game = spent["game"] + spent["http"] + spent["view"]
    average_bytes = {kind: phone.bytes[kind] / phone.count[kind] for kind in TIMES}
    of_time = sum(times * average_bytes[kind] for kind, times in TIMES.items())
    figures = (
        f"{of_game} of the game, {of_time:.0f} of the time, {dict(phone.count)}, {average_bytes}"
    )
    assert of_game > 100_000, figures
    assert of_game + of_time < MOST, figures


FIVE = ("Ana", "Ben", "Cleo", "Dora", "Eve")
SLOWED = 6
"""Factor by which the processor is slowed down, as on a phone."""

WATCH = """patch => {
  const watching = new MutationObserver(() => {});
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  watching.observe(document.querySelector(".play"), all);
  showMessage(patch);
  const changed = watching.takeRecords().map(({ target }) => target.parentElement);
  return [...new Set(changed.map((el) => el.closest("[data-seat]")?.dataset.seat ?? ""))].sort();
}"""


def render_change(play: scenes.Play, speaker: str, kind: str, **more: Any) -> Any:
    """Send a command while Eve watches.

    Returns the scene before the command, her views before and after it, and the patch between them.
    """
    here = {"seats": {seat.seat: "here" for seat in play.table.seats}, "spectators": 0}
    scene = {"view": play.view("Eve"), "presence": here, "panel": {}}
    seat = play.seat("Eve")
    before = play.views()
    whole = before.view_of(seat)
    after = play.send(speaker, kind, **more).views()
    patch = Patches(before, after).patch_for(seat, by_keys=True)
    return scene, *(text.decode() for text in (whole, after.view_of(seat), patch))


MOMENTS = {
    "told": lambda: render_change(scenes.begin_game(FIVE), "Ana", "instruct", cell=(0, 1)),
    "drawn": lambda: render_change(scenes.play_some_rounds(FIVE), "Ben", "draw", cell=(1, 2)),
    "passed": lambda: render_change(scenes.open_window(FIVE), "Cleo", "pass"),
}


@pytest.fixture
def scene_page(open_scene_page: OpenScenePage) -> ScenePage:
    return open_scene_page((390, 844))


LEAST_SPARED = 0.1
"""Smallest share of a view's processor time that a patch must save. Measured savings lie between a
fifth and a third."""


@pytest.mark.timed
@only_measures
def test_drawing_a_patch_costs_less_than_drawing_a_view(scene_page: ScenePage) -> None:
    """Compare processor times on a device that is slowed down by a factor of six.

    Patches and views alternate, so that a busy machine affects both equally.
    """
    moments = [make() for make in MOMENTS.values()]
    chrome = scene_page.draw(moments[0][0]).context.new_cdp_session(scene_page.page)
    chrome.send("Performance.enable", {"timeDomain": "threadTicks"})
    chrome.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})

    def measure_seconds(patches: bool, texts: list[str]) -> float:
        began = _read_cpu_seconds(chrome)
        scene_page.page.evaluate("how => drawBackAndForth(...how)", [texts, patches, 10])
        return _read_cpu_seconds(chrome) - began

    def measure_ratio() -> float:
        patch = view = 0.0
        for scene, *texts in moments:
            scene_page.draw(scene)
            for turn in range(4):
                for patches in (True, False) if turn % 2 else (False, True):
                    seconds = measure_seconds(patches, texts)
                    patch = patch + seconds * patches
                    view = view + seconds * (not patches)
        return patch / view

    measure_ratio()  # the first run compiles the code
    assert (ratio := median(measure_ratio() for _ in range(3))) <= 1 - LEAST_SPARED, ratio


def _read_cpu_seconds(chrome: CDPSession) -> float:
    """Return the processor time in seconds that the page's thread has used until now."""
    ratio = chrome.send("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in ratio if metric["name"] == "ThreadTime"))


def test_a_patch_draws_nothing_that_did_not_change(scene_page: ScenePage) -> None:
    play = scenes.play_some_rounds(FIVE)
    ben = play.seat("Ben")
    scene, before, _, patch = render_change(play, "Ben", "play", card="skip")
    page = scene_page.draw(scene)
    reads = page.evaluate("texts => countGridReads(...texts)", [before, patch])
    # The grid of each player may be read once, because the label of the player's button names the
    # face-up cards in the grid.
    assert len(reads) == 5 and all(reads[seat] <= 1 for seat in reads if seat != ben), reads
    scene_page.draw(scene)
    assert set(page.evaluate(WATCH, patch)) == {"", ben}
    scene, _, _, patch = render_change(play, "Cleo", "pass")
    assert scene_page.draw(scene).evaluate(WATCH, patch) == [""]
