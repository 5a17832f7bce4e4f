"""Sounds begin with a tap, and a sound that couldn't be played in time is dropped."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person
from tests.support.chromium import wait_for_truth
from tests.support.servers.server import Party, RealServer, wait_until

pytestmark = pytest.mark.browser

PREFERENCES = {"oddsHint": "", "sound": True}
"""Sound is on, as if the player had switched it on at an earlier visit."""

LISTEN = """{
  const context = AudioContext;
  AudioContext = class extends context {
    constructor() {
      super();
      window.audio = this;
    }
  };
  window.tones = 0;
  const begin = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) {
    window.tones += 1;
    return begin.apply(this, when);
  };
}"""
"""Counts the tones that the page plays, and makes its audio context accessible."""

IS_LOADED = "performance.getEntriesByType('resource').some(({{ name }}) => /{}/.test(name))"
SHOWS_KITTEN = "document.querySelector('.now h1').textContent.includes('Kitten')"
IS_RUNNING = "window.audio?.state === 'running'"
LATE_MS = 1200
"""Time after which a sound is too late."""


def open_with_sound(person: Callable[..., Person], party: Party) -> Person:
    """Open the panel of Ben, who plays sounds and whose turn it is.

    Only its address is opened, because Playwright's expectations count as a gesture of the player,
    after which Chromium lets the page play sounds.
    """
    party.begin().instruct()
    party.host.send_command("draw", cell=[0, 0])
    party.host.send_command("report", outcome="safe")
    party.instruct()
    party.clients[1].close()
    ben = person("Ben", viewport={"width": 1280, "height": 800})
    stored = {
        "hiss.prefs": PREFERENCES,
        f"hiss.seat.{party.table}": {"seat": party.seats[1], "token": party.tokens[1]},
    }
    for key, value in stored.items():
        ben.page.add_init_script(f"localStorage[{key!r}] = {json.dumps(json.dumps(value))}")
    ben.page.add_init_script(LISTEN)
    ben.page.goto(f"{ben.url}/t/{party.table}")
    return ben


def peek(ben: Person, expression: str) -> Any:
    """Return an expression's value in the page. Unlike ``evaluate``, this is no gesture."""
    chrome = ben.context.new_cdp_session(ben.page)
    answer = chrome.send("Runtime.evaluate", {"expression": expression, "returnByValue": True})
    chrome.detach()
    return answer["result"].get("value")


def test_the_first_tap_lets_sounds_begin_and_none_that_were_missed_are_played_then(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben", "Cleo")
    ben = open_with_sound(person, party)
    wait_until(lambda: peek(ben, IS_LOADED.format("senses")))
    as_ben = {"as": party.seats[1]}
    party.host.send_command("draw", **as_ben, cell=[0, 0])
    party.host.send_command("report", **as_ben, outcome="kitten")
    wait_until(lambda: peek(ben, SHOWS_KITTEN))
    ben.page.wait_for_timeout(LATE_MS)
    assert peek(ben, "tones") == 0, "sounds wait for the first tap"
    assert not peek(ben, IS_RUNNING)
    ben.page.mouse.click(640, 5)
    wait_until(lambda: peek(ben, IS_RUNNING))
    assert peek(ben, "tones") == 0
    party.host.send_command("explode", **as_ben)
    wait_until(lambda: peek(ben, "tones") > 0)


def test_a_tap_in_the_window_on_top_of_the_call_brings_sounds_back(
    person: Callable[..., Person], server: RealServer
) -> None:
    ben = open_with_sound(person, server.create_table("Ana", "Ben", "Cleo"))
    wait_for_truth(ben.page, IS_LOADED.format("sound"))
    ben.page.get_by_label("Menu").click()
    wait_for_truth(ben.page, IS_RUNNING)
    with ben.page.expect_popup() as opened:
        ben.page.get_by_role("button", name="on top of the call").click()
    small = opened.value
    expect(small.locator(".now h1")).to_be_visible()
    ben.page.evaluate("audio.suspend()")  # as a phone does during a call
    small.locator(".now h1").click()
    wait_for_truth(ben.page, IS_RUNNING)
