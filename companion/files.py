"""Where the folders that come with the program lie: ``static/``, ``variants/`` and ``docs/``.

A wheel carries them inside the package, a source tree beside it.
"""

import hashlib
import time
from functools import lru_cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder of this name, in whichever layout the program runs from."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def lean_is_fresh(static: Path) -> bool:
    """Whether the joined files of ``static/lean/`` are made of what lies in ``static/`` now.

    Whoever changes a module sees it a second later: the joined ones are of yesterday then.
    """
    return _fresh(static, int(time.monotonic()))


@lru_cache(maxsize=1)
def _fresh(static: Path, _second: int) -> bool:
    stamp = static / "lean/stamp"
    if not stamp.is_file():
        return False
    found = (path for kind in ("js", "css", "html") for path in static.rglob(f"*.{kind}"))
    sources = sorted(path for path in found if path.relative_to(static).parts[0] != "lean")
    changed = max(path.stat().st_mtime_ns for path in sources)
    return stamp.read_text() == _digest(tuple(sources), changed)


@lru_cache(maxsize=1)
def _digest(sources: tuple[Path, ...], _changed: int) -> str:
    """The hash of these files, read once for as long as they don't change."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
