"""Adapts eventlet to this program: its patch of the standard library, and its WSGI server.

eventlet's maintainers discourage new use of it, so only this module and ``websocket`` depend on it.
``threads`` has a server without it.
"""

import logging
import os
import socket
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from wsgiref.types import WSGIApplication, WSGIEnvironment

# eventlet's own name resolution would take a fifth of the start-up time, and isn't needed.
os.environ.setdefault("EVENTLET_NO_GREENDNS", "yes")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # hide eventlet's deprecation warning
    import eventlet
    from eventlet import greenio, wsgi
    from eventlet.greenio import GreenSocket
    from eventlet.greenthread import GreenThread
    from eventlet.hubs import get_hub, trampoline
    from eventlet.hubs.timer import Timer

from companion.adapters import direct_engineio, direct_eventlet, direct_socketio, websocket
from companion.adapters.connection_slots import (
    REQUEST_SECONDS,
    RETRY_SECONDS,
    WAITING,
    ConnectionSlots,
    Slot,
)
from companion.adapters.engineio import ClientSocket, Engine, describe_connection
from companion.adapters.hand_over import HandOver, Stopping
from companion.adapters.listeners import Listen, Listener, family_of
from companion.adapters.strict_http import (
    UNCLEAR,
    ChunkedBody,
    HeaderLines,
    Malformed,
    has_clear_end,
)
from companion.adapters.tested_versions import find_untested
from companion.settings import Settings

log = logging.getLogger("companion")

# time limit for an idle connection; a WebSocket is never idle, because it sends pings
IDLE_SECONDS = 30
# long enough for the cookies of all programs on this host, which a browser sends in one line
HEADER_LINE_BYTES = 32_768
SILENT_SECONDS = 3  # time limit for each answer of PostgreSQL


def patch() -> None:
    """Make threads, locks and sockets cooperative. Must be called before other imports."""
    eventlet.monkey_patch()
    with suppress(ImportError):  # psycopg2 is installed only where PostgreSQL is used
        from psycopg2 import OperationalError, extensions

        def wait(connection: extensions.connection) -> None:
            """Wait for the database, but at most ``SILENT_SECONDS``.

            psycopg2 itself waits without a time limit. The time limit also applies while a
            connection is being opened.
            """
            silent = OperationalError("PostgreSQL says nothing")
            while (state := connection.poll()) != extensions.POLL_OK:
                reads = state == extensions.POLL_READ
                trampoline(
                    connection.fileno(), read=reads, write=not reads,
                    timeout=SILENT_SECONDS, timeout_exc=silent,
                )  # fmt: skip

        extensions.set_wait_callback(wait)


def run(
    app: WSGIApplication, settings: Settings, ready: Callable[[int, Listen], None],
    hand_over: HandOver,
) -> None:  # fmt: skip
    """Serve until SIGTERM or Ctrl-C, then shut down gracefully (see ``hand_over``) and return.

    Once the server listens, ``ready`` is called with the port, and with a function that opens
    further listeners.
    """
    slots = ConnectionSlots(settings.connections)
    pools: dict[GreenSocket, _Pool] = {}  # by listener
    websocket.read_fairly()
    Engine.client_class = _choose_client_class(settings.plain_sockets)
    stopping = Stopping()
    wsgi.MAX_HEADER_LINE = HEADER_LINE_BYTES

    def listen(app: WSGIApplication, host: str, port: int) -> Listener:
        listener = _listen(host, port)
        _accept_for_ever(listener, slots)
        port = listener.getsockname()[1]
        pool = pools[listener] = _Pool(slots)
        thread = eventlet.spawn(
            wsgi.server, listener, app, custom_pool=pool, protocol=_Requests,
            socket_timeout=IDLE_SECONDS, log_output=False, debug=False,
        )  # fmt: skip
        eventlet.sleep(0)  # the server can only be stopped once it has started

        def close() -> None:
            del pools[listener]
            thread.kill()
            listener.close()
            pool.close_all()

        return Listener(port, close)

    def stop_reading() -> None:
        for pool in [*pools.values()]:
            pool.stop_reading()

    ready(listen(app, settings.host, settings.port).port, listen)
    stopping.wait(None)
    for pool in pools.values():
        pool.leaving = True
    hand_over.begin()
    for listener in pools:
        listener.close()
    hand_over.drain(
        stop_reading, lambda: sum(pool.running() for pool in pools.values()), stopping.wait
    )


def _choose_client_class(plain: bool) -> type[ClientSocket]:
    """Return the class of clients' sockets.

    This is the faster class in ``direct_eventlet``, unless ``plain`` is True, or the modules
    ``direct_…`` weren't tested with the installed version of a library.
    """
    untested = find_untested(direct_eventlet.BEFORE, direct_engineio.BEFORE, direct_socketio.BEFORE)
    if untested and not plain:
        log.warning('{"what":"plain_sockets","untested":"%s"}', ", ".join(untested))
    return ClientSocket if plain or untested else direct_eventlet.EventletSocket


