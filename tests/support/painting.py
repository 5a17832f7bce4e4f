"""Pages that aren't painted. Painting takes a fifth of a browser test's processor time.

Such a page does everything else: layout, scripts, events, animations, accessibility. Only tests
that take a screenshot, measure a paint or check colours have their page painted.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import BrowserContext, Page

STOP_PAINTING = """
globalThis.unpainted = new CSSStyleSheet();
unpainted.replaceSync(":root { opacity: 0; }");
document.adoptedStyleSheets.push(unpainted);
"""
"""Runs in a page before its own scripts. Chromium doesn't paint what is fully transparent."""

SET_UNPAINTED = """async (on) => {
  if (!globalThis.unpainted) return;
  unpainted.disabled = !on;
  const frame = () => new Promise(requestAnimationFrame);
  await frame().then(frame);
}"""
"""Starts or stops painting. On a busy machine, a screenshot could otherwise show the last frame."""


def stop_painting(context: BrowserContext) -> None:
    """Don't paint the pages that this context opens from now on."""
    context.add_init_script(STOP_PAINTING)


@contextmanager
def painted(page: Page) -> Iterator[None]:
    """Paint the page while this context lasts."""
    page.evaluate(SET_UNPAINTED, False)
    try:
        yield
    finally:
        page.evaluate(SET_UNPAINTED, True)


def take_screenshot(page: Page, **options: Any) -> bytes:
    """Take a screenshot of a page. The options are those of Playwright's ``Page.screenshot``."""
    with painted(page):
        return page.screenshot(**options)
