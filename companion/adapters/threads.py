"""Plain threads: Werkzeug's server, with one thread for each connection.

This server is meant for a future without eventlet, and patches nothing in the standard library.
docs/running.md describes its limits.
"""

import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any
from wsgiref.types import WSGIApplication, WSGIEnvironment

from engineio import Server as Engine
from engineio.async_drivers import threading as driver
from engineio.async_drivers._websocket_wsgi import SimpleWebSocketWSGI
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler
from wsproto.events import Event, Message, Ping, Pong
from wsproto.utilities import LocalProtocolError

from companion.adapters.connection_slots import (
    REQUEST_SECONDS,
    RETRY_SECONDS,
    WAITING,
    ConnectionSlots,
    Slot,
)
from companion.adapters.engineio import describe_connection
from companion.adapters.hand_over import HandOver, Stopping
from companion.adapters.listeners import Listen, Listener, family_of
from companion.adapters.strict_http import UNCLEAR, ChunkedBody, HeaderLines, has_clear_end
from companion.settings import Settings

WRITE_SECONDS = 10  # time limit for a write to a client that doesn't read
LOOK_SECONDS = 0.5  # interval at which the server looks for late requests
PIECE_BYTES = 65536  # maximum number of bytes of a single read


def run(
    app: WSGIApplication, settings: Settings, ready: Callable[[int, Listen], None],
    hand_over: HandOver,
) -> None:  # fmt: skip
    """Serve until SIGTERM or Ctrl-C, then shut down gracefully (see ``hand_over``) and return.

    Once the server listens, ``ready`` is called with the port, and with a function that opens
    further listeners.
    """
    slots = ConnectionSlots(settings.connections)
    servers: dict[int, _Server] = {}  # by port
    driver._async["websocket"] = _WebSocket
    stopping = Stopping()

    def listen(app: WSGIApplication, host: str, port: int) -> Listener:
        with _listen(host, port) as listener:
            server = _Server(listener, host, app, slots)
        servers[server.port] = server
        for loop in (server.serve_forever, server.close_late):
            threading.Thread(target=loop, name=loop.__name__, daemon=True).start()

        def close() -> None:
            del servers[server.port]
            server.close_all()

        return Listener(server.port, close)

    ready(listen(app, settings.host, settings.port).port, listen)
    stopping.wait(None)
    hand_over.begin()
    for server in [*servers.values()]:
        server.shutdown()
    # Reading can't be stopped: the threads of the clients go on reading until the process ends.
    hand_over.drain(lambda: None, lambda: 0, stopping.wait)


def _listen(host: str, port: int) -> socket.socket:
    listener = socket.create_server((host, port), family=family_of(host), backlog=WAITING)
    # Accepted sockets inherit both of these options.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    timeout = struct.pack("ll", WRITE_SECONDS, 0)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, timeout)
    return listener


