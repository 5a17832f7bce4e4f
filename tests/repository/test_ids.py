"""No code refers to a card by its id, because house variants can rename the ids."""

import re

from tests.support.game_script import QUARANTINED
from tests.support.paths import ROOT

IDS = [card.id for card in QUARANTINED.cards]

ALLOWED_IDS = {
    "kitten": "an effect; also a step, an outcome and a way to go out",
    "defuse": "an effect; also a command",
    "favor": "an effect",
    "nope": "an effect; also a command",
    "shuffle": "an effect; also a step",
    "skip": "an effect",
}
"""Card ids that may appear in code, each with the other things that have this name."""

FILES_WITH_ALL_EFFECTS = {
    "companion/rules/grid/variant.py": "the type of all effects",
    "static/art/faces.js": "a picture for each effect",
    "static/art/preparation.js": "a row of cards, one of each effect",
    "static/css/cards.css": "a hue for each effect",
}
"""Files that name many effects, each with the reason why these names don't form a list of cards."""

USE_OF_AN_ID = re.compile(
    rf"""card"?\]?\s*(?:[=!]==?|:|in)\s*["'](?:{"|".join(IDS)})\b"""
    rf"""|\b(?:title|badge|hue|faceOf|pick|played)\(\s*["'](?:{"|".join(IDS)})["']"""
    rf"""|hue-(?:{"|".join(IDS)})\b"""
)


def read_sources() -> dict[str, str]:
    """Return the source files of the panel and the program, by path."""
    paths = [
        *ROOT.glob("companion/**/*.py"),
        *(
            path
            for kind in ("js", "css", "json")
            for folder in ("js", "art", "css", "text")
            for path in ROOT.glob(f"static/{folder}/**/*.{kind}")
        ),
    ]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


def test_ids_that_are_not_wire_words_appear_in_no_code() -> None:
    assert set(ALLOWED_IDS) < set(IDS)
    only_ids = re.compile(rf"\b(?:{'|'.join(set(IDS) - set(ALLOWED_IDS))})\b")
    assert not [path for path, text in read_sources().items() if only_ids.search(text)]


def test_no_code_has_a_list_of_card_ids() -> None:
    """Five card ids in one pair of brackets count as a list of cards."""
    brackets = re.compile(r"[\[({][^][(){}]{0,400}[])}]")
    card_ids = re.compile(rf"\b(?:{'|'.join(IDS)})\b")
    files = {
        path
        for path, text in read_sources().items()
        if any(len({*card_ids.findall(group)}) > 4 for group in brackets.findall(text))
    }
    assert files <= FILES_WITH_ALL_EFFECTS.keys()


def test_no_code_uses_a_card_by_its_id() -> None:
    uses = {
        (path, match[0])
        for path, text in read_sources().items()
        for match in USE_OF_AN_ID.finditer(text)
        if path not in FILES_WITH_ALL_EFFECTS
    }
    assert not uses
