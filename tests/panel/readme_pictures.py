"""Draw the README's pictures from scenes of the panel: ``python -m
tests.panel.readme_pictures``."""

import io

from PIL import Image

from tests.panel.shots import ROOT, SIZES, ScenePage
from tests.support.chromium import launch_chromium

PICTURES = {
    "lobby": "lobby-host",
    "told": "act-turn",
    "window": "window-could",
    "end": "over-winner",
}
COLOURS = 64
"""Number of colours in a picture. With so few, the file of a flat drawing is a third as large."""


def main() -> None:
    folder = ROOT / "docs" / "pictures"
    folder.mkdir(exist_ok=True)
    with launch_chromium() as browser:
        scene_page = ScenePage(browser, SIZES[0], "light", "en")
        for picture, name in PICTURES.items():
            page = scene_page.show(name)
            page.wait_for_timeout(300)
            shot = Image.open(io.BytesIO(page.screenshot(caret="initial", scale="css")))
            flat = shot.convert("RGB").quantize(
                COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
            )
            flat.save(folder / f"{picture}.png", optimize=True)


if __name__ == "__main__":
    main()
