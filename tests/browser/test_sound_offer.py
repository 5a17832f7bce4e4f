"""The offer of sounds in the lobby."""

import os
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import open_lobby
from tests.support.chromium import wait_for_truth
from tests.support.painting import take_screenshot
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("SHOTS")
"""The folder for pictures that a person can look at. By default, no picture is taken."""

COUNT_TONES = """
  window.tones = 0;
  const begin = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) {
    window.tones += 1;
    return begin.apply(this, when);
  };
"""
"""Counts the tones that the page plays."""


def test_the_lobby_offers_sounds_until_the_first_answer_and_lets_one_hear_them(
    person: Callable[..., Any], server: RealServer
) -> None:
    ana = person("Ana")
    ana.page.add_init_script(COUNT_TONES)
    open_lobby(server, [ana])
    offer = ana.page.locator(".sound-offer")
    hear = offer.get_by_role("button", name="Hear them")
    expect(hear).to_be_visible()
    assert ana.page.evaluate("tones") == 0
    for width, theme in ((320, "light"), (390, "dark"), (1280, "light")) if SHOTS else ():
        ana.page.set_viewport_size({"width": width, "height": 844})
        ana.page.emulate_media(color_scheme=theme)
        hear.scroll_into_view_if_needed()
        take_screenshot(ana.page, path=f"{SHOTS}/offer-{width}.png", full_page=True)
    hear.click()
    wait_for_truth(ana.page, "tones > 0")
    expect(hear).to_be_visible()
    offer.get_by_role("button", name="Switch on").press("Enter")
    expect(offer).to_have_count(0)
    ana.page.reload()
    ana.page.locator(".people").wait_for()
    ana.page.get_by_role("button", name="Menu").click()
    expect(ana.page.locator("input[name=sound]")).to_be_checked()
    expect(offer).to_have_count(0)
