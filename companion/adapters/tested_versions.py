"""Finds libraries whose installed version is newer than the versions that were tested."""

import re
from importlib.metadata import version

Before = tuple[str, tuple[int, int]]
"""A library, with its first version that wasn't tested."""


def find_untested(*bounds: Before) -> list[str]:
    """Return the libraries whose version isn't below the bound, such as ``eventlet 0.42.1``."""
    return [
        f"{library} {version(library)}"
        for library, bound in bounds
        if tuple(map(int, re.findall(r"\d+", version(library))[:2])) >= bound
    ]
