"""A faster path for packets through python-engineio, over a WebSocket.

**Sending.** The library puts every packet into a queue. A writer, which is a thread of its own for
each client, waits for the queue with a timer, encodes the packet and sends it. A ``DirectSocket``
writes a packet at once, as long as the network accepts it. Otherwise the packet goes into the
library's queue, and all later packets queue behind it. So packets stay in order, and no sender ever
waits for a slow client.

A packet may only be written directly while the writer waits for an empty queue. ``poll``, in which
the writer waits, marks this time in ``_idle``. If the network accepted only a part of a frame, the
rest of the frame is queued like a packet: it has a method ``encode``, as the writer expects.

**Receiving.** The library parses each message into a packet, and hands its content to Socket.IO.
``_handle_directly`` offers each message to ``server.handle_directly`` first.

**Borrowed from the library**, besides what ``engineio`` uses: only the writer calls ``poll``; the
writer sends ``packet.encode()`` for each item of the list that ``poll`` returns; the attribute
``queue`` contains a second queue with a method ``put``; ``poll`` raises ``QueueEmpty`` if no packet
arrives in time.
"""

from collections.abc import Callable
from typing import Any, Protocol

from engineio.exceptions import QueueEmpty
from engineio.packet import CLOSE, Packet

from companion.adapters.engineio import ClientSocket

BEFORE = ("python-engineio", (4, 16))  # the first version that this module wasn't tested with


class Wire(Protocol):
    """A WebSocket that can also send without waiting.

    ``wait`` returns the next message that the function given to the constructor hasn't handled.
    """

    def write(self, frame: bytes) -> Any | None:
        """Send a frame without waiting. Return the part that the network didn't accept, as an item
        for the library's queue, or None."""


class DirectSocket(ClientSocket):
    """A client's connection that bypasses the library's queue while it is a WebSocket."""

    _wire: Wire | None = None
    _idle = False  # True while the library's writer waits because the queue is empty

    @staticmethod
    def make_wire(ws: Any, handle: Callable[[object], bool]) -> Wire:
        """Return a wire for the library's WebSocket. ``handle`` gets each message first, and
        returns True if it has handled the message."""
        raise NotImplementedError

    def serve_websocket(self, ws: Any) -> object:
        self._wire = self.make_wire(ws, self._handle_directly)
        try:
            return super().serve_websocket(self._wire)
        finally:
            # break the reference cycle between the two objects, so that both are freed at once
            self._wire = None

    def _handle_directly(self, message: object) -> bool:
        """Handle a command without the library. Return False for any other message."""
        if self.closed or not isinstance(message, str) or message[:1] != "4":
            return False
        return bool(self.server.handle_directly(self, message[1:]))

    def poll(self) -> object:
        """Return the queued packets. For a WebSocket, wait for packets without a time limit."""
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
        """Send one of the library's packets.

        A CLOSE packet always goes through the library's ``send``. If the client has missed a ping,
        the library's ``send`` drops the packet. This matters, because a client that receives a
        CLOSE packet doesn't reconnect. A client that was only silent for a while should reconnect.
        """
        encoded = pkt.encode() if self._idle and pkt.packet_type != CLOSE else None
        if isinstance(encoded, str):
            self.send_text(encoded.encode())
        else:
            super().send(pkt)

    def send_text(self, packet: bytes) -> None:
        """Send an encoded engine.io packet. Never waits."""
        if self._wire is None or not self._idle or self.closed or self.queue.queue:
            if not self.closed:
                super().send(Packet(encoded_packet=packet.decode()))
        elif rest := self._wire.write(text_frame(packet)):
            self.queue.put(rest)


def text_frame(packet: bytes) -> bytes:
    """Return this content as a text frame from a server (RFC 6455)."""
    size = len(packet)
    if size < 126:
        return b"\x81%c%b" % (size, packet)
    if size < 1 << 16:
        return b"\x81\x7e%b%b" % (size.to_bytes(2), packet)
    return b"\x81\x7f%b%b" % (size.to_bytes(8), packet)
