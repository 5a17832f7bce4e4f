"""Take screenshots of all scenes: ``python -m tests.panel.shots FOLDER [--only tell] [--lang it]``.

Chromium loads the panel's own files and draws the views of ``scenes`` without the program, in four
sizes and both themes. The browser tests use ``ScenePage``, too.
"""

import argparse
import io
import json
import re
import threading
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import segno
from playwright.sync_api import Browser, CDPSession, Page

from companion.rules.variants.variant import Variant
from companion.service import codec
from companion.service.robot_hosting.desk import TEMPER_NAMES
from companion.web import panel_texts
from tests.panel import scenes
from tests.support.chromium import launch_chromium, wait_for_truth
from tests.support.painting import stop_painting

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SIZES = ((320, 568), (390, 844), (1280, 800), (1920, 1080))
THEMES = ("light", "dark")
CSP = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'"
TYPES = {
    ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
    ".json": "application/json", ".html": "text/html",
}  # fmt: skip


class ScenePage:
    """A page that draws scenes.

    Errors and warnings in the page's console are collected in ``complaints``.
    """

    def __init__(
        self,
        browser: Browser,
        size: tuple[int, int],
        theme: str,
        lang: str,
        variant: Variant = scenes.VARIANT,
        static: Path = ROOT / "static",
        letters: int = 16,
        scale: int = 1,
        painted: bool = False,
    ) -> None:
        """Open a window of this size, in a browser whose default letters have this size in px."""
        self._files = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, self))
        self._files.daemon_threads = True
        threading.Thread(target=self._files.serve_forever, daemon=True).start()
        # As a proxy, it answers for any host name, without a port in the address.
        proxy = f"http://127.0.0.1:{self._files.server_port}"
        self.context = browser.new_context(
            device_scale_factor=scale, proxy={"server": proxy, "bypass": "<-loopback>"}
        )
        if not painted:
            stop_painting(self.context)
        self.access: dict[str, Any] | None = None
        self.variants: list[Variant] = []
        self.static = static
        self.complaints: list[str] = []
        self.page: Page = self.context.new_page()
        self._devtools: CDPSession | None = None
        self._drawn_letters = 16
        self.change_look(size, theme, lang, letters)
        self.change_variant(variant)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._on_console)
        self._host = ""

    def close(self) -> None:
        """Close the page and its server."""
        self.context.close()
        self._files.shutdown()
        self._files.server_close()

    def change_look(self, size: tuple[int, int], theme: str, lang: str, letters: int = 16) -> None:
        """Draw the next scenes in this look."""
        width, height = size
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce",
            forced_colors="none",
        )
        self.lang = lang
        self.letters = letters

    def change_variant(self, variant: Variant) -> None:
        """Draw the next scenes with this variant, which must be of the same family."""
        if variant not in self.variants:
            self.variants.append(variant)
        self.variant = self.variants.index(variant)

    def reset(self) -> None:
        """Undo what a test has changed: move the pointer away and remove added style sheets."""
        self.complaints.clear()
        if self._host:
            self.page.mouse.move(0, 0)
            self.page.evaluate(
                "() => { document.adoptedStyleSheets.length = 1; sessionStorage.clear(); }"
            )

    def _on_console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def show(self, name: str, panel: dict[str, Any] | None = None) -> Page:
        """Draw a scene by its name. The values in ``panel`` change the scene's panel state."""
        scene = scenes.scene(name)
        scene["panel"] |= panel or {}
        return self.draw(scene)

    def draw(self, scene: dict[str, Any]) -> Page:
        """Draw this scene."""
        # The ways to let friends in are shown only on the server's machine.
        self.access = scene["panel"].get("access")
        host = "127.0.0.1" if self.access else "table.test"
        if host != self._host or self.access:
            self.page.goto(f"http://{host}/t/KXQF7H")
            self.page.wait_for_selector("html[data-scene=ready]")
            self._host = host
            self._drawn_letters = 0
        if self._drawn_letters != self.letters:
            self._set_letters()
        # Playwright passes a string to the page faster than an object
        told = json.dumps({**scene, "language": self.lang, "variant": self.variant})
        self.page.evaluate("scene => showScene(JSON.parse(scene))", told)
        return self.page

    def _set_letters(self) -> None:
        """Set the browser's default size of letters. A screenshot of the full page resets it."""
        self._drawn_letters = self.letters
        if not self._devtools:
            if self.letters == 16:
                return
            self._devtools = self.context.new_cdp_session(self.page)
            self._devtools.send("Page.enable")
        self._devtools.send("Page.setFontSizes", {"fontSizes": {"standard": self.letters}})
        size = "getComputedStyle(document.documentElement).fontSize"
        wait_for_truth(self.page, f"{size} === '{self.letters}px'")

    def answer(self, url: str) -> tuple[str | bytes | None, str]:
        """Return the body and the content type for a URL; the body is None if there is none."""
        path = re.sub(r"^https?://[^/]+|[?#].*$", "", url)
        number = re.search(r"[?&]number=(\d+)", url)
        variant = int(number[1]) if number else self.variant
        if path.endswith("/variant"):
            return _variant(self.variants[variant]), "application/json"
        if path == "/api/access":
            return json.dumps(self.access), "application/json"
        if path == "/api/server":
            robots = {"most": 20, "free": 18, "tempers": TEMPER_NAMES}
            return json.dumps({"robots": robots, "origin": None}), "application/json"
        if path.endswith("/qr.svg"):
            return _qr_code(), "image/svg+xml"
        if path.startswith("/t/"):
            page = (ROOT / "static" / "table.html").read_text("utf-8")
            return page.replace("/static/js/table.js", "/scene/scene.js"), "text/html"
        if found := re.fullmatch(r"/static/text/(.+)\.json", path):
            return json.dumps(panel_texts.texts(self.static, found[1])), "application/json"
        file = HERE / path[7:] if path.startswith("/scene/") else ROOT / path.lstrip("/")
        if path == "/manifest.webmanifest":
            file = ROOT / "static" / "manifest.webmanifest"
        if not file.is_file():
            return None, ""
        return file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream")


