"""The panel's rooms: core is what any card game at a table has; shell frames it; families.

A module imports from its own room or one below; families know nothing of each other.
``families.js`` joins them, and the pages' entries put everything together.
"""

import os
import re
from pathlib import Path

import pytest

STATIC = Path(__file__).parent.parent / "static"
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
    "table": {"families", "shell", "core"},
    "replay": {"families", "shell", "core", "art"},
}
"""Room → those it may import from, besides itself; a page's entry is a room of one module."""

IMPORT = re.compile(r"""(?:\bfrom\s+|\bimport\s*\(?\s*|\bexport\s.+?\bfrom\s+)["'](\.[^"']+)["']""")
GRIDS = re.compile(r"\b(?:cells?|grids?|instruct\w*)\b|[.\"]told\b", re.IGNORECASE)
"""Words that only a draw grid needs."""


def room(module: Path) -> str:
    """Return the room of a module: a folder of static/js/, art, or a page's entry."""
    parts = module.relative_to(STATIC).parts
    if parts[0] == "js":
        return parts[1].removesuffix(".js")
    return parts[0]


def imports(module: Path) -> set[Path]:
    found = IMPORT.findall(module.read_text("utf-8"))
    return {Path(os.path.normpath(module.parent / name)) for name in found}


def test_every_module_stands_in_a_room() -> None:
    assert {room(module) for module in MODULES} - {"pile"} == MAY_IMPORT.keys() - {"pile"}


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(STATIC)))
def test_imports_point_down(module: Path) -> None:
    here = room(module)
    wrong = {
        str(other.relative_to(STATIC))
        for other in imports(module)
        if "vendor" not in other.parts and room(other) not in {here, *MAY_IMPORT[here]}
    }
    assert not wrong, f"{here} must not know of {wrong}"


def test_no_circle() -> None:
    known = {module: imports(module) for module in MODULES}
    below: set[Path] = set()
    while ready := {
        module for module, others in known.items() if not others & known.keys() - below
    }:
        below |= ready
        known = {module: others for module, others in known.items() if module not in ready}
    assert not known


@pytest.mark.parametrize("where", ["core", "shell"])
def test_shared_code_has_no_word_for_grids(where: str) -> None:
    found = {
        f"{module.name}: {word}"
        for module in MODULES
        if room(module) == where
        for word in GRIDS.findall(module.read_text("utf-8"))
    }
    assert not found


def test_lines_are_as_wide_as_one_reads() -> None:
    """A template is broken as HTML is, a type stands above the function."""
    sources = [*(STATIC / "js").rglob("*.js"), *STATIC.glob("css/*.css")]
    wide = {
        f"{path.name}:{number}"
        for path in sources
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > 110
    }
    assert not wide


def test_a_familys_sheet_dresses_nothing_of_anybody_elses() -> None:
    """By a class alone: a rule for ``.tile .known`` is fine."""
    sheets = "".join(path.read_text("utf-8") for path in (STATIC / "css").glob("pile*.css"))
    own = set(re.findall(r"^ *\.([\w-]+) \{", sheets, re.M))
    others = [path.read_text("utf-8") for path in MODULES if room(path) not in FAMILIES]
    worn = {
        name
        for text in others
        for classes in re.findall(r'class="([^"]*)"', text)
        for name in re.sub(r"\$\{[^}]*\}", " ", classes).split()
    }
    assert {"pile-end", "odds-reach"} <= own and {"ring-name", "reach"} <= worn
    assert not own & worn


def test_no_sheet_dresses_what_another_one_has_a_look_for() -> None:
    """A late style sheet stays once it is loaded: a bare ``.looked`` in it would also apply to
    another sheet's ``.cell.looked``."""
    sheets = {
        path.stem: path.read_text("utf-8")
        for path in (STATIC / "css").glob("*.css")
        if not path.stem.startswith("pile")
    }
    alone = {stem: {*re.findall(r"^\.([\w-]+) \{", text, re.M)} for stem, text in sheets.items()}
    beside = {stem: {*re.findall(r"\.[\w-]+\.([\w-]+)", text)} for stem, text in sheets.items()}
    meant = alone["base"] | {"play", "dock"}
    assert {"soft"} <= meant and {"looked", "many"} <= beside["cards"] | beside["stage"]
    found = {
        (one, stem, name)
        for stem, names in alone.items()
        for one, others in beside.items()
        for name in (names & others) - meant - alone[one]
    }
    assert not found


EXPORTED = re.compile(r"^export (?:async )?(?:const|function\*?|class) (\w+)", re.M)
WORD = re.compile(r"[A-Za-z][\w-]*")


def words(text: str) -> set[str]:
    return set(WORD.findall(text))


def test_every_export_is_used() -> None:
    """A module that imports it, one that has it of another (``keeper.forget``), or a test."""
    texts = {module: module.read_text("utf-8") for module in MODULES}
    users = {module: imports(module) for module in MODULES}
    tests = [path.read_text("utf-8") for path in Path(__file__).parent.rglob("*.js")]
    members = words(" ".join(re.findall(r"\.\w+", "".join(texts.values()))))
    unused = set()
    for module, text in texts.items():
        near = [texts[other] for other in texts if module in users[other]]
        near += [test for test in tests if f"/{module.name}" in test]
        asked = members.union(*map(words, near))
        unused |= {f"{module.name}: {name}" for name in EXPORTED.findall(text) if name not in asked}
    assert not unused


def test_every_style_is_worn_and_every_value_used() -> None:
    """A class stands in a module or a page, or begins as one that is put together does."""
    sheets = "".join(path.read_text("utf-8") for path in STATIC.glob("*/*.css"))
    sheets = re.sub(r"/\*.*?\*/", "", sheets, flags=re.S)
    worn = "".join(path.read_text("utf-8") for path in [*MODULES, *STATIC.glob("*.html")])
    begun = tuple(re.findall(r"([A-Za-z-][\w-]*-)\$\{", worn))
    selectors = re.sub(r'\{[^{}]*\}|"[^"]*"', " ", sheets)
    classes = set(re.findall(r"\.([A-Za-z][\w-]*)", selectors)) - words(worn)
    assert not {name for name in classes if not name.startswith(begun)}
    values = set(re.findall(r"(--[\w-]+):", sheets)) - set(re.findall(r"--[\w-]+", worn))
    values -= set(re.findall(r"var\((--[\w-]+)", sheets))
    assert not {name for name in values if not name.startswith(begun)}
