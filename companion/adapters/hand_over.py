"""Handing over: what this process still does for its clients once it is told to end.

They are told to connect again, to whoever serves the tables then, and what is under way is
answered; then they are closed.
"""

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

if TYPE_CHECKING:  # a server's libraries come only after it has patched the standard one
    from companion.adapters.socketio import Server

MOVE_SECONDS = 1.5
"""For so long its clients may go on, and connect to another server by themselves."""

ANSWER_SECONDS = 4.5
"""After that what is under way has so long to be committed and answered."""

READ_SECONDS = 1.0
"""After that whoever reads so slowly is waited for no longer."""

LOOK_SECONDS = 0.02


class Connections(Protocol):
    """What the server has of its clients' connections."""

    def read_no_more(self) -> None:
        """What comes from now on is not heard; what is said still goes out."""

    def running(self) -> int:
        """How many there are."""


class HandOver:
    """Of one process; ``begun``: it is about to end, and takes nobody on any more."""

    begun = False

    def __init__(self) -> None:
        self._server: Server | None = None
        self._speaking: set[str] = set()
        self._calls: set[object] = set()

    def counted(self, app: WSGIApplication) -> WSGIApplication:
        """The same application, whose calls are under way until they have their answer."""

        def counting(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            call = object()
            self._calls.add(call)
            try:
                return app(environ, start_response)
            finally:
                self._calls.discard(call)

        return counting

    def of(self, server: "Server", speaking: set[str]) -> None:
        """These are the sockets, and whose word is heard and has no answer yet."""
        self._server, self._speaking = server, speaking

    def begin(self) -> None:
        """From now on nobody is taken on, and everybody is told to connect again."""
        self.begun = True
        if self._server is not None:
            self._server.eio.full = True
            self._server.tell_all("moving", {})

    @property
    def over(self) -> bool:
        """Whether everybody has gone."""
        return self.idle and not (self._server and self._server.eio.anybody)

    @property
    def idle(self) -> bool:
        """Whether all that was said and asked has been answered."""
        return not self._calls and not self._speaking

    def let_go(self, connections: Connections, hurry: Callable[[float], bool]) -> None:
        """Returns when everybody has gone, or the time is over.

        ``hurry`` waits for so many seconds and says whether nobody is to be waited for any more.
        """

        def wait(over: Callable[[], bool], seconds: float) -> bool:
            until = time.monotonic() + seconds
            while not over() and time.monotonic() < until:
                if hurry(LOOK_SECONDS):
                    return False
            return True

        if wait(lambda: self.over, MOVE_SECONDS):
            connections.read_no_more()
            if wait(lambda: self.idle, ANSWER_SECONDS):
                if self._server is not None:
                    self._server.eio.end_polling()
                wait(lambda: not connections.running(), READ_SECONDS)
