"""All code that depends on the internals of a library, with one module for each library.

``tests/test_adapters.py`` names what is used, and ``pyproject.toml`` limits the versions, so that a
new version of a library is tried before it is used. ``docs/adapters.md`` has the reasons.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

CLIENTS = ("aiohttp", "redis", "requests", "websocket")


@contextmanager
def without_clients() -> Iterator[None]:
    """Hide the libraries that only clients need from imports in the body.

    python-engineio and python-socketio import them if they are installed, which would take a third
    of the server's start-up time.
    """
    hidden = dict.fromkeys({*CLIENTS} - sys.modules.keys())
    sys.modules.update(hidden)  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
