"""The panel in a frame of another site's page, in a browser that blocks its storage."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect

from tests.browser.people import LATE
from tests.support.chromium import ARGUMENTS, find_chromium
from tests.support.servers.server import RealServer

pytestmark = pytest.mark.browser

BLOCKED = {"profile": {"block_third_party_cookies": True, "cookie_controls_mode": 1}}
"""Chromium's preferences for "Block third-party cookies", which also deny storage to a frame."""

KEEPS = """() => {
  try { return !!localStorage } catch { return document.cookie !== "" }
}"""


class Call(BaseHTTPRequestHandler):
    """The page of a video call. Its query string contains an address, which it shows in a frame."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        address = self.path.partition("?")[2]
        self.wfile.write(f'<iframe src="{address}" width="380" height="700"></iframe>'.encode())

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def call_url() -> Iterator[str]:
    """Serve the call's page. For a browser, ``localhost`` and ``127.0.0.1`` are different sites."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Call)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def server(call_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    folder = tmp_path_factory.mktemp("server")
    running = RealServer(folder, COMPANION_FRAME_ANCESTORS=call_url)
    yield running
    running.close()


@pytest.fixture(scope="module")
def context(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserContext]:
    """Yield a browser that blocks the storage of frames, so that the tests share nothing in it."""
    folder = Path(tmp_path_factory.mktemp("profile"))
    (folder / "Default").mkdir()
    (folder / "Default/Preferences").write_text(json.dumps(BLOCKED))
    context = chromium.browser_type.launch_persistent_context(
        folder, executable_path=find_chromium(whole=True), args=ARGUMENTS, locale="en-GB"
    )
    context.set_default_timeout(1000 * LATE)
    yield context
    context.close()


@pytest.fixture(name="framed")
def open_in_frame(
    context: BrowserContext, call_url: str, server: RealServer
) -> Iterator[Callable[[str], FrameLocator]]:
    """Return a function that opens our page in a frame of the call's page."""
    pages: list[Page] = []
    complaints: list[str] = []

    def open_frame(address: str) -> FrameLocator:
        page = context.new_page()
        pages.append(page)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{call_url}/?{server.url}{address}")
        assert not page.frames[1].evaluate(KEEPS)
        return page.frame_locator("iframe")

    yield open_frame
    for page in pages:
        page.close()
    assert not complaints, complaints


def reload_frame(frame: FrameLocator) -> None:
    """Reload only the frame."""
    frame.locator("html").evaluate("() => { location.reload() }")
    expect(frame.locator("#app .top, #app .home")).to_be_visible()


def test_a_host_in_a_frame_still_sits_at_the_table_after_a_reload(
    framed: Callable[[str], FrameLocator],
) -> None:
    frame = framed("/")
    form = frame.locator("form").first
    form.locator("[name=name]").fill("Ana")
    form.locator("button.main").click()
    expect(frame.locator(".seats li.me")).to_contain_text("Ana")
    reload_frame(frame)
    expect(frame.locator(".seats li.me")).to_contain_text("Ana")
    frame.locator("a.brand").click()
    expect(frame.locator("[name=name]")).to_have_value("Ana")
    frame.locator("a.press", has_text="Back to").click()
    expect(frame.locator(".seats li.me")).to_contain_text("Ana")


def test_a_guest_in_a_frame_sits_after_a_reload_and_no_address_has_the_token(
    framed: Callable[[str], FrameLocator], server: RealServer
) -> None:
    party = server.create_table("Ana")
    frame = framed(f"/t/{party.table}")
    frame.locator(".join [name=name]").fill("Ben")
    frame.locator(".join button.main").click()
    expect(frame.locator(".seats li.me")).to_contain_text("Ben")
    reload_frame(frame)
    expect(frame.locator(".seats li.me")).to_contain_text("Ben")
    assert frame.locator("html").evaluate("() => location.hash") == ""
    [token] = [
        json.loads(stored)["token"]
        for key, stored in frame.locator("html").evaluate(
            "() => Object.entries(history.state.kept)"
        )
        if key == f"seat.{party.table}"
    ]
    assert not any(token in line for line in server.log_lines)


def test_practice_in_a_frame_names_how_long_a_deck_is_kept_and_survives_a_reload(
    framed: Callable[[str], FrameLocator],
) -> None:
    frame = framed("/")
    frame.locator("[data-do=practise]").click()
    expect(frame.locator(".play")).to_be_visible()
    expect(frame.locator("[role=alert]")).to_contain_text("as long as this tab is open")
    frame.locator("[role=alert] button").click()
    expect(frame.locator("[data-do=uncover]")).to_be_visible(timeout=60_000)
    reload_frame(frame)
    expect(frame.locator("[data-do=uncover]")).to_be_visible(timeout=60_000)
    expect(frame.locator(".lost, [role=alert]")).to_have_count(0)
