"""Makes eventlet's WebSockets faster and fairer.

Reading: the library needs one system call each for a frame's header, mask and payload. Here one
call reads up to 4 kB into a buffer. If the buffer contains a whole text message, this module
decodes the message. The library parses all other frames, from the same buffer. After every few
frames a reader lets other threads run.

Writing: ``Wire.write`` sends a frame without waiting. It returns the rest of the frame if the
network doesn't accept the whole frame.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import eventlet
from eventlet.greenio import GreenSocket
from eventlet.hubs import get_hub
from eventlet.hubs.hub import FdListener
from eventlet.support.greenlets import greenlet
from eventlet.websocket import ConnectionClosedError, FailedConnectionError, RFC6455WebSocket

FRAMES_A_TURN = 8  # frames read from one WebSocket before other threads run
PIECES = 16  # maximum number of frames in one message
READ_BYTES = 4096  # bytes per read
# Values in the first two bytes of a frame (RFC 6455, section 5.2):
TEXT = 0x81  # first byte of a text message in one frame, without compression
CONTROL = 8  # bit in the opcode of a control frame: close, ping or pong
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
    message. Otherwise ``wait`` returns the message to engine.io. ``leave`` stops listening for
    data; the socket must not be read afterwards.
    """

    def __init__(self, inner: RFC6455WebSocket, handle: Callable[[object], bool]) -> None:
        inner.socket = self.socket = _BufferedReader(inner.socket)
        self._inner = inner
        self._handle = handle
        self._lock = inner._sendlock
        self._send_now = inner.socket.fd.send
        self.close = inner.close
        self.leave = self.socket.leave

    def wait(self) -> object:
        """Return the next message that ``handle`` didn't handle, or None after the last one."""
        while True:
            reader = eventlet.spawn(self._next_unhandled)
            try:
                message = reader.wait()
            finally:
                reader.kill()
            if isinstance(message, Exception):
                raise message
            if message is not None:
                return message
            message = self._inner.wait()
            if message is None or not self._handle(message):
                return message

    def _next_unhandled(self) -> str | Exception | None:
        """Return the next text that ``handle`` didn't handle, or the exception that ``handle``
        raised.

        Return None if the library must parse the next frame. This function runs in its own
        greenlet, with an almost empty stack: eventlet copies the stack at each switch, and the
        stack of engine.io's reader takes 7 kB.
        """
        try:
            while (text := self.socket.text()) is not None:
                if not self._handle(text):
                    return text
        except Exception as problem:
            return problem
        return None

    def write(self, frame: bytes) -> Rest | None:
        """Send as much of a frame as the network accepts, without waiting.

        Return the rest of the frame, or None if the network accepted the whole frame. If a part of
        the frame was sent, the send lock stays held until ``send`` has sent the rest.
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

    def later(self, frame: bytes) -> Rest:
        return Rest(frame)

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

    eventlet's hub keeps listening to the socket between reads, because adding and removing the
    listener for each read would take two system calls. Reads have no timeout, since a timer for
    each read takes as long as the read; silent clients are found by their missing pongs. Writes
    have a timeout.
    """

    def __init__(self, inner: GreenSocket) -> None:
        self._inner = inner
        self._buffer = b""
        self._timeout: float | None = None  # time limit for a write
        self._listener: FdListener | None = None
        self._reader: greenlet | None = None
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

        Wait until the buffer isn't empty. If it doesn't contain such a message, return None, and
        leave the data in the buffer for the library.
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
            text = _unmask(data[start:end], data[at:start]).decode()
        except UnicodeDecodeError:
            return None
        self._buffer = data[end:]
        return text

    def _receive(self) -> bytes:
        """Wait for data and return it. Return an empty result if the connection is closed."""
        while True:
            self._wait()
            try:
                return bytes(self._inner.fd.recv(READ_BYTES))
            except BlockingIOError:
                continue
            except OSError:
                return b""

    def _wait(self) -> None:
        """Wait like eventlet's ``trampoline``, but keep the hub's listener and set no timeout."""
        hub = get_hub()
        inner = self._inner
        if self._listener is None:
            self._listener = hub.add(
                hub.READ, inner.fileno(), self._ready, self._fail, inner._mark_as_closed
            )
        self._reader = eventlet.getcurrent()
        try:
            hub.switch()
        finally:
            self._reader = None

    def _ready(self, _number: int) -> None:
        """Resume the reader. The hub calls this method when there is data to read.

        If no reader is waiting, stop listening. The next call of ``_wait`` starts to listen again.
        """
        if self._reader is None:
            self.leave()
        else:
            self._reader.switch()

    def _fail(self, problem: BaseException) -> None:
        self._listener = None
        if self._reader is not None:
            self._reader.throw(problem)

    def leave(self) -> None:
        listener = self._listener
        self._listener = None
        if listener is not None:
            get_hub().remove(listener)


def read_fairly() -> None:
    """Patch the library so that it yields between frames, and limits fragmented messages.

    Without this patch, a client that sends without a pause would block all other clients. A message
    could grow without end, since the library limits only the size of a frame. The WebSocket's
    ``allows`` counts each frame that isn't a whole message: fragments, and the pings and pongs that
    the library handles. Whole messages are counted where they are read.
    """
    receive_frame = RFC6455WebSocket._recv_frame

    def receive(socket: RFC6455WebSocket, message: Any = None) -> object:
        socket.frames = getattr(socket, "frames", 0) + 1
        if socket.frames % FRAMES_A_TURN == 0:
            eventlet.sleep(0)
        if message is not None and len(message.data) > PIECES:
            raise FailedConnectionError(1009, "in too many pieces")
        frame = receive_frame(socket, message)
        if (frame.opcode & CONTROL or not frame.finished) and not socket.allows():
            raise ConnectionClosedError
        return frame

    # ``ClientSocket`` replaces this function for each of its WebSockets
    RFC6455WebSocket.allows = staticmethod(lambda: True)
    RFC6455WebSocket._recv_frame = receive
    RFC6455WebSocket._apply_mask = staticmethod(_unmask)


def _unmask(data: bytes, mask: Sequence[int], length: int | None = None, offset: int = 0) -> bytes:
    """Remove a client's mask in one operation. Doing it byte by byte would take a millisecond."""
    size = len(data) if length is None else length
    repeated = (bytes(mask) * 2)[offset % 4 : offset % 4 + 4] * (size // 4 + 1)
    number = int.from_bytes(data[:size], "big") ^ int.from_bytes(repeated[:size], "big")
    return number.to_bytes(size, "big")
