"""Socket.IO's packets and server with what this program wants otherwise."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec
import socketio
from socketio.exceptions import ConnectionRefusedError
from socketio.packet import Packet

from companion.adapters.connection_slots import Holder
from companion.adapters.engineio import ClientSocket, Engine

_encode = msgspec.json.Encoder().encode


class Json:
    """The JSON of msgspec, which takes what is encoded already (``msgspec.Raw``) as it is."""

    @staticmethod
    def dumps(value: object, **_options: object) -> str:
        return _encode(value).decode()

    @staticmethod
    def loads(text: str, **_options: object) -> object:
        """The value of a JSON document; ValueError when it is none."""
        try:
            return msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ValueError(str(error)) from None


BINARY = ("5", "6")  # what a binary event and its acknowledgement begin with


class TextPacket(Packet):  # type: ignore[misc]
    """Nothing that is sent here is binary: the default walks every payload to find out."""

    json = Json

    @classmethod
    def data_is_binary(cls, data: object) -> bool:
        return False

    def decode(self, encoded_packet: object) -> object:
        """Reads a packet; raises ValueError for a binary one before it announces anything."""
        if not isinstance(encoded_packet, str) or encoded_packet[:1] in BINARY:
            raise ValueError("binary")
        return super().decode(encoded_packet)


_EVENT = msgspec.json.Decoder(tuple[str, msgspec.Raw])
RESERVED = ("connect", "disconnect", "*")  # Socket.IO's own: a client that sends one is lying


class Server(socketio.Server):  # type: ignore[misc]
    """Says when a client knows that it is connected, and hangs up on what can't be read."""

    connected: Callable[[str], None]
    failed: Callable[[], None]  # hears that what answers a client raised; its connection is closed

    fast_handlers: Mapping[str, Callable[[str, msgspec.Raw], bytes]]
    """By event: a function that takes the client and the JSON it sent, and returns the answer."""

    _lines: dict[str, ClientSocket]

    @classmethod
    def made_of(cls, made: socketio.Server) -> "Server":
        """Flask-SocketIO's server turned into this one: it makes its own and takes no class."""
        made.__class__ = cls
        server: Server = made
        server.eio.__class__ = Engine
        server.eio.welcome = lambda sid: server.manager.sid_from_eio_sid(sid, "/") is not None
        server.eio.on("message", server._handle_eio_message)
        server.eio.hears = server._hears
        server.fast_handlers = {}
        server._lines = {}
        return server

    def post(self, sid: str, event: str, payload: object) -> None:
        """Sends an event to one client; never waits."""
        if line := self._lines.get(sid):
            said = payload if isinstance(payload, msgspec.Raw) else _encode(payload)
            line.say(b'42["%b",%b]' % (event.encode(), said))

    def send_all(self, event: str, payload: object) -> None:
        for sid in list(self._lines):
            self.post(sid, event, payload)

    def _hears(self, line: ClientSocket, said: str) -> bool:
        """Answers an event of ``fast_handlers`` the short way; else it is the library's to read."""
        number, _, content = said[1:].partition("[")
        most = self.eio.max_http_buffer_size
        if said[:1] != "2" or not (number.isascii() and number.isdecimal()) or len(said) >= most:
            return False
        try:
            event, told = _EVENT.decode(f"[{content}")
        except (msgspec.DecodeError, RecursionError):
            return False
        answers = self.fast_handlers.get(event)
        if answers is None or line.client is None:
            return False
        if not line.allows():
            line.close(wait=False)
            return False
        line.answered_by = threading.get_ident()
        try:
            said_back = answers(line.client, told)
        except Exception:
            self.failed()
            self.start_background_task(self.eio.disconnect, line.sid)
            return True
        finally:
            line.answered_by = 0
        line.say(b"43%d[%b]" % (int(number), said_back))
        return True

    def hang_up(self, sid: str) -> None:
        """Closes a client's connection, not only what Socket.IO has of it."""
        eio_sid = self.manager.eio_sid_from_sid(sid, "/")
        self.disconnect(sid)
        self.eio.disconnect(eio_sid)

    def requested_at(self, sid: str) -> int:
        """When the client asked for its connection, maybe long before it was let in; in ms."""
        line = self.eio.sockets.get(self.manager.eio_sid_from_sid(sid, "/"))
        return self.eio.now() if line is None else int(line.asked)

    def keep(self, sid: str, holder: Holder) -> None:
        """The client keeps its connection's place, whoever else comes."""
        if line := self._lines.get(sid):
            line.keep(holder)

    def round_trip(self, sid: str) -> int:
        """The client's round trip in ms, as measured last."""
        return self._lines.get(sid, ClientSocket).trip_ms

    def _handle_connect(self, eio_sid: str, namespace: str | None, data: object) -> None:
        super()._handle_connect(eio_sid, namespace, data)
        line = self.eio.sockets.get(eio_sid)
        if line is None or line.closed:
            # Whoever hung up while being let in would stay for ever: nobody was told.
            self._handle_eio_disconnect(eio_sid, self.reason.TRANSPORT_CLOSE)
            return
        sid = self.manager.sid_from_eio_sid(eio_sid, namespace or "/")
        if sid is not None and self.manager.is_connected(sid, namespace or "/"):
            self._lines[sid] = line
            line.client = sid
            with self._count_failures():
                self.connected(sid)

    def _trigger_event(self, event: str, namespace: str, *args: Any) -> object:
        if event == "disconnect" and (line := self._lines.pop(args[0], None)):
            line.client = None
        if event not in RESERVED and args[0] not in self._lines:
            return None  # whoever says this has gone, or isn't let in yet
        with self._count_failures():
            return super()._trigger_event(event, namespace, *args)

    @contextmanager
    def _count_failures(self) -> Iterator[None]:
        """What goes wrong in here is a fault of ours, wherever the libraries end it in silence."""
        try:
            yield
        except ConnectionRefusedError:
            raise
        except Exception:
            self.failed()
            raise

    def _handle_event(self, eio_sid: str, namespace: str | None, id: object, data: object) -> None:
        if not isinstance(data, list) or not isinstance(data[0], str) or data[0] in RESERVED:
            raise ValueError("not an event of a client's")
        super()._handle_event(eio_sid, namespace, id, data)

    def _handle_eio_message(self, eio_sid: str, data: object) -> None:
        try:
            super()._handle_eio_message(eio_sid, data)
        except Exception:
            # There is nothing to acknowledge, and nothing is ignored in silence.
            self.eio.unreadable("event")
            self.start_background_task(self.eio.disconnect, eio_sid)
