"""Notices on a page, which vanish by themselves after a few seconds.

A test begins to note them before the action, because a slow machine may look too late.
"""

import json

from playwright.sync_api import Page

from tests.support.chromium import wait_for_truth

NOTE = """() => {
  globalThis.notices = new Set();
  const note = () => {
    for (const one of document.querySelectorAll(".toast")) notices.add(one.textContent);
  };
  const all = { subtree: true, childList: true, characterData: true };
  new MutationObserver(note).observe(document.body, all);
}"""


def note_notices(page: Page) -> None:
    """Note the notices that the page shows from now on, until it is loaded again."""
    page.evaluate(NOTE)


def expect_notice(page: Page, words: str) -> None:
    """Wait until the page has shown a notice with these words, even if it has vanished again."""
    wait_for_truth(page, f"[...notices].some((text) => text.includes({json.dumps(words)}))")
