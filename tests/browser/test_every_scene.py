"""Every scene in Chromium is accessible, fits, and shows the next step without scrolling."""

from collections.abc import Iterable
from itertools import product
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page

from tests.browser import faults
from tests.panel import imploding_scenes, pile_scenes, scenes
from tests.panel.shots import SIZES, THEMES, OpenScenePage
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
IMPLODING_SHEETS = {"pile": "act-up", "help": "act-top"}
"""The sheets of each family, each with the scene in which it is opened."""

SHEETS = {scenes: GRID_SHEETS, pile_scenes: PILE_SHEETS, imploding_scenes: IMPLODING_SHEETS}
FAMILIES = pytest.mark.parametrize("family", SHEETS, ids=("grid", "pile", "imploding"))


class Look(NamedTuple):
    """A size and a theme of the window, and the panel's language."""

    size: tuple[int, int]
    theme: str
    language: str


WINDOWS = (*SIZES, BESIDE)
LANGUAGES = ("en", "it")
PAIRWISE = [
    Look(size, theme, LANGUAGES[(at + turn) % 2])
    for turn, theme in enumerate(THEMES)
    for at, size in enumerate(WINDOWS)
]
"""Ten looks. Among them, each size occurs with both themes and with both languages, and each theme
with both languages. Each look draws a tenth of the scenes, so that all looks together draw each
scene once."""

MATRIX = [Look(*values) for values in product(WINDOWS, THEMES, LANGUAGES)]
"""Every combination of size, theme and language. ``python3 tests all`` draws all scenes in each."""

PARTS = [[look] for look in MATRIX] if EVERYTHING else [PAIRWISE[:5], PAIRWISE[5:]]
PART_NAMES = [str(look) for look in MATRIX] if EVERYTHING else THEMES

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

FOUND_LITTLE = f"""async () => {{
  await ({faults.ARRIVED})();
  return [...({faults.FAULTS})(), ...({faults.LITTLE})()];
}}"""


STILL = """if (document.adoptedStyleSheets.length < 2) {
  const still = new CSSStyleSheet();
  still.replaceSync("*, *::before, *::after { transition: none !important }");
  document.adoptedStyleSheets.push(still);
}"""
"""Turns transitions off, so that all colours are final at once."""


class LittleLook(NamedTuple):
    """A size of the window in which little fits, and the size of the letters in px."""

    size: tuple[int, int]
    letters: int


LITTLE = [
    LittleLook((200, 400), 16),
    LittleLook((320, 256), 16),
    LittleLook((390, 844), 24),
    LittleLook((320, 568), 32),
    LittleLook((1280, 800), 32),
]
"""Windows of 400 and 1280 px at a zoom of 200 and 400 %, and browsers with large letters."""

EACH = 1 if EVERYTHING else 40
"""In ``python3 tests``, each of these looks draws one in 40 scenes, by turns."""

AXE_EACH = 1 if EVERYTHING else 8
"""In ``python3 tests``, axe checks each sheet and one in eight scenes, because it takes more time
than everything else together. Neighbours in the list of scenes differ little."""


