"""python-engineio, beneath Socket.IO: each client's line, and the server that has them all.

The library hands every packet to a queue and a writer, with a timer for each: together that cost
more than a command itself. A line sends a packet as it is said, while the network takes it. What
the network does not take waits in the library's own queue for its own writer, and all that is
said later waits behind it: the order stays, and nobody waits for a client that doesn't read.

Every frame and packet that arrives is counted, also what is no event: pongs, connects, junk. What
can't be read is counted as such and closes its connection: the library lets such exceptions out,
or passes over them, and leaves a session that nobody speaks for. A sweep finds the dead,
those who don't read, and those who never say which table they want."""

import re
import socket
import threading
import time
from collections.abc import Callable
from hmac import compare_digest
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import parse_qs
from wsgiref.types import StartResponse, WSGIEnvironment

import engineio
from engineio.exceptions import (
    ContentTooLongError,
    EngineIOError,
    QueueEmpty,
    SocketIsClosedError,
    UnknownPacketError,
)
from engineio.packet import CLOSE, Packet
from engineio.payload import Payload
from engineio.socket import Socket

from companion.adapters import cookies
from companion.adapters.connection_slots import ConnectionSlots, Holder, Slot, silent_ms

if TYPE_CHECKING:  # which knows eventlet
    from companion.adapters.websocket import Wire

KEEP = "companion.keep"  # in a request's environ: keeps its connection's place for a ``Holder``
WAITED = "companion.waited"  # in a request's environ: tells for how many ms it has been waiting
SECRET = "companion.secret"  # in a request's environ: by what its client will be known
SWEEP_SECONDS = 0.5
CONNECT_SECONDS = 10  # after this a socket that has no seat and watches no table is closed

COOKIE = "companion_line"
SAME_MS = 5  # who came so shortly after another asked after them, whatever the clock says
BACKLOG = 256  # how many packets may wait for a client that doesn't read


def _session_secret(environ: WSGIEnvironment) -> str | None:
    """What the request's cookie says of its session."""
    name = cookies.full_name(COOKIE, environ)
    header = environ.get("HTTP_COOKIE", "")
    found = re.search(rf"(?:^|; *){name}=([\w-]{{32}})(?:;|$)", header)
    return found[1] if found else None


def introduce(
    environ: WSGIEnvironment, places: ConnectionSlots, place: Slot | None, connection: socket.socket
) -> None:
    """A request brings what is to be known of the connection on which it came."""
    environ[KEEP] = lambda holder: places.keep(place, holder)
    environ[WAITED] = lambda: silent_ms(connection)


