"""eventlet: what must be patched first, and its WSGI server as this program wants it. Its
maintainers discourage new use, so nothing else knows which server runs."""

import os
import socket
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from wsgiref.types import WSGIApplication, WSGIEnvironment

# Its own name resolution takes a fifth of the start and is needed for nothing here.
os.environ.setdefault("EVENTLET_NO_GREENDNS", "yes")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that it is discouraged for new programs is known
    import eventlet
    from eventlet import greenio, wsgi
    from eventlet.greenio import GreenSocket
    from eventlet.greenthread import GreenThread
    from eventlet.hubs import get_hub, trampoline
    from eventlet.hubs.timer import Timer

from companion.adapters import websocket
from companion.adapters.connection_slots import (
    BREATH_SECONDS,
    REQUEST_SECONDS,
    WAITING,
    ConnectionSlots,
    Slot,
)
from companion.adapters.engineio import ClientSocket, introduce
from companion.adapters.hand_over import HandOver, Stopping
from companion.adapters.strict_http import UNCLEAR, ChunkedBody, HeaderLines, Malformed, is_clear
from companion.settings import Settings

IDLE_SECONDS = 30  # after this who neither asks nor reads is hung up on; a WebSocket pings in time
HEADER_LINE_BYTES = 32_768  # a browser sends its cookies of all programs on this host in one line
SILENT_SECONDS = 3  # after this PostgreSQL, which is silent, is taken to be away


def patch() -> None:
    """Threads, locks and sockets give way from now on; before anything else is imported."""
    eventlet.monkey_patch()
    with suppress(ImportError):  # who has no PostgreSQL needs no psycopg2
        from psycopg2 import OperationalError, extensions

        def wait(connection: extensions.connection) -> None:
            """As the library's, but PostgreSQL is not waited for without end, be it to connect."""
            silent = OperationalError("PostgreSQL says nothing")
            while (state := connection.poll()) != extensions.POLL_OK:
                reads = state == extensions.POLL_READ
                trampoline(
                    connection.fileno(), read=reads, write=not reads,
                    timeout=SILENT_SECONDS, timeout_exc=silent,
                )  # fmt: skip

        extensions.set_wait_callback(wait)


def run(
    app: WSGIApplication, settings: Settings, ready: Callable[[int], None], hand_over: HandOver
) -> None:
    """Serves until SIGTERM or Ctrl-C; then stops accepting, lets the clients go and returns."""
    places = ConnectionSlots(settings.connections)
    pool = _Pool(places)
    listener = _listen(settings)
    _accept_for_ever(listener, places)
    websocket.read_fairly()
    ClientSocket.wires = None if settings.plain_sockets else websocket.Wire
    stopping = Stopping()
    wsgi.MAX_HEADER_LINE = HEADER_LINE_BYTES
    eventlet.spawn(
        wsgi.server, listener, app, custom_pool=pool, protocol=_Requests,
        socket_timeout=IDLE_SECONDS, log_output=False, debug=False,
    )  # fmt: skip
    eventlet.sleep(0)  # it has to have begun before it can be told to end
    ready(listener.getsockname()[1])
    stopping.within(None)
    pool.leaving = True
    hand_over.begin()
    listener.close()
    hand_over.let_go(pool.read_no_more, pool.running, stopping.within)


def _listen(settings: Settings) -> GreenSocket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # With SO_REUSEPORT, eventlet's default, two servers on one port would share the callers.
    listener = eventlet.listen(
        (settings.host, settings.port), family, backlog=WAITING, reuse_port=False
    )
    # Accepted sockets inherit it; with Nagle's algorithm a command takes 16 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _accept_for_ever(listener: GreenSocket, places: ConnectionSlots) -> None:
    """eventlet's server ends at the first error; who can't be accepted is to wait instead."""
    accept = listener.accept

    def accept_patiently() -> object:
        while True:
            try:
                return accept()
            except OSError:
                if listener.fileno() < 0:
                    eventlet.Event().wait()  # who is there stays until they are let go
                places.clear()
                eventlet.sleep(BREATH_SECONDS)

    listener.accept = accept_patiently


