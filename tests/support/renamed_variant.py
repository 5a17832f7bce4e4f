"""Variants for tests: copies of the program's own variants in which every card has another id.

Code that recognises a card by its id instead of its effect can't play them.
"""

import re
import shutil
from pathlib import Path

from tests.support.paths import ROOT

VARIANTS = ROOT / "variants"

RENAMED = {
    "kitten": "constructor",
    "defuse": "to_string",
    "see_future": "value_of",
    "favor": "has_own_property",
    "nope": "length",
    "shuffle": "name",
    "skip": "prototype",
}
"""New ids. Each is also the name of a property of every JavaScript object."""

LARGER = {"rows = 2": "rows = 3", "put_away = 4": "put_away = 2", "hand = 4": "hand = 3"}
LARGER["grid = 5"] = "grid = 8"
"""Changes that give a 3×3 grid with eight cards, and a smaller hand."""


def rename_ids(variants: Path, *, larger: bool = False) -> Path:
    """Write the variant ``house`` into this folder, with other card ids and, if ``larger``, a
    larger grid."""
    folder = Path(shutil.copytree(VARIANTS / "quarantined", variants / "house"))
    for file in folder.glob("*.toml"):
        text = file.read_text("utf-8")
        for old, new in RENAMED.items():
            text = text.replace(f'[[cards]]\nid = "{old}"', f'[[cards]]\nid = "{new}"')
            text = re.sub(rf"(?m)^(\[cards\.){old}\]$", rf"\1{new}]", text)
            if file.name == "editions.toml":
                text = re.sub(rf"(?m)^{old} = ", f"{new} = ", text)
        if file.name == "variant.toml":
            text = text.replace('id = "quarantined"', 'id = "house"')
            for old, new in LARGER.items() if larger else ():
                assert old in text, old
                text = text.replace(old, new)
        file.write_text(text, "utf-8")
    return folder


def retitle(folder: Path) -> dict[str, set[str]]:
    """Replace every card title of a variant. Returns the old titles, by language."""
    old: dict[str, set[str]] = {}
    for file in folder.glob("??.toml"):
        titles = old.setdefault(file.stem, set())

        def replace_title(match: re.Match[str], titles: set[str] = titles) -> str:
            titles.add(re.sub(r" \(.*", "", match[2]))
            return f'{match[1]}"Zonk {len(titles)}"'

        text = file.read_text("utf-8")
        text = re.sub(r'(?m)^(\[cards\.\w+\]\ntitle = )"(.+)"$', replace_title, text)
        file.write_text(text, "utf-8")
    return old


def copy_with_renamed_boxes(variants: Path) -> None:
    """Copy all variants into this folder, and give the cards of the classic boxes other ids."""
    shutil.copytree(VARIANTS, variants)
    for folder in variants.iterdir():
        if folder.name.startswith(("party", "original", "imploding")):
            rename_box_ids(folder)


def rename_box_ids(folder: Path) -> dict[str, str]:
    """Give every card of a box another id. Returns the new ids, by old id."""
    text = "".join(file.read_text("utf-8") for file in folder.glob("*.toml"))
    new = {id: f"my_{id}" for id in re.findall(r'\[\[cards\]\]\nid = "(\w+)"', text)}
    for file in folder.glob("*.toml"):
        text = file.read_text("utf-8")
        text = re.sub(r'(\[\[cards\]\]\nid = ")(\w+)"', r'\1my_\2"', text)
        text = re.sub(r"(?m)^(\[cards\.)(\w+)\]$", r"\1my_\2]", text)
        file.write_text(text, "utf-8")
    return new


def write_renumbered_box(variants: Path) -> Path:
    """Write the variant ``house``, a classic box in which every number and switch is changed."""
    folder = Path(shutil.copytree(VARIANTS / "party-120", variants / "house"))
    text = (folder / "variant.toml").read_text("utf-8")
    for old, new in (
        ('id = "party-120"', 'id = "house"'),
        ("\nhand = 7", "\nhand = 9"),
        ('extra_defuses = "before"', 'extra_defuses = "after"'),
        ("attack_stacks = true", "attack_stacks = false"),
        ('combos = ["pair", "triple"]', 'combos = ["pair", "triple", "five"]'),
        ("least = 2\nmost = 10\n\n[window]", "least = 3\nmost = 9\n\n[window]"),
        ("least = 3\nmost = 30\nseconds = 8", "least = 4\nmost = 40\nseconds = 12"),
        ("least = 2\nmost = 3\npaw", "least = 3\nmost = 5\npaw"),
        ("least = 4\nmost = 7", "least = 6\nmost = 8"),
        ("least = 8\nmost = 10", "least = 9\nmost = 9"),
        ("hand = 4\n", "hand = 5\n"),
        ("nope = 14, favor = 10", "nope = 16, favor = 13"),
        ("defuse = 12", "defuse = 14"),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    text = re.sub(r"(?m)^paw = ([1-9]\d*)", lambda match: f"paw = {int(match[1]) + 3}", text)
    text = re.sub(r"(?m)^plain = (\d+)", lambda match: f"plain = {int(match[1]) + 5}", text)
    (folder / "variant.toml").write_text(text, "utf-8")
    for file in folder.glob("??.toml"):
        text = file.read_text("utf-8")
        text = re.sub(r'(?m)\A(title = ").*"$', r'\1Classic: Zonk"', text)
        file.write_text(text, "utf-8")
    return folder
