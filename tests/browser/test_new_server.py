"""The server is replaced while people use their panels, and nobody loses anything."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Person, open_lobby
from tests.guarantees.proxy import Proxy
from tests.support.servers.server import RealServer, wait_until

pytestmark = pytest.mark.browser
Serve = Callable[..., RealServer]

AT_HAND = """() => {
  const at = document.activeElement;
  const sheet = document.querySelector(".sheet");
  const inside = sheet ? [sheet, ...sheet.querySelectorAll("*")] : [];
  return {
    focus: [at.tagName, at.name, at.value, at.selectionStart],
    sheet: sheet?.className,
    scrolled: inside.map((one) => Math.round(one.scrollTop)).filter((by) => by),
    page: Math.round(scrollY),
  };
}"""
"""Returns the state of a page that must survive: focus, cursor, open sheet and scroll positions."""


def open_replay(dan: Person, server: RealServer) -> None:
    """Open the shared replay of a finished game, in which others already take part."""
    party = server.create_table("Ana", "Ben").begin()
    party.clients[1].send_command("leave")
    party.host.wait(lambda: party.host.view["phase"] == "over")
    dan.page.goto(f"{dan.url}/t/{party.table}/replay/1")
    expect(dan.page.locator("[data-reel=together]")).to_have_attribute("aria-pressed", "true")
    for client in party.clients:
        client.close()


def expect_connection(page: Page) -> None:
    """Check that the connection has been restored."""
    expect(page.locator(".line-lost")).to_have_count(0)


def begin_reading_and_typing(ana: Person, cleo: Person) -> tuple[Any, Any]:
    """Let Ana search the help and Cleo type her name. Returns the state of both pages."""
    ana.page.locator("[aria-label=Help]").first.click()
    search = ana.page.locator(".sheet input").first
    search.press_sequentially("no")
    expect(ana.page.locator(".sheet")).to_contain_text("Nope")
    name = cleo.page.locator(".join [name=name]")
    name.press_sequentially("Cle")
    name.press("ArrowLeft")
    # The sheet can't scroll until it shows enough results.
    scroll = "document.querySelector('.sheet-body').scrollTo({top: 60})"
    wait_until(lambda: ana.page.evaluate(scroll) or ana.page.evaluate(AT_HAND)["scrolled"])
    return ana.page.evaluate(AT_HAND), cleo.page.evaluate(AT_HAND)


@pytest.mark.parametrize(
    "behind", ["nothing", pytest.param("a proxy", marks=pytest.mark.repetition)]
)
def test_a_server_that_is_changed_for_another_takes_nothing_from_anybody(
    person: Callable[..., Person], serve: Serve, tmp_path: Path, behind: str
) -> None:
    """The server stops on SIGTERM once all clients have left, and then starts again at once.

    In one case, the server keeps its port. In the other case, it gets a new port, and a proxy holds
    connections back until the server runs. Each WebSocket's address contains the table's code, so
    that a proxy can route by it.
    """
    (tmp_path / "fault").write_text("")
    server = serve("tests.guarantees.leaving", MOVE="3600", FAULT=str(tmp_path / "fault"))
    proxy = Proxy(server.port)
    url = proxy.url if behind == "a proxy" else server.url
    ana, ben, cleo, dan = (
        person(name, url, service_workers="allow") for name in ("Ana", "Ben", "Cleo", "Dan")
    )
    lines: list[str] = []
    cleo.page.on("websocket", lambda line: lines.append(line.url))
    try:
        code = open_lobby(server, [ben, ana]).table
        cleo.page.goto(f"{url}/t/{code}")
        ben.unfold_section("seats")
        if behind == "nothing":
            open_replay(dan, server)
        at_hand = begin_reading_and_typing(ana, cleo)
        proxy.hold()
        assert server.stop() == 0
        # Ben gives a command while no server is running. The next server must get it exactly
        # once.
        ben.page.locator(".adder [name=name]").fill("Dan")
        ben.page.keyboard.press("Enter")
        server.port = 0 if behind == "a proxy" else server.port
        server.start()
        proxy.set_target(server.port)
        for player in (ana, ben, cleo):
            expect(player.page.locator(".seats")).to_contain_text("Dan")
            expect_connection(player.page)
        wait_until(lambda: (ana.page.evaluate(AT_HAND), cleo.page.evaluate(AT_HAND)) == at_hand)
        log = server.get(f"/api/tables/{code}/log").json
        assert [entry["facts"]["name"] for entry in log if entry["type"] == "seat_taken"][2:] == [
            "Dan"
        ]
        cleo.page.keyboard.press("End")
        cleo.page.keyboard.type("o")
        cleo.page.keyboard.press("Enter")
        expect(ben.page.locator(".seats")).to_contain_text("Cleo")
        assert len(lines) > 1 and all(f"?table={code}&" in line for line in lines), lines
    finally:
        proxy.close()
