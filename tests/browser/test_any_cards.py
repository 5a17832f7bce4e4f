"""A variant may call its cards anything: the panel knows them by what they do."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.rules.families import load
from tests.house import RENAMED, renamed
from tests.panel.scenes import SCENES, VARIANT, scene
from tests.panel.shots import Looker

pytestmark = pytest.mark.browser

PLAIN = {new: old for old, new in RENAMED.items()}
TITLES = {"aim", "card", "discard", "grid", "hand", "kitten", "nope", "titles"}
"""Where a view names cards; elsewhere the same words are steps, commands and outcomes."""

WORDS = """() => document.getElementById("app").outerHTML.replace(/<!--.*?-->/g, "")"""


def other_ids(thing: Any, key: str = "") -> Any:
    """A scene as a table would send it whose cards have the other ids."""
    if isinstance(thing, dict):
        odds = key in ("cells", "holds") or re.fullmatch(r"\d+,\d+", key)
        return {
            RENAMED.get(name, name) if odds else name: other_ids(value, name)
            for name, value in thing.items()
        }
    if isinstance(thing, list):
        return [other_ids(value, key) for value in thing]
    return RENAMED.get(thing, thing) if key in TITLES and isinstance(thing, str) else thing


def drawn(page: Page) -> str:
    """What the page holds, with the plain ids in the attributes that carry one."""
    words: str = page.evaluate(WORDS)
    return re.sub(
        r'(data-(?:card|held|note|play|reveal))="(\w+)"',
        lambda found: f'{found[1]}="{PLAIN.get(found[2], found[2])}"',
        words,
    )


def test_every_scene_looks_the_same_whatever_the_cards_are_called(
    chromium: Browser, tmp_path: Path
) -> None:
    house = load(renamed(tmp_path))
    plain = Looker(chromium, (390, 844), "light", "en")
    other = Looker(chromium, (390, 844), "light", "en", house)
    for name in (name for name in SCENES if "-ten" not in name):
        shown = scene(name)
        for sheet in (None, {"kind": "log"}, {"kind": "help"}, {"kind": "seat", "seat": "s2"}):
            if sheet and name not in ("noted", "over-host"):
                continue
            shown["panel"]["sheet"] = sheet
            assert drawn(other.draw(other_ids(shown))) == drawn(plain.draw(shown)), name
    assert not plain.complaints + other.complaints
    plain.context.close()
    other.context.close()


def test_what_the_panel_has_no_picture_for_is_a_plain_card_with_its_title(
    chromium: Browser,
) -> None:
    (skip,) = (card for card in VARIANT.cards if card.effect == "skip")
    document = VARIANT.to_json().replace(b'"effect":"skip"', b'"effect":"yodel"')
    no_picture: Any = SimpleNamespace(to_json=lambda: document)
    looker = Looker(chromium, (390, 844), "light", "en", no_picture)
    button = looker.show("act-turn").locator(f"[data-play={skip.id}]")
    expect(button.locator(".face svg")).to_be_visible()
    expect(button).to_contain_text(VARIANT.texts["en"].cards[skip.id].title)
    played = scene("window-could")
    played["view"]["played"]["card"] = skip.id
    face = looker.draw(played).locator(".played .card-face")
    expect(face).to_be_visible()
    letters = face.evaluate("face => face.querySelectorAll('path').length")
    assert letters >= len(skip.id), "its title stands on it"
    paper = "face => getComputedStyle(face.closest('.played')).getPropertyValue('--hue').trim()"
    assert face.evaluate(paper)
    assert not looker.complaints
    looker.context.close()
