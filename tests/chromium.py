"""The Chromium that is on the PATH, as the tests start it."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.__main__ import BROWSERS, WITHOUT_WINDOWS

UNWANTED = (
    "AimEnabled AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync "
    "DestroyProfileOnBrowserClose HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay "
    "MediaRouter NetworkTimeServiceQuerying OptimizationHints PaintHolding PreconnectToSearch "
    "TcpPortRandomizationWin ThirdPartyStoragePartitioning WebUIOmniboxAimPopup WebUIOmniboxPopup"
).split()
"""What Playwright leaves out, and the address bar's popups: two pages for each window, which nobody
sees, and which take as long as ours."""

ARGUMENTS = ["--no-sandbox", f"--disable-features={','.join(UNWANTED)}"]


def found(*, whole: bool = False) -> str:
    """Where it is: on the PATH, or where ``python3 tests`` has linked it.

    ``whole``: with all that a user sets in its windows.
    """
    path = os.pathsep.join([os.environ["PATH"], str(Path(sys.executable).parent)])
    for name in BROWSERS if whole else [*WITHOUT_WINDOWS, *BROWSERS]:
        if there := shutil.which(name, path=path):
            return there
    raise RuntimeError("No Chromium is on the PATH: `python3 tests` sees to it.")


@contextmanager
def chromium() -> Iterator[Browser]:
    """It, without a window; one at a time, since Playwright bears no two."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found(), args=ARGUMENTS)
        yield browser
        browser.close()
