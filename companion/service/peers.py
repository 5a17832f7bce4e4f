"""The other processes that serve the same tables: what they tell each other, and whether they live.
Nothing depends on a message arriving: the log has the truth, and is asked now and then."""

from collections.abc import Callable
from secrets import token_hex
from typing import Any, Literal, Protocol

import msgspec
from msgspec import Raw, Struct

from companion.service import codec
from companion.service.clock import Clock
from companion.service.logs import log_bugs

Receive = Callable[[str, bytes], None]  # takes a message of a table: its code, and the message


class Bus(Protocol):
    """Brings messages of tables to all processes; what it can't bring, it loses."""

    lag: float  # seconds that a message took lately

    def start(self, name: str, receive: Receive, followed: Callable[[str], None]) -> None:
        """From now on it brings what others say; ``followed``: of this table, from now on. ``name``
        is that of the log: processes on another one are not heard."""

    def close(self) -> None:
        """It brings what still waits, and then nothing."""

    def follow(self, code: str) -> None:
        """What is said of this table is heard from soon on."""

    def leave(self, code: str) -> None:
        """It need not be heard any more."""

    def publish(self, code: str, message: bytes) -> None:
        """Says it to all who follow the table; never waits."""

    def hears_for(self) -> float:
        """For how many seconds it has heard all that was said; 0: it hears nothing."""


class RemoteSeat(Struct, frozen=True, array_like=True):
    """A seat's connection: since when, in ms, its round trip in ms, and from which address."""

    since: int
    trip_ms: int
    address: str = ""


class Message(Struct, frozen=True, kw_only=True, tag_field="what"):
    """What a process (``by``) says of a table."""

    by: str


class News(Message, frozen=True, kw_only=True, tag="news"):
    """Events of one moment, committed; the first makes the table's version ``first``.

    ``after``: when the event before them was written, in ms; of another log it is another time.

    They are told to the processes that somebody of the table is at, or, by a process that nobody
    is at, to whoever follows the table."""

    table: str
    first: int
    at: int
    events: tuple[Raw, ...]
    after: int | None = None


class There(Message, frozen=True, kw_only=True, tag="there"):
    """All connections that a process has to a table, and the seats address robots it lets play.
    ``version``: the newest that it knows; who has less missed news. ``asks``: it wants the same."""

    seats: dict[str, RemoteSeat]
    watching: int
    robots: tuple[str, ...] = ()
    version: int = 0
    asks: bool = False


class Alive(Message, frozen=True, kw_only=True, tag="alive"):
    """The process is there, whatever happens at its tables."""


class Gone(Message, frozen=True, kw_only=True, tag="gone"):
    """The table was deleted."""


class Signed(Message, frozen=True, kw_only=True, tag="signed"):
    """Somebody shows a sign, to all or ``to`` a seat."""

    seat: str | None
    sign: str
    to: str | None = None


Stamp = tuple[int, str]
"""When something was done, in ms, and by way of which process."""
Speed = Literal["slow", "normal", "fast"]
"""How fast a replay goes on by itself."""


class Stepped(Message, frozen=True, kw_only=True, tag="stepped"):
    """Where those are who watch the replay of a game together, and how many of them are here."""

    game: int
    at: int | None  # the version that they look at, if anybody stepped
    here: int
    step: Stamp  # when the film moved last
    asks: bool  # whether it wants the same
    remarks: int = 0  # how many lines were left
    play: Speed | None = None  # how fast the film goes on by itself, if it does
    steered: Stamp = (0, "")  # when somebody steered last
    named: bool = False
    seat: str | None = None  # with ``named``: who steered last; None: a spectator


ALL = "all"  # what every process follows in place of a table's code, beside its own name
SILENT_SECONDS = 4.0  # a process that said nothing for so long is gone

_decoder = msgspec.json.Decoder(News | There | Alive | Gone | Signed | Stepped)


class Peers:
    """The other processes, if there can be ``any``: without a bus nothing is told. ``conflicts``:
    how often one was faster; ``caught_up``: how many events no message had brought."""

    def __init__(self, bus: Bus | None = None, clock: Clock | None = None) -> None:
        self.me = token_hex(6)
        self._bus = bus
        self._clock = clock or Clock()
        self.any = bus is not None
        self.conflicts = self.caught_up = 0
        self._handlers: dict[type[Message], Callable[[str, Any], None]] = {}
        self.on(Alive, self._forget_silent)
        self._heard_at: dict[str, int] = {}

    @property
    def lag(self) -> float:
        """Seconds that a message took lately."""
        return self._bus.lag if self._bus else 0.0

    def start(self, name: str, followed: Callable[[str], None]) -> None:
        """They are heard from now on; see ``Bus``."""
        if self._bus:
            self._bus.start(name, self._receive, log_bugs("bus")(followed))
            self._bus.follow(ALL)
            self._bus.follow(self.me)

    def close(self) -> None:
        if self._bus:
            self._bus.close()

    def on(self, kind: type[Message], handler: Callable[[str, Any], None]) -> None:
        """Messages of this kind are for ``handler``, with the table's code."""
        self._handlers[kind] = handler

    def follow(self, code: str, follows: bool = True) -> None:
        """What they say of this table is heard, or need not be any more."""
        if self._bus:
            (self._bus.follow if follows else self._bus.leave)(code)

    def publish(self, whom: str, message: Message) -> None:
        """A process hears this, or all who follow a table, if all goes well."""
        if self._bus:
            self._bus.publish(whom, codec.encode(message))

    def heard_for(self) -> float:
        """For how many seconds nothing that they said was missed; 0: nothing is heard."""
        return self._bus.hears_for() if self._bus else 0.0

    def is_gone(self, by: str) -> bool:
        """Whether this one is silent although whatever it says would be heard."""
        return self.silent(self._heard_at.get(by, 0))

    def silent(self, since: int, seconds: float = SILENT_SECONDS) -> bool:
        """Whether it is so long ago, in ms of the own clock, and what was said since was heard."""
        ago = (self._clock.own() - since) / 1000
        return min(ago, self.heard_for()) > seconds

    def _forget_silent(self, _code: str, _alive: Alive) -> None:
        """Those who are gone: of whoever isn't known nothing was heard for as long."""
        since = self._clock.own() - SILENT_SECONDS * 1000
        self._heard_at = {by: at for by, at in self._heard_at.items() if at >= since}

    def _receive(self, code: str, encoded: bytes) -> None:
        try:
            message = _decoder.decode(encoded)
        except msgspec.DecodeError:
            return  # of a later version, or not ours: the log knows
        if message.by != self.me:
            self._heard_at[message.by] = self._clock.own()
            code = message.table if isinstance(message, News) else code
            with log_bugs("bus"):
                self._handlers[type(message)](code, message)
