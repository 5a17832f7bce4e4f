"""Handing over: once this process is told to end, its clients are told to connect again, to whoever
serves the tables then, and what is under way is answered; then they are closed."""

import signal
import socket
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

if TYPE_CHECKING:  # a server's libraries come only after it has patched the standard one
    from companion.adapters.socketio import Server

MOVE_SECONDS = 1.5  # for so long its clients may go on, and connect to another server by themselves
ANSWER_SECONDS = 4.5  # after that what is under way has so long to be committed and answered
READ_SECONDS = 1.0  # after that whoever reads so slowly is waited for no longer
LOOK_SECONDS = 0.02


class HandOver:
    """Of one process; ``begun``: it is about to end, and takes nobody on any more."""

    begun = False

    def __init__(self) -> None:
        self._server: Server | None = None
        self._speaking: set[str] = set()
        self._calls: set[object] = set()

    def count_calls(self, app: WSGIApplication) -> WSGIApplication:
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
        self._server = server
        self._speaking = speaking

    def begin(self) -> None:
        """From now on nobody is taken on, and everybody is told to connect again."""
        self.begun = True
        if self._server is not None:
            self._server.eio.full = True
            self._server.send_all("moving", {})

    def let_go(
        self, read_no_more: Callable[[], None], running: Callable[[], int],
        hurry: Callable[[float], bool],
    ) -> None:  # fmt: skip
        """Returns when everybody has gone, or the time is over. After ``read_no_more`` nothing is
        heard any more, but what is said still goes out; ``running`` gives how many connections
        there are. ``hurry`` waits for so many seconds and says whether nobody is to be waited for
        any more."""

        def idle() -> bool:
            return not self._calls and not self._speaking

        def wait(over: Callable[[], bool], seconds: float) -> bool:
            until = time.monotonic() + seconds
            while not over() and time.monotonic() < until:
                if hurry(LOOK_SECONDS):
                    return False
            return True

        eio = self._server.eio if self._server else None
        if wait(lambda: idle() and not (eio and eio.anybody), MOVE_SECONDS):
            read_no_more()
            if wait(idle, ANSWER_SECONDS):
                if eio:
                    eio.end_polling()
                wait(lambda: not running(), READ_SECONDS)


class Stopping:
    """Hears SIGTERM and Ctrl-C from now on, each once."""

    def __init__(self) -> None:
        self._told, self._wakes = socket.socketpair()
        self._wakes.setblocking(False)
        signal.set_wakeup_fd(self._wakes.fileno())  # whatever a thread is, it waits for a socket
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: None)

    def within(self, seconds: float | None) -> bool:
        """Whether this process is told to end within so many seconds, or since it was asked last;
        ``None``: however long that takes."""
        self._told.settimeout(seconds)
        with suppress(TimeoutError):
            return bool(self._told.recv(1))
        return False
