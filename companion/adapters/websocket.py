"""Makes eventlet's WebSockets fair, limits their messages, and removes masks faster.

Without these changes, a client that sends without a pause would block all other clients, a message
in pieces could grow without end, and removing a mask byte by byte would take a millisecond. These
changes are always in place. ``direct_eventlet`` adds a faster path for messages.
"""

from collections.abc import Sequence
from typing import Any

import eventlet
from eventlet.websocket import ConnectionClosedError, FailedConnectionError, RFC6455WebSocket

FRAMES_A_TURN = 8  # frames read from one WebSocket before other threads run
PIECES = 16  # maximum number of frames in one message
CONTROL = 8  # bit in the opcode of a control frame: close, ping or pong (RFC 6455, section 5.2)


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
    RFC6455WebSocket._apply_mask = staticmethod(unmask)


def unmask(data: bytes, mask: Sequence[int], length: int | None = None, offset: int = 0) -> bytes:
    """Remove a client's mask in one operation. Doing it byte by byte would take a millisecond."""
    size = len(data) if length is None else length
    repeated = (bytes(mask) * 2)[offset % 4 : offset % 4 + 4] * (size // 4 + 1)
    number = int.from_bytes(data[:size], "big") ^ int.from_bytes(repeated[:size], "big")
    return number.to_bytes(size, "big")
