"""A client's connection: the data that it connects with, and what the server knows about it.

Also reads what clients send besides commands: signs, table codes and bearer tokens. A sign is a
short reaction, such as a laugh, that is shown to the table and never stored.
"""

import time
from typing import Literal
from wsgiref.types import WSGIEnvironment

from msgspec import Struct

from companion.adapters.connection_slots import Holder, Rank
from companion.service import codec
from companion.service.errors import Fault, rate_limited
from companion.service.presence import Viewer, Wants

SIGN_SECONDS = 0.5  # least time between two signs of one connection


class Auth(Struct):
    """The data with which a client connects."""

    table: str
    token: str | None = None
    patches: Wants = False
    """Send patches instead of whole views; ``keys``: only the keys that changed."""
    replay: int | None = None
    """Number of a finished game to watch together with others, in place of the table."""
    yields: bool = False
    """Give the seat up as soon as any other connection wants it."""
    cookie: bool = True
    """Without a token, identify the seat by its cookie."""


class Connection(Struct):
    """One client that was let in."""

    sid: str
    code: str  # of the table
    seat: str | None  # None for a spectator
    key: str  # hash of its token
    who: str  # the name under which its commands are rate-limited: its seat's or its address'
    address: str
    robot: bool = False  # a robot of this server
    patches: Wants = False
    replay: int | None = None
    since: int = 0  # see Viewer
    signed: float = 0.0  # time of its last sign, on the monotonic clock
    known: bool = False  # its seat was connected within the last day
    leaves: bool = False  # being closed, to make room for another connection of its address

    @property
    def watches(self) -> bool:
        """True for a client that doesn't act as a seat: a spectator, or one in a replay."""
        return self.seat is None or self.replay is not None

    @property
    def own_seat(self) -> str | None:
        """The seat as which it acts at the table; ``None`` if it only watches."""
        return None if self.watches else self.seat

    @property
    def holder(self) -> Holder:
        """The rank and address with which it competes for a connection slot."""
        if self.robot:
            return Holder(Rank.ROBOT)
        if self.watches:
            return Holder(Rank.WATCHES, self.address)
        return Holder(Rank.KNOWN_SEAT if self.known else Rank.NEW_SEAT, self.address)

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.sid, self.seat, self.patches, self.since, self.address)


class Sign(Struct, forbid_unknown_fields=True):
    """A reaction: one of eight for the whole table, or ``camera`` for one seat.

    ``camera`` asks the player ``to`` to show their cards in the video call.
    """

    sign: Literal["laugh", "cry", "gasp", "love", "hiss", "sleep", "cheer", "think", "camera"]
    to: str | None = None

    def __post_init__(self) -> None:
        if (self.sign == "camera") != (self.to is not None):
            raise ValueError("camera is for one seat, every other sign for all")


def read_sign(content: object, before: float) -> tuple[float, Sign]:
    """Returns the current time and the sign (a reaction that a player or spectator sends).

    ``before`` is the time of the connection's last sign.

    Raises ``Fault`` if the content is not a sign, or comes too soon after the last one.
    """
    sign: Sign = codec.convert(content, Sign)
    now = time.monotonic()
    if now - before < SIGN_SECONDS:
        raise rate_limited(before + SIGN_SECONDS - now)
    return now, sign


def code_of(typed: str) -> str:
    """Returns the table's code in its normal form. Raises ``Fault`` if the text is no code."""
    code = codec.as_code(typed)
    if code is None:
        raise Fault("not_found", what="table", table=typed[:40])
    return code


def bearer(environ: WSGIEnvironment) -> str | None:
    """Returns the bearer token of a request's ``Authorization`` header, if it has one."""
    kind, _, token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None