class _Pool(eventlet.GreenPool):  # type: ignore[misc]
    """Gives each connection a place instead of letting newcomers wait for one. ``leaving``: whoever
    is answered is to come with another connection."""

    leaving = False

    def __init__(self, places: ConnectionSlots) -> None:
        super().__init__(2 * places.all + WAITING)
        self.places = places
        self._lines: dict[Slot, GreenSocket] = {}

    def spawn(self, function: Callable[..., object], connection: list[object]) -> GreenThread:
        line = connection[1]
        place = self.places.take(lambda: greenio.shutdown_safe(line))
        if place is None:
            return eventlet.spawn(int)  # its end closes the connection
        self._lines[place] = line
        connection += [self, place]
        thread = super().spawn(function, connection)
        thread.link(lambda _: self._leave(place))
        return thread

    def _leave(self, place: Slot) -> None:
        self.places.leave(place)
        del self._lines[place]

    def read_no_more(self) -> None:
        # To whoever reads them, all are at their end; what is to be said still goes out.
        for line in list(self._lines.values()):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RD)


class _Requests(wsgi.HttpProtocol):  # type: ignore[misc]
    """A request that does not end is cut off; one that is answered says who keeps his place. Taken
    is none whose end a proxy before us could see elsewhere than we do."""

    environ: WSGIEnvironment | None = None
    rfile: Any

    def setup(self) -> None:
        super().setup()
        self.pool, self.place = self.conn_state[3:5]
        self.places = self.pool.places
        self._late = self._hurry()  # who connects has something to ask

    def _hurry(self) -> Timer:
        return get_hub().schedule_call_global(
            REQUEST_SECONDS, greenio.shutdown_safe, self.connection
        )

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        finally:
            self._late.cancel()
            # What was asked knows who asks: neither would go before the other.
            environ = self.environ
            self.environ = None
            if environ is not None:
                for ours in ("_do_read", "_chunked_read"):
                    environ["eventlet.input"].__dict__.pop(ours, None)

    def _read_request_line(self) -> object:
        try:
            if not self.rfile.peek(1):
                return b""
        except TimeoutError:
            raise
        except OSError:
            return b""
        self._late.cancel()
        self._late = self._hurry()
        self.places.ask(self.place)
        return super()._read_request_line()

    def parse_request(self) -> bool:
        lines = self.rfile = HeaderLines(self.rfile)  # the library puts its own back
        read: bool = super().parse_request()
        if read and not is_clear(self.raw_requestline, lines, self.headers, self.request_version):
            self.wfile.write(UNCLEAR)
            read = False
            self.close_connection = True
        # Before the server ends every answer is its connection's last.
        self.close_connection = self.close_connection or self.pool.leaving
        return read

    def get_environ(self) -> WSGIEnvironment:
        environ: WSGIEnvironment = super().get_environ()
        if "content-type" not in self.headers:  # the library calls it a text
            del environ["CONTENT_TYPE"]
        body = environ["eventlet.input"]
        if body.chunked_input:
            self._read_chunks_of(body)
        else:
            self._read_all_of(body)
        introduce(environ, self.places, self.place, self.connection)
        return environ

    def _read_all_of(self, body: wsgi.Input) -> None:
        """Ends the time that the request has once its body is there."""
        if not body.content_length:
            self._late.cancel()
        read = body._do_read

        def read_and_look(*wanted: object) -> object:
            data = read(*wanted)
            if body.position >= body.content_length:
                self._late.cancel()
            else:
                eventlet.sleep(0)  # who sends without a pause lets others have their turn
            return data

        body._do_read = read_and_look

    def _read_chunks_of(self, body: wsgi.Input) -> None:
        """Lets chunks be read strictly; what is malformed is its connection's last request."""
        chunks = ChunkedBody(self.rfile)

        def read_chunks(_source: object, size: int, _line: bool = False) -> bytes:
            if body.should_send_hundred_continue:
                body.send_hundred_continue_response()
                body.is_hundred_continue_response_sent = True
            eventlet.sleep(0)
            try:
                data = chunks.read(size)
            except Malformed as malformed:
                self.close_connection = True
                raise wsgi.ChunkReadError(str(malformed)) from malformed
            if chunks.ended:
                self._late.cancel()
            return data

        body._chunked_read = read_chunks

    def finish(self) -> None:
        self._late.cancel()
        super().finish()
