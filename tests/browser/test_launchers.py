"""Tests for the page of a launcher's link, and for a name in a link."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.faults import find_violations
from tests.browser.people import Person
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser

WORD = "call-1234567890-of-friends"


def test_a_launchers_link_brings_everybody_to_one_table_with_one_tap(
    person: Callable[..., Person], server: RealServer
) -> None:
    people = [person(name) for name in ("Ana", "Ben")]
    for somebody in people:
        somebody.page.goto(f"{server.url}/t/new?room={WORD}&name={somebody.name}")
        expect(somebody.page.locator("[name=name]")).to_have_value(somebody.name)
        if somebody is people[0]:
            assert not find_violations(somebody.page)
        somebody.page.click("[data-do=enter]")
        somebody.page.wait_for_url(re.compile("/t/[A-Z0-9]{6}$"))
        somebody._sit_down()
    ana, ben = people
    assert ana.page.url == ben.page.url
    expect(ana.page.locator(".seats li")).to_contain_text(["Ana", "Ben"])
    # a person who opens the link again goes to their own seat
    ben.page.goto(f"{server.url}/t/new?room={WORD}")
    ben.page.click("[data-do=enter]")
    ben.page.wait_for_url(ana.page.url)
    ben._sit_down()
    expect(ana.page.locator(".seats li")).to_have_count(2)


def test_a_launchers_link_seats_again_a_person_who_left_or_was_removed(
    person: Callable[..., Person], server: RealServer
) -> None:
    ana, ben = people = [person(name) for name in ("Ana", "Ben")]
    link = f"{server.url}/t/new?room={WORD}-again"

    def enter(somebody: Person) -> None:
        somebody.page.goto(f"{link}&name={somebody.name}")
        somebody.page.click("[data-do=enter]")
        somebody.page.wait_for_url(re.compile("/t/[A-Z0-9]{6}$"))
        somebody._sit_down()

    for somebody in people:
        enter(somebody)
    ben.page.get_by_label("Menu").click()
    ben.page.get_by_role("button", name="My seat").click()
    for tap in ("[data-ask=leave]", "[data-say=leave]"):
        ben.page.click(tap)
    expect(ben.page.locator(".join")).to_be_visible()
    expect(ana.page.locator(".seats li")).to_have_count(1)
    enter(ben)
    ana.page.locator(f'.seats [data-seat="{ben.seat}"] .token').click()
    for tap in ("[data-ask=remove_seat]", "[data-say=remove_seat]"):
        ana.page.click(tap)
    expect(ana.page.locator(".seats li")).to_have_count(1)
    enter(ben)
    expect(ana.page.locator(".seats li")).to_contain_text(["Ana", "Ben"])


def test_a_name_in_a_link_fills_in_the_field(
    person: Callable[..., Person], server: RealServer
) -> None:
    code = server.create_table("Ana").table
    ben = person("Ben")
    ben.page.goto(f"{server.url}/?name=Ben")
    expect(ben.page.locator("form.make [name=name]")).to_have_value("Ben")
    ben.page.goto(f"{server.url}/t/{code}?name=Ben+%F0%9F%90%88")
    expect(ben.page.locator(".join [name=name]")).to_have_value("Ben 🐈")


def test_a_launchers_link_without_a_whole_word_says_so(
    person: Callable[..., Person], server: RealServer
) -> None:
    ben = person("Ben")
    ben.page.goto(f"{server.url}/t/new?room=short")
    expect(ben.page.locator(".toast")).to_contain_text("This link isn’t complete.")
    expect(ben.page.locator("[data-do=enter]")).to_have_count(0)
