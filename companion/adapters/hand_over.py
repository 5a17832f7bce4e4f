"""A graceful shutdown that hands the clients over to the server process that replaces this one.

When the process is asked to end, it sends ``moving`` to its clients, which reconnect and reach the
new process. The old process answers the requests that have already arrived, and then closes the
remaining connections.
"""

import signal
import socket
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

if TYPE_CHECKING:  # import no library before the server has patched the standard library
    from companion.adapters.socketio import Server

MOVE_SECONDS = 1.5  # time limit for clients to move to another server
ANSWER_SECONDS = 4.5  # additional time for storing and answering the remaining requests
READ_SECONDS = 1.0  # additional time for slow clients to read their answers
LOOK_SECONDS = 0.02  # interval at which the shutdown checks if it can go on


class HandOver:
    """The shutdown of one process."""

    begun = False  # True once the process is about to end and accepts no new clients

    def __init__(self) -> None:
        self._server: Server | None = None
        self._unanswered: set[str] = set()
        self._calls: set[object] = set()  # HTTP requests that haven't been answered yet

    def track_requests(self, app: WSGIApplication) -> WSGIApplication:
        """Return a wrapper of the application that keeps track of unanswered requests."""

        def counting(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            call = object()
            self._calls.add(call)
            try:
                return app(environ, start_response)
            finally:
                self._calls.discard(call)

        return counting

    def attach(self, server: "Server", unanswered: set[str]) -> None:
        """Store the Socket.IO server, and the ids of the connections with an unanswered command."""
        self._server = server
        self._unanswered = unanswered

    def begin(self) -> None:
        """Accept no new clients from now on, and send ``moving`` to all connected clients."""
        self.begun = True
        if self._server is not None:
            self._server.eio.full = True
            self._server.send_all("moving", {})

    def drain(
        self, stop_reading: Callable[[], None], running: Callable[[], int],
        hurry: Callable[[float], bool],
    ) -> None:  # fmt: skip
        """Wait until all clients have disconnected, or until the time limits are reached.

        ``stop_reading`` makes the server stop reading; the server can still send. ``running``
        returns the number of open connections. ``hurry`` waits for the given number of seconds, and
        returns True if the process was asked to end at once.
        """

        def idle() -> bool:
            return not self._calls and not self._unanswered

        def wait(over: Callable[[], bool], seconds: float) -> bool:
            until = time.monotonic() + seconds
            while not over() and time.monotonic() < until:
                if hurry(LOOK_SECONDS):
                    return False
            return True

        eio = self._server.eio if self._server else None
        if wait(lambda: idle() and not (eio and eio.has_clients), MOVE_SECONDS):
            stop_reading()
            if wait(idle, ANSWER_SECONDS):
                if eio:
                    eio.end_polling()
                wait(lambda: not running(), READ_SECONDS)


class Stopping:
    """Receives SIGTERM and Ctrl-C, starting when it is created. On Windows also Ctrl-Break, and
    the signal that a closed console sends."""

    def __init__(self) -> None:
        self._receiver, self._wakeup = socket.socketpair()
        self._wakeup.setblocking(False)
        # Use a socket, because plain threads and eventlet's threads can both wait for a socket.
        signal.set_wakeup_fd(self._wakeup.fileno())
        own = [getattr(signal, "SIGBREAK", signal.SIGINT)]
        for number in {signal.SIGTERM, signal.SIGINT, *own}:
            signal.signal(number, lambda *_: None)

    def wait(self, seconds: float | None) -> bool:
        """Wait for a signal for at most the given seconds, or without a limit if None.

        Return True if a signal arrived now or since the last call.
        """
        self._receiver.settimeout(seconds)
        with suppress(TimeoutError):
            return bool(self._receiver.recv(1))
        return False
