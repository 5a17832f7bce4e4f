"""The icon for iPhones, whose home screen draws no SVG: ``python -m tests.art.icon``."""

import io

from PIL import Image

from tests.chromium import chromium
from tests.panel.shots import ROOT

ICON = ROOT / "static/icon-180.png"
SIDE = 180
"""Pixels; the size that Apple asks for."""


def main() -> None:
    drawing = (ROOT / "static/art/icon-maskable.svg").read_text()
    with chromium() as browser:
        page = browser.new_page(viewport={"width": SIDE, "height": SIDE})
        page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{drawing}")
        shot = Image.open(io.BytesIO(page.screenshot()))
    shot.convert("RGB").quantize(32).save(ICON, optimize=True)


if __name__ == "__main__":
    main()
