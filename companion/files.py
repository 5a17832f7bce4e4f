"""Where the folders that come with the program lie: ``static/`` and ``variants/``.

A wheel carries them inside the package, a source tree beside it.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder of this name, in whichever layout the program runs from."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name
