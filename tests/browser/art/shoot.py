"""Take pictures of the sheets of art: ``python -m tests.browser.art.shoot [FOLDER] [SHEET …]``.

The pictures show the light and dark themes and colour vision deficiencies. They are for people to
look at. No test compares them.
"""

import functools
import http.server
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.support.chromium import find_chromium
from tests.support.paths import ROOT

SHEETS = ("cards", "marks", "scenes")
SIGHTS = ("none", "deuteranopia", "protanopia", "tritanopia", "achromatopsia")


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the repository's files without logging requests."""

    def log_message(self, *args: object) -> None:
        """Log nothing."""


@contextmanager
def serve_files() -> Iterator[str]:
    """Serve the repository's files. Yields the server's address."""
    handler = functools.partial(Quiet, directory=str(ROOT))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def shoot(folder: Path, sheets: tuple[str, ...]) -> None:
    """Take a picture of each sheet in both themes, and pictures of the cards with each colour
    vision deficiency."""
    with serve_files() as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            page = browser.new_page(
                viewport={"width": 1240, "height": 800},
                color_scheme=scheme,
                reduced_motion="reduce",
            )
            page.on("pageerror", lambda error: print("page:", error))
            session = page.context.new_cdp_session(page)
            for sheet in sheets:
                page.goto(f"{address}/tests/browser/art/sheet.html?sheet={sheet}")
                page.wait_for_selector("[data-drawn]")
                for sight in SIGHTS if (sheet, scheme) == ("cards", "light") else SIGHTS[:1]:
                    session.send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
                    name = f"{sheet}-{scheme}{'' if sight == 'none' else '-' + sight}.png"
                    page.screenshot(path=folder / name, full_page=True)
        browser.close()


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "build/art")
    target.mkdir(parents=True, exist_ok=True)
    shoot(target, tuple(sys.argv[2:]) or SHEETS)
