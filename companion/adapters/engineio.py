"""Changes python-engineio, the layer below Socket.IO, to protect the server: a ``ClientSocket``
per client, and ``Engine``.

Every frame and packet from a client is rate-limited, including pongs and junk. A client that sends
unreadable data is disconnected and counted in the metrics; the library would leave its session
open, or not catch the exception. A periodic sweep closes connections that are dead, that don't
read, or that never choose a table.

``direct_engineio`` has a faster path for the packets of a WebSocket.
"""

import re
import socket
import threading
import time
from collections.abc import Callable
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Any, ClassVar
from urllib.parse import parse_qs
from wsgiref.types import StartResponse, WSGIEnvironment

import engineio
from engineio.exceptions import (
    ContentTooLongError,
    EngineIOError,
    SocketIsClosedError,
    UnknownPacketError,
)
from engineio.packet import OPEN, Packet
from engineio.payload import Payload
from engineio.socket import Socket

from companion.adapters import cookies
from companion.adapters.connection_slots import ConnectionSlots, Holder, Slot, ms_since_last_data

# Keys in a request's environ.
KEEP = "companion.keep"  # a function that keeps the connection's slot for a ``Holder``
WAITED = "companion.waited"  # a function that returns the ms since the request arrived
SECRET = "companion.secret"  # the secret that identifies the client by its cookie

SWEEP_SECONDS = 0.5
CONNECT_SECONDS = 10  # time limit for a client to be admitted to a table

COOKIE = "companion_line"
SAME_MS = 5  # if two requests arrive within this time, the one that is read last counts as newer
BACKLOG = 256  # limit of packets queued for a client that doesn't read


def _session_secret(environ: WSGIEnvironment) -> str | None:
    """Return the secret from the request's session cookie, or None."""
    name = cookies.full_name(COOKIE, environ)
    header = environ.get("HTTP_COOKIE", "")
    match = re.search(rf"(?:^|; *){name}=([\w-]{{32}})(?:;|$)", header)
    return match[1] if match else None


def describe_connection(
    environ: WSGIEnvironment, slots: ConnectionSlots, slot: Slot | None, connection: socket.socket
) -> None:
    """Store two functions in ``environ``.

    The first function keeps the connection's slot for an admitted client (a ``Holder``). The
    second function returns the ms since the request arrived.
    """
    environ[KEEP] = lambda holder: slots.keep(slot, holder)
    environ[WAITED] = lambda: ms_since_last_data(connection)


