"""The documents describe the program as it is."""

import re
import runpy
import tomllib
from pathlib import Path

import yaml

from companion.cli import serve

DOCS = Path(__file__).parent.parent / "docs"


def test_the_table_of_steps_is_the_referees_own() -> None:
    written = runpy.run_path(str(DOCS / "steps.py"))["text"]()
    assert (DOCS / "steps.md").read_text("utf-8") == written, "run `python docs/steps.py`"


def test_docs_settings_lists_every_setting() -> None:
    page = (DOCS / "settings.md").read_text("utf-8")
    for option in serve.params:
        names = [
            *option.opts,
            *([option.envvar] if isinstance(option.envvar, str) else option.envvar),
        ]
        for name in names:
            assert f"`{name}`" in page, f"docs/settings.md lacks {name}"


def test_every_python_that_is_named_runs_the_tests() -> None:
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))["project"]
    named = [one.rpartition(" ")[2] for one in project["classifiers"] if ":: Python :: 3." in one]
    workflow = (DOCS.parent / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    run = yaml.safe_load(workflow)["jobs"]["tests"]["strategy"]["matrix"]["python"]
    assert named and named == run and f">={named[0]}" == project["requires-python"]


def test_every_place_that_the_documents_name_is_there() -> None:
    root = DOCS.parent
    for page in ("docs/architecture.md", "docs/index.md", "docs/running.md", "CONTRIBUTING.md"):
        text = (root / page).read_text("utf-8")
        named = re.findall(r"`((?:companion|static|tests|variants|docs)/[\w./-]*)`", text)
        linked = re.findall(r"\]\(([^)#:]+)\)", text)
        assert named or linked, page
        for place in named:
            assert (root / place).exists(), f"{page} names {place}"
        for place in linked:
            assert ((root / page).parent / place).exists(), f"{page} links to {place}"


def test_the_index_names_every_page() -> None:
    index = (DOCS / "index.md").read_text("utf-8")
    missing = [page.name for page in DOCS.glob("*.md") if page.name not in ("index.md",)
               and f"({page.name})" not in index]  # fmt: skip
    assert not missing


def test_the_house_has_at_most_sixteen_rooms_on_seven_floors_and_the_page_shows_them() -> None:
    settings = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    top = next(one for one in contracts if one.get("containers") == ["companion"])
    floors = [[room.strip() for room in floor.split(":")] for floor in top["layers"]]
    rooms = [room for floor in floors for room in floor]
    assert top["exhaustive"]
    assert len(floors) <= 7
    assert len(rooms) <= 16
    page = (DOCS / "architecture.md").read_text("utf-8")
    for number, floor in enumerate(floors, 1):
        for room in floor:
            assert re.search(rf"\| {number} \| `companion/{room}(\.py|/)` \|", page), room


def test_every_module_stands_in_a_contract() -> None:
    settings = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    held = {c for one in contracts if one.get("exhaustive") for c in one["containers"]}
    package = DOCS.parent / "companion"
    for room in {path.parent for path in package.rglob("*.py")}:
        modules = [path for path in room.glob("*.py") if path.name != "__init__.py"]
        name = ".".join(room.relative_to(package.parent).parts)
        folded = name == "companion.robots"
        assert folded or len(modules) < 2 or name in held, f"no exhaustive contract for {name}"


KEEPERS = ("compose.yaml", "Dockerfile", "fly.toml", "render.yaml")
"""What describes a container with the tables in it."""


def test_described_hosts_use_existing_settings_and_keep_the_tables() -> None:
    root = DOCS.parent
    known = {name for option in serve.params if (names := option.envvar)
             for name in ([names] if isinstance(names, str) else names)}  # fmt: skip
    described = [*root.glob("compose*.yaml"), root / "Dockerfile", *(root / "deploy").iterdir()]
    for page in described:
        text = page.read_text("utf-8")
        assert {*re.findall(r"COMPANION_\w+", text)} <= known, page
        assert "/data" in text or page.name not in KEEPERS, page
    assert tomllib.loads((root / "deploy" / "fly.toml").read_text("utf-8"))["mounts"]
