"""Every sound is audible and none clips, when a real browser renders it offline."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.art.shoot import serve_files

CUES = ("turn", "play", "nope", "flip", "shuffle", "kitten", "boom", "phew", "win")

RENDER = """async (cue) => {
  let made;
  globalThis.AudioContext = class extends OfflineAudioContext {
    constructor() { super(1, 44100 * 3, 44100); made = this; }
    get state() { return "running"; }
  };
  const { playSound } = await import(`/static/js/core/sound.js?${cue}`);
  await playSound(cue);
  const samples = (await made.startRendering()).getChannelData(0);
  return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}"""


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with serve_files() as address:
        page = chromium.new_page()
        page.goto(f"{address}/tests/browser/art/sheet.html")
        yield page
        page.close()


@pytest.mark.browser
@pytest.mark.parametrize("cue", CUES)
def test_a_cue_is_heard_and_does_not_clip(page: Page, cue: str) -> None:
    assert 0.02 < page.evaluate(RENDER, cue) < 0.9