class _Files(BaseHTTPRequestHandler):
    """Answers the requests of a page that draws scenes."""

    protocol_version = "HTTP/1.1"  # keeps connections open
    wbufsize = -1  # sends the header and the body together

    def __init__(self, scene_page: ScenePage, *of_the_server: Any) -> None:
        self._scene_page = scene_page
        super().__init__(*of_the_server)

    def do_GET(self) -> None:
        body, kind = self._scene_page.answer(self.path)
        if body is None:
            self._scene_page.complaints.append(f"not found: {self.path}")
        data = body.encode() if isinstance(body, str) else body or b""
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Security-Policy", CSP)
        # The page is loaded again for some scenes. Its files stay the same.
        is_file = re.search(r"/(static|scene)/", self.path)
        self.send_header("Cache-Control", "max-age=3600" if is_file else "no-store")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_message: object) -> None:
        """Log nothing."""


OpenScenePage = Callable[..., ScenePage]
"""A function that opens a page which draws scenes (the fixture ``open_scene_page``)."""


def _variant(variant: Variant) -> bytes:
    """Return the variant as the server sends it, together with the form of the house rules."""
    whole = getattr(variant, "with_filled_texts", variant).to_json()
    return b'%b,"house":%b}' % (whole[:-1], codec.encode(variant.form(4)))


def _qr_code() -> bytes:
    drawing = io.BytesIO()
    segno.make("http://localhost:8000/t/KXQF7H").save(drawing, kind="svg", border=4, light="#fff")
    return drawing.getvalue()


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("folder", type=Path)
    asked.add_argument("--only", default="")
    asked.add_argument("--lang", default="en")
    asked.add_argument("--size", type=int, help="only this width")
    asked.add_argument("--theme", choices=THEMES)
    given = asked.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with launch_chromium() as browser:
        for size in SIZES:
            for theme in THEMES:
                if given.size in (None, size[0]) and given.theme in (None, theme):
                    scale = 2 if size[0] < 1000 else 1
                    scene_page = ScenePage(
                        browser, size, theme, given.lang, scale=scale, painted=True
                    )
                    _shoot(scene_page, given, f"{size[0]}-{theme}")


def _shoot(scene_page: ScenePage, given: argparse.Namespace, kind: str) -> None:
    for name in scenes.SCENES:
        if given.only in name:
            scene_page.show(name).screenshot(
                caret="initial", path=given.folder / f"{name}-{kind}.png"
            )
    for complaint in dict.fromkeys(scene_page.complaints):
        print(f"{kind}: {complaint}")
    scene_page.close()


if __name__ == "__main__":
    main()
