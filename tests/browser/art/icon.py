"""Draw the icons for home screens that don't support SVG: ``python -m tests.browser.art.icon``."""

import io

from PIL import Image

from tests.panel.shots import ROOT
from tests.support.chromium import launch_chromium

SIDES = (180, 192, 512)
"""Sizes in px: the size that Apple requires, and the sizes that a web app manifest should have."""


def main() -> None:
    drawing = (ROOT / "static/art/icon-maskable.svg").read_text()
    with launch_chromium() as browser:
        for side in SIDES:
            page = browser.new_page(viewport={"width": side, "height": side})
            page.set_content(
                f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{drawing}"
            )
            shot = Image.open(io.BytesIO(page.screenshot()))
            icon = ROOT / f"static/icon-{side}.png"
            shot.convert("RGB").quantize(32).save(icon, optimize=True)


if __name__ == "__main__":
    main()
