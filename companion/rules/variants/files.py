"""Reads the files of a variant, each merged over the same file of its base (key ``like``)."""

import codecs
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from companion.adapters.msgspec import parse_error
from companion.rules.variants.limits import Fields, oversized_places

T = TypeVar("T")

# maximum size of one file: three times the largest file of the included variants
MOST_BYTES = 128 * 1024
# maximum size of a variant with its bases, in which each file counts as at least LEAST
MOST_IN_ALL = 4 * MOST_BYTES
LEAST = 5000  # bytes
MOST_LETTERS = 64  # maximum length of a folder's name
# maximum number of dots in a line, outside of strings: tomllib takes hours for a key with very
# many parts
MOST_DOTS = 8
_NO_KEY = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL
)
"""Matches a string or a comment of a TOML file, whose dots don't belong to a key."""

MAIN = "variant.toml"  # the main file of a variant
EXPANSION = "expansion.toml"  # the main file of an expansion, which is no variant by itself

LANGUAGE = re.compile(r"[a-z]{2,8}")
"""A language's code, which is the name of its file."""


class File(Struct, frozen=True):
    """One of a variant's files, while it is being checked."""

    name: str
    faults: list[str]  # the same list for all files of a variant
    content: Fields  # the content of this file, merged over the same file of the base variants
    own: Fields  # the content of this file alone

    def add_fault(self, place: str, why: str) -> None:
        """Record a fault."""
        self.faults.append(f"{self.name}: {place}: {why}")

    def get(self, key: str, kind: object) -> Any:
        """Return the value at ``key``, converted to the type ``kind``.

        If the value is missing or can't be converted, record a fault and return None.
        """
        if key not in self.content:
            self.add_fault(key, "is missing")
            return None
        return self.convert(key, self.content[key], kind)

    def convert(self, place: str, value: object, kind: Any) -> Any:
        """Return the value, converted to the type ``kind``.

        If it can't be converted, record a fault at ``place`` and return None.
        """
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            why, at, _ = parse_error(error)
            self.add_fault(place + at, why)
            return None

    def get_list(self, key: str, kind: type[T]) -> tuple[T, ...]:
        """Return the valid entries of the list at ``key``, and record a fault for each
        invalid one."""
        entries = self.get_or_default(key, list)
        values = [self.convert(f"{key}[{i}]", entry, kind) for i, entry in enumerate(entries)]
        return tuple(value for value in values if value is not None)

    def get_section(self, key: str, wanted: Iterable[str]) -> Fields:
        """Return the table at ``key``, reduced to the keys in ``wanted``.

        Records a fault for each wanted key that is missing, and for each unknown key in this file.
        Unknown keys inherited from a base variant are ignored.
        """
        content = self.get_or_default(key, dict)
        own = self.get_or_default(key, dict, own=True)
        check_keys(self, key, content.keys() & {*own, *wanted}, wanted)
        return {name: value for name, value in content.items() if name in set(wanted)}

    def get_or_default(self, key: str, kind: type[T], *, own: bool = False) -> T:
        """Return the table (``dict``) or list at ``key``, or an empty one if there is none.

        Records a fault for a value of another type. With ``own``, inherited content is ignored.
        """
        value = (self.own if own else self.content).get(key, kind())
        if isinstance(value, kind):
            return value
        self.add_fault(key, f"must be a {'table' if kind is dict else 'list'}")
        return kind()


def check_keys(file: File, place: str, found: Iterable[str], wanted: Iterable[str]) -> None:
    """Record a fault for each unknown key and for each missing key."""
    for key in sorted(set(found) - set(wanted)):
        file.add_fault(f"{place}.{key}", "is not known")
    for key in sorted(set(wanted) - set(found)):
        file.add_fault(f"{place}.{key}", "is missing")


