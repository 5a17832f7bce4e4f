"""The panel has the same texts in every language, and no text is missing or unused."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import ROOT

STATIC = ROOT / "static"
TEXTS = {
    file.relative_to(STATIC / "text").with_suffix("").as_posix(): json.loads(
        file.read_text("utf-8")
    )
    for file in STATIC.glob("text/**/*.json")
}
"""The texts of each file. ``en`` has the texts of a table's first screen, ``late/en`` the other
texts that all games share, and ``pile/en`` those of a family."""
NAMES = {language: words.pop("language", "") for language, words in TEXTS.items()}
"""The name of each language in that language, from its first file."""
DATES = {language: words.pop("dates", "") for language, words in TEXTS.items()}
"""The locale for dates of each language, from its first file."""
SMALL = {language: words.pop("small", {}) for language, words in TEXTS.items()}
"""For each language, the articles and other short words that change before some letters, such as
English "a", which becomes "an"."""
ENGLISH = {name: words for name, words in TEXTS.items() if Path(name).name == "en"}
KEYS = {key for words in ENGLISH.values() for key in words}
SCRIPTS = "\n".join(file.read_text("utf-8") for file in STATIC.glob("js/**/*.js"))
QUOTED = re.findall(r'"([\w.-]+)"', SCRIPTS)
QUOTED += re.findall(r"\{([\w.]+)\}", (STATIC / "offline.html").read_text("utf-8"))
QUOTED += re.findall(
    r'"(preview[\w.]+)"', (ROOT / "companion/web/link_preview.py").read_text("utf-8")
)
PATTERNS = [
    re.compile(".+".join(map(re.escape, re.split(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", pattern))))
    for pattern in re.findall(r"`([\w-]+\.(?:[\w.-]|\$\{(?:[^{}]|\{[^{}]*\})*\})*)`", SCRIPTS)
]
"""Keys that the code puts together: `place.row.${row}` stands for any key that begins with
`place.row.`."""


def find_facts(sentence: Any) -> set[str]:
    """Return the placeholders (names in braces) that appear in any form of a message."""
    forms = (
        [sentence] if isinstance(sentence, str) else [f for f in sentence.values() if f is not True]
    )
    pairs = [place for form in forms for place in re.findall(r"\{(\w+)(?::([^{}]+))?\}", form)]
    return {second if second and "|" not in second else first for first, second in pairs}


@pytest.mark.parametrize("name", TEXTS)
def test_every_language_has_the_same_keys_and_facts(name: str) -> None:
    words = TEXTS[name]
    english = ENGLISH[Path(name).with_name("en").as_posix()]
    assert set(words) == set(english)
    assert {key: find_facts(words[key]) for key in words} == {
        key: find_facts(english[key]) for key in words
    }


@pytest.mark.parametrize("name", TEXTS)
def test_plural_forms_are_those_of_the_language(name: str) -> None:
    forms = {"en": {"zero", "one", "two", "few", "other"}, "it": {"one", "many", "other"}}
    allowed = forms[Path(name).name]
    for key, sentence in TEXTS[name].items():
        if not isinstance(sentence, str):
            assert "other" in sentence, key
            assert set(sentence) <= allowed | {"ordinal"}, key


def test_a_language_defines_its_date_format() -> None:
    first = {Path(name).name: date_format for name, date_format in DATES.items() if date_format}
    assert first == {"en": "en-GB", "it": "it"}


def test_every_key_is_used() -> None:
    unused = KEYS - set(QUOTED)
    assert not {key for key in unused if not any(pattern.fullmatch(key) for pattern in PATTERNS)}


KEY_IN_CALL = re.compile(r'\b(?:t|say|pieces)\(\s*"([^"]+)"')
IMPORT = re.compile(r"""^(?:import|export)\b[^;(]*?["'](\.[^"']+)["']""", re.MULTILINE)


def find_first_modules(entry: Path) -> set[Path]:
    """Return the modules that a page loads with its first request."""
    modules = set[Path]()
    todo = [entry]
    while todo:
        module = todo.pop()
        if module not in modules and "vendor" not in module.parts:
            modules.add(module)
            names = IMPORT.findall(module.read_text("utf-8"))
            todo += [Path(os.path.normpath(module.parent / name)) for name in names]
    return modules


def test_the_first_screen_of_a_table_has_its_words_at_once() -> None:
    modules = find_first_modules(STATIC / "js/table.js")
    keys = {key for module in modules for key in KEY_IN_CALL.findall(module.read_text("utf-8"))}
    assert len(keys) > 60
    assert not keys - ENGLISH["en"].keys()


def test_every_key_that_is_asked_for_exists() -> None:
    keys = KEY_IN_CALL.findall(SCRIPTS)
    assert len(keys) > 100
    assert not set(keys) - KEYS


PUZZLING = (
    "says who plays next", "turns up for", "Speak for", "Say here", "Show a sign", "A line",
    "by the sheet", "Which rules or box", "What’s this robot like", "Others stay", "Not yet",
    "more if put there",
)  # fmt: skip
"""Phrases at which newcomers hesitated, or that they read twice."""


def test_no_english_text_has_a_phrase_that_newcomers_read_twice() -> None:
    texts = {
        key: json.dumps(words[key], ensure_ascii=False)
        for words in ENGLISH.values()
        for key in words
    }
    found = {key for key, text in texts.items() if any(phrase in text for phrase in PUZZLING)}
    assert not found
