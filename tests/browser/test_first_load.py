"""Tests for the size and the duration of the first visit to a table."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import Person
from tests.support.servers.server import RealServer
from tests.support.timed import LENIENCE, QUIET

pytestmark = pytest.mark.browser

MOST = 70 * 1024
"""Maximum size of the first load, in compressed bytes."""


def test_the_first_load_is_light_and_asks_nobody_else(
    person: Callable[..., Person], server: RealServer
) -> None:
    party = server.create_table("Ana", "Ben").begin()
    ben = person("Ben")
    chrome = ben.context.new_cdp_session(ben.page)
    chrome.send("Network.enable")
    bodies: dict[str, float] = {}
    requested: list[str] = []
    later: set[str] = set()

    def on_request(event: dict[str, Any]) -> None:
        # a second after it was drawn, the page loads the scenes and what they need
        if later or "/scenes" in event["request"]["url"]:
            later.add(event["requestId"])

    def on_load(event: dict[str, Any]) -> None:
        bodies[event["requestId"]] = event["encodedDataLength"] - bodies[event["requestId"]]

    def on_response(event: dict[str, Any]) -> None:
        bodies[event["requestId"]] = event["response"]["encodedDataLength"]

    chrome.on("Network.responseReceived", on_response)
    chrome.on("Network.loadingFinished", on_load)
    ben.page.on("request", lambda request: requested.append(request.url))
    chrome.on("Network.requestWillBeSent", on_request)
    ben.page.goto(f"{server.url}/t/{party.table}")
    expect(ben.page.locator(".play")).to_be_visible()
    weight = sum(size for request, size in bodies.items() if request not in later)
    assert all(url.startswith((server.url, "data:", "blob:")) for url in requested), requested
    assert 20_000 < weight < MOST, f"{weight:.0f} bytes in {len(bodies)} answers"
    ben.page.keyboard.press("?")  # the texts of the help sheet arrive when it opens
    expect(ben.page.locator(".rulings dt").first).not_to_be_empty()


SLOW_4G = {
    "offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000
}  # fmt: skip

LARGEST = """() => new Promise((painted) => {
  let last = 0;
  const found = (list) => { last = list.getEntries().at(-1).startTime; };
  new PerformanceObserver(found).observe({ type: "largest-contentful-paint", buffered: true });
  setTimeout(() => painted(last), 300);
})"""
"""Returns the time of the largest contentful paint in ms."""


@pytest.mark.timed
def test_a_tables_largest_paint_takes_2_s_at_most_by_any_address(
    person: Callable[..., Person], serve: Callable[..., RealServer]
) -> None:
    """The network is slow and, on a quiet machine, the processor is slowed down by a factor of
    four."""
    server = serve(COMPANION_HOST="0.0.0.0")
    party = server.create_table("Ana", "Ben").begin()
    public_origin = server.get("/api/address").json["origin"]
    paint_ms = {}
    for origin in filter(
        None, (server.url, server.url.replace("127.0.0.1", "localhost"), public_origin)
    ):
        ben = person("Ben", painted=True)
        chrome = ben.context.new_cdp_session(ben.page)
        chrome.send("Network.enable")
        chrome.send("Network.emulateNetworkConditions", SLOW_4G)
        if QUIET:
            chrome.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        ben.page.goto(f"{origin}/t/{party.table}")
        expect(ben.page.locator(".play .now h1")).to_be_visible()
        paint_ms[origin] = ben.page.evaluate(LARGEST)
    assert all(0 < ms < 2000 * LENIENCE for ms in paint_ms.values()), paint_ms
