"""A variant's files while they are checked: each laid over those of the variant that it is like."""

import codecs
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from companion.adapters.msgspec import misfit
from companion.rules.core.limits import Fields, oversized_places

T = TypeVar("T")

MOST_BYTES = 128 * 1024  # of a file: the longest of those that come along has a third of that
MOST_IN_ALL = 4 * MOST_BYTES  # of a variant and those that it is like; a small one counts as LEAST
LEAST = 5000
MOST_LETTERS = 64  # of a folder's name
MOST_DOTS = 8  # in a line's keys: one of very many parts takes the reader of TOML hours
_NO_KEY = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL
)
"""Texts and comments."""


LANGUAGE = re.compile(r"[a-z]{2,8}")
"""A language's code, as files are called by it."""


class File(Struct, frozen=True):
    """One file while it is checked; ``own``: what it says itself, without what it is ``like``."""

    name: str
    faults: list[str]
    content: Fields
    own: Fields

    def fault(self, place: str, why: str) -> None:
        self.faults.append(f"{self.name}: {place}: {why}")

    def get(self, key: str, kind: object) -> Any:
        """The value at ``key``, checked; ``None`` and a fault when it is wrong."""
        if key not in self.content:
            self.fault(key, "is missing")
            return None
        return self.convert(key, self.content[key], kind)

    def convert(self, place: str, value: object, kind: Any) -> Any:
        """The value as what it must be; ``None`` and a fault when it is wrong."""
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            why, at, _ = misfit(error)
            self.fault(place + at, why)
            return None

    def get_list(self, key: str, kind: type[T]) -> tuple[T, ...]:
        """The list at ``key``, each of it checked; what is wrong is left out."""
        entries = self.get_or_default(key, list)
        found = [self.convert(f"{key}[{i}]", entry, kind) for i, entry in enumerate(entries)]
        return tuple(one for one in found if one is not None)

    def section(self, key: str, wanted: Iterable[str]) -> Fields:
        """The table at ``key`` with these keys, and no others; what it is like may have more."""
        found = self.get_or_default(key, dict)
        own = self.get_or_default(key, dict, own=True)
        same_keys(self, key, found.keys() & {*own, *wanted}, wanted)
        return {name: value for name, value in found.items() if name in set(wanted)}

    def get_or_default(self, key: str, kind: type[T], *, own: bool = False) -> T:
        """The table (``dict``) or list at ``key``; an empty one where there is something else."""
        found = (self.own if own else self.content).get(key, kind())
        if isinstance(found, kind):
            return found
        self.fault(key, f"must be a {'table' if kind is dict else 'list'}")
        return kind()


def same_keys(file: File, place: str, found: Iterable[str], wanted: Iterable[str]) -> None:
    """A fault for each key too many and each that is missing."""
    for key in sorted(set(found) - set(wanted)):
        file.fault(f"{place}.{key}", "is not known")
    for key in sorted(set(wanted) - set(found)):
        file.fault(f"{place}.{key}", "is missing")


def base_folders(folder: Path, faults: list[str]) -> list[Path]:
    """The folder, the one that it is like, the one that that is like, and so on. Too many bytes in
    them are a fault, and then there are none."""
    found = [folder]
    size = _size(folder)
    while like := _parse_file(found[-1] / "variant.toml", []).get("like"):
        other = folder.parent / str(like)[:MOST_LETTERS]
        if other in found or not is_variant(folder.parent, like):
            why = "it is like itself" if other in found else f"there is no variant {like!r}"
            faults.append(f"{found[-1].name}/variant.toml: like: {why}")
            break
        found.append(other)
        size += _size(other)
        if size > MOST_IN_ALL:
            break
    if size > MOST_IN_ALL:
        faults.append(f"{folder.name}: its files have more than {MOST_IN_ALL // 1024} kB")
        return []
    return found


def is_variant(folder: Path, name: object) -> bool:
    there = folder / str(name)[:MOST_LETTERS]
    return name == there.name and (there / "variant.toml").is_file()


def _size(folder: Path) -> int:
    """The bytes of a folder's files, none counted as less than ``LEAST``."""
    return sum(max(LEAST, path.stat().st_size) for path in listed(folder) if path.is_file())


def listed(folder: Path, pattern: str = "*.toml") -> list[Path]:
    """Returns the folder's files, sorted, without those that systems add unseen (``._en.toml``)."""
    return sorted(path for path in folder.glob(pattern) if not path.name.startswith("."))


