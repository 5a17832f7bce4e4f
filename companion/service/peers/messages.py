"""Messages between the processes that serve the same tables.

``Peers`` also records which of these processes are alive.

Nothing depends on a message arriving: every process also queries the log in the database regularly
(``fleet.py``). See ``table/log.py`` for how processes agree on a table's state.
"""

from collections.abc import Callable
from secrets import token_hex
from typing import Any, Literal, Protocol

import msgspec
from msgspec import Raw, Struct

from companion.service import codec
from companion.service.clock import Clock
from companion.service.logs import log_bugs

# a function that is called with a channel (a table's code) and a message
Receive = Callable[[str, bytes], None]


class Bus(Protocol):
    """Publishes messages on channels to all processes (Redis). It may lose messages.

    A channel is named after a table's code, a process, or ``ALL``.
    """

    lag: float  # seconds between sending and receiving a recent message

    def start(self, name: str, receive: Receive, followed: Callable[[str], None]) -> None:
        """Connect, and call ``receive`` with each message.

        ``name`` is the epoch of the database, which identifies the history of its log: messages go
        only to processes with the same epoch.
        ``followed`` is called with a channel once its subscription is in effect.
        """

    def close(self) -> None:
        """Send the messages that are queued, and disconnect."""

    def follow(self, code: str) -> None:
        """Subscribe to a channel. The subscription takes effect a little later."""

    def leave(self, code: str) -> None:
        """Unsubscribe from a channel."""

    def publish(self, code: str, message: bytes) -> None:
        """Send a message to all subscribers of a channel. Never blocks."""

    def seconds_connected(self) -> float:
        """Return for how many seconds messages were received without a break; 0 if disconnected."""


class RemoteSeat(Struct, frozen=True, array_like=True):
    """A seat's connection to another process."""

    since: int  # when the client asked to connect, in ms; see ``presence.Viewer.since``
    trip_ms: int  # round trip
    address: str = ""


class Message(Struct, frozen=True, kw_only=True, tag_field="what"):
    """A message from a process, usually about a table."""

    by: str  # the name of the process


class PeerEvents(Message, frozen=True, kw_only=True, tag="news"):
    """Events that a process has committed together.

    The sender sends them to each process that has connections to the table. If the sender doesn't
    know those processes, it sends the events to all processes that subscribe to the table.
    """

    table: str
    first: int  # version of the first event
    at: int  # time of the events, in ms
    events: tuple[Raw, ...]
    after: int | None = None
    """Time (ms) of the event before ``events``.

    If the newest event of the receiver's log has another time, the receiver can't apply
    ``events``, and reads the log in the database.
    """


class PeerPresence(Message, frozen=True, kw_only=True, tag="there"):
    """All connections that a process has to a table."""

    seats: dict[str, RemoteSeat]
    watching: int  # number of spectators
    robots: tuple[str, ...] = ()  # the seats whose robots the process runs
    # the newest version in the sender's log; a receiver with an older one has missed events
    version: int = 0
    asks: bool = False  # True if the receivers should answer with their own ``PeerPresence``


class Alive(Message, frozen=True, kw_only=True, tag="alive"):
    """Sent regularly by each process to show that it is alive, even if nothing happens."""


class TableDeleted(Message, frozen=True, kw_only=True, tag="gone"):
    """The table was deleted."""


class PeerSign(Message, frozen=True, kw_only=True, tag="signed"):
    """A gesture from a seat, or from a spectator (``seat`` is None)."""

    seat: str | None
    sign: str
    to: str | None = None  # the only seat that receives the gesture, or None for everyone


Stamp = tuple[int, str]
"""The time of an action, in ms, and the name of the process that handled the action."""
Speed = Literal["slow", "normal", "fast"]
"""The speed of a replay that plays by itself."""


