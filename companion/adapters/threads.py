"""Plain threads: Werkzeug's server, one thread for each connection, as this program wants it.
Nothing is patched: this is for when eventlet is gone (docs/running.md says what it bears)."""

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

from companion.adapters.connection_slots import (
    BREATH_SECONDS,
    REQUEST_SECONDS,
    WAITING,
    ConnectionSlots,
    Slot,
)
from companion.adapters.engineio import introduce
from companion.adapters.hand_over import HandOver, Stopping
from companion.adapters.strict_http import UNCLEAR, ChunkedBody, HeaderLines, is_clear
from companion.settings import Settings

WRITE_SECONDS = 10  # after this nothing more is written to who doesn't read
LOOK_SECONDS = 0.5
PIECE_BYTES = 65536  # read at once, however much is asked for


def run(
    app: WSGIApplication, settings: Settings, ready: Callable[[int], None], hand_over: HandOver
) -> None:
    """Serves until SIGTERM or Ctrl-C; then stops accepting, lets the clients go and returns."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    address = (settings.host, settings.port)
    with socket.create_server(address, family=family, backlog=WAITING) as listener:
        # Accepted sockets inherit both.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        patience = struct.pack("ll", WRITE_SECONDS, 0)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, patience)
        server = _Server(listener, app, settings)
    driver._async["websocket"] = _WebSocket
    stopping = Stopping()
    for do in (server.serve_forever, server.cut_off):
        threading.Thread(target=do, name=do.__name__, daemon=True).start()
    ready(server.port)
    stopping.within(None)
    hand_over.begin()
    server.shutdown()
    # Whoever is answered is read from by a thread of their own: that ends with this process.
    hand_over.let_go(lambda: None, lambda: 0, stopping.within)


class _Server(ThreadedWSGIServer):
    """Gives each connection a place, and says until when its request has to be there."""

    def __init__(self, listener: socket.socket, app: WSGIApplication, settings: Settings) -> None:
        self.places = ConnectionSlots(settings.connections)
        self.place: dict[socket.socket, Slot] = {}
        self.late: dict[socket.socket, float] = {}
        """Connection → when it is cut off, if its request isn't there by then."""
        address = settings.host, listener.getsockname()[1]
        super().__init__(*address, app, _Requests, fd=listener.fileno())

    def get_request(self) -> tuple[socket.socket, Any]:
        try:
            return super().get_request()
        except OSError:  # no file is free for whoever comes
            self.places.clear()
            time.sleep(BREATH_SECONDS)
            raise

    def process_request(self, request: Any, client_address: Any) -> None:
        place = self.places.take(partial(_shut, request))
        if place is None:
            self.shutdown_request(request)
            return
        self.place[request] = place
        self.late[request] = time.monotonic() + REQUEST_SECONDS
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.places.leave(self.place.pop(request, None))
        self.late.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: object, client_address: object) -> None:
        """Of a connection; what goes wrong in the program is told by itself."""

    def cut_off(self) -> None:
        """Whoever asks too slowly."""
        while True:
            time.sleep(LOOK_SECONDS)
            now = time.monotonic()
            for connection, late in list(self.late.items()):
                if late < now:
                    _shut(connection)


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


class _WebSocket(SimpleWebSocketWSGI):  # type: ignore[misc]
    """Takes no message that comes in endless pieces, and hangs up when it is closed. The library
    waits for the other end to do so, and so does whoever waits for what it reads."""

    allows: Callable[[], bool] = staticmethod(lambda: True)  # counts a frame; if it's not too many

    def __init__(self, handler: object, engine: Engine) -> None:
        most = engine.max_http_buffer_size
        super().__init__(handler, engine, max_message_size=most, thread_class=self._reading)

    def close(self) -> None:
        with suppress(OSError):
            super().close()
        _shut(self.ws.sock)

    def _reading(self, target: Callable[[], None]) -> threading.Thread:
        """Returns the thread in which a WebSocket reads; at its end nobody waits any more."""
        websocket = target.__self__  # type: ignore[attr-defined]

        def read() -> None:
            events, websocket.ws.events = websocket.ws.events, lambda: self._counted(events())
            try:
                target()
            finally:
                del websocket.ws.events
            websocket.event.set()
            _shut(websocket.sock)

        return threading.Thread(target=read, daemon=True)

    def _counted(self, events: Iterable[Event]) -> Iterator[Event]:
        """Counts each frame that is no message of its own; raises OSError when it is too many.
        Pings and pongs the library answers itself; messages are counted where they are read."""
        for event in events:
            piece = (
                isinstance(event, Message) and event.frame_finished and not event.message_finished
            )
            if (piece or isinstance(event, Ping | Pong)) and not self.allows():
                raise OSError("too many frames")
            yield event


class _InPieces:
    """A connection's file. The library reads what is left of a request in pieces of 10 MB."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def read(self, size: int = -1) -> bytes:
        """Returns so many bytes, or of more than a piece what has come."""
        if 0 <= size <= PIECE_BYTES:
            return bytes(self._inner.read(size))
        return bytes(self._inner.read1(PIECE_BYTES))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class _Requests(WSGIRequestHandler):
    """One request of a connection, which is its last."""

    server: _Server

    def setup(self) -> None:
        super().setup()
        self.rfile = _InPieces(self.rfile)  # type: ignore[assignment]

    def parse_request(self) -> bool:
        source = self.rfile
        lines = self.rfile = HeaderLines(source)  # type: ignore[assignment]
        try:
            read = super().parse_request()
        finally:
            self.rfile = source
        if read and not is_clear(self.raw_requestline, lines, self.headers, self.request_version):
            self.wfile.write(UNCLEAR)
            read = False
            self.close_connection = True
        return read

    def make_environ(self) -> WSGIEnvironment:
        environ = super().make_environ()
        if "HTTP_TRANSFER_ENCODING" in environ:
            environ["wsgi.input"] = ChunkedBody(self.rfile)
        # Compressed, a connection costs more than twice the memory.
        environ.pop("HTTP_SEC_WEBSOCKET_EXTENSIONS", None)
        place = self.server.place.get(self.connection)
        introduce(environ, self.server.places, place, self.connection)
        if not {"CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING"} & environ.keys():
            self.server.late.pop(self.connection, None)
        return environ

    def send_response(self, code: int, message: str | None = None) -> None:
        """As the library's, which says what this server is made of, and in its log what it did."""
        self.send_response_only(code, message)
        self.send_header("Date", self.date_time_string())

    def log(self, type: str, message: str, *args: object) -> None:
        """Nothing: the program has a log of its own."""
