"""Tests for the layers of the panel.

The lowest layer, core, works for any card game. Above it are the shell and then the families. A
module imports only from its own layer or a lower one, and no family imports another.
``families.js`` joins them, and the entry module of each page puts everything together.
"""

import os
import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT

STATIC = ROOT / "static"
MODULES = [path for path in (STATIC / "js").rglob("*.*s") if path.suffix in {".js", ".ts"}]
MODULES += STATIC.glob("art/**/*.js")
FAMILIES = {"grid", "pile"}
MAY_IMPORT = {
    "art": set[str](),
    "core": {"art"},
    "shell": {"core", "art"},
    **{family: {"shell", "core", "art"} for family in FAMILIES},
    "families": {"core", *FAMILIES},
    "home": {"shell", "core", "art"},
    "room": {"shell", "core", "art"},
    "table": {"families", "shell", "core"},
    "replay": {"families", "shell", "core", "art"},
}
"""The layers from which each layer may import. The entry modules of the pages are a layer, too."""

IMPORT = re.compile(r"""(?:\bfrom\s+|\bimport\s*\(?\s*|\bexport\s.+?\bfrom\s+)["'](\.[^"']+)["']""")
GRID_WORDS = re.compile(r"\b(?:cells?|grids?|instruct\w*)\b|[.\"]told\b", re.IGNORECASE)
"""Words that only the code of the draw grid needs."""


def find_room(module: Path) -> str:
    """Return the layer of a module: its folder in static/js/, art, or the entry of a page."""
    parts = module.relative_to(STATIC).parts
    if parts[0] == "js":
        return parts[1].removesuffix(".js")
    return parts[0]


def find_imports(module: Path) -> set[Path]:
    names = IMPORT.findall(module.read_text("utf-8"))
    return {Path(os.path.normpath(module.parent / name)) for name in names}


def test_every_module_stands_in_a_room() -> None:
    assert {find_room(module) for module in MODULES} - {"pile"} == MAY_IMPORT.keys() - {"pile"}


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(STATIC)))
def test_imports_point_down(module: Path) -> None:
    own_room = find_room(module)
    forbidden = {
        str(target.relative_to(STATIC))
        for target in find_imports(module)
        if "vendor" not in target.parts
        and find_room(target) not in {own_room, *MAY_IMPORT[own_room]}
    }
    assert not forbidden, f"{own_room} must not know of {forbidden}"


def test_no_imports_form_a_circle() -> None:
    remaining = {module: find_imports(module) for module in MODULES}
    loaded: set[Path] = set()
    while ready := {
        module for module, imported in remaining.items() if not imported & remaining.keys() - loaded
    }:
        loaded |= ready
        remaining = {
            module: imported for module, imported in remaining.items() if module not in ready
        }
    assert not remaining


@pytest.mark.parametrize("shared_room", ["core", "shell"])
def test_shared_code_has_no_word_for_grids(shared_room: str) -> None:
    uses = {
        f"{module.name}: {word}"
        for module in MODULES
        if find_room(module) == shared_room
        for word in GRID_WORDS.findall(module.read_text("utf-8"))
    }
    assert not uses


def test_lines_are_as_wide_as_one_reads() -> None:
    sources = [*(STATIC / "js").rglob("*.js"), *STATIC.glob("css/*.css")]
    long_lines = {
        f"{path.name}:{number}"
        for path in sources
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > 110
    }
    assert not long_lines


def test_a_familys_sheet_dresses_nothing_of_anybody_elses() -> None:
    """A rule for a single class, such as ``.known``, is a fault.

    A rule such as ``.tile .known`` is allowed.
    """
    sheets = "".join(path.read_text("utf-8") for path in (STATIC / "css").glob("pile*.css"))
    classes = set(re.findall(r"^ *\.([\w-]+) \{", sheets, re.M))
    others = [path.read_text("utf-8") for path in MODULES if find_room(path) not in FAMILIES]
    other_classes = {
        name
        for text in others
        for classes in re.findall(r'class="([^"]*)"', text)
        for name in re.sub(r"\$\{[^}]*\}", " ", classes).split()
    }
    assert {"pile-end", "odds-reach"} <= classes and {"ring-name", "reach"} <= other_classes
    assert not classes & other_classes


def test_no_sheet_dresses_what_another_one_has_a_look_for() -> None:
    """A style sheet that is loaded late is never unloaded. Its rule for ``.looked`` alone would
    from then on also change elements with the classes ``.cell.looked`` of another sheet."""
    sheets = {
        path.stem: path.read_text("utf-8")
        for path in (STATIC / "css").glob("*.css")
        if not path.stem.startswith("pile")
    }
    single = {stem: {*re.findall(r"^\.([\w-]+) \{", text, re.M)} for stem, text in sheets.items()}
    combined = {stem: {*re.findall(r"\.[\w-]+\.([\w-]+)", text)} for stem, text in sheets.items()}
    allowed = single["base"] | {"play", "dock"}
    assert {"soft"} <= allowed and {"looked", "many"} <= combined["cards"] | combined["stage"]
    clashes = {
        (other_stem, stem, name)
        for stem, names in single.items()
        for other_stem, others in combined.items()
        for name in (names & others) - allowed - single[other_stem]
    }
    assert not clashes


EXPORTED = re.compile(r"^export (?:async )?(?:const|function\*?|class) (\w+)", re.M)
WORD = re.compile(r"[A-Za-z][\w-]*")


def find_words(text: str) -> set[str]:
    return set(WORD.findall(text))


def test_every_export_is_used() -> None:
    """A function is used if another module imports it or calls it as ``keeper.forget``, or a test
    does."""
    texts = {module: module.read_text("utf-8") for module in MODULES}
    users = {module: find_imports(module) for module in MODULES}
    tests = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.js")]
    members = find_words(" ".join(re.findall(r"\.\w+", "".join(texts.values()))))
    unused = set()
    for module, text in texts.items():
        importers = [texts[other] for other in texts if module in users[other]]
        importers += [test for test in tests if f"/{module.name}" in test]
        used_words = members.union(*map(find_words, importers))
        unused |= {
            f"{module.name}: {name}" for name in EXPORTED.findall(text) if name not in used_words
        }
    assert not unused


def test_every_style_is_worn_and_every_value_used() -> None:
    """A class is used if a module or page contains its name, or a prefix to which a module adds the
    rest."""
    sheets = "".join(path.read_text("utf-8") for path in STATIC.glob("*/*.css"))
    sheets = re.sub(r"/\*.*?\*/", "", sheets, flags=re.S)
    markup = "".join(path.read_text("utf-8") for path in [*MODULES, *STATIC.glob("*.html")])
    prefixes = tuple(re.findall(r"([A-Za-z-][\w-]*-)\$\{", markup))
    selectors = re.sub(r'\{[^{}]*\}|"[^"]*"', " ", sheets)
    classes = set(re.findall(r"\.([A-Za-z][\w-]*)", selectors)) - find_words(markup)
    assert not {name for name in classes if not name.startswith(prefixes)}
    values = set(re.findall(r"(--[\w-]+):", sheets)) - set(re.findall(r"--[\w-]+", markup))
    values -= set(re.findall(r"var\((--[\w-]+)", sheets))
    assert not {name for name in values if not name.startswith(prefixes)}