class Tour:
    """Draws a family's scenes and collects their faults."""

    def __init__(self, open_scene_page: OpenScenePage, family: ModuleType) -> None:
        self.open_scene_page = open_scene_page
        self.family = family
        self.found: dict[str, list[str]] = {}
        self.looks: set[str] = set()
        self.phases: set[str] = set()
        self.paws = 0

    def list_scenes(self) -> list[tuple[str, str, str]]:
        """Return the name, the scene and the open sheet of each picture to check."""
        return [(name, name, "") for name in self.family.SCENES] + [
            (f"sheet {sheet}", name, sheet) for sheet, name in SHEETS[self.family].items()
        ]

    def visit_scenes(self, look: Look, pictures: list[tuple[str, str, str]]) -> None:
        """Draw these scenes in one look."""
        for is_aimed in (False, True):
            # the scenes whose names contain "aimed" use another variant
            chosen = [picture for picture in pictures if ("aimed" in picture[1]) == is_aimed]
            if not chosen:
                continue
            variant = self.family.AIMED if is_aimed else self.family.VARIANT
            scene_page = self.open_scene_page(*look, variant)
            for at, (picture, name, sheet) in enumerate(chosen):
                scene = scenes.scene(name, self.family.SCENES)
                if sheet:
                    scene["panel"]["sheet"] = {"kind": sheet, "seat": "s3"}
                page = scene_page.draw(scene)
                page.evaluate(STILL)
                assert not sheet or page.locator(".sheet-body > *").count(), sheet
                title = f"{picture} {look}"
                if sheet or at % AXE_EACH == 0:
                    self.add_faults(title, faults.find_violations(page))
                self.check_scene(picture, title, sheet, page, scene, look.size)

    def visit_little(self, look: LittleLook, language: str, names: list[str]) -> None:
        """Draw these scenes where little fits. The page may scroll, but only downwards."""
        for is_aimed in (False, True):
            chosen = [name for name in names if ("aimed" in name) == is_aimed]
            if not chosen:
                continue
            variant = self.family.AIMED if is_aimed else self.family.VARIANT
            scene_page = self.open_scene_page(
                look.size, "light", language, variant, letters=look.letters
            )
            for name in chosen:
                page = scene_page.draw(scenes.scene(name, self.family.SCENES))
                page.evaluate(STILL)
                self.add_faults(f"{name} {look} {language}", page.evaluate(FOUND_LITTLE))

    def add_faults(self, picture: str, faults_found: Iterable[str]) -> None:
        self.found.setdefault(picture, []).extend(faults_found)

    def check_scene(
        self, picture: str, title: str, sheet: str, page: Page, scene: dict[str, Any],
        size: tuple[int, int],
    ) -> None:  # fmt: skip
        """Collect the faults of a scene.

        Everything must fit, and every target must react to taps. Chosen options must look chosen,
        the instructed card must have the paw, and the next step must be in sight.
        """
        view = scene["view"]
        played = not sheet and picture.split("-")[0] not in ("lobby", "door", "setup", "over")
        turn = (played and view["turn"]) or {}
        arguments = {
            "least": faults.get_least_target_size(size),
            "sheet": bool(sheet),
            "played": played,
            "told": turn.get("told") and turn["seat"],
        }
        result = page.evaluate(FOUND, arguments)
        self.looks |= {*result["looks"]}
        self.paws += len(result["paws"])
        faults_found = [*result["faults"], *result["hidden"], *result["rows"], *result["targets"]]
        faults_found += ["a told card without its paw"] * result["paws"].count(False)
        self.add_faults(title, faults_found)
        if not sheet:
            self.check_next_step(picture, title, view, result["next"])

    def check_next_step(
        self, picture: str, title: str, view: dict[str, Any], result: dict[str, Any]
    ) -> None:
        self.add_faults(title, [f"a step out of sight: {step}" for step in result["hidden"]])
        host = (view["you"] or {}).get("host")
        phase = view["phase"]
        if result["steps"]:
            self.phases |= {phase} if host else set()
        elif result["asked"] or (host and phase != "play" and picture not in NOTHING_TO_DO):
            self.add_faults(title, ["no next step"])

    def check_no_faults(self) -> None:
        assert not {
            picture: faults_found for picture, faults_found in self.found.items() if faults_found
        }
        assert len(self.looks) == 1, "what is chosen looks so everywhere, and nothing else does"


@FAMILIES
@pytest.mark.parametrize("looks", PARTS, ids=PART_NAMES)
def test_everybody_can_use_every_scene_and_sheet_and_sees_the_next_step(
    open_scene_page: OpenScenePage, family: ModuleType, looks: list[Look]
) -> None:
    """No scene violates a rule of accessibility, everything fits, every target can be hit, and the
    next step is in the first screenful."""
    tour = Tour(open_scene_page, family)
    pictures = tour.list_scenes()
    for look in looks:
        drawn = pictures if EVERYTHING else pictures[PAIRWISE.index(look) :: len(PAIRWISE)]
        tour.visit_scenes(look, drawn)
    tour.check_no_faults()
    if EVERYTHING:
        assert tour.phases >= {"lobby", "play"}
        assert tour.phases >= {"setup", "over"} or family is imploding_scenes
    assert tour.paws > (10 if EVERYTHING else 0) or family is not scenes


@FAMILIES
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_small_window_and_large_letters_leave_every_card_and_word_whole(
    open_scene_page: OpenScenePage, family: ModuleType, language: str
) -> None:
    """No card is smaller than 24 px, no word of a button breaks, and nothing overlaps."""
    tour = Tour(open_scene_page, family)
    names = list(family.SCENES)
    first = LANGUAGES.index(language) * len(LITTLE)
    looks = len(LANGUAGES) * len(LITTLE)
    for at, look in enumerate(LITTLE, first):
        tour.visit_little(look, language, names[at * EACH // looks :: EACH])
    assert not {picture: found for picture, found in tour.found.items() if found}


CARDS_AND_TURN = """() => {
  const style = (el) => getComputedStyle(el);
  const outlined = (tile) => style(tile).outlineStyle !== "none";
  const tiles = [...document.querySelectorAll(".tile")];
  const unlike = (cell) =>
    style(cell).backgroundColor !== style(cell.closest(".tile")).backgroundColor;
  const cards = [...document.querySelectorAll(".tile .cell.down")];
  return {
    up: tiles.filter((tile) => tile.matches(".up")).map(outlined),
    others: tiles.filter((tile) => !tile.matches(".up")).map(outlined),
    cards: cards.map(unlike),
  };
}"""


@pytest.mark.parametrize("theme", THEMES)
def test_forced_colours_show_the_cards_of_a_tile_and_whose_turn_it_is(
    open_scene_page: OpenScenePage, theme: str
) -> None:
    scene_page = open_scene_page((390, 844), theme)
    scene_page.page.emulate_media(forced_colors="active")
    seen = scene_page.draw(scenes.scene("act-other")).evaluate(CARDS_AND_TURN)
    assert seen["up"] == [True]
    assert set(seen["others"]) == {False}
    assert seen["cards"]
    assert all(seen["cards"])
