"""A faster path for messages through eventlet's WebSockets.

**Reading.** For each frame, the library makes three system calls: for the header, the mask and the
payload. Each has a timer. ``_BufferedReader`` takes the place of the socket below the WebSocket.
One call reads up to 4 kB into a buffer. If the buffer begins with a whole text message in one
frame, ``text`` decodes the message. The library parses all other frames (longer messages, messages
in pieces, pings), from the same buffer. After every few frames a reader lets other threads run.

**Writing.** ``Wire.write`` sends a frame without waiting. If the network doesn't accept the whole
frame, it returns a ``Rest``, which the writer of python-engineio sends later with ``Wire.send``.
The library's send lock is held from the first part of a frame to its last, so no other frame comes
between them.

**Borrowed from the library**: ``socket`` and ``_sendlock`` (a semaphore with its ``counter``) of
``RFC6455WebSocket``, and ``fd``, the plain socket in a ``GreenSocket``.
"""

from collections.abc import Callable
from typing import NamedTuple

import eventlet
from eventlet.greenio import GreenSocket
from eventlet.websocket import RFC6455WebSocket

from companion.adapters.direct_engineio import DirectSocket
from companion.adapters.websocket import FRAMES_A_TURN, unmask

BEFORE = ("eventlet", (0, 42))  # the first version that this module wasn't tested with

READ_BYTES = 4096  # bytes per read
# Values in the first two bytes of a frame (RFC 6455, section 5.2):
TEXT = 0x81  # first byte of a text message in one frame, without compression
# bit that is added to the length if the payload is masked, as a client's payload always is
MASKED = 0x80
LONGER = 126  # value in place of the length if the real length follows in two bytes


class Rest(NamedTuple):
    """The rest of a frame that the network didn't accept at once."""

    data: bytes
    begun: bool = False  # True if a part of the frame was already sent

    def encode(self) -> "Rest":
        return self


class Wire:
    """A WebSocket for engine.io that can also send without waiting.

    The function ``handle`` gets every message first, and returns True if it has handled the
    message. Otherwise ``wait`` returns the message to engine.io.
    """

    def __init__(self, inner: RFC6455WebSocket, handle: Callable[[object], bool]) -> None:
        self._send_now = inner.socket.fd.send
        inner.socket = self.socket = _BufferedReader(inner.socket)
        self._inner = inner
        self._handle = handle
        self._lock = inner._sendlock
        self.close = inner.close

    def wait(self) -> object:
        """Return the next message that ``handle`` didn't handle, or None after the last one."""
        while True:
            message: object = self.socket.text()
            if message is None:
                message = self._inner.wait()
            if message is None or not self._handle(message):
                return message

    def write(self, frame: bytes) -> Rest | None:
        """Send as much of a frame as the network accepts, without waiting.

        Return the rest of the frame, or None if the network accepted the whole frame.

        If a part of the frame was sent, the send lock is held until ``send`` has sent the rest.
        """
        if self._lock.counter <= 0:
            return Rest(frame)
        try:
            sent = self._send_now(frame)
        # the buffer is full, or the client has disconnected and ``send`` will fail
        except OSError:
            return Rest(frame)
        if sent == len(frame):
            return None
        self._lock.acquire()
        return Rest(frame[sent:], True)

    def send(self, message: object) -> None:
        """Send a message, or the rest of a frame. Wait until the network has accepted it."""
        if not isinstance(message, Rest):
            self._inner.send(message)
            return
        if not message.begun:
            self._lock.acquire()
        try:
            self.socket.sendall(message.data)
        finally:
            self._lock.release()


class _BufferedReader:
    """A socket that reads all available data into a buffer, even if fewer bytes are requested.

    Reads have no timeout, since a timer for each read takes as long as the read; silent clients are
    found by their missing pongs. Writes have a timeout.
    """

    def __init__(self, inner: GreenSocket) -> None:
        self._inner = inner
        self._buffer = b""
        self._timeout: float | None = None  # time limit for a write
        self._frames = 0
        inner.settimeout(None)

    def settimeout(self, seconds: float | None) -> None:
        self._timeout = seconds

    def sendall(self, data: bytes) -> None:
        self._inner.settimeout(self._timeout)
        try:
            self._inner.sendall(data)
        finally:
            self._inner.settimeout(None)

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def recv(self, size: int) -> bytes:
        """Return up to ``size`` bytes, as a socket does. Wait until there is at least one byte."""
        data = self._buffer or self._receive()
        self._buffer = data[size:]
        return data[:size]

    def text(self) -> str | None:
        """Return the next text message if the buffer contains the whole message in one frame.

        Wait until the buffer isn't empty. If it contains anything else, return None, and leave the
        data in the buffer for the library.
        """
        if self._buffer:
            self._frames += 1
            if self._frames % FRAMES_A_TURN == 0:
                eventlet.sleep(0)
        data = self._buffer = self._buffer or self._receive()
        if len(data) < 8 or data[0] != TEXT:
            return None
        size = data[1] - MASKED
        at = 2  # index of the mask in the data
        if size == LONGER:
            size = int.from_bytes(data[2:4])
            at = 4
        start = at + 4
        end = at + 4 + size
        if data[1] < MASKED or data[1] > MASKED + LONGER or end > len(data):
            return None
        try:
            text = unmask(data[start:end], data[at:start]).decode()
        except UnicodeDecodeError:
            return None
        self._buffer = data[end:]
        return text

    def _receive(self) -> bytes:
        """Wait for data and return the data, or nothing if the connection is closed."""
        try:
            return bytes(self._inner.recv(READ_BYTES))
        except OSError:
            return b""


class EventletSocket(DirectSocket):
    """A client's connection on eventlet's server that bypasses the library's queue."""

    @staticmethod
    def make_wire(ws: RFC6455WebSocket, handle: Callable[[object], bool]) -> Wire:
        return Wire(ws, handle)
