"""The panel's texts by language, from ``static/text/``. English replaces missing texts."""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from pathlib import Path

import msgspec
from flask import Request

from companion.rules.variants import files

LONGEST_TAG = 35  # maximum length of a language tag by RFC 5646
MOST_TAGS = 20  # maximum number of languages read from a browser's request

ASKED = re.compile(r"(?:([a-z]+)/)?([a-z]{2,8}(?:,[a-z]{2,8}){0,19})")
"""Matches a request such as ``late/fr,it``: the name of a folder (optional), and languages in order
of preference. The folder ``late`` has texts that are loaded later."""


def choose_language(ranges: Iterable[str], available: Collection[str]) -> str | None:
    """Return the first available language, found by the lookup of RFC 4647, or None.

    ``ranges`` are language tags in order of preference. If ``it-CH`` isn't available, ``it`` is
    tried before the next tag.
    """
    for language_range in ranges:
        tag = language_range.strip().lower()[:LONGEST_TAG]
        while tag:
            if tag in available:
                return tag
            tag = tag.rpartition("-")[0]
    return None


def requested_languages(request: Request) -> list[str]:
    """Return the language tags that a reader's browser accepts, in order of preference."""
    return [tag for tag, quality in request.accept_languages if quality > 0][:MOST_TAGS]


def texts(static: Path, name: str) -> dict[str, object]:
    """Return the texts in the first available of the requested languages, or in English.

    A text that is missing in that language is returned in English. The texts of the main folder
    also include the language's code (``lang``), and the names of all languages by code
    (``languages``). Raise ``FileNotFoundError`` if ``name`` is malformed, or names a folder that
    doesn't exist.
    """
    match = ASKED.fullmatch(name)
    if match is None:
        raise FileNotFoundError(name)
    folder = static / "text" / (match[1] or "")
    available = languages(static)
    code = next((code for code in match[2].split(",") if code in available), "en")
    english = {
        key: text for key, text in _read_file(folder / "en.json").items() if key not in OWN_WORDS
    }
    own = _read_file(folder / f"{code}.json") if (folder / f"{code}.json").is_file() else {}
    return english | own if match[1] else english | own | {"lang": code, "languages": available}


def languages(static: Path) -> dict[str, str]:
    """Return the names of the panel's languages by code."""
    candidates = files.list_files(static / "text", "*.json")
    valid = [file for file in candidates if ASKED.fullmatch(file.stem)]
    return {file.stem: str(_read_file(file).get("language", file.stem)) for file in valid}


def faults(static: Path) -> list[str]:
    """Return a message for each file that can't be read, or isn't named after a language."""
    lines = []
    for file in _list_files(static):
        why = files.find_name_error(file)
        try:
            _read_file(file)
        except (ValueError, OSError) as error:
            why = why or f"can't be read: {error}"
        if why:
            lines.append(f"text/{file.relative_to(static / 'text')}: {why}")
    return lines


def keys_by_language(static: Path) -> dict[str, set[str]]:
    """Return the keys of each language's texts, by the language's code."""
    by_language: dict[str, set[str]] = {}
    for file in _list_files(static):
        keys = {f"{file.parent.name} {key}" for key in _read_file(file) if key not in OWN_WORDS}
        by_language.setdefault(file.stem, set()).update(keys)
    return by_language


def _list_files(static: Path) -> list[Path]:
    return files.list_files(static / "text", "**/*.json")


# keys of texts that describe the language; English texts never replace them
OWN_WORDS = "small", "language", "dates"


def _read_file(file: Path) -> dict[str, object]:
    """Return a file's texts. Raise ``ValueError`` or ``OSError`` if the file can't be read."""
    return _parse_file(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _parse_file(file: Path, _changed: int) -> dict[str, object]:
    return msgspec.json.decode(files.decode(file.read_bytes()), type=dict[str, object])
