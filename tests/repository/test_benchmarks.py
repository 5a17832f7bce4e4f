"""Tests and benchmarks don't import each other. What both need is in ``tests.support``."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.paths import ROOT

IMPORT = re.compile(r"(?m)^\s*(?:from|import) ((?:tests|tools)[\w.]*)(?: import (\w+))?")
BENCHMARKS = ROOT / "tools" / "benchmarks"


def list_imports(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield each module of ours that a file in the folder imports, with the file's name."""
    for file in folder.rglob("*.py"):
        for match in IMPORT.finditer(file.read_text("utf-8")):
            yield file.name, ".".join(filter(None, match.groups()))


def test_no_test_imports_a_benchmark() -> None:
    imports = [*list_imports(ROOT / "tests")]
    assert imports
    assert not [pair for pair in imports if pair[1].startswith("tools.benchmarks")]


def test_benchmarks_import_nothing_of_tests_but_their_support() -> None:
    imports = [module for _, module in list_imports(BENCHMARKS)]
    assert imports
    assert all(module.startswith("tests.support.") for module in imports), imports


def test_pages_cite_every_benchmark() -> None:
    """A benchmark that no page of docs/ mentions has no use, so delete it."""
    pages = "".join(page.read_text("utf-8") for page in (ROOT / "docs").glob("*.md"))
    names = {file.stem for file in BENCHMARKS.glob("*.py")}
    assert names
    assert {name for name in names if f"tools.benchmarks.{name}" not in pages} == set()
