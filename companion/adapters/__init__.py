"""All code that depends on the internals of a library, with one module for each library.

``tests/server/test_adapters.py`` lists the internals that are used, and ``pyproject.toml`` limits
the libraries' versions, so that each new version is tested before it is used. ``docs/adapters.md``
has the reasons.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

CLIENTS = ("aiohttp", "redis", "requests", "websocket")


@contextmanager
def without_clients(needed: Iterable[str] = ()) -> Iterator[None]:
    """Make imports in the block skip libraries that only clients need, except those in ``needed``.

    python-engineio and python-socketio import these libraries if they are installed, and the
    imports would take a third of the server's start-up time.
    """
    hidden = dict.fromkeys({*CLIENTS} - {*needed} - sys.modules.keys())
    sys.modules.update(hidden)  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
