"""A faster path for commands through python-socketio.

The library creates a packet object for each event, looks up its handlers, calls them through
several functions, and builds another packet for the answer. Most events are commands, so this
module reads a command's packet itself: in ``21["command",{…}]``, 2 stands for an event, and 1 is
the number of the answer that the client expects. The module calls the command's handler, and sends
the answer as ``431[…]``.

Any other packet, and any packet that looks unusual in some way, is left to the library. The
library calls the same handler, with the same result, so nothing depends on this module. The module
uses no undocumented name of python-socketio, but only the format of its packets, which is
Socket.IO's protocol 5.
"""

from collections.abc import Callable, Mapping

import msgspec

from companion.adapters.engineio import ClientSocket

BEFORE = ("python-socketio", (5, 19))  # the first version that this module wasn't tested with

Handler = Callable[[str, msgspec.Raw], bytes]
"""Handles an event: takes the client's id and the JSON that the client sent, and returns the
answer."""

_EVENT = msgspec.json.Decoder(tuple[str, msgspec.Raw])


class CommandReader:
    """Handles packets with a command.

    ``handlers`` maps the name of an event to its handler. If a handler raises an exception,
    ``on_failure`` is called in the ``except`` block.
    """

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        most_bytes: int,
        on_failure: Callable[[ClientSocket], None],
    ) -> None:
        self._handlers = handlers
        self._most_bytes = most_bytes
        self._on_failure = on_failure

    def handle(self, socket: ClientSocket, packet: str) -> bool:
        """Handle a packet with a command. Return False for any other packet."""
        number, _, rest = packet[1:].partition("[")
        if packet[:1] != "2" or not (number.isascii() and number.isdecimal()):
            return False
        if len(packet) >= self._most_bytes:
            return False
        try:
            event, content = _EVENT.decode(f"[{rest}")
        except (msgspec.DecodeError, RecursionError):
            return False
        handle = self._handlers.get(event)
        if handle is None or socket.client is None:
            return False
        if not socket.allows():
            socket.close(wait=False)
            return False
        try:
            answer = handle(socket.client, content)
        except Exception:
            self._on_failure(socket)
            return True
        socket.send_text(b"43%d[%b]" % (int(number), answer))
        return True
