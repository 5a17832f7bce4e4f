"""The panel's texts: every language has the same keys, and none is missing or unused."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

STATIC = Path(__file__).parents[1] / "static"
WORDS_OF = {
    file.relative_to(STATIC / "text").with_suffix("").as_posix(): json.loads(
        file.read_text("utf-8")
    )
    for file in STATIC.glob("text/**/*.json")
}
"""The texts of the first screen by key, for each language. ``late/language`` holds the other
texts that all games share, ``family/language`` those of one family."""
NAMES = {language: words.pop("language", "") for language, words in WORDS_OF.items()}
"""Each language's name in that language, from the first screen's texts."""
DATES = {language: words.pop("dates", "") for language, words in WORDS_OF.items()}
"""The locale with whose format a language writes dates."""
SMALL = {language: words.pop("small", {}) for language, words in WORDS_OF.items()}
"""The small words of a language that change before certain letters, such as *a* and *an*."""
ENGLISH = {name: words for name, words in WORDS_OF.items() if Path(name).name == "en"}
KEYS = {key for words in ENGLISH.values() for key in words}
SCRIPTS = "\n".join(file.read_text("utf-8") for file in STATIC.glob("js/**/*.js"))
WORDS = re.findall(r'"([\w.-]+)"', SCRIPTS)
WORDS += re.findall(r"\{([\w.]+)\}", (STATIC / "offline.html").read_text("utf-8"))
PATTERNS = [
    re.compile(".+".join(map(re.escape, re.split(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", pattern))))
    for pattern in re.findall(r"`([\w-]+\.(?:[\w.-]|\$\{(?:[^{}]|\{[^{}]*\})*\})*)`", SCRIPTS)
]
"""Matches keys that are composed in JavaScript, such as `place.row.${row}`."""


def facts(sentence: Any) -> set[str]:
    """The names in braces of a sentence, of all its forms."""
    forms = (
        [sentence] if isinstance(sentence, str) else [f for f in sentence.values() if f is not True]
    )
    found = [place for form in forms for place in re.findall(r"\{(\w+)(?::([^{}]+))?\}", form)]
    return {second if second and "|" not in second else first for first, second in found}


@pytest.mark.parametrize("name", WORDS_OF)
def test_every_language_has_the_same_keys_and_facts(name: str) -> None:
    words = WORDS_OF[name]
    english = ENGLISH[Path(name).with_name("en").as_posix()]
    assert set(words) == set(english)
    assert {key: facts(words[key]) for key in words} == {key: facts(english[key]) for key in words}


@pytest.mark.parametrize("name", WORDS_OF)
def test_forms_are_those_that_the_language_has(name: str) -> None:
    forms = {"en": {"zero", "one", "two", "few", "other"}, "it": {"one", "many", "other"}}
    known = forms[Path(name).name]
    for key, sentence in WORDS_OF[name].items():
        if not isinstance(sentence, str):
            assert "other" in sentence, key
            assert set(sentence) <= known | {"ordinal"}, key


def test_a_language_defines_its_date_format() -> None:
    first = {Path(name).name: said for name, said in DATES.items() if said}
    assert first == {"en": "en-GB", "it": "it"}


def test_every_key_is_used() -> None:
    unused = KEYS - set(WORDS)
    assert not {key for key in unused if not any(made.fullmatch(key) for made in PATTERNS)}


ASKED = re.compile(r'\b(?:t|say|pieces)\(\s*"([^"]+)"')
IMPORT = re.compile(r"""^(?:import|export)\b[^;(]*?["'](\.[^"']+)["']""", re.MULTILINE)


def at_once(entry: Path) -> set[Path]:
    """A page's modules that do not come late."""
    found = set[Path]()
    todo = [entry]
    while todo:
        module = todo.pop()
        if module not in found and "vendor" not in module.parts:
            found.add(module)
            names = IMPORT.findall(module.read_text("utf-8"))
            todo += [Path(os.path.normpath(module.parent / name)) for name in names]
    return found


def test_the_first_screen_of_a_table_has_its_words_at_once() -> None:
    modules = at_once(STATIC / "js/table.js")
    asked = {key for module in modules for key in ASKED.findall(module.read_text("utf-8"))}
    assert len(asked) > 60
    assert not asked - ENGLISH["en"].keys()


def test_every_key_that_is_asked_for_exists() -> None:
    asked = ASKED.findall(SCRIPTS)
    assert len(asked) > 100
    assert not set(asked) - KEYS
