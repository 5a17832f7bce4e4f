"""Reactions, on the page: players send them while they play, and they are never in the way."""

import os
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Person, open_game
from tests.support.chromium import wait_for_truth
from tests.support.iterations import EVERYTHING
from tests.support.painting import take_screenshot
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("SHOTS")
"""A folder for pictures, for a person to look at. By default none are taken."""

SIZES = ((320, 568), (390, 844), (1280, 800))

RECORD = """
window.reactions = [];
const find_covered = (sign, animations, time) => {
  for (const animation of animations) animation.currentTime = time;
  const { left, right, top, bottom } = sign.getBoundingClientRect();
  return [...document.querySelectorAll("button, a[href], input, summary")]
    .filter((target) => {
      const box = target.getBoundingClientRect();
      const beside = box.left >= right || box.right <= left;
      return box.width && !beside && box.top < bottom && box.bottom > top;
    })
    .map((target) => target.outerHTML.slice(0, 80));
};
const describe = (sign) => {
  const animations = sign.getAnimations();
  const covered = [2000, 1000, 0].flatMap((time) => find_covered(sign, animations, time));
  const animation = getComputedStyle(sign).animationName;
  return { text: sign.textContent, covered, animation };
};
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes)
      if (node.isConnected && node.classList?.contains("float"))
        window.reactions.push(describe(node));
}).observe(document, { childList: true, subtree: true });
"""
"""Records each reaction as soon as it appears, because it ends by itself: its text, its animation,
and the buttons that it covers at the beginning, in the middle and at the end."""

STATUS = "p.unseen[role=status]"


def find_waiting_player(people: list[Person]) -> tuple[Page, Page, str]:
    """Return the page of the player who has nothing to do, the other page, and that player's
    name."""
    first, second = people
    second.page.locator(".dock").wait_for()
    if first.page.get_by_role("button", name="Send a reaction").count():
        return first.page, second.page, first.name
    return second.page, first.page, second.name


def wait_for_reaction(page: Page) -> dict[str, Any]:
    """Return the next reaction that a page shows."""
    wait_for_truth(page, "window.reactions.length")
    return dict(page.evaluate("window.reactions.shift()"))


@pytest.mark.parametrize("box", ["", "party-120"], ids=["grid", "pile"])
def test_a_living_player_sends_a_reaction_that_covers_no_button(
    person: Callable[..., Any], server: RealServer, box: str
) -> None:
    people: list[Person] = [person(name, reduced_motion="no-preference") for name in ("Ana", "Ben")]
    for one in people:
        one.page.add_init_script(RECORD)
    open_game(server, people, people[0], box)
    waiting, watching, sender = find_waiting_player(people)
    sizes = SIZES if EVERYTHING else SIZES[1:2] if box else SIZES[::2]
    for width, height in sizes:
        watching.set_viewport_size({"width": width, "height": height})
        waiting.get_by_role("button", name="Send a reaction").click()
        waiting.locator("[data-sign=laugh]").click()
        if SHOTS:
            watching.wait_for_timeout(500)
            take_screenshot(watching, path=f"{SHOTS}/reaction-{box}-{width}.png")
        reaction = wait_for_reaction(watching)
        assert sender in reaction["text"] and reaction["covered"] == [], reaction
        expect(watching.locator(STATUS)).to_have_text(f"{sender}: Laughing")
        expect(watching.locator(".float")).to_have_count(0)
    assert watching.locator(STATUS).count() == 1


def test_a_reaction_stands_still_with_reduced_motion_and_is_off_if_the_host_says_so(
    person: Callable[..., Any], server: RealServer
) -> None:
    people: list[Person] = [person(name, reduced_motion="reduce") for name in ("Ana", "Ben")]
    for one in people:
        one.page.add_init_script(RECORD)
    open_game(server, people, people[1])
    waiting, watching, _ = find_waiting_player(people)
    waiting.get_by_role("button", name="Send a reaction").click()
    waiting.locator("[data-sign=hiss]").click()
    assert wait_for_reaction(watching)["animation"] == "none"
    people[0].page.get_by_role("button", name="Menu").click()
    people[0].page.locator("input[name=signs]").click()
    expect(waiting.get_by_role("button", name="Send a reaction")).to_have_count(0)