class ClientSocket(Socket):  # type: ignore[misc]
    """One client. Only over a WebSocket that ``wires`` knows does it send at once. ``asked``: when
    it asked for its connection, in ms on the engine's clock. ``holder``: the client that was let
    in; ``None`` until then."""

    wires: ClassVar["type[Wire] | None"] = None  # makes a WebSocket one that sends without waiting

    allows: Callable[[], bool] = staticmethod(lambda: True)  # counts a packet; if it's not too many
    trip_ms = 250  # from the last ping to its answer by the clock of steady, once there was one
    client: str | None = None  # Socket.IO's name for it, while it knows that it is connected
    answered_by = 0  # the thread that answers it just now; what it says goes out with the answer

    holder: Holder | None = None
    asked: int
    place: Slot | None = None
    _wire: "Wire | None" = None
    _idle = False  # whether the library's writer waits: whatever there was to send has been sent

    _held = b""

    def begin(self, environ: WSGIEnvironment) -> bool:
        """Takes a place, and keeps by what its client will be known; whether there is one."""
        engine: Engine = self.server
        self.place = engine.places.take(lambda: self.close(wait=False, abort=True))
        if self.place is None:
            return False
        self._born = time.monotonic()
        self.asked = engine.moment(environ.get(WAITED, int)())
        if engine.meter is not None:
            self.allows = engine.meter()
        said = _session_secret(environ)
        self._keeps = True if said else None
        self._secret = environ[SECRET] = said or token_urlsafe(24)
        self._address = engine.client_address(environ)
        self._keep = environ.get(KEEP) if "HTTP_UPGRADE" in environ else None
        return True

    # A polling client names its session in addresses, which proxies write down: the name alone
    # is not enough. A cookie says who it is; a client that keeps none has its address.

    def knows(self, environ: WSGIEnvironment) -> bool:
        """Whether its client asks; the first request after the handshake shows if it keeps any."""
        said = _session_secret(environ)
        same = said is not None and compare_digest(said, self._secret)
        if self._keeps is None:
            self._keeps = same
        return same or (not self._keeps and self.server.client_address(environ) == self._address)

    def keep(self, holder: Holder) -> None:
        """Whoever was let in over this socket keeps his connection's place."""
        self.holder = holder
        self.server.places.keep(self.place, holder)
        if self._keep is not None:
            self._keep(holder)

    def hopeless(self) -> bool:
        """Whether too much waits for its client, or it never said which table it wants."""
        late = time.monotonic() - self._born > CONNECT_SECONDS
        return self.queue.qsize() > BACKLOG or (late and not self.server.welcome(self.sid))

    def handle_get_request(self, environ: WSGIEnvironment, start_response: StartResponse) -> object:
        """Answers a poll, or speaks over a WebSocket until its end; one that was never made ends
        the session that was to begin with it."""
        try:
            return super().handle_get_request(environ, start_response)
        finally:
            if not self.connected:
                self.close(wait=False, abort=True)

    def handle_post_request(self, environ: WSGIEnvironment) -> None:
        """Receives the packets that a polling client sends; raises ``EngineIOError`` for what can't
        be read, after which the library closes the session."""
        try:
            length = int(environ.get("CONTENT_LENGTH") or 0)
            if length > self.server.max_http_buffer_size:
                raise ContentTooLongError
            body = environ["wsgi.input"].read(length)
            if len(body) < length:
                raise ConnectionError  # the client hung up: nothing of it was said
            packets = Payload(encoded_payload=body.decode()).packets
            if not packets:
                raise UnknownPacketError
        except OSError:
            raise
        except Exception as problem:
            self.server.unreadable("packet")
            raise EngineIOError(str(problem)) from problem
        for packet in packets:
            self.receive(packet)

    def _websocket_handler(self, ws: Any) -> object:
        ws.allows = self._allows_frame
        wire = None if ClientSocket.wires is None else ClientSocket.wires(ws, self._hears)
        self._wire = wire
        try:
            return super()._websocket_handler(wire or ws)
        except OSError:  # the network's fault
            return []
        except Exception:  # the library tries to read a packet, and lets out what it finds
            self.server.unreadable("packet")
            self.close(wait=False, abort=True)
            return []
        finally:
            self.upgrading = False
            if self.upgraded:
                self.close(wait=False, abort=True, reason=self.server.reason.TRANSPORT_CLOSE)
            if wire is not None:
                wire.leave()
            self._wire = None  # which knows this line: neither would go before the other
            del ws.allows

    def _allows_frame(self) -> bool:
        """Counts a frame that is no message; a flood of them ends as one of messages does."""
        if self.allows():
            return True
        self.close(wait=False)
        return False

    def _hears(self, said: object) -> bool:
        """Whether a command was heard the short way; whatever else comes is the library's."""
        if self.closed or not isinstance(said, str) or said[:1] != "4":
            return False
        return bool(self.server.hears(self, said[1:]))

    def receive(self, pkt: Packet) -> None:
        if not self.closed:
            if self.allows():
                try:
                    super().receive(pkt)
                    return
                except UnknownPacketError:
                    self.server.unreadable("packet")
            self.close(wait=False)
        raise SocketIsClosedError  # nothing more is read

    def schedule_ping(self) -> None:
        """The next ping goes out in a while; the last one has been answered, if there was one."""
        if self.last_ping and self.last_ping > self._born:
            self.trip_ms = round((time.monotonic() - self.last_ping) * 1000)
        super().schedule_ping()

    def poll(self) -> object:
        """What waits to be sent; over a WebSocket that may be nothing for as long as it likes."""
        if not self.upgraded or self._wire is None:
            return super().poll()
        while True:
            self._idle = True
            try:
                return super().poll()
            except QueueEmpty:
                continue
            finally:
                self._idle = False

    def send(self, pkt: Packet) -> None:
        """Sends a packet of the library's. Who fell silent is sent no CLOSE by the library: a
        client that is told so stays away."""
        encoded = pkt.encode() if self._idle and pkt.packet_type != CLOSE else None
        if isinstance(encoded, str):
            self.say(encoded.encode())
        else:
            if self._held and self._wire is not None:  # which was said before
                self.queue.put(self._wire.later(self._held))
                self._held = b""
            super().send(pkt)

    def say(self, packet: bytes) -> None:
        """Sends a packet as engine.io writes it; never waits."""
        if self._wire is None or not self._idle or self.closed or self.queue.queue:
            if not self.closed:
                super().send(Packet(encoded_packet=packet.decode()))
            return
        frame = text_frame(packet)
        if self._held:
            frame = self._held + frame
            self._held = b""
        # Asked of the module, where a server may have put its own threads.
        if self.answered_by and self.answered_by == threading.get_ident():
            self._held = frame
        elif rest := self._wire.write(frame):
            self.queue.put(rest)


def is_handshake(environ: WSGIEnvironment) -> bool:
    """Returns True if a request asks for a WebSocket as RFC 6455 has it."""
    options = environ.get("HTTP_CONNECTION", "").lower().split(",")
    return (
        environ["REQUEST_METHOD"] == "GET"
        and "upgrade" in map(str.strip, options)
        and environ.get("HTTP_UPGRADE", "").lower() == "websocket"
        and environ.get("HTTP_SEC_WEBSOCKET_VERSION") == "13"
        and bool(environ.get("HTTP_SEC_WEBSOCKET_KEY"))
    )


