"""Tests for undo by agreement, and for the question that the other players are asked."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.people import Person
from tests.support.servers.server import RealServer


def test_the_question_names_what_is_undone_and_whose_yes_counts(
    server: RealServer, person: Callable[..., Person]
) -> None:
    """The report of a safe draw also began the next turn. The question names the report that will
    be undone, but not the turn."""
    party = server.create_table("Ana", "Ben", "Cleo").begin()
    party.host.send_command("options", take_back="agreement")
    party.instruct()
    party.host.send_command("draw", cell=[0, 0])
    party.host.send_command("report", outcome="safe")
    ben = party.clients[1]
    ben.wait(lambda: ben.view["turn"]["seat"] == party.seats[1])
    party.clients[0].send_command("instruct", **{"as": party.seats[0], "cell": [0, 0]})
    ben.send_command("draw", cell=[0, 0])
    ben.send_command("report", outcome="safe")
    spectator = person("Dan")
    spectator.page.goto(f"{server.url}/t/{party.table}")
    expect(spectator.page.locator(".play")).to_be_visible()
    ben.send_command("ask_back")
    what = spectator.page.locator(".plea .what")
    expect(what).to_have_text("Phew: no Kitten. Ben keeps the card.")
    expect(spectator.page.locator(".plea .soft")).to_have_text("Waiting for a yes from Ana.")
