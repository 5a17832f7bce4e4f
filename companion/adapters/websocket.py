"""eventlet's WebSockets: read in turn and in whole draughts, written without waiting. A text that
has come whole is read here; whatever else comes, the library reads out of the same draughts."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import eventlet
from eventlet.greenio import GreenSocket
from eventlet.hubs import get_hub
from eventlet.hubs.hub import FdListener
from eventlet.support.greenlets import greenlet
from eventlet.websocket import ConnectionClosedError, FailedConnectionError, RFC6455WebSocket

FRAMES_A_TURN = 8  # how many frames are read from one WebSocket before others have their turn
PIECES = 16  # in how many frames one message may come
READ_BYTES = 4096  # bytes read at once; the library reads head, mask and payload one by one
TEXT = 0x81  # how a text begins that comes in one frame and is not compressed
CONTROL = 8  # added to the code of what is no message: a ping, its answer, a close
# added to the length of what is masked; stands for another length
MASKED = 0x80
LONGER = 126


class Rest(NamedTuple):
    """The end of a frame that the network did not take at once; ``begun``: some of it went."""

    data: bytes
    begun: bool = False

    def encode(self) -> "Rest":
        return self


class Wire:
    """A WebSocket as engine.io uses it, which can also send without waiting. ``hears`` is given
    every message first and says whether it took it. After ``leave`` nobody reads from it."""

    def __init__(self, inner: RFC6455WebSocket, hears: Callable[[object], bool]) -> None:
        inner.socket = self.socket = _BufferedReader(inner.socket)
        self._inner = inner
        self._hears = hears
        self._lock = inner._sendlock
        self._put = inner.socket.fd.send
        self.close = inner.close
        self.leave = self.socket.leave

    def wait(self) -> object:
        """The next message that nobody took; ``None``: there is none any more."""
        while True:
            near = eventlet.spawn(self._untaken)
            try:
                said = near.wait()
            finally:
                near.kill()
            if isinstance(said, Exception):
                raise said
            if said is not None:
                return said
            said = self._inner.wait()
            if said is None or not self._hears(said):
                return said

    def _untaken(self) -> str | Exception | None:
        """The next text that nobody took; ``None``: what comes is the library's to read. It is
        waited for in a greenlet that has nothing else on its stack: who waits where the libraries
        call has 7 kB there, which are copied away and back each time."""
        try:
            while (said := self.socket.text()) is not None:
                if not self._hears(said):
                    return said
        except Exception as problem:
            return problem
        return None

    def write(self, frame: bytes) -> Rest | None:
        """Sends as much of a frame as the network takes; never waits, and gives the rest. Until the
        rest of a frame that has begun is sent, nobody else may send."""
        if self._lock.counter <= 0:
            return Rest(frame)
        try:
            sent = self._put(frame)
        except OSError:  # there is no room, or nobody any more: who sends the rest finds out
            return Rest(frame)
        if sent == len(frame):
            return None
        self._lock.acquire()
        return Rest(frame[sent:], True)

    def later(self, frame: bytes) -> Rest:
        return Rest(frame)

    def send(self, message: object) -> None:
        """Sends a message, or the rest of a frame; waits until the network has taken it."""
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
    """A socket that is read in large draughts, however little is asked for. The hub goes on
    listening to it from one draught to the next: to tell it each time takes two calls of the
    system. Only what is written has a time to go out in: who is silent is found by the pings, and a
    clock for every read costs as much as the read."""

    def __init__(self, inner: GreenSocket) -> None:
        self._inner = inner
        self._left = b""
        self._seconds: float | None = None
        self._listener: FdListener | None = None
        self._reader: greenlet | None = None
        self._frames = 0
        inner.settimeout(None)

    def settimeout(self, seconds: float | None) -> None:
        # For so long the network may take nothing of what is written.
        self._seconds = seconds

    def sendall(self, data: bytes) -> None:
        self._inner.settimeout(self._seconds)
        try:
            self._inner.sendall(data)
        finally:
            self._inner.settimeout(None)

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    def recv(self, size: int) -> bytes:
        """What is there of the next bytes, as a socket's; waits for the first of them."""
        left = self._left or self._draught()
        self._left = left[size:]
        return left[:size]

    def text(self) -> str | None:
        """The next message, if it has come whole and in one frame; waits for its first bytes."""
        if self._left:
            self._frames += 1
            if self._frames % FRAMES_A_TURN == 0:
                eventlet.sleep(0)
        left = self._left = self._left or self._draught()
        if len(left) < 8 or left[0] != TEXT:
            return None
        size = left[1] - MASKED
        at = 2
        if size == LONGER:
            size = int.from_bytes(left[2:4])
            at = 4
        start = at + 4
        end = at + 4 + size
        if left[1] < MASKED or left[1] > MASKED + LONGER or end > len(left):
            return None
        try:
            said = _unmask(left[start:end], left[at:start]).decode()
        except UnicodeDecodeError:
            return None
        self._left = left[end:]
        return said

    def _draught(self) -> bytes:
        """What has come, once there is something; empty: nothing comes any more."""
        while True:
            self._wait()
            try:
                return bytes(self._inner.fd.recv(READ_BYTES))
            except BlockingIOError:
                continue
            except OSError:
                return b""

    def _wait(self) -> None:
        """As the library's trampoline, but the hub's listener stays; it has no end by time."""
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
        """The hub says that there is something to read: whoever is busy looks again later."""
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
    """Whoever sends without a pause lets others have their turn, and messages have an end: a socket
    that always has data never gives way, and a frame's limit is none for a message in pieces.

    Each frame that is no message of its own counts in ``allows`` of its WebSocket: pings and pongs,
    which the library answers itself, and pieces. Messages are counted where they are read."""
    one_frame = RFC6455WebSocket._recv_frame

    def receive(socket: RFC6455WebSocket, message: Any = None) -> object:
        socket.frames = getattr(socket, "frames", 0) + 1
        if socket.frames % FRAMES_A_TURN == 0:
            eventlet.sleep(0)
        if message is not None and len(message.data) > PIECES:
            raise FailedConnectionError(1009, "in too many pieces")
        frame = one_frame(socket, message)
        if (frame.opcode & CONTROL or not frame.finished) and not socket.allows():
            raise ConnectionClosedError
        return frame

    RFC6455WebSocket.allows = staticmethod(lambda: True)  # until somebody counts
    RFC6455WebSocket._recv_frame = receive
    RFC6455WebSocket._apply_mask = staticmethod(_unmask)


def _unmask(data: bytes, mask: Sequence[int], length: int | None = None, offset: int = 0) -> bytes:
    """Takes off a client's mask all at once: byte by byte it takes a millisecond."""
    size = len(data) if length is None else length
    turned = (bytes(mask) * 2)[offset % 4 : offset % 4 + 4] * (size // 4 + 1)
    both = int.from_bytes(data[:size], "big") ^ int.from_bytes(turned[:size], "big")
    return both.to_bytes(size, "big")
