"""Every scene in Chromium is accessible, fits, and shows the next step without scrolling."""

from collections.abc import Iterable
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import faults
from tests.panel import pile_scenes, scenes
from tests.panel.shots import SIZES, THEMES, ScenePage
from tests.support.iterations import EVERYTHING

pytestmark = pytest.mark.browser

BESIDE = (320, 800)
"""The size of a narrow window next to the video call."""

GRID_SHEETS = {
    "help": "act-turn-host", "log": "act-turn-host", "menu": "act-turn-host",
    "seat": "act-turn-host",
    "undo": "act-turn-host", "call": "act-turn-host", "chain": "tell-out", "others": "window-host",
    "signs": "tell-out",
    "invite": "lobby-host", "camera": "setup-host", "house": "lobby-house",
}  # fmt: skip
PILE_SHEETS = {
    "pile": "act-owed", "discard": "act-owed", "seat": "act-turn", "help": "act-turn",
    "log": "act-turn", "call": "act-ten-host", "chain": "act-turn", "menu": "lobby-host",
}  # fmt: skip
"""The sheets of each family, each with the scene in which it is opened."""

SHEETS = {scenes: GRID_SHEETS, pile_scenes: PILE_SHEETS}
FAMILIES = pytest.mark.parametrize("family", SHEETS, ids=("grid", "pile"))
PARTS = 4  # Number of tests into which each family's scenes are split.
READ = {scenes: ("en",), pile_scenes: ("en", "it")}
"""The languages of the accessibility test. Its parts alternate between them."""

SMALLEST, PHONE, DESK, LARGE = SIZES
SEEN = [
    (SMALLEST, "", 0), (PHONE, "en", 1), (BESIDE, "it", 2), (DESK, "it", 3), (LARGE, "en", 4),
]  # fmt: skip
"""For each size: its language, and a number from 0 to 4. Of every five successive scenes, the size
draws the one with this number.

With ``python3 tests all``, each size draws all scenes. The smallest size has no language of its
own: it draws each scene in the language that the accessibility test doesn't use.
"""

NOTHING_TO_DO = {"practice"}
"""Scenes in which the host has no next step, because the game begins without one."""

FOUND = f"""async ({{ least, sheet, played, told }}) => {{
  await ({faults.ARRIVED})();
  return {{
    faults: sheet ? [] : ({faults.FAULTS})(),
    hidden: played ? ({faults.HIDDEN})() : [],
    next: ({faults.NEXT})(),
    rows: ({faults.ROWS})(),
    looks: ({faults.CHOSEN})(),
    paws: told ? ({faults.PAWS})(told) : [],
    targets: ({faults.TARGETS})(least),
  }};
}}"""
"""Makes all checks in one call. The check that scrolls the page comes last."""


STILL = """{
  const still = new CSSStyleSheet();
  still.replaceSync("*, *::before, *::after { transition: none !important }");
  document.adoptedStyleSheets.push(still);
}"""
"""Turns transitions off, so that all colours are final at once."""


