"""Print a package's pinned version with its hashes from uv.lock: ``python tools/locked.py uv``.

pip can install the output with ``--require-hashes``. In the container image, pip installs uv this
way, and uv then installs everything else from the same lock file. This program uses only the
standard library.
"""

import sys
import tomllib
from pathlib import Path

LOCK = Path(__file__).resolve().parent.parent / "uv.lock"


def format_requirement(name: str) -> str:
    """Return ``name==version`` and a ``--hash`` option for each of the package's files."""
    packages = tomllib.loads(LOCK.read_text("utf-8"))["package"]
    for package in packages:
        if package["name"] == name:
            files = [*package.get("wheels", ()), package["sdist"]]
            hashes = [f"--hash={file['hash']}" for file in files]
            return " ".join([f"{name}=={package['version']}", *hashes])
    sys.exit(f"uv.lock has no package {name!r}.")


if __name__ == "__main__":
    print(format_requirement(sys.argv[1]))
