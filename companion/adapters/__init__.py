"""Every place that needs a library's inside, one module a library, and what they share. What is
borrowed is named in ``tests/test_adapters.py``, the versions are bounded above in
``pyproject.toml``: a new version of a library is tried before it is taken."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

CLIENTS = ("aiohttp", "redis", "requests", "websocket")


@contextmanager
def without_clients() -> Iterator[None]:
    """Libraries that are imported meanwhile don't find what only clients need. python-engineio and
    python-socketio import all that they find of it, which is a third of the time that a server
    takes to start."""
    unknown = dict.fromkeys({*CLIENTS} - sys.modules.keys())
    sys.modules.update(unknown)  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in unknown:
            del sys.modules[name]
