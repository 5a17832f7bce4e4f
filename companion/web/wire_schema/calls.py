"""Types of HTTP answers, and of socket messages other than views and patches.

As in ``shown.py``, ``UNSET`` stands for a missing key; times are ms since the epoch.
"""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from companion.web.wire_schema.views import Chance, Shown

Speed = Literal["slow", "normal", "fast"]
"""Speed of a replay's automatic advance."""


class Failed(Shown):
    """An error, as every refused call and command carries it."""

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
    """The command was accepted; the table now has this version."""

    ok: Literal[True]
    version: int


class Denied(Shown):
    """The command was refused."""

    ok: Literal[False]
    version: int
    error: Failed


class ClaimLink(Shown):
    """A link that opens a seat on another device, once."""

    claim: str
    url: str
    expires_at: int


class Player(Shown, kw_only=True):
    """A player in a finished game; ``nopes`` counts their Nopes that took effect."""

    seat: str
    name: str
    place: int
    out: Literal["kitten", "left"] | None
    nopes: int
    robot: str | UnsetType = UNSET
    survival: Chance | UnsetType = UNSET


class Finished(Shown):
    """A finished game, with its players in order of place."""

    game: int
    at: int
    players: list[Player]


class Evening(Shown):
    """The finished games of a table."""

    games: list[Finished]


class Left(Shown):
    """A remark that a player left at a moment of a finished game."""

    moment: int
    at: int
    seat: str
    text: str


class Robots(Shown):
    """The robots that the server offers: at most, free now, and their tempers."""

    most: int
    free: int
    tempers: list[str]


class Lent(Shown):
    """The temper of the robot that has taken over the seat."""

    robot: str


class Between(Shown):
    """A range of numbers."""

    least: int
    most: int


class Lengths(Between):
    """The lengths of a window that a table may choose, in seconds, and the default."""

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
    """Health of the process."""

    ok: bool
    damaged: int | UnsetType = UNSET


class Readiness(Shown):
    """Readiness of the process for new connections."""

    ok: bool
    store: bool | UnsetType = UNSET
    moving: bool | UnsetType = UNSET


class Origin(Shown):
    """The address at which others reach this server."""

    origin: str | None
    tunnel: dict[str, str | None] | UnsetType = UNSET


class At(Shown):
    """The shared moment of a replay that is watched together. ``here``: number of viewers;
    ``remarks``: number of remarks in the game; ``play``: speed of automatic advance, if on; ``by``:
    the seat that steered last, null for a spectator; ``you``: this connection steered last."""

    at: int | None
    here: int
    remarks: int | UnsetType = UNSET
    play: Speed | UnsetType = UNSET
    by: str | UnsetType | None = UNSET
    you: Literal[True] | UnsetType = UNSET


class Step(Shown):
    """A step of a replay that is watched together: the new moment, and the speed of automatic
    advance from there, if any. ``on``: a step by automatic advance, not by hand."""

    at: int
    play: Speed | UnsetType | None = UNSET
    on: bool | UnsetType = UNSET


class Sign(Shown):
    """A sign shown by a seat; null for a spectator."""

    seat: str | None
    sign: str


class Known(Shown):
    """The view that a client has; if it is the newest, ``sync`` is answered with a head only."""

    epoch: str
    version: int


class Moments(Shown):
    """A finished game as spectators saw it: the first view, and a patch for each later moment."""

    view: dict[str, Any]
    moments: list[dict[str, Any]]


class Stepped(Shown):
    """The step was accepted."""

    ok: Literal[True]


class Signs(Shown):
    """A sign to show. Only ``camera`` has ``to``, the seat that it is meant for."""

    sign: Literal["laugh", "cry", "gasp", "love", "hiss", "sleep", "cheer", "think", "camera"]
    to: str | UnsetType = UNSET


class Empty(Shown):
    """A message without content."""
