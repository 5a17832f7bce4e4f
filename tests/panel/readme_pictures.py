"""Draw the README's pictures from scenes of the panel: ``python -m tests.panel.readme_pictures``.

If pictures are named as arguments, draw only these pictures.
"""

import io
import sys
from collections.abc import Iterator
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page

from tests.panel import scenes
from tests.panel.shots import ROOT, ScenePage
from tests.support.chromium import launch_chromium

PICTURES = {
    "lobby": "lobby-host",
    "end": "over-winner",
}
TURN = "turn"
"""The name of the moving picture, which shows a turn and a Nope as one player sees them."""

SIZE = (320, 640)
"""The size of all pictures, so that they stand in one row."""
COLOURS = 64
"""Number of colours in a picture. With so few, the file of a flat drawing is a third as large."""


def main(names: list[str]) -> None:
    folder = ROOT / "docs" / "pictures"
    folder.mkdir(exist_ok=True)
    with launch_chromium() as browser:
        scene_page = ScenePage(browser, SIZE, "light", "en", scale=2, painted=True)
        for picture, name in PICTURES.items():
            if picture in names or not names:
                shot = take_shot(scene_page.show(name))
                reduce_colours(shot).save(folder / f"{picture}.png", optimize=True)
        if TURN in names or not names:
            draw_turn(browser).save(folder / f"{TURN}.gif")


def take_shot(page: Page) -> Image.Image:
    page.wait_for_timeout(300)
    shot = page.screenshot(caret="initial", scale="css")
    return Image.open(io.BytesIO(shot)).convert("RGB")


def reduce_colours(shot: Image.Image) -> Image.Image:
    return shot.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


class MovingPicture:
    """Frames, each with the time in ms for which it is shown."""

    def __init__(self) -> None:
        self.frames: list[Image.Image] = []
        self.durations: list[int] = []

    def save(self, file: Any) -> None:
        """Save the frames as a GIF that is repeated for ever. All frames share their colours."""
        width, height = self.frames[0].size
        all_frames = Image.new("RGB", (width, height * len(self.frames)))
        for number, frame in enumerate(self.frames):
            all_frames.paste(frame, (0, number * height))
        palette = reduce_colours(all_frames)
        first, *others = (
            frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in self.frames
        )
        first.save(
            file, save_all=True, append_images=others, duration=self.durations, loop=0,
            optimize=True,
        )  # fmt: skip


def draw_turn(browser: Browser) -> MovingPicture:
    """Draw Ben's turn, and the next player's card, which Ben Nopes."""
    picture = MovingPicture()
    scene_page = ScenePage(browser, SIZE, "light", "en", scale=2, painted=True)
    for view, duration in play_turn():
        seats = {seat["seat"]: "here" for seat in view["seats"]}
        scene = {"view": view, "presence": {"seats": seats, "spectators": 0}, "panel": {}}
        picture.frames.append(take_shot(scene_page.draw(scene)))
        picture.durations.append(duration)
    return picture


def play_turn() -> Iterator[tuple[dict[str, Any], int]]:
    """Play Ben's turn. Yield his views, each with the time in ms for which it is shown."""
    play = scenes.begin_game()
    scenes.play_turns(play, (0, 1), (1, 2), (0, 0), (1, 0))
    yield play.view("Ben"), 1800
    play.send("Ana", "instruct", cell=(1, 2))
    yield play.view("Ben"), 2200
    play.send("Ben", "draw", cell=(1, 2))
    yield play.view("Ben"), 1800
    play.send("Ben", "report", outcome="safe").send("Ben", "instruct", cell=(0, 2))
    yield play.view("Ben"), 1800
    play.send("Cleo", "play", card="shuffle")
    yield play.view("Ben", after=600), 1000
    yield play.view("Ben", after=1600), 1000
    yield play.view("Ben", after=2600), 800
    play.send("Ben", "nope")
    yield play.view("Ben", after=600), 2400


if __name__ == "__main__":
    main(sys.argv[1:])
