"""python-engineio's socket of one client, which sends at once and lets commands be heard first.

The library hands every packet to a queue and a writer, with a timer for each: together that cost
more than a command itself. Here a packet goes out as it is said while the network takes it. What
the network does not take waits in the library's own queue for its own writer, and all that is
said later waits behind it: the order stays, and nobody waits for a client that doesn't read.
This module must not know what is sent.
"""

import time
from collections.abc import Callable
from threading import get_ident
from typing import Any, ClassVar

from engineio.exceptions import QueueEmpty, SocketIsClosedError
from engineio.packet import CLOSE, MESSAGE, Packet
from engineio.socket import Socket

MESSAGE_BYTE = b"4"
"""How a message begins, in engine.io's framing."""


class Line(Socket):  # type: ignore[misc]
    """One client. Only over a WebSocket that ``wires`` knows does it send at once."""

    wires: ClassVar[Callable[[Any, Callable[[Any], bool]], Any] | None] = None
    """Makes of a WebSocket one that can send without waiting; none: the library's own way."""

    allows: Callable[[], bool] = staticmethod(lambda: True)
    """Counts one packet; says whether it is not too many."""

    heard: Callable[[int], None] = staticmethod(lambda trip_ms: None)
    """Is told its round trip in ms, since ``measured``."""

    measured = float("inf")

    _wire: Any = None
    _idle = False
    """Whether the library's writer waits: whatever there was to send has been sent."""

    _answered_by = 0
    """The thread that answers this client just now; what it says goes out with the answer."""

    _held = b""

    def _websocket_handler(self, ws: Any) -> Any:
        if Line.wires is None:
            return super()._websocket_handler(ws)
        wire = self._wire = Line.wires(ws, self._hears)
        try:
            return super()._websocket_handler(wire)
        finally:
            wire.leave()
            self._wire = None  # which knows this line: neither would go before the other

    def receive(self, pkt: Any) -> None:
        """Takes in a packet, if it is not one too many."""
        if not self.closed:
            if self.allows():
                super().receive(pkt)
                return
            self.close(wait=False)
        raise SocketIsClosedError  # nothing more is read

    def schedule_ping(self) -> None:
        """The next ping goes out in a while; the last one has been answered, if there was one."""
        if self.last_ping and self.last_ping > self.measured:
            self.heard(round((time.monotonic() - self.last_ping) * 1000))
        super().schedule_ping()

    def poll(self) -> Any:
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

    def send(self, pkt: Any) -> None:
        """Sends a packet of the library's.

        Who fell silent is sent no CLOSE by the library: a client that is told so stays away.
        """
        encoded = pkt.encode() if self._free and pkt.packet_type != CLOSE else None
        if isinstance(encoded, str):
            self._write(framed(encoded.encode()))
        else:
            super().send(pkt)

    def say(self, message: bytes) -> None:
        """Sends a message (without engine.io's own first byte); never waits."""
        if self._free:
            frame = framed(MESSAGE_BYTE + message)
            if self._answered_by and self._answered_by == get_ident():
                self._held += frame
            else:
                self._write(frame)
        elif not self.closed:
            super().send(Packet(MESSAGE, message.decode()))

    def answer(self, made: Callable[[], bytes]) -> None:
        """Says what ``made`` gives, and in one go what it said to this client meanwhile."""
        self._answered_by = get_ident()
        try:
            message = made()
        finally:
            self._answered_by = 0
        self.say(message)

    @property
    def _free(self) -> bool:
        return self._idle and not self.closed and not self.queue.queue

    def _write(self, frame: bytes) -> None:
        if self._held:
            frame, self._held = self._held + frame, b""
        rest = self._wire.write(frame)
        if rest is not None:
            self.queue.put(rest)

    def _hears(self, said: Any) -> bool:
        """Whether a command was heard the short way; whatever else comes is the library's."""
        if self.closed or not isinstance(said, str) or said[:1] != "4":
            return False
        heard: bool = self.server.hears(self, said[1:])
        return heard


def framed(packet: bytes) -> bytes:
    """A text frame of RFC 6455, from a server, with this content."""
    size = len(packet)
    if size < 126:
        return b"\x81%c%b" % (size, packet)
    if size < 1 << 16:
        return b"\x81\x7e%b%b" % (size.to_bytes(2), packet)
    return b"\x81\x7f%b%b" % (size.to_bytes(8), packet)
