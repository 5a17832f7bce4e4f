"""One client: what it connects with, and what is known of it while it is there. Its token
says who it is; a sign is what one can show that nobody keeps."""

import time
from typing import Literal
from wsgiref.types import WSGIEnvironment

from msgspec import Struct

from companion.adapters.connection_slots import Holder, Rank
from companion.service import codec
from companion.service.errors import Fault, too_much
from companion.service.presence import Viewer, Wants

SIGN_SECONDS = 0.5  # how long a connection waits between two signs


class Auth(Struct):
    """What a client connects with; ``patches``: how much it wants to hear of what changed.
    ``replay``: the number of a game which it watches together with others, in place of the table.
    ``yields``: it has its seat only as long as no other connection wants it. ``cookie``: without a
    token, the seat's cookie counts."""

    table: str
    token: str | None = None
    patches: Wants = False
    replay: int | None = None
    yields: bool = False
    cookie: bool = True


class Connection(Struct):
    """One client. ``key``: its token's hash; ``who``: in whose rate it counts, its seat's or, of
    one that watches, its address'; ``robot``: it is this server's; ``since``: see ``Viewer``;
    ``known``: its seat was connected within the last day; ``leaves``: it is being closed, so that
    another of its address has room."""

    sid: str
    code: str
    seat: str | None
    key: str
    who: str
    address: str
    robot: bool = False
    patches: Wants = False
    replay: int | None = None
    since: int = 0
    signed: float = 0.0
    known: bool = False
    leaves: bool = False

    @property
    def watches(self) -> bool:
        """Whether it takes no place at the table: of those there is one for each seat."""
        return self.seat is None or self.replay is not None

    @property
    def own_seat(self) -> str | None:
        """The seat that it takes at the table; ``None``: it watches."""
        return None if self.watches else self.seat

    @property
    def holder(self) -> Holder:
        """The client as it holds a connection's place."""
        if self.robot:
            return Holder(Rank.ROBOT)
        if self.watches:
            return Holder(Rank.WATCHES, self.address)
        return Holder(Rank.KNOWN_SEAT if self.known else Rank.NEW_SEAT, self.address)

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.sid, self.seat, self.patches, self.since, self.address)


class Sign(Struct, forbid_unknown_fields=True):
    """One of eight, for all; ``camera`` is for the seat whose cards one looks at in the call."""

    sign: Literal["laugh", "cry", "gasp", "love", "hiss", "sleep", "cheer", "think", "camera"]
    to: str | None = None

    def __post_init__(self) -> None:
        if (self.sign == "camera") != (self.to is not None):
            raise ValueError("camera is for one seat, every other sign for all")


def read_sign(content: object, before: float) -> tuple[float, Sign]:
    """When it came and which sign it is; raises ``Fault``, also so soon after the one before."""
    shown: Sign = codec.convert(content, Sign)
    now = time.monotonic()
    if now - before < SIGN_SECONDS:
        raise too_much(before + SIGN_SECONDS - now)
    return now, shown


def code_of(typed: str) -> str:
    """The code of the table that somebody asked for; raises ``Fault``."""
    code = codec.as_code(typed)
    if code is None:
        raise Fault("not_found", what="table", table=typed[:40])
    return code


def bearer(environ: WSGIEnvironment) -> str | None:
    kind, _, token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None
