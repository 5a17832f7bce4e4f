"""A variant whose every title and number is another one: no screen says the old ones."""

import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from companion.rules.families import load
from tests.browser.people import Person
from tests.browser.test_pile_scenes import SHEETS as PILE_SHEETS
from tests.browser.test_scenes import SHEETS as GRID_SHEETS
from tests.browser.test_third_language import GRID, PILE
from tests.browser.test_whole_game import SMALL, play
from tests.house import RENAMED, VARIANTS, renamed, retitled
from tests.panel import scenes
from tests.panel.shots import Looker
from tests.pseudo import SAID
from tests.server import RealServer
from tests.test_own_figures import GAMES_OWN, VERBS
from tests.test_variant import edit

pytestmark = pytest.mark.browser

HEARD = (
    f"const said = {SAID};"
    """
window.heard = new Set();
const hears = () => {
  if (document.body) for (const text of said()) window.heard.add(text.trim());
};
const all = { subtree: true, childList: true, characterData: true };
new MutationObserver(hears).observe(document, all);
"""
)
"""Keeps all that a page ever says."""


def bare(said: Iterable[str], old: set[str]) -> set[tuple[str, str]]:
    """Where an old title stands; what one does has the same word as some cards."""
    return {
        (title, text)
        for text in said
        for title in old
        if re.search(rf"\b{re.escape(title)}\b", VERBS.sub("", text))
    }


def titles(folder: Path) -> dict[str, set[str]]:
    """The old titles; what everybody calls the two things that the game is about stays."""
    variant = load(folder)
    own = {
        variant.texts[language].cards[card.id].title
        for language in variant.texts
        for card in variant.cards
        if card.effect in GAMES_OWN
    }
    return {language: old - own for language, old in retitled(folder).items()}


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize(
    ("variant", "every", "sheets"),
    [("quarantined", GRID, GRID_SHEETS), ("party-120", PILE, PILE_SHEETS)],
    ids=["grid", "pile"],
)
def test_no_scene_says_an_old_title(
    chromium: Browser, tmp_path: Path, variant: str, every: Any, sheets: Any, language: str
) -> None:
    folder = Path(shutil.copytree(VARIANTS / variant, tmp_path / variant))
    old = titles(folder)[language]
    assert len(old) > 4
    house = load(folder)
    others = {card.base for card in house.told.texts[language].cards.values()}
    looker = Looker(chromium, (390, 844), "light", language, house)
    found: dict[str, set[tuple[str, str]]] = {}
    shown = [(name, None) for name in every]
    shown += [(name, {"kind": sheet, "seat": "s2"}) for sheet, name in sheets.items()]
    for name, sheet in shown:
        scene = scenes.scene(name, every)
        scene["panel"] |= {"sheet": sheet} if sheet else {}
        for entry in scene["view"]["log"]:  # a server with the old variant wrote it
            entry["text"] = ""
        said = {text.strip() for text in looker.draw(scene).evaluate(SAID)} - others
        found[f"{name} {sheet}"] = bare(said, old)
    looker.context.close()
    assert not looker.complaints
    assert not {name: wrong for name, wrong in found.items() if wrong}


PREPARED = ["these 16 cards", "the other 14 and put 2 away", "Take 4, and the", "your hand of 5",
            "the last 8 and lay these 9 face down"]  # fmt: skip
BEFORE = r"[a-z].*\b(15|13|fifteen|thirteen)\b(?!%)|\b(15|13)\b(?!%).*[a-z]"
"""What was so with the old numbers, in a sentence: a card may have such odds."""


def test_a_whole_game_says_its_own_titles_and_numbers(
    person: Callable[..., Person], serve: Callable[..., RealServer], tmp_path: Path
) -> None:
    """From the start page to the end, on three devices."""
    folder = renamed(tmp_path / "variants", larger=True)
    edit(folder, "variant.toml", ("hand = 3", "hand = 4"), ('"hop"\ncount = 3', '"hop"\ncount = 4'))
    old = titles(folder)["en"]
    house = serve(COMPANION_VARIANTS_DIR=str(tmp_path / "variants"))
    players = [person(name, house.url, viewport=SMALL) for name in ("Ana", "Ben", "Cleo")]
    for one in players:
        one.titles = RENAMED
        one.page.add_init_script(HEARD)
    play(*players)
    for one in players:
        heard = one.page.evaluate("[...window.heard]")
        whole = re.sub(r"\s+", " ", " ".join(heard))
        assert len(heard) > 200
        assert not bare(heard, old)
        assert not {text for text in heard if re.search(BEFORE, text)}
        assert "Zonk" in whole and not [one for one in PREPARED if one not in whole]