class ClientSocket(Socket):  # type: ignore[misc]
    """One client's connection."""

    allows: Callable[[], bool] = staticmethod(lambda: True)
    """Counts a packet. Returns False if the client has sent too many."""

    trip_ms = 250  # round-trip time of the last ping, or an estimate before the first one
    client: str | None = None  # Socket.IO's id of the connected client
    holder: Holder | None = None  # set once the client is admitted to a table
    requested_at: int | None = None
    """The time of the client's request for a connection, in ms on the engine's clock. None until
    ``begin`` has succeeded."""
    slot: Slot | None = None

    def begin(self, environ: WSGIEnvironment) -> bool:
        """Take a slot, and store the client's cookie secret. Return False if no slot is free."""
        engine: Engine = self.server
        self.slot = engine.slots.take(lambda: self.close(wait=False, abort=True))
        if self.slot is None:
            return False
        self._opened_at = time.monotonic()
        self.requested_at = engine.stamp_request(environ.get(WAITED, int)())
        if engine.make_packet_counter is not None:
            self.allows = engine.make_packet_counter()
        secret = _session_secret(environ)
        # None until the client's first request after the handshake
        self._keeps_cookie = True if secret else None
        self._secret = environ[SECRET] = secret or token_urlsafe(24)
        self._address = engine.client_address(environ)
        self._keep_connection = environ.get(KEEP) if "HTTP_UPGRADE" in environ else None
        return True

    def belongs_to(self, environ: WSGIEnvironment) -> bool:
        """Return True if a request comes from this socket's client.

        A polling client sends its session's id in the URL, and proxies log URLs, so the id alone
        proves nothing. Browsers also send the session cookie. If a client's first request after the
        handshake has no cookie, the client doesn't store cookies, and its requests must come from
        the same address.
        """
        secret = _session_secret(environ)
        same = secret is not None and compare_digest(secret, self._secret)
        if self._keeps_cookie is None:
            self._keeps_cookie = same
        if same or self._keeps_cookie:
            return same
        return bool(self.server.client_address(environ) == self._address)

    def keep_slot(self, holder: Holder) -> None:
        """Keep the slot of this connection for the client that was admitted to a table."""
        self.holder = holder
        self.server.slots.keep(self.slot, holder)
        if self._keep_connection is not None:
            self._keep_connection(holder)

    def is_stuck(self) -> bool:
        """Return True if the client doesn't read, or wasn't admitted to a table in time."""
        late = time.monotonic() - self._opened_at > CONNECT_SECONDS
        return self.queue.qsize() > BACKLOG or (late and not self.server.is_welcome(self.sid))

    def handle_get_request(self, environ: WSGIEnvironment, start_response: StartResponse) -> object:
        """Answer a poll, or serve a WebSocket until it is closed.

        If the WebSocket's handshake fails, close its session, too.
        """
        try:
            return super().handle_get_request(environ, start_response)
        finally:
            if not self.connected:
                self.close(wait=False, abort=True)

    def handle_post_request(self, environ: WSGIEnvironment) -> None:
        """Receive the packets that a polling client sends.

        Raise ``EngineIOError`` if the packets are unreadable. The library then closes the session.
        """
        try:
            length = int(environ.get("CONTENT_LENGTH") or 0)
            if length > self.server.max_http_buffer_size:
                raise ContentTooLongError
            body = environ["wsgi.input"].read(length)
            if len(body) < length:
                raise ConnectionError  # the client hung up: ignore the incomplete body
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
        try:
            return self.serve_websocket(ws)
        except OSError:  # the network failed
            return []
        except Exception:  # the library doesn't catch errors in unreadable packets
            self.server.unreadable("packet")
            self.close(wait=False, abort=True)
            return []
        finally:
            self.upgrading = False
            if self.upgraded:
                self.close(wait=False, abort=True, reason=self.server.reason.TRANSPORT_CLOSE)
            del ws.allows

    def serve_websocket(self, ws: Any) -> object:
        """Handle the messages of a WebSocket until it is closed."""
        return super()._websocket_handler(ws)

    def _allows_frame(self) -> bool:
        """Count a frame that isn't a whole message. Close the connection if there were too many
        frames."""
        if self.allows():
            return True
        self.close(wait=False)
        return False

    def receive(self, pkt: Packet) -> None:
        if not self.closed:
            if self.allows():
                try:
                    super().receive(pkt)
                    return
                except UnknownPacketError:
                    self.server.unreadable("packet")
            self.close(wait=False)
        raise SocketIsClosedError  # stop reading from this client

    def schedule_ping(self) -> None:
        """Schedule the next ping, and measure the round trip of the last ping."""
        if self.last_ping and self.last_ping > self._opened_at:
            self.trip_ms = round((time.monotonic() - self.last_ping) * 1000)
        super().schedule_ping()

    def send_text(self, packet: bytes) -> None:
        """Send an encoded engine.io packet. Never waits."""
        if not self.closed:
            self.send(Packet(encoded_packet=packet.decode()))


def _client_cookie(environ: WSGIEnvironment) -> tuple[str, str]:
    """Return the header with the cookie that identifies a polling client."""
    secure = "; Secure" if cookies.is_secure(environ) else ""
    name = cookies.full_name(COOKIE, environ)
    path = cookies.path(environ)
    cookie = f"{name}={environ[SECRET]}; Path={path}; HttpOnly; SameSite=Lax"
    return "Set-Cookie", cookie + secure


def is_handshake(environ: WSGIEnvironment) -> bool:
    """Return True if a request is a WebSocket handshake according to RFC 6455."""
    options = environ.get("HTTP_CONNECTION", "").lower().split(",")
    return (
        environ["REQUEST_METHOD"] == "GET"
        and "upgrade" in map(str.strip, options)
        and environ.get("HTTP_UPGRADE", "").lower() == "websocket"
        and environ.get("HTTP_SEC_WEBSOCKET_VERSION") == "13"
        and bool(environ.get("HTTP_SEC_WEBSOCKET_KEY"))
    )


