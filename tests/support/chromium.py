"""Find and start Chromium for the tests."""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.__main__ import BROWSERS, WITHOUT_WINDOWS

UNWANTED = (
    "AimEnabled AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync "
    "DestroyProfileOnBrowserClose HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay "
    "MediaRouter NetworkTimeServiceQuerying OptimizationHints PaintHolding PreconnectToSearch "
    "TcpPortRandomizationWin ThirdPartyStoragePartitioning WebUIOmniboxAimPopup WebUIOmniboxPopup"
).split()
"""Features that the tests switch off.

Playwright itself switches off all except the last two. The last two are popups of the address bar,
which open two invisible pages for each window.
"""

TUNNELS_NAME = "friends.test"
"""A host name that the browser resolves to this machine. Pages treat it like the name of any other
machine."""

ARGUMENTS = [
    "--no-sandbox",
    # Without a graphics card, drawing on the processor directly costs less than emulating one.
    "--disable-gpu",
    # Smooth clipped text like any other text, so that pictures of both can be compared.
    "--disable-lcd-text",
    f"--disable-features={','.join(UNWANTED)}",
    f"--host-resolver-rules=MAP {TUNNELS_NAME} 127.0.0.1",
]


def find_chromium(*, whole: bool = False) -> str:
    """Return the path of a Chromium on the PATH, or else of the Chromium that ``python3 tests``
    linked.

    With ``whole``, return a browser that has windows and a user's settings.
    """
    path = os.pathsep.join([os.environ["PATH"], str(Path(sys.executable).parent)])
    for name in BROWSERS if whole else [*WITHOUT_WINDOWS, *BROWSERS]:
        if there := shutil.which(name, path=path):
            return there
    raise RuntimeError("No Chromium is on the PATH: `python3 tests` sees to it.")


@contextmanager
def launch_chromium() -> Iterator[Browser]:
    """Start Chromium without a window. Playwright supports only one browser at a time."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


def wait_for_truth(page: Page, expression: str, seconds: float = 60) -> None:
    """Wait until an expression is true in the page. Raises ``AssertionError`` after ``seconds``.

    Playwright's ``wait_for_function`` evaluates the expression in the page, which a Content
    Security Policy forbids unless it is true at once.
    """
    end = time.monotonic() + seconds
    while not page.evaluate(f"Boolean({expression})"):
        assert time.monotonic() < end, f"not true after {seconds} s: {expression}"
        page.wait_for_timeout(50)
