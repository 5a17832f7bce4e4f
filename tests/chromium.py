"""The Chromium that is on the PATH, as the tests start it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

UNWANTED = (
    "AimEnabled AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync "
    "DestroyProfileOnBrowserClose HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay "
    "MediaRouter NetworkTimeServiceQuerying OptimizationHints PaintHolding PreconnectToSearch "
    "TcpPortRandomizationWin ThirdPartyStoragePartitioning WebUIOmniboxAimPopup WebUIOmniboxPopup"
).split()
"""What Playwright leaves out, and the address bar's popups: two pages for each window, which nobody
sees, and which take as long as ours."""

ARGUMENTS = ["--no-sandbox", f"--disable-features={','.join(UNWANTED)}"]


@contextmanager
def chromium() -> Iterator[Browser]:
    """It, without a window; one at a time, since Playwright bears no two."""
    found = shutil.which("chromium")
    assert found, "no chromium on the PATH: `python3 tests` sees to it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()
