"""Opens further listeners of a running server, besides the one on the server's own address.

A tunnel leads to a listener of its own, so that the server knows which requests come from the
internet, although the tunnel's program connects from this machine.
"""

import socket
from collections.abc import Callable
from typing import NamedTuple
from wsgiref.types import WSGIApplication


class Listener(NamedTuple):
    """A listener that was opened while the server runs."""

    port: int
    close: Callable[[], None]
    """Stops listening, and closes the connections that were accepted here."""


Listen = Callable[[WSGIApplication, str, int], Listener]
"""A function that listens on an address and a port, and serves the application there. Raises
``OSError`` if it can't listen there."""


def family_of(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
