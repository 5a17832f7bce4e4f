"""Draw the picture that chat programs show with a link: ``python -m tests.browser.art.preview``."""

import io

from PIL import Image

from companion.web.link_preview import HEIGHT, PICTURE, WIDTH
from tests.browser.art.shoot import serve_files
from tests.support.chromium import launch_chromium
from tests.support.paths import ROOT


def main() -> None:
    with serve_files() as address, launch_chromium() as browser:
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce"
        )
        page.goto(f"{address}/tests/browser/art/preview.html")
        page.wait_for_selector("[data-drawn]")
        page.wait_for_timeout(200)
        shot = Image.open(io.BytesIO(page.screenshot()))
        flat = shot.convert("RGB").quantize(32, dither=Image.Dither.NONE)
        flat.save(ROOT / PICTURE, optimize=True)


if __name__ == "__main__":
    main()