class Tour:
    """Draws a family's scenes at one size and in one theme, and collects their faults."""

    def __init__(
        self, chromium: Browser, family: ModuleType, size: tuple[int, int], theme: str = "light"
    ) -> None:
        self.chromium = chromium
        self.family = family
        self.size = size
        self.theme = theme
        self.scene_pages: dict[tuple[str, bool], ScenePage] = {}
        self.found: dict[str, list[str]] = {}
        self.looks: set[str] = set()
        self.phases: set[str] = set()
        self.paws = 0

    def list_scenes(self) -> list[tuple[str, str, str]]:
        """Return the name, the scene and the open sheet of each picture to check."""
        return [(name, name, "") for name in self.family.SCENES] + [
            (f"sheet {sheet}", name, sheet) for sheet, name in SHEETS[self.family].items()
        ]

    def open_scene(self, name: str, sheet: str, language: str) -> tuple[Page, dict[str, Any]]:
        scene = scenes.scene(name, self.family.SCENES)
        if sheet:
            scene["panel"]["sheet"] = {"kind": sheet, "seat": "s3"}
        aimed = "aimed" in name  # scenes with this word in their names use another variant
        if (language, aimed) not in self.scene_pages:
            variant = self.family.AIMED if aimed else self.family.VARIANT
            scene_page = ScenePage(self.chromium, self.size, self.theme, language, variant)
            scene_page.page.add_init_script(STILL)
            self.scene_pages[language, aimed] = scene_page
        page = self.scene_pages[language, aimed].draw(scene)
        assert not sheet or page.locator(".sheet-body > *").count(), sheet
        return page, scene

    def add_faults(self, picture: str, faults_found: Iterable[str]) -> None:
        self.found.setdefault(picture, []).extend(faults_found)

    def check_scene(self, picture: str, sheet: str, page: Page, scene: dict[str, Any]) -> None:
        """Collect the faults of a scene.

        Everything must fit, and every target must react to taps. Chosen options must look chosen,
        the instructed card must have the paw, and the next step must be in sight.
        """
        view = scene["view"]
        played = not sheet and picture.split("-")[0] not in ("lobby", "door", "setup", "over")
        turn = (played and view["turn"]) or {}
        arguments = {
            "least": faults.get_least_target_size(self.size),
            "sheet": bool(sheet),
            "played": played,
            "told": turn.get("told") and turn["seat"],
        }
        result = page.evaluate(FOUND, arguments)
        self.looks |= {*result["looks"]}
        self.paws += len(result["paws"])
        faults_found = [*result["faults"], *result["hidden"], *result["rows"], *result["targets"]]
        faults_found += ["a told card without its paw"] * result["paws"].count(False)
        self.add_faults(picture, faults_found)
        if not sheet:
            self.check_next_step(picture, view, result["next"])

    def check_next_step(self, picture: str, view: dict[str, Any], result: dict[str, Any]) -> None:
        self.add_faults(picture, [f"a step out of sight: {step}" for step in result["hidden"]])
        host = (view["you"] or {}).get("host")
        phase = view["phase"]
        if result["steps"]:
            self.phases |= {phase} if host else set()
        elif result["asked"] or (host and phase != "play" and picture not in NOTHING_TO_DO):
            self.add_faults(picture, ["no next step"])

    def check_no_faults(self) -> None:
        for scene_page in self.scene_pages.values():
            scene_page.context.close()
            assert not scene_page.complaints, scene_page.complaints
        assert not {
            picture: faults_found for picture, faults_found in self.found.items() if faults_found
        }
        assert len(self.looks) <= 1, "what is chosen looks so everywhere, and nothing else does"


@FAMILIES
@pytest.mark.parametrize("part", range(PARTS))
def test_everybody_can_use_every_scene_and_sheet(
    chromium: Browser, family: ModuleType, part: int
) -> None:
    """Each part uses one of the two themes, light or dark. ``python3 tests all`` uses both."""
    language = READ[family][part % len(READ[family])]
    for theme in THEMES if EVERYTHING else [THEMES[part * len(THEMES) // PARTS]]:
        tour = Tour(chromium, family, SMALLEST, theme)
        for picture, name, sheet in tour.list_scenes()[part::PARTS]:
            page, scene = tour.open_scene(name, sheet, language)
            tour.add_faults(picture, faults.find_violations(page))
            tour.check_scene(picture, sheet, page, scene)
        tour.check_no_faults()


@FAMILIES
@pytest.mark.parametrize(("size", "language", "turn"), SEEN, ids=str)
def test_every_scene_fits_every_target_can_be_hit_and_the_next_step_is_in_the_first_screenful(
    chromium: Browser, family: ModuleType, size: tuple[int, int], language: str,
    turn: int,
) -> None:  # fmt: skip
    tour = Tour(chromium, family, size)
    for at, (picture, name, sheet) in enumerate(tour.list_scenes()):
        if at % len(SEEN) != turn and not EVERYTHING:
            continue
        read = READ[family][at % PARTS % len(READ[family])]
        other = "it" if read == "en" else "en"
        tour.check_scene(picture, sheet, *tour.open_scene(name, sheet, language or other))
    tour.check_no_faults()
    assert len(tour.looks) == 1
    if EVERYTHING:
        assert tour.phases >= {"lobby", "setup", "play", "over"}
    assert tour.paws > (10 if EVERYTHING else 0) or family is not scenes
