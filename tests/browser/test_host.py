"""The host's own things: what is taken back, and what is said for others."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person, begin, prepare, sit_down

pytestmark = pytest.mark.browser


@pytest.fixture
def three(person: Callable[..., Person]) -> list[Person]:
    """Ana, the host, has been told her card; Ben and Cleo are there."""
    people = ana, _, cleo = [person(name) for name in ("Ana", "Ben", "Cleo")]
    sit_down(people)
    prepare(people)
    begin(people, first=ana)
    ana.says("skip_roll_call")
    cleo.taps(ana, (0, 0))
    return people


def twice(ana: Person, what: str) -> None:
    """Two taps at the same place, as a nervous thumb does."""
    box = ana.page.locator(f'.sheet [data-say="{what}"]').first.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    ana.page.mouse.click(x, y)
    ana.page.wait_for_timeout(250)
    ana.page.mouse.click(x, y)


def test_a_nervous_thumb_takes_back_one_thing(three: list[Person]) -> None:
    ana, ben, _ = three
    ana.plays("skip")
    ben.says("nope")
    expect(ana.page.locator(".verdict")).to_contain_text("lost")
    ana.page.get_by_label("Take back").click()
    twice(ana, "undo")
    expect(ana.page.locator(".sheet")).to_have_count(0)
    ana.page.wait_for_timeout(500)
    expect(ana.page.locator(".verdict")).to_contain_text("counts")


def test_a_nope_that_was_shouted_is_said_once_and_for_nobody_else(three: list[Person]) -> None:
    ana, ben, cleo = three
    ana.plays("skip")
    ana.says("others")
    twice(ana, "nope-for")
    expect(ana.page.locator(".sheet")).to_have_count(0)
    ana.page.wait_for_timeout(500)
    expect(ana.page.locator(".nopes .slams")).to_have_count(1)
    for one in (ben, cleo):
        expect(one.page.locator(".nopes .slams")).to_have_count(1)
