"""A client's connection: the data that it was opened with, and the client's state.

This module also reads input other than commands: gestures, table codes and bearer tokens. A gesture
(``sign``) is a short reaction, such as a laugh, that is shown to the table and never stored.
"""

import time
from typing import Literal
from wsgiref.types import WSGIEnvironment

from msgspec import Struct

from companion.adapters.connection_slots import Holder, Rank
from companion.service import codec
from companion.service.addresses import containing_ranges
from companion.service.errors import Fault, rate_limited
from companion.service.table.presence import Viewer, Wants

SIGN_SECONDS = 0.5  # minimum time between two gestures of one connection


class Auth(Struct):
    """The data that a client sends to open a connection."""

    table: str
    token: str | None = None
    patches: Wants = False
    """True to receive patches instead of whole views, ``"keys"`` to receive patches of changed
    keys."""
    replay: int | None = None
    """Number of a finished game. The client then watches its replay with others, instead of the
    table."""
    yields: bool = False
    """True to give up the seat as soon as another connection requests it."""
    cookie: bool = True
    """True to open the seat with the browser's cookie if there is no token."""


class Connection(Struct):
    """A client that has been admitted to a table."""

    sid: str
    code: str  # of the table
    seat: str | None  # None for a spectator
    key: str  # hash of the client's token, or of an empty text if the client has no token
    who: str  # the seat or address whose commands the rate limits count together
    address: str
    robot: bool = False  # True for a robot of this server
    patches: Wants = False
    replay: int | None = None
    since: int = 0  # when the client asked to connect; see ``presence.Viewer.since``
    signed: float = 0.0  # time of the client's last gesture, on the monotonic clock
    local: bool = False  # True for a client on the server's own machine
    known: bool = False  # True if the seat was connected within the last day
    # True while this connection is being closed to make room for another one of the same address
    leaves: bool = False

    @property
    def watches(self) -> bool:
        """True for a client that doesn't play: a spectator, or anybody who watches a replay."""
        return self.seat is None or self.replay is not None

    @property
    def own_seat(self) -> str | None:
        """The seat for which the client acts at the table, or None if the client only watches."""
        return None if self.watches else self.seat

    @property
    def holder(self) -> Holder:
        """The rank and addresses that decide whether the client keeps its slot on a full server."""
        if self.robot:
            return Holder(Rank.ROBOT)
        if self.watches:
            return Holder(Rank.WATCHES, containing_ranges(self.address))
        rank = Rank.KNOWN_SEAT if self.known else Rank.NEW_SEAT
        return Holder(rank, containing_ranges(self.address))

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.sid, self.seat, self.patches, self.since, self.address, self.local)


class Sign(Struct, forbid_unknown_fields=True):
    """A gesture: a reaction for the whole table, or ``camera`` for one seat.

    ``camera`` notifies the player ``to`` that the sender checks the camera picture of their cards.
    """

    sign: Literal["laugh", "cry", "gasp", "love", "hiss", "sleep", "cheer", "think", "camera"]
    to: str | None = None

    def __post_init__(self) -> None:
        if (self.sign == "camera") != (self.to is not None):
            raise ValueError("camera is for one seat, every other sign for all")


def read_sign(content: object, before: float) -> tuple[float, Sign]:
    """Return the current time, and the gesture that a player or spectator sends.

    ``before`` is the time of the connection's last gesture. Raise ``Fault`` if the content isn't a
    gesture, or if less than ``SIGN_SECONDS`` have passed since ``before``.
    """
    sign: Sign = codec.convert(content, Sign)
    now = time.monotonic()
    if now - before < SIGN_SECONDS:
        raise rate_limited(before + SIGN_SECONDS - now)
    return now, sign


def require_code(typed: str) -> str:
    """Return the table's code in its normal form. Raise ``Fault`` if the text isn't a code."""
    code = codec.parse_code(typed)
    if code is None:
        raise Fault("not_found", what="table", table=typed[:40])
    return code


def bearer(environ: WSGIEnvironment) -> str | None:
    """Return the bearer token in the request's ``Authorization`` header, or None."""
    kind, _, token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None