def base_folders(folder: Path, faults: list[str]) -> list[Path]:
    """Return the folders of the variant, of its base (``like``), of that base's base, and so on.

    The folder of a variant's ``expansion`` comes before that of its base, because the expansion is
    laid over the base.

    If their files are too large in total, records a fault and returns an empty list.
    """
    folders = [folder]
    size = _folder_size(folder)
    while like := (main := _parse_file(folders[-1] / MAIN, [])).get("like"):
        variant = folders[-1]
        base = folder.parent / str(like)[:MOST_LETTERS]
        if base in folders or not is_variant(folder.parent, like):
            why = "it is like itself" if base in folders else f"there is no variant {like!r}"
            faults.append(f"{variant.name}/{MAIN}: like: {why}")
            break
        if "expansion" in main:
            expansion = folder.parent / str(main["expansion"])[:MOST_LETTERS]
            if not (expansion / EXPANSION).is_file():
                why = f"there is no expansion {main['expansion']!r}"
                faults.append(f"{variant.name}/{MAIN}: expansion: {why}")
                break
            folders.append(expansion)
            size += _folder_size(expansion)
        folders.append(base)
        size += _folder_size(base)
        if size > MOST_IN_ALL:
            break
    if size > MOST_IN_ALL:
        faults.append(f"{folder.name}: its files have more than {MOST_IN_ALL // 1024} kB")
        return []
    return folders


def is_variant(folder: Path, name: object) -> bool:
    """Return True if the folder contains a variant's folder of this name."""
    path = folder / str(name)[:MOST_LETTERS]
    return name == path.name and (path / "variant.toml").is_file()


def _folder_size(folder: Path) -> int:
    """Return the size of a folder's files in bytes. Each file counts as at least ``LEAST``."""
    return sum(max(LEAST, path.stat().st_size) for path in list_files(folder) if path.is_file())


def list_files(folder: Path, pattern: str = "*.toml") -> list[Path]:
    """Return the folder's files, sorted, without hidden files such as macOS's ``._en.toml``."""
    return sorted(path for path in folder.glob(pattern) if not path.name.startswith("."))


def find_name_error(language: Path) -> str | None:
    """Return the reason why the name of a language's file is wrong, or None if it is right."""
    if LANGUAGE.fullmatch(language.stem):
        return None
    code = LANGUAGE.match(language.stem.lower())
    name = f"{code[0] if code else 'en'}{language.suffix}"
    return f"no language is called so: name it by its code alone, as {name}, or take it away"


def open_layered(name: str, folders: list[Path], faults: list[str], needed: bool = True) -> File:
    """Return the file of this name in the first folder, merged over those in the other folders.

    If no folder has such a file, return an empty one, and record a fault if the file is ``needed``.
    """
    paths = [folder / name for folder in folders]
    if name == MAIN:
        paths = [path if path.is_file() else path.with_name(EXPANSION) for path in paths]
    # Faults are reported in the first folder, because authors correct even inherited faults there.
    label = f"{folders[0].name}/{name}"
    having_it = [path for path in paths if path.is_file()]
    if not having_it:
        if needed:
            faults.append(f"{label}: is missing")
        return File(label, faults if needed else [], {}, {})
    contents = [_parse_file(path, faults) for path in having_it]
    own = contents[0] if having_it[0] == folders[0] / name else {}
    merged: Fields = {}
    for path, content in reversed([*zip(having_it, contents, strict=True)]):
        expands = path.with_name(EXPANSION).is_file()
        merged = merge_tables(merged, _merge_entries(merged, content) if expands else content)
    return File(label, faults, merged, own)


def _merge_entries(below: Fields, above: Fields) -> Fields:
    """Return an expansion's content after merging its lists of tables with the box's lists, by id.

    So an expansion adds cards and topics to the box, whereas a variant's own list replaces that of
    its base.
    """
    return above | {
        key: _merge_by_id(below.get(key, []), entries)
        for key, entries in above.items()
        if isinstance(entries, list)
    }


