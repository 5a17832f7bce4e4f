"""Tests that the documentation matches the program."""

import re
import subprocess
import tomllib

import yaml

from companion.cli import serve
from tests.simulation.mutants import FOUND_BY
from tests.support.paths import ROOT
from tools import steps

DOCS = ROOT / "docs"


def test_the_table_of_steps_matches_the_rules() -> None:
    expected = steps.render_page()
    assert (DOCS / "steps.md").read_text("utf-8") == expected, "run `python tools/steps.py`"


def test_docs_settings_lists_every_setting() -> None:
    page = (DOCS / "settings.md").read_text("utf-8")
    for option in serve.params:
        names = [
            *option.opts,
            *([option.envvar] if isinstance(option.envvar, str) else option.envvar),
        ]
        for name in names:
            assert f"`{name}`" in page, f"docs/settings.md lacks {name}"


def test_every_supported_python_runs_the_tests() -> None:
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))["project"]
    versions = [
        classifier.rpartition(" ")[2]
        for classifier in project["classifiers"]
        if ":: Python :: 3." in classifier
    ]
    workflow = (DOCS.parent / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    job = yaml.safe_load(workflow)["jobs"]["tests"]
    tested = job["strategy"]["matrix"]["python"]
    tried = [version for version in tested if f"'{version}'" in job["continue-on-error"]]
    assert versions and [*versions, *tried] == tested
    assert f">={versions[0]}" == project["requires-python"]


def test_every_path_in_the_documents_exists() -> None:
    root = DOCS.parent
    for page in (
        "docs/architecture.md",
        "docs/index.md",
        "docs/running.md",
        ".github/CONTRIBUTING.md",
    ):
        text = (root / page).read_text("utf-8")
        named = re.findall(
            r"`((?:companion|static|tests|variants|docs|tools|deploy)/[\w./-]*)`", text
        )
        linked = re.findall(r"\]\(([^)#:]+)\)", text)
        assert named or linked, page
        for path in named:
            assert (root / path).exists(), f"{page} names {path}"
        for path in linked:
            assert ((root / page).parent / path).exists(), f"{page} links to {path}"


def test_the_index_names_every_page() -> None:
    index = (DOCS / "index.md").read_text("utf-8")
    missing = [page.name for page in DOCS.glob("*.md") if page.name not in ("index.md",)
               and f"({page.name})" not in index]  # fmt: skip
    assert not missing


def test_the_floor_plan_lists_every_package_and_folder() -> None:
    page = (DOCS / "architecture.md").read_text("utf-8")
    package = DOCS.parent / "companion"
    parts = [
        path
        for path in package.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    ]
    names = [path.name + "/" * path.is_dir() for path in parts if path.name != "__init__.py"]
    missing = [
        name for name in names if f"`{name}`" not in page and f"`companion/{name}`" not in page
    ]
    assert names and not missing
    kinds = {".py", ".js", ".json", ".game"}
    folders = [path for path in (DOCS.parent / "tests").iterdir()
               if any(file.suffix in kinds for file in path.rglob("*"))]  # fmt: skip
    for folder in folders:
        if folder.is_dir() and folder.name != "__pycache__":
            assert re.search(rf"`(tests/)?{folder.name}/`", page), (
                f"architecture.md lacks tests/{folder.name}"
            )


def test_the_readme_lists_every_entry_of_the_top_level() -> None:
    tracked = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()
    entries = {path.partition("/")[0] + "/" * ("/" in path) for path in tracked}
    section = (ROOT / "README.md").read_text("utf-8").split("\n## Folders and files\n")[1]
    listed = re.findall(r"`([^`]+)`(?=[^|\n]*\|.*\|$)", section, re.MULTILINE)
    assert sorted(listed) == sorted(entries)
    assert len(entries) <= 22, "put new files into a folder"


def test_every_test_that_a_page_names_exists() -> None:
    modules = (path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    tests = {name for text in modules for name in re.findall(r"def (test_\w+)", text)}
    for page in DOCS.glob("*.md"):
        named = {*re.findall(r"`(test_\w+)`", page.read_text("utf-8"))}
        assert named <= tests, page


def test_every_module_has_an_import_contract() -> None:
    settings = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    covered = {
        c for contract in contracts if contract.get("exhaustive") for c in contract["containers"]
    }
    package = DOCS.parent / "companion"
    for folder in {path.parent for path in package.rglob("*.py")}:
        modules = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
        name = ".".join(folder.relative_to(package.parent).parts)
        exempt = name == "companion.robots"
        assert exempt or len(modules) < 2 or name in covered, f"no exhaustive contract for {name}"


CONTAINER_FILES = ("compose.yaml", "Dockerfile", "fly.toml", "render.yaml")
"""Files with instructions to run a container that stores tables."""


def test_described_hosts_use_existing_settings_and_keep_the_tables() -> None:
    root = DOCS.parent
    variables = {name for option in serve.params if (names := option.envvar)
             for name in ([names] if isinstance(names, str) else names)}  # fmt: skip
    files = [root / "compose.yaml", *(root / "deploy").iterdir()]
    for file in files:
        text = file.read_text("utf-8")
        assert {*re.findall(r"COMPANION_\w+", text)} <= variables, file
        assert "/data" in text or file.name not in CONTAINER_FILES, file
    assert tomllib.loads((root / "deploy" / "fly.toml").read_text("utf-8"))["mounts"]


def test_every_hosting_file_builds_the_same_image() -> None:
    names = ("compose.yaml", "deploy/compose.fleet.yaml", "deploy/render.yaml", "deploy/fly.toml")
    compose, fleet, render, fly = ((ROOT / name).read_text("utf-8") for name in names)
    release = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    one = yaml.safe_load(compose)["services"]["companion"]["build"]
    many = yaml.safe_load(fleet)["services"]["companion-1"]["build"]
    (step,) = [
        step["with"]
        for step in yaml.safe_load(release)["jobs"]["image"]["steps"]
        if "build-push-action" in step.get("uses", "")
    ]
    # a service reads the path from its context, except Fly.io, which reads it from its own file
    places = [
        ROOT / one["context"] / one["dockerfile"],
        ROOT / "deploy" / many["context"] / many["dockerfile"],
        ROOT / step["context"] / step["file"],
        ROOT / yaml.safe_load(render)["services"][0]["dockerfilePath"],
        ROOT / "deploy" / tomllib.loads(fly)["build"]["dockerfile"],
    ]
    assert {place.resolve() for place in places} == {ROOT / "deploy/Dockerfile"}
    ignored = ROOT / "deploy" / tomllib.loads(fly)["build"]["ignorefile"]
    assert ignored == ROOT / "deploy/Dockerfile.dockerignore" and ignored.exists()


def test_docs_promises_lists_every_planted_fault_with_its_seed() -> None:
    page = (DOCS / "promises.md").read_text("utf-8")
    section = page.split("## Bugs that a simulated world finds")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \|$", section, re.MULTILINE)
    assert {fault: int(seed) for fault, seed in rows} == FOUND_BY
