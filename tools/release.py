"""The automatic steps of a release: ``python tools/release.py STEP …``.

check v0.4.0         fail unless the tag is the program's version and the changelog has its section
notes v0.4.0         print that section
names v0.4.0 IMAGE   print the image's names; reads existing tags from stdin, and adds "latest"
                     unless one of them is a newer release
build FOLDER         build the sdist, and the wheel from it
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def check(tag: str) -> None:
    """Exit with an error if the tag doesn't match the version, or the changelog lacks a section."""
    match = re.search(r'__version__ = "(.+)"', (ROOT / "companion/__init__.py").read_text())
    if not match or tag != f"v{match[1]}":
        sys.exit(f"The tag is {tag}, the program's version {match and match[1]}.")
    find_section(tag)


def notes(tag: str) -> None:
    """Print the version's section of the changelog."""
    print(find_section(tag))


def find_section(tag: str) -> str:
    """Return the version's section of the changelog; exits with an error if there is none."""
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    parts = re.split(r"(?m)^## \[?([\w.]+)\]?.*$", changes)
    version = tag.removeprefix("v")
    text = dict(zip(parts[1::2], parts[2::2], strict=True)).get(version, "").strip()
    return text or sys.exit(f"CHANGELOG.md has no section {version}.")


def names(tag: str, image: str) -> None:
    """Print the names of a version's image, one per line.

    The name "latest" is left out for a pre-release, and for a version older than any tag on stdin.
    """
    print(f"{image}:{tag}")
    ours = parse_tag(tag)
    others = (parse_tag(line.split()[-1].rpartition("/")[2]) for line in sys.stdin if line.strip())
    if ours and all(other is None or other <= ours for other in others):
        print(f"{image}:latest")


def parse_tag(tag: str) -> tuple[int, ...] | None:
    """Return the numbers in a release's tag, or None for a pre-release such as v0.4.0rc1."""
    match = re.fullmatch(r"v(\d+)\.(\d+)\.(\d+)", tag)
    return tuple(int(part) for part in match.groups()) if match else None


def build(folder: str) -> None:
    """Build the sdist from the tree, and the wheel from the sdist, as a packager would."""
    archives = Path(folder).resolve()
    run_hatchling(ROOT, "sdist", archives)
    with tempfile.TemporaryDirectory() as unpacked:
        (sdist,) = archives.glob("*.tar.gz")
        subprocess.run(["tar", "-xzf", sdist, "-C", unpacked], check=True)
        (source,) = Path(unpacked).iterdir()
        run_hatchling(source, "wheel", archives)


def run_hatchling(source: Path, target: str, into: Path) -> None:
    """Build one archive (``sdist`` or ``wheel``) of a source tree."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    subprocess.run(command, cwd=source, check=True)


STEPS: dict[str, Callable[..., None]] = {
    "check": check, "notes": notes, "names": names, "build": build,
}  # fmt: skip

if __name__ == "__main__":
    STEPS[sys.argv[1]](*sys.argv[2:])
