"""A minimal WebSocket client with Socket.IO's framing.

The load client must not slow the measurement down. So it only cuts the stream into frames, masks
them with a key of zeros, and decodes nothing. It understands only what the two servers send:
unfragmented text without compression.
"""

import asyncio
import json
import struct
from collections.abc import Callable
from typing import Any

UPGRADE = (
    "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n"
    "Host: {host}:{port}\r\n"
    "Upgrade: websocket\r\n"
    "Connection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    "Sec-WebSocket-Version: 13\r\n\r\n"
)
TEXT = 1
CLOSE = 8
PING = 9
PONG = 10


class Socket(asyncio.Protocol):
    """One connection. It calls the function ``heard`` for each packet with an event or an
    acknowledgement."""

    def __init__(self, greeting: bytes, heard: Callable[["Socket", bytes], None]) -> None:
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.received = 0
        self._greeting = greeting
        self._heard = heard
        self._upgraded = False
        self._rest = b""
        self.gone = False

    @classmethod
    async def connect(
        cls,
        host: str,
        port: int,
        auth: Any,
        heard: Callable[["Socket", bytes], None],
        namespace: bytes = b"",
    ) -> "Socket":
        """Connect, upgrade and authenticate. Return once the server has admitted the client."""
        greeting = b"40" + namespace + (json.dumps(auth).encode() if auth else b"")
        loop = asyncio.get_running_loop()
        transport, socket = await loop.create_connection(lambda: cls(greeting, heard), host, port)
        transport.write(UPGRADE.format(host=host, port=port).encode())
        await asyncio.wait_for(socket.open, 60)
        return socket

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport; asyncio calls this."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, problem: Exception | None) -> None:
        """Note that the connection is closed; asyncio calls this."""
        self.gone = True
        if not self.open.done():
            self.open.set_exception(problem or ConnectionError("closed by the server"))

    def send(self, packet: bytes, kind: int = TEXT) -> None:
        """Send one frame with this packet."""
        size = len(packet)
        if size < 126:
            head = struct.pack("!BB", 0x80 | kind, 0x80 | size)
        else:
            head = struct.pack("!BBH", 0x80 | kind, 0x80 | 126, size)
        self._transport.write(head + b"\0\0\0\0" + packet)

    def pause(self) -> None:
        """Stop reading."""
        self._transport.pause_reading()

    def resume(self) -> None:
        """Resume reading."""
        self._transport.resume_reading()

    def close(self) -> None:
        """Close the connection."""
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        """Cut the received data into frames; asyncio calls this."""
        data = self._rest + data if self._rest else data
        if not self._upgraded:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return
            if b" 101 " not in head[:20]:
                self.open.set_exception(ConnectionError(head.decode()))
                return
            self._upgraded = True
        at = 0
        while (frame := frame_at(data, at)) is not None:
            kind, start, at = frame
            self._frame(kind, data[start:at])
        self._rest = data[at:]

    def _frame(self, kind: int, packet: bytes) -> None:
        if kind == PING:
            self.send(packet, PONG)
        elif kind == CLOSE:
            self._transport.close()
        elif packet[:2] in (b"42", b"43"):
            self.received += len(packet)
            self._heard(self, packet)
        elif packet[:1] == b"2":
            self.send(b"3")
        elif packet[:1] == b"0":
            self.send(self._greeting)
        elif packet[:2] == b"40":
            self.open.set_result(None)
        elif packet[:2] == b"44":
            self.open.set_exception(ConnectionError(packet.decode()))


def frame_at(data: bytes, at: int) -> tuple[int, int, int] | None:
    """Return opcode, start and end of the payload of the frame that starts at index ``at``.

    Return None if the frame hasn't arrived completely.
    """
    if len(data) < at + 2:
        return None
    size = data[at + 1] & 0x7F
    start = at + 2
    if size == 126:
        if len(data) < at + 4:
            return None
        (size,) = struct.unpack_from("!H", data, start)
        start = at + 4
    elif size == 127:
        if len(data) < at + 10:
            return None
        (size,) = struct.unpack_from("!Q", data, start)
        start = at + 10
    if len(data) < start + size:
        return None
    return data[at] & 0x0F, start, start + size