def _merge_by_id(below: list[Any], above: list[Any]) -> list[Any]:
    if not all(isinstance(entry, dict) and "id" in entry for entry in (*below, *above)):
        return above
    merged: dict[object, Fields] = {}
    for entry in (*below, *above):
        merged[entry["id"]] = merge_tables(merged.get(entry["id"], {}), entry)
    return [*merged.values()]


def _parse_file(path: Path, faults: list[str]) -> Fields:
    """Return the content of a file, or an empty table if it doesn't exist.

    If it can't be read or is too large, records faults and returns an empty table.
    """
    label = f"{path.parent.name}/{path.name}"
    try:
        content, too_large = _parse_text(read_text(path))
    except FileNotFoundError:
        return {}
    except RecursionError:
        faults.append(f"{label}: can't be read: it lies too deep")
        return {}
    except (ValueError, OSError) as error:
        faults.append(f"{label}: can't be read: {error}")
        return {}
    faults += [f"{label}: {place}: {why}" for place, why in too_large]
    return {} if too_large else content


@lru_cache(32)
def _parse_text(text: str) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return the content of a file, and the places in it that exceed a limit.

    The result is cached, because every variant with the same base reads the base's files again.
    """
    content = tomllib.loads(text)
    return content, [*oversized_places(content)]


def read_text(path: Path) -> str:
    """Return a file's text.

    Raises ``ValueError`` if the text isn't UTF-8, or if parsing it could take long because it is
    too large or has too many dots in a key.
    """
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"it has more than {MOST_BYTES // 1024} kB")
    text = decode(content)
    if any(line.count(".") > MOST_DOTS for line in _NO_KEY.sub("", text).splitlines()):
        raise ValueError(f"a key has more than {MOST_DOTS} dots")
    return text


def decode(content: bytes) -> str:
    """Return a file's text; raises ``ValueError`` if it isn't UTF-8."""
    return strip_byte_order_mark(content).decode("utf-8")


def strip_byte_order_mark(content: bytes) -> bytes:
    """Return UTF-8 text without a byte order mark.

    Raises ``ValueError`` for another encoding, with its name.
    """
    encoding = json.detect_encoding(content)
    if not encoding.startswith("utf-8"):
        raise ValueError(f"it is written in {encoding[:6].upper()}: save it as UTF-8")
    return content.removeprefix(codecs.BOM_UTF8)


def merge_tables(below: Fields, above: Fields) -> Fields:
    """Merge two tables recursively; any other value in ``above`` replaces the one in ``below``."""
    merged = {
        key: merge_tables(below[key], above[key])
        for key in below.keys() & above.keys()
        if isinstance(below[key], dict) and isinstance(above[key], dict)
    }
    return below | above | merged


# sections whose entries are different in every language; they don't count in the translated share
OWN_WORDS = ("small", "search", "words")
NO_WORDS = {MAIN, EXPANSION, "rulings.toml", "editions.toml"}  # the files without texts


def language_shares(folder: Path) -> str:
    """Return how much of a variant is translated into each language, for example ``de 62%, en
    100%``."""
    folders = base_folders(folder, [])
    names = sorted({path.name for base in folders for path in list_files(base)})
    keys_by_language = {
        name.removesuffix(".toml"): set(_list_text_keys(open_layered(name, folders, []).content))
        for name in names
        if name not in NO_WORDS
    }
    return format_shares(keys_by_language)


def format_shares(keys_by_language: Mapping[str, set[str]]) -> str:
    """Return the share of the English texts that each language translates, for example ``de 62%, en
    100%``."""
    english = keys_by_language.get("en", set())
    shares = {
        code: 100 * len(keys & english) // max(1, len(english))
        for code, keys in keys_by_language.items()
    }
    return ", ".join(f"{code} {percent}%" for code, percent in sorted(shares.items()))


def _list_text_keys(content: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """Yield the dotted keys of all texts, except those in the sections ``OWN_WORDS``."""
    for key, value in content.items():
        if key in OWN_WORDS and not above:
            continue
        if isinstance(value, dict):
            yield from _list_text_keys(value, f"{above}{key}.")
        else:
            yield f"{above}{key}"
