"""The end of a server, for its clients: first they go by themselves, then they are closed.

This module must not know which server runs.
"""

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

MOVE_SECONDS = 1.5
"""For so long its clients may go on, and connect to another server by themselves."""

ANSWER_SECONDS = 4.5
"""After that what is under way has so long to be committed and answered."""

READ_SECONDS = 1.0
"""After that whoever reads so slowly is waited for no longer."""

LOOK_SECONDS = 0.02


class HandOver(Protocol):
    """What is done for the clients."""

    @property
    def over(self) -> bool:
        """Whether everybody has gone."""

    @property
    def idle(self) -> bool:
        """Whether all that was said and asked has been answered."""

    def begin(self) -> None:
        """They are told; nobody new is taken on."""

    def end(self) -> None:
        """Those who poll are sent away."""


class Connections(Protocol):
    """What the server has of them."""

    def read_no_more(self) -> None:
        """What comes from now on is not heard; what is said still goes out."""

    def running(self) -> int:
        """How many there are."""


def let_go(connections: Connections, hand_over: HandOver, hurry: Callable[[float], bool]) -> None:
    """Returns when everybody has gone, or the time is over.

    ``hurry`` waits for so many seconds and says whether nobody is to be waited for any more.
    """

    def wait(over: Callable[[], bool], seconds: float) -> bool:
        until = time.monotonic() + seconds
        while not over() and time.monotonic() < until:
            if hurry(LOOK_SECONDS):
                return False
        return True

    if wait(lambda: hand_over.over, MOVE_SECONDS):
        connections.read_no_more()
        if wait(lambda: hand_over.idle, ANSWER_SECONDS):
            hand_over.end()
            wait(lambda: not connections.running(), READ_SECONDS)


def told_again(stopping: socket.socket) -> Callable[[float], bool]:
    """Whether something comes out of this socket within so many seconds."""

    def hurry(seconds: float) -> bool:
        stopping.settimeout(seconds)
        with suppress(TimeoutError):
            return bool(stopping.recv(1))
        return False

    return hurry