def text_frame(packet: bytes) -> bytes:
    """A text frame of RFC 6455, from a server, with this content."""
    size = len(packet)
    if size < 126:
        return b"\x81%c%b" % (size, packet)
    if size < 1 << 16:
        return b"\x81\x7e%b%b" % (size.to_bytes(2), packet)
    return b"\x81\x7f%b%b" % (size.to_bytes(8), packet)


class Engine(engineio.Server):  # type: ignore[misc]
    """Closes the sockets that send too much, read too little or say nothing."""

    meter: Callable[[], Callable[[], bool]] | None = None  # makes what counts one socket's packets
    places: ConnectionSlots  # how many sockets at once; who says nothing gives way to a newcomer
    client_address: Callable[[WSGIEnvironment], str]  # the address that a request counts for
    now: Callable[[], int]  # the time, in ms
    full = False  # nobody new is taken on: this process ends soon
    newest = 0  # when it was asked for a connection last, in ms
    _asking = threading.Lock()
    welcome: Callable[[str], bool]  # whether somebody was let in over this socket
    is_reading: Callable[[ClientSocket, str], bool]  # takes a message the short way, if it can
    unreadable: Callable[[str], None] = staticmethod(lambda what: None)  # counts what can't be read

    def moment(self, waited: int) -> int:
        """When somebody asked who has waited for so many ms: of two in the same ms the second is
        the newer one."""
        with self._asking:
            asked = self.now() - waited
            if asked <= self.newest < asked + SAME_MS:
                asked = self.newest + 1
            self.newest = asked
            return asked

    def _trigger_event(self, event: str, sid: str, *told: Any, run_async: bool = False) -> object:
        if event == "connect":
            line = self.sockets[sid]
            line.__class__ = ClientSocket  # the library makes its own and takes no class
            if not line.begin(told[0]):
                return False
        elif event == "disconnect":
            line = self.sockets[sid]
            self.places.leave(getattr(line, "place", None))  # a line's; a thread may just make it
            line.place = None
        return super()._trigger_event(event, sid, *told, run_async=run_async)

    def handle_request(self, environ: WSGIEnvironment, start_response: StartResponse) -> object:
        """Answers one request, unless it speaks for a session that is somebody else's."""
        asked = parse_qs(environ.get("QUERY_STRING", ""))
        sid = asked.get("sid", [""])[0]
        line = self.sockets.get(sid)
        if self.full and not sid:
            start_response("503 Service Unavailable", [("Connection", "close")])
            return []
        if asked.get("transport") == ["websocket"] and not is_handshake(environ):
            self.unreadable("handshake")
            return self._refuse(start_response, "Invalid websocket upgrade")
        if line is None or line.knows(environ):
            if "HTTP_UPGRADE" in environ and line is not None and line.holder is not None:
                environ.get(KEEP, bool)(line.holder)
            try:
                return super().handle_request(environ, start_response)
            except KeyError:  # it was closed just now
                if sid in self.sockets:
                    raise
        return self._refuse(start_response, f"Invalid session {sid}")

    def _refuse(self, start_response: StartResponse, why: str) -> list[bytes]:
        refused = self._bad_request(why)
        start_response(refused["status"], refused["headers"])
        return [refused["response"]]

    def _handle_connect(self, environ: WSGIEnvironment, *args: object) -> object:
        answer = super()._handle_connect(environ, *args)
        if isinstance(answer, dict) and SECRET in environ:
            secure = "; Secure" if cookies.is_secure(environ) else ""
            name = cookies.full_name(COOKIE, environ)
            path = cookies.path(environ)
            cookie = f"{name}={environ[SECRET]}; Path={path}; HttpOnly; SameSite=Lax"
            answer["headers"].append(("Set-Cookie", cookie + secure))
        return answer

    def disconnect(self, sid: str | None = None) -> None:
        """Closes one socket; unlike the library's it waits for nobody to read the rest."""
        if line := self.sockets.get(sid):
            line.close(wait=False, reason=self.reason.SERVER_DISCONNECT)

    @property
    def anybody(self) -> bool:
        return not all(line.closed for line in list(self.sockets.values()))

    def end_polling(self) -> None:
        """Closes the sockets of those who poll once what waits for them has been fetched."""
        for line in list(self.sockets.values()):
            if not line.upgraded:
                line.close(wait=False, abort=True)

    def _service_task(self) -> None:
        """In place of the library's, which takes up to 17 s to notice a dead connection."""
        self.service_task_event = self.create_event()
        while not self.service_task_event.wait(timeout=SWEEP_SECONDS):
            for sid, line in list(self.sockets.items()):
                if line.closed:
                    self.sockets.pop(sid, None)
                elif hasattr(line, "asked") and line.hopeless():  # else a thread just makes it
                    line.close(wait=False, abort=True)
                elif not line.closing:
                    line.check_ping_timeout()
