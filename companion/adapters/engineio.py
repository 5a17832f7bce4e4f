"""python-engineio's sockets, beneath Socket.IO: how much each may send, who is given up.

Whatever arrives is counted, also what is no event: pongs, connects, junk. A sweep finds
the dead, those who don't read, and those who never say which table they want. This module
must not know what is sent.
"""

import time
from collections.abc import Callable
from typing import Any

import engineio
from engineio.exceptions import SocketIsClosedError

Allows = Callable[[], bool]
"""Counts one packet; says whether it is not too many."""

SWEEP_SECONDS = 0.5

CONNECT_SECONDS = 10
"""After this a socket that has no seat and watches no table is closed."""

BACKLOG = 256
"""How many packets may wait for a client that doesn't read."""


class Engine(engineio.Server):  # type: ignore[misc]
    """Closes the sockets that send too much, read too little or say nothing."""

    meter: Callable[[], Allows] | None = None
    """Makes what counts one socket's packets."""

    most = 4096
    """How many sockets at once."""

    welcome: Callable[[str], bool]
    """Whether somebody was let in over this socket."""

    def _trigger_event(self, event: str, *args: Any, run_async: bool = False) -> Any:
        if event == "connect":
            if len(self.sockets) > self.most:
                return False
            self._meter(self.sockets[args[0]])
        return super()._trigger_event(event, *args, run_async=run_async)

    def _meter(self, socket: Any) -> None:
        socket.born = time.monotonic()
        if self.meter is None:
            return
        allows, receive = self.meter(), socket.receive

        def metered(packet: Any) -> None:
            if not socket.closed:
                if allows():
                    receive(packet)
                    return
                socket.close(wait=False)
            raise SocketIsClosedError  # nothing more is read

        socket.receive = metered

    def disconnect(self, sid: str | None = None) -> None:
        """Closes one socket; unlike the library's it waits for nobody to read the rest."""
        socket = self.sockets.get(sid)
        if socket is not None:
            socket.close(wait=False, reason=self.reason.SERVER_DISCONNECT)

    def measure(self, sid: str, heard: Callable[[int], None]) -> None:
        """Tells the socket's round trip in ms from now on: from each ping to its answer.

        When a ping went out is told by the clock of ``steady``.
        """
        socket = self.sockets.get(sid)
        if socket is None:
            return
        schedule, connected = socket.schedule_ping, time.monotonic()

        def measured() -> None:
            if socket.last_ping and socket.last_ping > connected:
                heard(round((time.monotonic() - socket.last_ping) * 1000))
            schedule()

        socket.schedule_ping = measured

    def _service_task(self) -> None:
        """In place of the library's, which takes up to 17 s to notice a dead connection."""
        self.service_task_event = self.create_event()
        while not self.service_task_event.wait(timeout=SWEEP_SECONDS):
            for sid, socket in list(self.sockets.items()):
                if socket.closed:
                    self.sockets.pop(sid, None)
                elif self._hopeless(sid, socket):
                    socket.close(wait=False, abort=True)
                elif not socket.closing:
                    socket.check_ping_timeout()

    def _hopeless(self, sid: str, socket: Any) -> bool:
        late = time.monotonic() - socket.born > CONNECT_SECONDS
        return socket.queue.qsize() > BACKLOG or (late and not self.welcome(sid))
