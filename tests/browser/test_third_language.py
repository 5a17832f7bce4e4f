"""With a third language, which consists only of files, no scene shows an English text, and all
texts fit."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from companion.rules.families import load
from tests.browser.faults import ARRIVED, FAULTS, TARGETS
from tests.browser.test_every_scene import GRID_SHEETS, IMPLODING_SHEETS, PILE_SHEETS
from tests.panel import imploding_scenes, pile_scenes, scenes
from tests.panel.shots import SIZES, ScenePage
from tests.support.fake_language import CODE, LIST_PAGE_TEXTS, unaccented_words, write_language
from tests.support.iterations import select_share

pytestmark = pytest.mark.browser

OWN = {
    "Hiss",
    "KXQF7H",
    "http",
    "table.test",
    "English",
    "Italiano",
    "companion",
    "--host",
    "--tunnel",
}
OWN |= {"cloudflared", "Cloudflare", "localhost", "run", "lhr", "life"}
OWN |= {"Esc", "poker", "und", "September"}
"""Words that need no translation: the program, the table's code and address, shell commands, tunnel
services and their addresses, names of languages, a key, a search term, and the browser's own word
for a month."""


def select_scenes(every: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scenes of one variant that contain no English text from the server."""
    return {
        name: entry for name, entry in every.items() if name != "refused" and "aimed" not in name
    }


GRID = select_scenes(scenes.SCENES)
PILE = select_scenes(pile_scenes.SCENES)
IMPLODING = select_scenes(imploding_scenes.SCENES)


def find_names(value: Any) -> set[str]:
    """Return the names of the players in a scene."""
    if isinstance(value, dict):
        names = {str(value[key]) for key in ("name", "before") if key in value}
        return names.union(*map(find_names, value.values()))
    return set().union(*map(find_names, value)) if isinstance(value, list) else set()


@pytest.fixture(scope="module")
def language_folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Write the files of the language. Returns the folders of the panel's texts and of the
    variants."""
    folder = tmp_path_factory.mktemp("language")
    write_language(folder / "static", folder / "variants")
    return folder / "static", folder / "variants"


@pytest.mark.parametrize(
    ("variant", "every", "sheets"),
    [
        ("quarantined", GRID, GRID_SHEETS),
        ("party-120", PILE, PILE_SHEETS),
        ("imploding-party-120", IMPLODING, IMPLODING_SHEETS),
    ],
    ids=["grid", "pile", "imploding"],
)
def test_no_scene_has_an_english_text_and_all_fit(
    chromium: Browser, language_folders: tuple[Path, Path], variant: str, every: Any, sheets: Any
) -> None:
    """``python3 tests`` draws all sheets and one in ten scenes, and ``python3 tests all`` draws
    them all."""
    static, variants = language_folders
    scene_page = ScenePage(chromium, SIZES[0], "light", CODE, load(variants / variant), static)
    faults_by_picture: dict[str, set[str]] = {}
    pictures = [(name, None) for name in select_share([*every], 10)]
    pictures += [(name, {"kind": sheet, "seat": "s2"}) for sheet, name in sheets.items()]
    for name, sheet in pictures:
        scene = scenes.scene(name, every)
        if sheet:
            scene["panel"]["sheet"] = sheet
        page = scene_page.draw(scene)
        page.evaluate(ARRIVED)
        english = unaccented_words(page.evaluate(LIST_PAGE_TEXTS), OWN | find_names(scene))
        faults = page.evaluate(TARGETS) if sheet else page.evaluate(FAULTS)
        faults_by_picture[f"{name} {json.dumps(sheet and sheet['kind'])}"] = english | {*faults}
    scene_page.close()
    assert not scene_page.complaints
    assert not {
        name: picture_faults for name, picture_faults in faults_by_picture.items() if picture_faults
    }
