"""Every place that needs a library's inside: one module a library.

What is borrowed is named in ``tests/test_adapters.py``, the versions are bounded above in
``pyproject.toml``: a new version of a library is tried before it is taken. Here is what the
servers are given: ``companion.web`` has it.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

CLIENTS = ("aiohttp", "redis", "requests", "websocket")


@contextmanager
def without_clients() -> Iterator[None]:
    """Libraries that are imported meanwhile don't find what only clients need.

    python-engineio and python-socketio import all that they find of it, which is a third of the
    time that a server takes to start.
    """
    unknown = dict.fromkeys({*CLIENTS} - sys.modules.keys())
    sys.modules.update(unknown)  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in unknown:
            del sys.modules[name]


class Places(Protocol):
    """The places that there are for connections, ``all`` of them."""

    all: int

    def take(self, give_up: Callable[[], None]) -> Any:
        """A place for a newcomer, whose connection ``give_up`` ends; ``None``: there is none."""

    def ask(self, place: Any) -> None:
        """Something new is asked over the connection that has this place."""

    def keep(self, place: Any, *, seated: bool) -> None:
        """The place is kept from now on."""

    def leave(self, place: Any) -> None:
        """The connection is gone."""

    def clear(self) -> bool:
        """Somebody gives up their place; whether there was anybody."""


class HandOver(Protocol):
    """What is done for the clients of a server that is told to end."""

    def begin(self) -> None:
        """They are told; nobody new is taken on."""

    def let_go(self, connections: Any, hurry: Callable[[float], bool]) -> None:
        """Returns when everybody has gone, or the time is over."""
