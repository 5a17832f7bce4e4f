"""What the panel says, by language: the files of ``static/text/``, over English."""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from pathlib import Path

import msgspec
from flask import Request

from companion.rules.core import files

LONGEST_TAG = 35  # letters of a language tag, as RFC 5646 has them
MOST_TAGS = 20  # languages of a reader that are looked at

ASKED = re.compile(r"(?:([a-z]+)/)?([a-z]{2,8}(?:,[a-z]{2,8}){0,19})")
"""A folder of later words, if any, and languages, the dearest first: ``late/fr,it``."""


def lookup(ranges: Iterable[str], there: Collection[str]) -> str | None:
    """The language of those ``there`` that suits the first range, as RFC 4647 looks it up: a range
    that isn't there is shortened step by step (``it-CH``: ``it``) before the next one's turn.
    ``None``: none does."""
    for wanted in ranges:
        tag = wanted.strip().lower()[:LONGEST_TAG]
        while tag:
            if tag in there:
                return tag
            tag = tag.rpartition("-")[0]
    return None


def wanted_by(request: Request) -> list[str]:
    """The language ranges that a reader takes, the dearest first."""
    return [tag for tag, quality in request.accept_languages if quality > 0][:MOST_TAGS]


def texts(static: Path, name: str) -> dict[str, object]:
    """What the panel says in the first of some languages that there is, else in English. What the
    language lacks is said in English. With the first words comes which language it is (``lang``),
    and which there are, by code, each by its own name. Raises ``FileNotFoundError`` for a folder or
    a name that is none."""
    asked = ASKED.fullmatch(name)
    if asked is None:
        raise FileNotFoundError(name)
    folder = static / "text" / (asked[1] or "")
    there = languages(static)
    code = next((code for code in asked[2].split(",") if code in there), "en")
    english = {
        key: text for key, text in _read_file(folder / "en.json").items() if key not in OWN_WORDS
    }
    own = _read_file(folder / f"{code}.json") if (folder / f"{code}.json").is_file() else {}
    return english | own if asked[1] else english | own | {"lang": code, "languages": there}


def languages(static: Path) -> dict[str, str]:
    there = files.list_files(static / "text", "*.json")
    known = [file for file in there if ASKED.fullmatch(file.stem)]
    return {file.stem: str(_read_file(file).get("language", file.stem)) for file in known}


def faults(static: Path) -> list[str]:
    """Returns a line for each file of words that can't be read, or is called like no language."""
    found = []
    for file in _all(static):
        why = files.find_name_error(file)
        try:
            _read_file(file)
        except (ValueError, OSError) as error:
            why = why or f"can't be read: {error}"
        if why:
            found.append(f"text/{file.relative_to(static / 'text')}: {why}")
    return found


def keys_by_language(static: Path) -> dict[str, set[str]]:
    """Each language of the panel, and the keys of all that it says itself."""
    found: dict[str, set[str]] = {}
    for file in _all(static):
        keys = {f"{file.parent.name} {key}" for key in _read_file(file) if key not in OWN_WORDS}
        found.setdefault(file.stem, set()).update(keys)
    return found


def _all(static: Path) -> list[Path]:
    return files.list_files(static / "text", "**/*.json")


OWN_WORDS = "small", "language", "dates"  # what a language says of itself alone


def _read_file(file: Path) -> dict[str, object]:
    """A file's words; raises ``ValueError``, ``OSError``."""
    return _parse_file(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _parse_file(file: Path, _changed: int) -> dict[str, object]:
    return msgspec.json.decode(files.decode(file.read_bytes()), type=dict[str, object])