def _listen(host: str, port: int) -> GreenSocket:
    # With SO_REUSEPORT, eventlet's default, two servers could share one port by mistake.
    listener = eventlet.listen((host, port), family_of(host), backlog=WAITING, reuse_port=False)
    # Accepted sockets inherit this option. With Nagle's algorithm a command would take 16 ms.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _accept_for_ever(listener: GreenSocket, slots: ConnectionSlots) -> None:
    """Make ``accept`` retry after an error. eventlet's server would stop instead."""
    accept = listener.accept

    def accept_patiently() -> object:
        while True:
            try:
                return accept()
            except OSError:
                if listener.fileno() < 0:
                    # ``run`` has closed the listener, but still serves the connected clients.
                    eventlet.Event().wait()
                slots.evict_oldest()
                eventlet.sleep(RETRY_SECONDS)

    listener.accept = accept_patiently


class _Pool(eventlet.GreenPool):  # type: ignore[misc]
    """Gives each new connection a slot, or closes the connection if no slot is free.

    The library would let the connection wait.
    """

    leaving = False  # True if connections are closed after their next answer

    def __init__(self, slots: ConnectionSlots) -> None:
        super().__init__(2 * slots.all + WAITING)
        self.slots = slots
        self._sockets: dict[Slot, GreenSocket] = {}

    def spawn(self, function: Callable[..., object], connection: list[object]) -> GreenThread:
        client = connection[1]
        slot = self.slots.take(lambda: greenio.shutdown_safe(client))
        if slot is None:
            # The server closes a connection when the connection's task ends. Return a task that
            # ends at once.
            return eventlet.spawn(int)
        self._sockets[slot] = client
        connection += [self, slot]
        thread = super().spawn(function, connection)
        thread.link(lambda _: self._leave(slot))
        return thread

    def _leave(self, slot: Slot) -> None:
        self.slots.leave(slot)
        del self._sockets[slot]

    def close_all(self) -> None:
        """Close all connections of this listener."""
        for client in list(self._sockets.values()):
            greenio.shutdown_safe(client)

    def stop_reading(self) -> None:
        # A thread that is reading a request gets the end of the stream. It can still send.
        for client in list(self._sockets.values()):
            with suppress(OSError):
                client.shutdown(socket.SHUT_RD)


class _Requests(wsgi.HttpProtocol):  # type: ignore[misc]
    """Reads the requests of one connection.

    Closes the connection if a request takes too long, or if a proxy in front of this server could
    disagree about where the request ends (see ``strict_http``).
    """

    environ: WSGIEnvironment | None = None
    rfile: Any

    def setup(self) -> None:
        super().setup()
        self.pool, self.slot = self.conn_state[3:5]
        self.slots = self.pool.slots
        # The timer starts with the connection, because a new connection must send a request.
        self._deadline = self._start_deadline()

    def _start_deadline(self) -> Timer:
        """Return a timer that closes the connection if the request doesn't arrive in time."""
        return get_hub().schedule_call_global(
            REQUEST_SECONDS, greenio.shutdown_safe, self.connection
        )

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        finally:
            self._deadline.cancel()
            # Break the reference cycle between request and connection, so that both objects are
            # freed.
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
        self._deadline.cancel()
        self._deadline = self._start_deadline()
        self.slots.mark_active(self.slot)
        return super()._read_request_line()

    def parse_request(self) -> bool:
        # The library restores ``rfile`` once the headers are parsed.
        lines = self.rfile = HeaderLines(self.rfile)
        is_valid: bool = super().parse_request()
        if is_valid and not has_clear_end(
            self.raw_requestline, lines, self.headers, self.request_version
        ):
            self.wfile.write(UNCLEAR)
            is_valid = False
            self.close_connection = True
        # While the server shuts down, close each connection after its answer.
        self.close_connection = self.close_connection or self.pool.leaving
        return is_valid

    def get_environ(self) -> WSGIEnvironment:
        environ: WSGIEnvironment = super().get_environ()
        if "content-type" not in self.headers:  # the library would set text/plain
            del environ["CONTENT_TYPE"]
        body = environ["eventlet.input"]
        if body.chunked_input:
            self._read_chunks_strictly(body)
        else:
            self._watch_body(body)
        describe_connection(environ, self.slots, self.slot, self.connection)
        return environ

    def _watch_body(self, body: wsgi.Input) -> None:
        """Cancel the request's deadline once its whole body has been read."""
        if not body.content_length:
            self._deadline.cancel()
        read = body._do_read

        def read_and_check(*args: object) -> object:
            data = read(*args)
            if body.position >= body.content_length:
                self._deadline.cancel()
            else:
                eventlet.sleep(0)  # reading from a fast sender never waits: yield here
            return data

        body._do_read = read_and_check

    def _read_chunks_strictly(self, body: wsgi.Input) -> None:
        """Read a chunked body with ``ChunkedBody``. If it is malformed, close the connection."""
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
                self._deadline.cancel()
            return data

        body._chunked_read = read_chunks

    def finish(self) -> None:
        self._deadline.cancel()
        super().finish()