def misnamed(language: Path) -> str | None:
    """Returns what is wrong with the name of a language's file; ``None``: nothing is."""
    if LANGUAGE.fullmatch(language.stem):
        return None
    code = LANGUAGE.match(language.stem.lower())
    name = f"{code[0] if code else 'en'}{language.suffix}"
    return f"no language is called so: name it by its code alone, as {name}, or take it away"


def open_layered(name: str, folders: list[Path], faults: list[str], needed: bool = True) -> File:
    """The file, laid over those of the variants that it is like."""
    there = [folder for folder in folders if (folder / name).is_file()]
    shown = f"{folders[0].name}/{name}"  # where it is mended, whoever's it is
    if not there:
        if needed:
            faults.append(f"{shown}: is missing")
        return File(shown, faults if needed else [], {}, {})
    said = [_parse_file(folder / name, faults) for folder in there]
    own = said[0] if there[0] == folders[0] else {}
    return File(shown, faults, reduce(merge, reversed(said)), own)


def _parse_file(path: Path, faults: list[str]) -> Fields:
    """What the file says; nothing, and a fault for whatever keeps it from being read."""
    shown = f"{path.parent.name}/{path.name}"
    try:
        said, beyond = _parse_text(read_text(path))
    except FileNotFoundError:
        return {}
    except RecursionError:
        faults.append(f"{shown}: can't be read: it lies too deep")
        return {}
    except (ValueError, OSError) as error:
        faults.append(f"{shown}: can't be read: {error}")
        return {}
    faults += [f"{shown}: {place}: {why}" for place, why in beyond]
    return {} if beyond else said


@lru_cache(32)
def _parse_text(text: str) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """What a file says, and where it is too large; kept, for variants that are like it read it."""
    content = tomllib.loads(text)
    return content, [*oversized_places(content)]


def read_text(path: Path) -> str:
    """A file's text; raises ``ValueError`` where reading it would take long."""
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"it has more than {MOST_BYTES // 1024} kB")
    text = decode(content)
    if any(line.count(".") > MOST_DOTS for line in _NO_KEY.sub("", text).splitlines()):
        raise ValueError(f"a key has more than {MOST_DOTS} dots")
    return text


def decode(content: bytes) -> str:
    """Returns a file's text; raises ``ValueError`` where it is no UTF-8."""
    return without_mark(content).decode("utf-8")


def without_mark(content: bytes) -> bytes:
    """Returns UTF-8 without the mark that some programs put before it; raises ``ValueError`` with
    the name of another encoding."""
    encoding = json.detect_encoding(content)
    if not encoding.startswith("utf-8"):
        raise ValueError(f"it is written in {encoding[:6].upper()}: save it as UTF-8")
    return content.removeprefix(codecs.BOM_UTF8)


def merge(below: Fields, above: Fields) -> Fields:
    """Tables are laid over each other key by key, anything else replaces what was there."""
    both = {
        key: merge(below[key], above[key])
        for key in below.keys() & above.keys()
        if isinstance(below[key], dict) and isinstance(above[key], dict)
    }
    return below | above | both


OWN_WORDS = (
    "small",
    "search",
    "words",
)  # the sections of a language that mean nothing in another one
NO_WORDS = {"variant.toml", "rulings.toml", "editions.toml"}


def shares(folder: Path) -> str:
    """How much of what the variant says in English each of its languages says."""
    folders = base_folders(folder, [])
    names = sorted({path.name for place in folders for path in listed(place)})
    said = {
        name.removesuffix(".toml"): set(_leaves(open_layered(name, folders, []).content))
        for name in names
        if name not in NO_WORDS
    }
    return share(said)


def share(said: Mapping[str, set[str]]) -> str:
    """Of English's sentences, by their keys, as many as each language has: in whole percent."""
    whole = said.get("en", set())
    shares = {code: 100 * len(own & whole) // max(1, len(whole)) for code, own in said.items()}
    return ", ".join(f"{code} {percent}%" for code, percent in sorted(shares.items()))


def _leaves(content: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for key, value in content.items():
        if key in OWN_WORDS and not above:
            continue
        if isinstance(value, dict):
            yield from _leaves(value, f"{above}{key}.")
        else:
            yield f"{above}{key}"
