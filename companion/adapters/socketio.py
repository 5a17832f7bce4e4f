"""python-socketio's server and packets, changed for this program, and a Flask-SocketIO that uses
them.

A connection that sends something unreadable is closed; the library would ignore the packet.
``direct_socketio`` has a faster path for the packets of commands.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import flask_socketio
import msgspec
import socketio
from flask import Flask
from socketio.exceptions import ConnectionRefusedError
from socketio.packet import Packet

from companion.adapters.connection_slots import Holder
from companion.adapters.direct_socketio import CommandReader, Handler
from companion.adapters.engineio import ClientSocket, Engine

_encode = msgspec.json.Encoder().encode


class Json:
    """Encodes and decodes JSON with msgspec. An already encoded value (``msgspec.Raw``) is sent
    unchanged."""

    @staticmethod
    def dumps(value: object, **_options: object) -> str:
        return _encode(value).decode()

    @staticmethod
    def loads(text: str, **_options: object) -> object:
        """Return the value of a JSON document. Raise ``ValueError`` if the text isn't JSON."""
        try:
            return msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ValueError(str(error)) from None


BINARY = ("5", "6")  # the packet types of a binary event and its acknowledgement


class TextPacket(Packet):  # type: ignore[misc]
    """A packet without binary data. The library would search every payload for binary values."""

    json = Json

    @classmethod
    def data_is_binary(cls, data: object) -> bool:
        return False

    def decode(self, encoded_packet: object) -> object:
        """Parse a packet. Raise ``ValueError`` for a packet with binary attachments."""
        if not isinstance(encoded_packet, str) or encoded_packet[:1] in BINARY:
            raise ValueError("binary")
        return super().decode(encoded_packet)


RESERVED = ("connect", "disconnect", "*")  # the library's own events, which clients may not send


class Server(socketio.Server):  # type: ignore[misc]
    """Socket.IO's server, with callbacks for its events."""

    on_connected: Callable[[str], None]  # called with a client's id once it has connected
    # called in the ``except`` block when a handler has raised an exception
    on_failure: Callable[[], None]

    eio: Engine

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._sockets: dict[str, ClientSocket] = {}
        self.fast_handlers: dict[str, Handler] = {}
        """Maps an event's name to the function with which ``direct_socketio`` handles the event."""
        commands = CommandReader(
            self.fast_handlers, self.eio.max_http_buffer_size, self._close_after_failure
        )
        self.eio.handle_directly = commands.handle
        self.eio.is_welcome = lambda sid: self.manager.sid_from_eio_sid(sid, "/") is not None

    def _engineio_server_class(self) -> type[Engine]:
        return Engine

    def _close_after_failure(self, socket: ClientSocket) -> None:
        self.on_failure()
        self.start_background_task(self.eio.disconnect, socket.sid)

    def post(self, sid: str, event: str, payload: object) -> None:
        """Send an event to one client. Never waits."""
        if socket := self._sockets.get(sid):
            content = payload if isinstance(payload, msgspec.Raw) else _encode(payload)
            socket.send_text(b'42["%b",%b]' % (event.encode(), content))

    def send_all(self, event: str, payload: object) -> None:
        for sid in list(self._sockets):
            self.post(sid, event, payload)

    def hang_up(self, sid: str) -> None:
        """Close a client's connection: its Socket.IO session and the socket below."""
        eio_sid = self.manager.eio_sid_from_sid(sid, "/")
        self.disconnect(sid)
        self.eio.disconnect(eio_sid)

    def requested_at(self, sid: str) -> int:
        """Return the time in ms at which the client requested its connection.

        If the server is busy, the request can come long before the client is admitted.
        """
        socket = self.eio.sockets.get(self.manager.eio_sid_from_sid(sid, "/"))
        return self.eio.now() if socket is None else int(socket.requested_at)

    def keep_slot(self, sid: str, holder: Holder) -> None:
        """Keep the slot of a client's connection (see ``connection_slots``)."""
        if socket := self._sockets.get(sid):
            socket.keep_slot(holder)

    def round_trip(self, sid: str) -> int:
        """Return the client's last round-trip time in ms."""
        return self._sockets.get(sid, ClientSocket).trip_ms

    def _handle_connect(self, eio_sid: str, namespace: str | None, data: object) -> None:
        super()._handle_connect(eio_sid, namespace, data)
        socket = self.eio.sockets.get(eio_sid)
        if socket is None or socket.closed:
            # The client disconnected while it was being admitted. Without this call, its session
            # would never end.
            self._handle_eio_disconnect(eio_sid, self.reason.TRANSPORT_CLOSE)
            return
        sid = self.manager.sid_from_eio_sid(eio_sid, namespace or "/")
        if sid is not None and self.manager.is_connected(sid, namespace or "/"):
            self._sockets[sid] = socket
            socket.client = sid
            with self._count_failures():
                self.on_connected(sid)

    def _trigger_event(self, event: str, namespace: str, *args: Any) -> object:
        if event == "disconnect" and (socket := self._sockets.pop(args[0], None)):
            socket.client = None
        if event not in RESERVED and args[0] not in self._sockets:
            return None  # the client has disconnected, or isn't admitted yet
        with self._count_failures():
            return super()._trigger_event(event, namespace, *args)

    @contextmanager
    def _count_failures(self) -> Iterator[None]:
        """Report an exception raised in the block. The library would ignore the exception."""
        try:
            yield
        except ConnectionRefusedError:
            raise
        except Exception:
            self.on_failure()
            raise

    def _handle_event(self, eio_sid: str, namespace: str | None, id: object, data: object) -> None:
        if not isinstance(data, list) or not isinstance(data[0], str) or data[0] in RESERVED:
            raise ValueError("not an event of a client's")
        super()._handle_event(eio_sid, namespace, id, data)

    def _handle_eio_message(self, eio_sid: str, data: object) -> None:
        try:
            super()._handle_eio_message(eio_sid, data)
        except Exception:
            # An unreadable packet can't be acknowledged, so close the connection.
            self.eio.unreadable("event")
            self.start_background_task(self.eio.disconnect, eio_sid)


class SocketIO(flask_socketio.SocketIO):  # type: ignore[misc]
    """Flask-SocketIO with our ``Server``. The library would create a server of its own class."""

    server: Server

    def init_app(self, app: Flask, **options: Any) -> None:
        self.server = Server(**options)
        self.async_mode = self.server.async_mode
        app.extensions["socketio"] = self
        app.wsgi_app = socketio.WSGIApp(self.server, app.wsgi_app)  # type: ignore[method-assign]