class Engine(engineio.Server):  # type: ignore[misc]
    """The server with all client sockets. Closes sockets that are dead, that flood the server, or
    that don't read."""

    make_packet_counter: Callable[[], Callable[[], bool]] | None = None
    """Creates the function that counts one socket's packets (``ClientSocket.allows``)."""

    slots: ConnectionSlots  # limits the number of sockets
    # returns the address of the client that sent a request
    client_address: Callable[[WSGIEnvironment], str]
    now: Callable[[], int]  # returns the time in ms
    full = False  # True if new clients are refused because this process is about to end
    newest = 0  # time of the newest request for a connection, in ms
    _stamping = threading.Lock()
    is_welcome: Callable[[str], bool]  # returns True if a client was admitted over this socket
    handle_directly: Callable[
        [ClientSocket, str], bool
    ]  # handles a command's packet; see ``direct_socketio``
    start_service_task: bool  # True until the periodic sweep has been started
    client_class: ClassVar[type[ClientSocket]] = ClientSocket
    """The class of new client sockets. At its start, eventlet's server may replace this class with
    a subclass that uses ``direct_engineio``."""
    unreadable: Callable[[str], None] = staticmethod(lambda what: None)  # counts unreadable input

    def stamp_request(self, waited: int) -> int:
        """Return the time at which a request arrived that has waited for ``waited`` ms.

        No two requests get the same time. If two requests arrive within ``SAME_MS``, the request
        that is read last gets the later time.
        """
        with self._stamping:
            requested_at = self.now() - waited
            if requested_at <= self.newest < requested_at + SAME_MS:
                requested_at = self.newest + 1
            self.newest = requested_at
            return requested_at

    def _trigger_event(self, event: str, sid: str, *args: Any, run_async: bool = False) -> object:
        if event == "connect":
            if not self.sockets[sid].begin(args[0]):
                return False
        elif event == "disconnect":
            client = self.sockets[sid]
            self.slots.leave(client.slot)
            client.slot = None
        return super()._trigger_event(event, sid, *args, run_async=run_async)

    def handle_request(self, environ: WSGIEnvironment, start_response: StartResponse) -> object:
        """Answer one request. Refuse the request if its session belongs to another client."""
        query = parse_qs(environ.get("QUERY_STRING", ""))
        sid = query.get("sid", [""])[0]
        client = self.sockets.get(sid)
        if self.full and not sid:
            start_response("503 Service Unavailable", [("Connection", "close")])
            return []
        if query.get("transport") == ["websocket"] and not is_handshake(environ):
            self.unreadable("handshake")
            return self._refuse(start_response, "Invalid websocket upgrade")
        if client is None or client.belongs_to(environ):
            if "HTTP_UPGRADE" in environ and client is not None and client.holder is not None:
                environ.get(KEEP, bool)(client.holder)
            try:
                return super().handle_request(environ, start_response)
            except KeyError:  # another thread closed the socket in the meantime
                if sid in self.sockets:
                    raise
        return self._refuse(start_response, f"Invalid session {sid}")

    def _refuse(self, start_response: StartResponse, why: str) -> list[bytes]:
        answer = self._bad_request(why)
        start_response(answer["status"], answer["headers"])
        return [answer["response"]]

    def _handle_connect(
        self,
        environ: WSGIEnvironment,
        start_response: StartResponse,
        transport: str,
        jsonp_index: int | None = None,
    ) -> object:
        """Create a new client's socket, and answer the client's first request.

        The library's method does the same, but always uses its own class of sockets.
        """
        if self.start_service_task:
            self.start_service_task = False
            self.service_task_handle = self.start_background_task(self._service_task)
        sid = self.generate_id()
        client = self.sockets[sid] = self.client_class(self, sid)
        greeting = {
            "sid": sid,
            "upgrades": self._upgrades(sid, transport),
            "pingTimeout": int(self.ping_timeout * 1000),
            "pingInterval": int(self.ping_interval + self.ping_interval_grace_period) * 1000,
            "maxPayload": self.max_http_buffer_size,
        }
        client.send(Packet(OPEN, greeting))
        reason = self._trigger_event("connect", sid, environ)
        if reason not in (None, True):
            del self.sockets[sid]
            return self._unauthorized(reason or None)
        client.schedule_ping()
        if transport == "websocket":
            answer = client.handle_get_request(environ, start_response)
            if client.closed and sid in self.sockets:
                del self.sockets[sid]
            return answer
        client.connected = True
        return self._ok(client.poll(), headers=[_client_cookie(environ)], jsonp_index=jsonp_index)

    def disconnect(self, sid: str | None = None) -> None:
        """Close one socket at once. The library would wait until the client has read everything."""
        if client := self.sockets.get(sid):
            client.close(wait=False, reason=self.reason.SERVER_DISCONNECT)

    @property
    def has_clients(self) -> bool:
        return not all(client.closed for client in list(self.sockets.values()))

    def end_polling(self) -> None:
        """Close the sockets of all polling clients."""
        for client in list(self.sockets.values()):
            if not client.upgraded:
                client.close(wait=False, abort=True)

    def _service_task(self) -> None:
        """Check all sockets periodically. The library takes up to 17 s to notice a dead socket."""
        self.service_task_event = self.create_event()
        while not self.service_task_event.wait(timeout=SWEEP_SECONDS):
            for sid, client in list(self.sockets.items()):
                if client.closed:
                    self.sockets.pop(sid, None)
                # None: another thread is still admitting the client
                elif client.requested_at is not None and client.is_stuck():
                    client.close(wait=False, abort=True)
                elif not client.closing:
                    client.check_ping_timeout()
