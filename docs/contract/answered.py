"""What a client is answered over HTTP, and told over a socket beside views: a record for each.

As in ``shown.py``: a key that may be missing is ``UNSET`` then; times are ms since the epoch.
"""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from docs.contract.shown import Chance, Shown

Speed = Literal["slow", "normal", "fast"]
"""How fast a replay goes on by itself."""


class Failed(Shown):
    """What is wrong: the object that every refused call and command carries."""

    code: Literal[
        "bad_request", "unauthenticated", "forbidden", "not_found", "refused", "stale",
        "id_reused", "rate_limited", "internal", "busy",
    ]  # fmt: skip
    text: str
    ruling: str | UnsetType = UNSET
    facts: dict[str, Any] | UnsetType = UNSET


class Failure(Shown):
    """An error over HTTP."""

    error: Failed


class Accepted(Shown):
    """The command happened; the table has this version now."""

    ok: Literal[True]
    version: int


class Denied(Shown):
    """The command did not happen."""

    ok: Literal[False]
    version: int
    error: Failed


class ClaimLink(Shown):
    """What opens a seat once on another device."""

    claim: str
    url: str
    expires_at: int


class Player(Shown, kw_only=True):
    """Somebody in a finished game; ``nopes``: how many of theirs stuck."""

    seat: str
    name: str
    place: int
    out: Literal["kitten", "left"] | None
    nopes: int
    robot: str | UnsetType = UNSET
    survival: Chance | UnsetType = UNSET


class Finished(Shown):
    """A finished game, its players by place."""

    game: int
    at: int
    players: list[Player]


class Evening(Shown):
    """The finished games of a table."""

    games: list[Finished]


class Left(Shown):
    """A remark that somebody left at a moment of a finished game."""

    moment: int
    at: int
    seat: str
    text: str


class Robots(Shown):
    """How many robots the server has."""

    most: int
    free: int
    tempers: list[str]


class Lent(Shown):
    """The temper of the robot that plays on."""

    robot: str


class Between(Shown):
    """A range."""

    least: int
    most: int


class Lengths(Between):
    """A window's length in seconds: what a table may choose, what it has otherwise."""

    seconds: int


class Shape(Shown):
    """A grid's size."""

    rows: int
    columns: int


class InShort(Shown):
    """A variant in the list of all."""

    id: str
    family: Literal["grid", "pile"]
    title: str
    titles: dict[str, str]
    about: str
    language: str
    languages: list[str]
    players: Between
    window: Lengths
    grid: Shape | UnsetType = UNSET


class GameFile(Shown):
    """A finished game as a file (game-file.md)."""

    format: Literal["hiss-game"]
    version: Literal[1]
    variant: dict[str, Any]
    seats: list[dict[str, Any]]
    table: dict[str, Any]
    events: list[dict[str, Any]]
    checksum: str
    remarks: list[Left] | UnsetType = UNSET


class Health(Shown):
    """Whether the process serves."""

    ok: bool
    damaged: int | UnsetType = UNSET


class Readiness(Shown):
    """Whether the process takes newcomers."""

    ok: bool
    store: bool | UnsetType = UNSET
    moving: bool | UnsetType = UNSET


class Origin(Shown):
    """Where others reach this server."""

    origin: str | None
    tunnel: dict[str, str | None] | UnsetType = UNSET


class At(Shown):
    """A moment of a replay that is watched together; ``here``: how many watch; ``remarks``: how
    many lines were left in it, as far as was heard; ``play``: how fast it goes on by itself, if it
    does; ``by``: the seat that steered last, null for a spectator; ``you``: this connection did."""

    at: int | None
    here: int
    remarks: int | UnsetType = UNSET
    play: Speed | UnsetType = UNSET
    by: str | UnsetType | None = UNSET
    you: Literal[True] | UnsetType = UNSET


class Step(Shown):
    """To which moment all go, and how fast on from there, if at all; ``on``: nobody steered, the
    film that this connection started goes on."""

    at: int
    play: Speed | UnsetType | None = UNSET
    on: bool | UnsetType = UNSET


class Sign(Shown):
    """Somebody shows a sign; null: a spectator."""

    seat: str | None
    sign: str


class Known(Shown):
    """What a client has; with it ``sync`` is answered shortly if that is the newest."""

    epoch: str
    version: int


class Moments(Shown):
    """A finished game as spectators saw it: its first view, a patch to each later moment."""

    view: dict[str, Any]
    moments: list[dict[str, Any]]


class Stepped(Shown):
    """All went to that moment."""

    ok: Literal[True]


class Signs(Shown):
    """Which sign to show; ``camera`` alone has ``to``, the seat that it is for."""

    sign: Literal["laugh", "cry", "gasp", "love", "hiss", "sleep", "cheer", "think", "camera"]
    to: str | UnsetType = UNSET


class Empty(Shown):
    """Nothing more to say."""
