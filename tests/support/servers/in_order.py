"""A Socket.IO client whose handlers receive events in the order in which they arrived."""

import logging
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, Queue
from typing import Any

import engineio
import socketio

from companion.robots.client import close_socket


class Packets(Queue[Any]):
    """The packet queue of the client's library, in which None marks the end.

    If a packet directly precedes None, the library drops None, and then waits 11 s for another
    packet. This queue hides None from reads that don't wait, so the library can't drop it.
    """

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        if not block and self.queue and self.queue[0] is None:
            raise Empty
        return super().get(block, timeout)

    def get_nowait(self) -> Any:
        return super().get(block=False)


class Messages(engineio.Client):  # type: ignore[misc]
    """Handles one message after the other. The library would start a thread for each message."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._hand = ThreadPoolExecutor(1)

    def create_queue(self, *arguments: Any, **options: Any) -> Packets:
        return Packets(*arguments, **options)

    def _trigger_event(self, event: str, *given: Any, run_async: bool = False, **more: Any) -> Any:
        if run_async:
            return self._hand.submit(self.handlers[event], *given)
        return super()._trigger_event(event, *given, **more)

    def _reset(self) -> None:
        super()._reset()
        close_socket(self)


SILENT = logging.getLogger("tests.support.servers.in_order")
SILENT.addHandler(logging.NullHandler())
SILENT.propagate = False


class InOrder(socketio.Client):  # type: ignore[misc]
    """A client that handles one event at a time, and doesn't log broken connections."""

    def __init__(self, **options: Any) -> None:
        # The library's own handler for Ctrl-C would wait until each connection is closed.
        super().__init__(handle_sigint=False, logger=SILENT, engineio_logger=SILENT, **options)

    def _engineio_client_class(self) -> type[Messages]:
        return Messages
