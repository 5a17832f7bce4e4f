"""What the panel says, by language: the files of ``static/text/``, over English."""

import json
from functools import lru_cache
from pathlib import Path, PurePosixPath


def said(static: Path, name: str) -> dict[str, object]:
    """What the panel says in a language: ``it``, or ``late/it`` for words that come later.

    What the language lacks is said in English. With the first words comes which languages
    there are, by code, each by its own name. Raises ``FileNotFoundError`` for none.
    """
    path = PurePosixPath(name)
    first = _read(static, path.name)
    own = _read(static, name) if (static / "text" / f"{name}.json").is_file() else {}
    english = {key: text for key, text in _read(static, f"{path.parent / 'en'}").items()
               if key not in OWN_WORDS}  # fmt: skip
    if path.parent.parts:
        return english | own
    found = sorted(file.stem for file in (static / "text").glob("*.json"))
    names = {code: _read(static, code).get("language", code) for code in found}
    return english | first | {"languages": names}


def spoken(static: Path) -> dict[str, set[str]]:
    """Each language of the panel, and the keys of all that it says itself."""
    found: dict[str, set[str]] = {}
    for file in sorted((static / "text").rglob("*.json")):
        keys = _read(static, file.relative_to(static / "text").with_suffix("").as_posix())
        found.setdefault(file.stem, set()).update(f"{file.parent.name} {key}" for key in keys
                                                  if key not in OWN_WORDS)  # fmt: skip
    return found


OWN_WORDS = "small", "language", "dates"
"""What a language says of itself alone."""


def _read(static: Path, name: str) -> dict[str, object]:
    file = static / "text" / f"{name}.json"
    return _parsed(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _parsed(file: Path, _changed: int) -> dict[str, object]:
    """A file's words, read once for as long as it doesn't change."""
    words: dict[str, object] = json.loads(file.read_text("utf-8"))
    return words
