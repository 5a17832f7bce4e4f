"""A variant's files while they are checked, each laid over those of the variant that it is like."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct


class File(Struct, frozen=True):
    """One file while it is checked; ``own``: what it says itself, without what it is ``like``."""

    name: str
    faults: list[str]
    content: dict[str, Any]
    own: dict[str, Any]

    def fault(self, place: str, why: str) -> None:
        """Notes what is wrong at this place."""
        self.faults.append(f"{self.name}: {place}: {why}")

    def read(self, key: str, kind: Any) -> Any:
        """The value at ``key``, checked; ``None`` and a fault when it is wrong."""
        if key not in self.content:
            self.fault(key, "is missing")
            return None
        return self.checked(key, self.content[key], kind)

    def checked(self, place: str, value: Any, kind: Any) -> Any:
        """The value as what it must be; ``None`` and a fault when it is wrong."""
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            why, _, where = str(error).partition(" - at `$")
            self.fault(place + where.rstrip("`"), why)
            return None

    def listed(self, key: str, kind: Any) -> tuple[Any, ...]:
        """The list at ``key``, each of it checked; what is wrong is left out."""
        entries = self.content.get(key, [])
        found = [self.checked(f"{key}[{i}]", entry, kind) for i, entry in enumerate(entries)]
        return tuple(one for one in found if one is not None)

    def section(self, key: str, wanted: Iterable[str]) -> dict[str, Any]:
        """The table at ``key`` with these keys, and no others; what it is like may have more."""
        found, own = self.content.get(key, {}), self.own.get(key, {})
        same_keys(self, key, found.keys() & {*own, *wanted}, wanted)
        return {name: value for name, value in found.items() if name in set(wanted)}


def same_keys(file: File, place: str, found: Iterable[str], wanted: Iterable[str]) -> None:
    """A fault for each key too many and each that is missing."""
    for key in sorted(set(found) - set(wanted)):
        file.fault(f"{place}.{key}", "is not known")
    for key in sorted(set(wanted) - set(found)):
        file.fault(f"{place}.{key}", "is missing")


def likenesses(folder: Path, faults: list[str]) -> list[Path]:
    """The folder, the one that it is like, the one that that is like, and so on."""
    found = [folder]
    while like := _parsed(found[-1] / "variant.toml", []).get("like"):
        other = folder.parent / str(like)
        if other in found or not (other / "variant.toml").is_file():
            why = "it is like itself" if other in found else f"there is no variant {like!r}"
            faults.append(f"{found[-1].name}/variant.toml: like: {why}")
            break
        found.append(other)
    return found


def opened(name: str, folders: list[Path], faults: list[str], needed: bool = True) -> File:
    """The file, laid over those of the variants that it is like."""
    there = [folder for folder in folders if (folder / name).is_file()]
    shown = f"{(there or folders)[0].name}/{name}"
    if not there:
        if needed:
            faults.append(f"{shown}: is missing")
        return File(shown, faults if needed else [], {}, {})
    content: dict[str, Any] = {}
    for folder in reversed(there):
        content = _laid_over(content, _parsed(folder / name, faults))
    own = _parsed(folders[0] / name, []) if there[0] == folders[0] else {}
    return File(shown, faults, content, own)


def _parsed(path: Path, faults: list[str]) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        faults.append(f"{path.parent.name}/{path.name}: can't be read: {error}")
        return {}


def _laid_over(below: Any, above: Any) -> Any:
    """Tables are laid over each other key by key, anything else replaces what was there."""
    if not (isinstance(below, dict) and isinstance(above, dict)):
        return above
    both = {key: _laid_over(below[key], above[key]) for key in below.keys() & above.keys()}
    return below | above | both
