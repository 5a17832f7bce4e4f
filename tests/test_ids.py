"""Cards are known by what they do: a variant's ids stand in no code (see house variants)."""

import re
from pathlib import Path

from tests.game_script import QUARANTINED

ROOT = Path(__file__).parent.parent
IDS = [card.id for card in QUARANTINED.cards]

BOTH = {
    "kitten": "an effect; also a step, an outcome and a way to go out",
    "defuse": "an effect; also a command",
    "favor": "an effect",
    "nope": "an effect; also a command",
    "shuffle": "an effect; also a step",
    "skip": "an effect",
}
"""Ids that are words of the wire or of the effects, too: these may stand in code."""

EVERY_EFFECT = {
    "companion/rules/grid/variant.py": "the type of all effects",
    "static/art/faces.js": "a picture for each effect",
    "static/art/preparation.js": "a row of cards, one of each effect",
    "static/css/cards.css": "a hue for each effect",
}
"""Where many effects stand together, and why that is no list of cards."""

AS_AN_ID = re.compile(
    rf"""card"?\]?\s*(?:[=!]==?|:|in)\s*["'](?:{"|".join(IDS)})\b"""
    rf"""|\b(?:title|badge|hue|faceOf|pick|played)\(\s*["'](?:{"|".join(IDS)})["']"""
    rf"""|hue-(?:{"|".join(IDS)})\b"""
)


def code() -> dict[str, str]:
    """Path → text of the panel and the program."""
    found = [
        *ROOT.glob("companion/**/*.py"),
        *(
            path
            for kind in ("js", "css", "json")
            for folder in ("js", "art", "css", "text")
            for path in ROOT.glob(f"static/{folder}/**/*.{kind}")
        ),
    ]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in found}


def test_ids_that_are_no_words_of_the_wire_stand_nowhere() -> None:
    assert set(BOTH) < set(IDS)
    only_ids = re.compile(rf"\b(?:{'|'.join(set(IDS) - set(BOTH))})\b")
    assert not [path for path, text in code().items() if only_ids.search(text)]


def test_no_code_lists_the_cards() -> None:
    """Five of the words in one pair of brackets are a list."""
    brackets = re.compile(r"[\[({][^][(){}]{0,400}[])}]")
    words = re.compile(rf"\b(?:{'|'.join(IDS)})\b")
    found = {
        path
        for path, text in code().items()
        if any(len({*words.findall(group)}) > 4 for group in brackets.findall(text))
    }
    assert found <= EVERY_EFFECT.keys()


def test_no_code_asks_for_a_card_by_its_id() -> None:
    found = {
        (path, match[0])
        for path, text in code().items()
        for match in AS_AN_ID.finditer(text)
        if path not in EVERY_EFFECT
    }
    assert not found
