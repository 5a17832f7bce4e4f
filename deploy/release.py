"""The steps of a release that need nobody else: ``python deploy/release.py STEP …``.

check v0.4.0     the tag is the program's version, and the changelog has its section
notes v0.4.0     that section
names v0.4.0 IMAGE   the image's names, by the tags on stdin: "latest" where no release is newer
build FOLDER     the sdist, and the wheel made of it
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def check(tag: str) -> None:
    """Ends the release where the tag is of another version, or nothing is said of it."""
    found = re.search(r'__version__ = "(.+)"', (ROOT / "companion/__init__.py").read_text())
    if not found or tag != f"v{found[1]}":
        sys.exit(f"The tag is {tag}, the program's version {found and found[1]}.")
    section(tag)


def notes(tag: str) -> None:
    """Prints what the changelog says of the version."""
    print(section(tag))


def section(tag: str) -> str:
    """The version's part of the changelog; ends the release where there is none."""
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    parts = re.split(r"(?m)^## \[?([\w.]+)\]?.*$", changes)
    found = dict(zip(parts[1::2], parts[2::2], strict=True)).get(tag.removeprefix("v"), "").strip()
    return found or sys.exit(f"CHANGELOG.md has no section {tag.removeprefix('v')}.")


def names(tag: str, image: str) -> None:
    """Prints the names of a version's image, a line each. One before a release, or an older line's,
    is not the latest."""
    print(f"{image}:{tag}")
    ours = number(tag)
    others = (number(line.split()[-1].rpartition("/")[2]) for line in sys.stdin if line.strip())
    if ours and all(other is None or other <= ours for other in others):
        print(f"{image}:latest")


def number(tag: str) -> tuple[int, ...] | None:
    """The numbers of a release's tag; ``None``: it is no release's, as v0.4.0rc1."""
    found = re.fullmatch(r"v(\d+)\.(\d+)\.(\d+)", tag)
    return tuple(int(part) for part in found.groups()) if found else None


def build(folder: str) -> None:
    """Makes the sdist of the tree, and the wheel of the sdist, as whoever has that alone would."""
    made = Path(folder).resolve()
    hatchling(ROOT, "sdist", made)
    with tempfile.TemporaryDirectory() as unpacked:
        (sdist,) = made.glob("*.tar.gz")
        subprocess.run(["tar", "-xzf", sdist, "-C", unpacked], check=True)
        (source,) = Path(unpacked).iterdir()
        hatchling(source, "wheel", made)


def hatchling(source: Path, target: str, into: Path) -> None:
    """One of the two archives."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    subprocess.run(command, cwd=source, check=True)


STEPS: dict[str, Callable[..., None]] = {
    "check": check, "notes": notes, "names": names, "build": build,
}  # fmt: skip

if __name__ == "__main__":
    STEPS[sys.argv[1]](*sys.argv[2:])
