"""What the processes that serve the same tables tell each other, and what hears it.

Nothing depends on a message arriving: the log has the truth, and is asked now and then. This
module must not know what brings the messages, nor what a table is.
"""

import time
from collections.abc import Callable
from secrets import token_hex
from typing import Any, Protocol

import msgspec
from msgspec import Raw, Struct

from companion.service import codec
from companion.service.logs import bug

Heard = Callable[[str, bytes], None]
"""Hears a message of a table: its code, and what was said."""


class Bus(Protocol):
    """Brings messages of tables to all processes; what it can't bring, it loses."""

    lag: float
    """Seconds that a message took lately."""

    def start(self, name: str, heard: Heard, followed: Callable[[str], None]) -> None:
        """From now on it brings what others say; ``followed``: of this table, from now on.

        ``name`` is that of the log: processes on another one are not heard.
        """

    def close(self) -> None:
        """It brings what still waits, and then nothing."""

    def follow(self, code: str) -> None:
        """What is said of this table is heard from soon on."""

    def leave(self, code: str) -> None:
        """It need not be heard any more."""

    def say(self, code: str, message: bytes) -> None:
        """Says it to all who follow the table; never waits."""

    def hears_for(self) -> float:
        """For how many seconds it has heard all that was said; 0: it hears nothing."""


class Place(Struct, frozen=True, array_like=True):
    """A seat's connection: since when, in ms, and its round trip in ms."""

    since: int
    trip_ms: int


class Message(Struct, frozen=True, kw_only=True, tag_field="what"):
    """What a process (``by``) says of a table."""

    by: str


class News(Message, frozen=True, kw_only=True, tag="news"):
    """Events of one moment, committed; the first makes the table's version ``first``.

    ``after``: when the event before them was written, in ms; of another log it is another time.

    They are told to the processes that somebody of the table is at, or, by a process that nobody
    is at, to whoever follows the table.
    """

    table: str
    first: int
    at: int
    events: tuple[Raw, ...]
    after: int | None = None


class There(Message, frozen=True, kw_only=True, tag="there"):
    """All connections that a process has to a table, and the seats whose robots it lets play.

    ``version``: the newest that it knows; whoever has less missed news. ``asks``: it wants to hear
    the same of the others.
    """

    seats: dict[str, Place]
    watching: int
    robots: tuple[str, ...] = ()
    version: int = 0
    asks: bool = False


class Alive(Message, frozen=True, kw_only=True, tag="alive"):
    """The process is there, whatever happens at its tables."""


class Gone(Message, frozen=True, kw_only=True, tag="gone"):
    """The table was deleted."""


class Signed(Message, frozen=True, kw_only=True, tag="signed"):
    """Somebody who watches shows a sign."""

    seat: str | None
    sign: str


class Stepped(Message, frozen=True, kw_only=True, tag="stepped"):
    """Where those are who watch the replay of a game together, and how many of them are here.

    ``at``: the version that they look at, if anybody stepped; ``step``: when they did last, in ms,
    and by way of which process. ``asks``: it wants to hear the same of the others.
    """

    game: int
    at: int | None
    here: int
    step: tuple[int, str]
    asks: bool


ALL = "all"
"""What every process follows, in place of a table's code; besides, each follows its own name."""

SILENT_SECONDS = 4.0
"""A process that said nothing for so long is gone."""

Said = News | There | Alive | Gone | Signed | Stepped

_decoder = msgspec.json.Decoder(Said)


class Fellows:
    """The other processes; without a bus there are none, and nothing is told.

    ``conflicts``: how often one of them was faster; ``caught_up``: how many events were read from
    the log because no message had brought them.
    """

    def __init__(self, bus: Bus | None = None) -> None:
        self.me, self._bus = token_hex(6), bus
        self.conflicts = self.caught_up = 0
        self._ears: dict[type[Message], Callable[[str, Any], None]] = {Alive: lambda *_: None}
        self._heard_at: dict[str, float] = {}

    @property
    def any(self) -> bool:
        """Whether there can be any."""
        return self._bus is not None

    @property
    def lag(self) -> float:
        """Seconds that a message took lately."""
        return self._bus.lag if self._bus else 0.0

    def start(self, name: str, followed: Callable[[str], None]) -> None:
        """They are heard from now on; see ``Bus``."""
        if self._bus:
            self._bus.start(name, self._heard, lambda code: _tried(followed, code))
            self._bus.follow(ALL)
            self._bus.follow(self.me)

    def close(self) -> None:
        """They are told what still waits."""
        if self._bus:
            self._bus.close()

    def on(self, kind: type[Message], ear: Callable[[str, Any], None]) -> None:
        """What is said of this kind is for ``ear``, with the table's code."""
        self._ears[kind] = ear

    def follow(self, code: str) -> None:
        """What they say of this table is heard."""
        if self._bus:
            self._bus.follow(code)

    def leave(self, code: str) -> None:
        """It need not be heard any more."""
        if self._bus:
            self._bus.leave(code)

    def tell(self, whom: str, message: Message) -> None:
        """A process hears this, or all who follow a table, if all goes well."""
        if self._bus:
            self._bus.say(whom, codec.encode(message))

    def heard_for(self) -> float:
        """For how many seconds nothing that they said was missed; 0: nothing is heard."""
        return self._bus.hears_for() if self._bus else 0.0

    def live_on(self) -> None:
        """The others hear, now and then, that this process is there."""
        self.tell(ALL, Alive(by=self.me))

    def gone(self, by: str) -> bool:
        """Whether this one is silent although whatever it says would be heard."""
        silent = time.monotonic() - self._heard_at.get(by, 0.0)
        return min(silent, self.heard_for()) > SILENT_SECONDS

    def _heard(self, code: str, said: bytes) -> None:
        try:
            message = _decoder.decode(said)
        except msgspec.DecodeError:
            return  # of a later version, or not ours: the log knows
        if message.by == self.me:
            return
        self._heard_at[message.by] = time.monotonic()
        code = message.table if isinstance(message, News) else code
        _tried(self._ears[type(message)], code, message)


def _tried(ear: Callable[..., None], *said: Any) -> None:
    """One message's trouble keeps nobody from hearing the next."""
    try:
        ear(*said)
    except Exception:
        bug("bus")
