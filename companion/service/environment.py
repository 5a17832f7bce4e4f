"""The variables with which a program of somebody else's, or our own robots, are started.

A server's settings and passwords stand in its environment (``COMPANION_DATABASE``, ``PGPASSWORD``,
whatever a hoster adds), and nobody can list them all: so what is handed on is listed instead.
"""

import os

ANY_PROGRAMS = (
    "PATH", "HOME", "LANG", "LANGUAGE", "LC_", "PATHEXT", "SYSTEMROOT", "USERPROFILE",
)  # fmt: skip
"""What any program is told: where programs and its own files lie, and the language."""


def handed_on(*own: str) -> dict[str, str]:
    """Of this process' variables those of any program's and its ``own``.

    A name that ends in ``_`` stands for all that begin so.
    """
    names = {*ANY_PROGRAMS, *own}
    begin = tuple(name for name in names if name.endswith("_"))
    return {
        name: value
        for name, value in os.environ.items()
        if name.upper() in names or name.upper().startswith(begin)
    }