class _Server(ThreadedWSGIServer):
    """Gives each connection a slot, and sets a deadline for its request."""

    def __init__(
        self, listener: socket.socket, host: str, app: WSGIApplication, slots: ConnectionSlots
    ) -> None:
        self.slots = slots
        self.closed = False
        self.slot: dict[socket.socket, Slot] = {}
        self.deadlines: dict[socket.socket, float] = {}
        """Maps a connection to its deadline, on the monotonic clock.

        The connection is closed if no request has arrived by then.
        """
        port = listener.getsockname()[1]
        super().__init__(host, port, app, _Requests, fd=listener.fileno())

    def get_request(self) -> tuple[socket.socket, Any]:
        try:
            return super().get_request()
        except OSError:  # the process can't open another file for a new connection
            self.slots.evict_oldest()
            time.sleep(RETRY_SECONDS)
            raise

    def process_request(self, request: Any, client_address: Any) -> None:
        slot = self.slots.take(partial(_shut, request))
        if slot is None:
            self.shutdown_request(request)
            return
        self.slot[request] = slot
        self.deadlines[request] = time.monotonic() + REQUEST_SECONDS
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.slots.leave(self.slot.pop(request, None))
        self.deadlines.pop(request, None)
        super().shutdown_request(request)

    def close_all(self) -> None:
        """Stop listening, and close all connections of this listener."""
        self.closed = True
        self.shutdown()
        for connection in list(self.slot):
            _shut(connection)
        self.server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore the errors of a connection, because the program logs its own errors."""

    def close_late(self) -> None:
        """Until the server is closed, close the connections whose request arrives too slowly."""
        while not self.closed:
            time.sleep(LOOK_SECONDS)
            now = time.monotonic()
            for connection, deadline in list(self.deadlines.items()):
                if deadline < now:
                    _shut(connection)


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


class _WebSocket(SimpleWebSocketWSGI):  # type: ignore[misc]
    """A WebSocket that limits fragmented messages and closes without waiting for the client.

    The library would wait until the client closes the connection, and so would every thread that
    waits for a message from that client.
    """

    allows: Callable[[], bool] = staticmethod(lambda: True)
    """Counts a frame. Returns False if the client has sent too many."""

    def __init__(self, handler: object, engine: Engine) -> None:
        limit = engine.max_http_buffer_size
        super().__init__(
            handler, engine, max_message_size=limit, thread_class=self._make_reader_thread
        )

    def close(self) -> None:
        # LocalProtocolError: another thread is closing the connection at this moment.
        with suppress(OSError, LocalProtocolError):
            super().close()
        _shut(self.ws.sock)

    def _make_reader_thread(self, target: Callable[[], None]) -> threading.Thread:
        """Return a thread that reads a WebSocket and wakes all waiting threads when it ends."""
        websocket = target.__self__  # type: ignore[attr-defined]

        def read() -> None:
            events = websocket.ws.events
            websocket.ws.events = lambda: self._count_frames(events())
            try:
                target()
            finally:
                del websocket.ws.events
            websocket.event.set()
            _shut(websocket.sock)

        return threading.Thread(target=read, daemon=True)

    def _count_frames(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the events, and count each frame that isn't a whole message.

        Such frames are fragments, and the pings and pongs that the library handles. Whole messages
        are counted where they are read. Raise ``OSError`` if there are too many frames.
        """
        for event in events:
            fragment = (
                isinstance(event, Message) and event.frame_finished and not event.message_finished
            )
            if (fragment or isinstance(event, Ping | Pong)) and not self.allows():
                raise OSError("too many frames")
            yield event


class _PiecewiseFile:
    """A connection's file that is read in small pieces.

    The library would read a long body in pieces of 10 MB.
    """

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def read(self, size: int = -1) -> bytes:
        """Return ``size`` bytes. If ``size`` exceeds ``PIECE_BYTES``, return only the bytes that
        have arrived."""
        if 0 <= size <= PIECE_BYTES:
            return bytes(self._inner.read(size))
        return bytes(self._inner.read1(PIECE_BYTES))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class _Requests(WSGIRequestHandler):
    """Reads a connection's only request. The connection is closed after the answer."""

    server: _Server

    def setup(self) -> None:
        super().setup()
        self.rfile = _PiecewiseFile(self.rfile)  # type: ignore[assignment]

    def parse_request(self) -> bool:
        source = self.rfile
        lines = self.rfile = HeaderLines(source)  # type: ignore[assignment]
        try:
            is_valid = super().parse_request()
        finally:
            self.rfile = source
        if is_valid and not has_clear_end(
            self.raw_requestline, lines, self.headers, self.request_version
        ):
            self.wfile.write(UNCLEAR)
            is_valid = False
            self.close_connection = True
        return is_valid

    def make_environ(self) -> WSGIEnvironment:
        environ = super().make_environ()
        if "HTTP_TRANSFER_ENCODING" in environ:
            environ["wsgi.input"] = ChunkedBody(self.rfile)
        # Compression would more than double the memory of a WebSocket.
        environ.pop("HTTP_SEC_WEBSOCKET_EXTENSIONS", None)
        slot = self.server.slot.get(self.connection)
        describe_connection(environ, self.server.slots, slot, self.connection)
        if not {"CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING"} & environ.keys():
            self.server.deadlines.pop(self.connection, None)
        return environ

    def send_response(self, code: int, message: str | None = None) -> None:
        """Send the status line, without the library's ``Server`` header and without logging."""
        self.send_response_only(code, message)
        self.send_header("Date", self.date_time_string())

    def log(self, type: str, message: str, *args: object) -> None:
        """Log nothing, since the program has its own log."""
