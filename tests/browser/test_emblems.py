"""Emblems, on the page: one tap chooses, and nobody can take another player's."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.people import Person, open_lobby
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser


def find_emblem(person: Person, name: str) -> Locator:
    return person.page.locator(f".emblem-room [data-choose={name}]")


@pytest.mark.parametrize("box", ["", "party-120"], ids=["grid", "pile"])
def test_one_tap_chooses_an_emblem_for_this_game_and_the_next_and_makes_it_grey_for_others(
    person: Callable[..., Any], server: RealServer, box: str
) -> None:
    ben: Person = person("Ben")
    party = open_lobby(server, ["Ana", ben], box)
    ana = party.host
    expect(ben.page.locator(".emblem-room [data-choose]")).to_have_count(12)
    ana.send_command("emblem", emblem="cat")
    expect(find_emblem(ben, "cat")).to_be_disabled()
    expect(find_emblem(ben, "cat")).to_have_accessible_name("Cat’s face, taken by Ana")
    expect(find_emblem(ben, "paw")).to_be_enabled()
    find_emblem(ben, "tomcat").press("Enter")
    expect(find_emblem(ben, "tomcat")).to_have_attribute("aria-pressed", "true")
    expect(ben.page.locator(".tokens .art-emblem")).to_have_count(2)
    ana.wait(lambda: [seat["emblem"] for seat in ana.view["seats"]] == ["cat", "tomcat"])
    party.begin()
    expect(ben.page.locator(".play")).to_be_visible()
    shown = ben.page.locator("[data-emblem]").evaluate_all(
        "(all) => [...new Set(all.map((emblem) => emblem.dataset.emblem))].sort()"
    )
    assert shown == ["10", "11"]
    ana.send_command("end_game")
    expect(find_emblem(ben, "cat")).to_be_disabled()
    expect(find_emblem(ben, "tomcat")).to_have_attribute("aria-pressed", "true")


def test_the_chosen_emblem_is_marked_with_forced_colours(
    person: Callable[..., Any], server: RealServer
) -> None:
    ana = person("Ana", forced_colors="active")
    open_lobby(server, [ana])
    find_emblem(ana, "star").click()
    expect(find_emblem(ana, "star")).to_have_attribute("aria-pressed", "true")
    tick = find_emblem(ana, "star").locator(".emblem-tick")
    expect(tick).to_be_visible()
    outline = find_emblem(ana, "star").evaluate("(one) => getComputedStyle(one).outlineStyle")
    assert outline == "solid"
