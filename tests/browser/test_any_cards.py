"""The panel works with any card ids, because it recognises cards by their effects."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.rules import families
from companion.rules.variants.variant import Variant
from tests.panel.scenes import SCENES, VARIANT, scene
from tests.panel.shots import SIZES, OpenScenePage
from tests.support.iterations import select_share
from tests.support.renamed_variant import RENAMED

pytestmark = pytest.mark.browser

TITLES = {"aimedCard", "card", "discard", "grid", "hand", "kitten", "nope", "titles"}
"""Keys of a view whose values are card ids. Under other keys, the same words are steps or outcomes.
"""

OWN = dict(
    zip(
        RENAMED,
        (
            "constructor",
            "toString",
            "valueOf",
            "hasOwnProperty",
            "isPrototypeOf",
            "__proto__",
            "on",
        ),
        strict=True,
    )
)
"""Names of properties that every JavaScript object has. A table can use them as card ids if it was
created before card ids were restricted."""

WORDS = """() => document.getElementById("app").outerHTML.replace(/<!--.*?-->/g, "")"""


def replace_ids(value: Any, ids: dict[str, str], key: str = "") -> Any:
    """Return the scene as the server would send it if the cards had these ids."""
    if isinstance(value, dict):
        odds = key in ("cells", "holds", "known") or re.fullmatch(r"\d+,\d+", key)
        return {
            ids.get(name, name) if odds else name: replace_ids(value, ids, name)
            for name, value in value.items()
        }
    if isinstance(value, list):
        return [replace_ids(value, ids, key) for value in value]
    if key == "key":  # the key of a field in the house rules, such as ``cards.skip``
        part, _, title = value.partition(".")
        return f"{part}.{ids[title]}" if title in ids else value
    return ids.get(value, value) if key in TITLES and isinstance(value, str) else value


def build_stored_variant(ids: dict[str, str]) -> Any:
    """Return the variant with these ids, in the form in which a table stores it."""
    document = json.loads(VARIANT.with_filled_texts.to_json())
    for card in document["cards"]:
        card["id"] = ids[card["id"]]
    for box in document["editions"]:
        for kind in ("titles", "paw"):
            box[kind] = {ids.get(title, title): count for title, count in box[kind].items()}
    for texts in document["texts"].values():
        texts["cards"] = {ids[title]: text for title, text in texts["cards"].items()}
    return families.decode_variant(json.dumps(document).encode())


def get_page_content(page: Page, ids: dict[str, str]) -> str:
    """Return the page's HTML, with the usual ids in place of the new ones in attributes."""
    plain = {new: old for old, new in ids.items()}
    words: str = page.evaluate(WORDS)
    return re.sub(
        r'(data-(?:card|held|note|play|reveal))="(\w+)"',
        lambda match: f'{match[1]}="{plain.get(match[2], match[2])}"',
        words,
    )


def test_every_scene_looks_the_same_with_any_card_ids(
    open_scene_page: OpenScenePage,
) -> None:
    """``python3 tests`` draws one in sixteen scenes, and ``python3 tests all`` draws them all."""
    other = build_stored_variant(OWN)
    with_sheets = ["noted", "over-host"]
    names = select_share([name for name in SCENES if name not in with_sheets], 16) + with_sheets
    drawn = [
        (name, sheet)
        for name in names
        for sheet in (None, {"kind": "log"}, {"kind": "help"}, {"kind": "seat", "seat": "s2"})
        if "-ten" not in name and (not sheet or name in with_sheets)
    ]

    def draw_all(variant: Variant, ids: dict[str, str]) -> list[str]:
        scene_page = open_scene_page(SIZES[0], variant=variant)
        contents = []
        for name, sheet in drawn:
            scene_data = scene(name)
            scene_data["panel"]["sheet"] = sheet
            page = scene_page.draw(replace_ids(scene_data, ids))
            contents.append(get_page_content(page, OWN))
        return contents

    for name, plain, own in zip(drawn, draw_all(VARIANT, {}), draw_all(other, OWN), strict=True):
        assert own == plain, name


@pytest.mark.parametrize("seat", ["constructor", "__proto__"])
def test_every_scene_looks_the_same_with_any_seat_names(
    open_scene_page: OpenScenePage, seat: str
) -> None:
    scene_page = open_scene_page((390, 844))
    for name in ("noted", "over-host", "window-could", "act-turn"):
        scene_data = scene(name)
        content = scene_page.draw(scene_data).evaluate(WORDS)
        text = json.dumps(scene_data).replace('"s2"', f'"{seat}"')
        assert scene_page.draw(json.loads(text)).evaluate(WORDS).replace(seat, "s2") == content, (
            name
        )


@pytest.mark.parametrize("effect", ["yodel", "constructor", "toString", "__proto__"])
def test_a_card_without_a_picture_is_drawn_plain_with_its_title(
    open_scene_page: OpenScenePage, effect: str
) -> None:
    (skip,) = (card for card in VARIANT.cards if card.effect == "skip")
    plain = VARIANT.with_filled_texts.to_json()
    document = plain.replace(b'"effect":"skip"', b'"effect":"%b"' % effect.encode())
    no_picture = families.decode_variant(document)
    scene_page = open_scene_page((390, 844), variant=no_picture)
    button = scene_page.show("act-turn").locator(f"[data-play={skip.id}]")
    expect(button.locator(".face svg")).to_be_visible()
    expect(button).to_contain_text(VARIANT.with_filled_texts.texts["en"].cards[skip.id].title)
    played = scene("window-could")
    played["view"]["played"]["card"] = skip.id
    face = scene_page.draw(played).locator(".played .card-face")
    expect(face).to_be_visible()
    letters = face.evaluate(
        "face => [...face.querySelectorAll('path')]"
        ".flatMap((path) => path.getAttribute('d').match(/M/g)).length"
    )
    assert letters >= len(skip.id), "its title stands on it"
    paper = "face => getComputedStyle(face.closest('.played')).getPropertyValue('--hue').trim()"
    assert face.evaluate(paper)