class ReplayPosition(Message, frozen=True, kw_only=True, tag="stepped"):
    """The state of a replay that several people watch together."""

    game: int
    at: int | None  # the version that is shown; None if nobody has moved the replay
    here: int  # number of viewers connected to this process
    step: Stamp  # when the replay last moved
    asks: bool  # True if the receivers should answer with their own ``ReplayPosition``
    remarks: int = 0  # number of remarks on the game
    play: Speed | None = None  # None if the replay is paused
    steered: Stamp = (0, "")  # when somebody last moved, started or paused the replay
    # True if a person has steered, so viewers see who it was; False if a page reported the moment
    named: bool = False
    seat: str | None = None  # the seat that steered last; None for a spectator


ALL = "all"  # the channel for messages to every process
SILENT_SECONDS = 4.0  # a process that was silent for this long is considered dead

_decoder = msgspec.json.Decoder(
    PeerEvents | PeerPresence | Alive | TableDeleted | PeerSign | ReplayPosition
)


class Peers:
    """The other processes. Without a bus there are no other processes, and no message is sent."""

    def __init__(self, bus: Bus | None = None, clock: Clock | None = None) -> None:
        self.me = token_hex(6)  # this process' name
        self._bus = bus
        self._clock = clock or Clock()
        self.any = bus is not None  # True if there may be other processes
        self.conflicts = 0  # commits that failed because a peer had committed first
        self.caught_up = 0  # events that didn't arrive as messages, and were read from the database
        self._handlers: dict[type[Message], Callable[[str, Any], None]] = {}
        self.on(Alive, self._forget_silent)
        self._received_at: dict[str, int] = {}  # when each peer last sent a message, in ms

    @property
    def lag(self) -> float:
        """Seconds between sending and receiving a recent message."""
        return self._bus.lag if self._bus else 0.0

    def start(self, name: str, followed: Callable[[str], None]) -> None:
        """Start to exchange messages. See ``Bus.start`` for the parameters."""
        if self._bus:
            self._bus.start(name, self._receive, log_bugs("bus")(followed))
            self._bus.follow(ALL)
            self._bus.follow(self.me)

    def close(self) -> None:
        if self._bus:
            self._bus.close()

    def on(self, kind: type[Message], handler: Callable[[str, Any], None]) -> None:
        """Call ``handler`` with the table's code and the message, for each message of this kind."""
        self._handlers[kind] = handler

    def follow(self, code: str, follows: bool = True) -> None:
        """Subscribe to the messages about this table, or unsubscribe if ``follows`` is False."""
        if self._bus:
            (self._bus.follow if follows else self._bus.leave)(code)

    def publish(self, whom: str, message: Message) -> None:
        """Send a message to one process (by its name) or to all subscribers of a table's code.

        The message may get lost.
        """
        if self._bus:
            self._bus.publish(whom, codec.encode(message))

    def seconds_connected(self) -> float:
        """Return for how many seconds messages were received without a break; 0 if disconnected."""
        return self._bus.seconds_connected() if self._bus else 0.0

    def is_gone(self, peer: str) -> bool:
        """Return True if ``peer`` sent no message for ``SILENT_SECONDS``, although this process was
        connected."""
        return self.is_silent_since(self._received_at.get(peer, 0))

    def is_silent_since(self, since: int, seconds: float = SILENT_SECONDS) -> bool:
        """Return True if a peer has been silent for ``seconds``.

        ``since`` is the time of the peer's last message, in ms on this process' own clock. If this
        process was disconnected since then, only the time after it connected again is counted.
        """
        elapsed = (self._clock.own() - since) / 1000
        return min(elapsed, self.seconds_connected()) > seconds

    def _forget_silent(self, _code: str, _alive: Alive) -> None:
        """Forget when silent peers last sent a message: a peer without such a time counts as silent
        anyway."""
        since = self._clock.own() - SILENT_SECONDS * 1000
        self._received_at = {by: at for by, at in self._received_at.items() if at >= since}

    def _receive(self, code: str, encoded: bytes) -> None:
        try:
            message = _decoder.decode(encoded)
        except msgspec.DecodeError:
            return  # another version or program sent this; the log in the database has the events
        if message.by != self.me:
            self._received_at[message.by] = self._clock.own()
            code = message.table if isinstance(message, PeerEvents) else code
            with log_bugs("bus"):
                self._handlers[type(message)](code, message)
