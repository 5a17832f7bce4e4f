"""Types of HTTP answers, and of socket messages other than views and patches.

As in ``views.py``, ``UNSET`` stands for a missing key, and times are ms since 1970.
"""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from companion.web.wire_schema.views import Chance, Shown

Speed = Literal["slow", "normal", "fast"]
"""The speed at which a replay plays by itself."""


class Failed(Shown):
    """The error of a refused call or command."""

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
    """The answer to an accepted command, with the table's new version."""

    ok: Literal[True]
    version: int


class Denied(Shown):
    """The answer to a refused command, with the table's version."""

    ok: Literal[False]
    version: int
    error: Failed


class ClaimLink(Shown):
    """A link that opens a seat on another device, once."""

    claim: str
    url: str
    expires_at: int


class Player(Shown, kw_only=True):
    """A player in a finished game. ``nopes`` is the number of their Nopes that took effect."""

    seat: str
    name: str
    place: int
    out: Literal["kitten", "left"] | None
    nopes: int
    robot: str | UnsetType = UNSET
    survival: Chance | UnsetType = UNSET


class Finished(Shown):
    """A finished game, with its players by rank."""

    game: int
    at: int
    players: list[Player]


class Evening(Shown):
    """The finished games of a table."""

    games: list[Finished]


class Left(Shown):
    """A player's remark on a moment of a finished game."""

    moment: int
    at: int
    seat: str
    text: str


class Robots(Shown):
    """The robots that the server offers.

    ``most`` is the maximum number of robots, ``free`` is the number of robots that can still be
    added, and ``tempers`` are the robots' styles of play.
    """

    most: int
    free: int
    tempers: list[str]


class Lent(Shown):
    """The answer to lending a seat: the temper (style of play) of the robot that plays it."""

    robot: str


class Between(Shown):
    """A range of numbers."""

    least: int
    most: int


class Lengths(Between):
    """The range of lengths, in seconds, that a table may choose for its Nope window.

    ``seconds`` is the default length.
    """

    seconds: int


class Shape(Shown):
    """A grid's size."""

    rows: int
    columns: int


class ExpansionInShort(Shown):
    """An expansion of a box: its id, its titles by language, and the variant to play it with."""

    id: str
    titles: dict[str, str]
    variant: str


class InShort(Shown):
    """A variant in the list of all variants.

    ``expansions`` lists the expansions of a box. A variant that adds an expansion to a box has the
    box's id in ``expands``.
    """

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
    expands: str | UnsetType = UNSET
    expansions: list[ExpansionInShort] | UnsetType = UNSET


class GameFile(Shown):
    """A finished game as a file (see docs/game-file.md)."""

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
    """The address at which other people reach this server."""

    origin: str | None
    tunnel: dict[str, str | None] | UnsetType = UNSET


class OperatorToken(Shown):
    """The token that identifies the operator's browser."""

    token: str


class WayChoice(Shown):
    """A way by which others can reach the server.

    ``program`` runs on the server's machine, and ``through`` forwards the traffic; both can be
    null.
    """

    way: str
    program: str | None
    through: str | None
    encrypted: bool


class WayIn(Shown):
    """The way by which others reach the server now, and the ways that the operator can open."""

    way: str | None
    origin: str | None
    ended: str | None
    reason: str | None
    choices: list[WayChoice]


class Limits(Shown):
    """Limits of the server that concern a client."""

    file: int  # maximum size of a game's file, in bytes
    spectators: int  # maximum number of spectators at one table; 0 stands for no limit


class Server(Origin, kw_only=True):
    """The robots that the server offers, the address at which other people reach the server, and
    the server's limits."""

    robots: Robots
    limits: Limits


class At(Shown):
    """The current moment of a replay that is watched together.

    ``here`` is the number of viewers, and ``remarks`` is the number of remarks on the game.
    ``play`` is the speed of the playback, and missing if the replay is paused. ``by`` is the seat
    that last moved the replay, or null for a spectator. ``you`` is true for the connection that
    last moved the replay.
    """

    at: int | None
    here: int
    remarks: int | UnsetType = UNSET
    play: Speed | UnsetType = UNSET
    by: str | UnsetType | None = UNSET
    you: Literal[True] | UnsetType = UNSET


class Step(Shown):
    """A move of a shared replay to the moment ``at``.

    ``play`` is the speed of the playback from that moment on, or missing for a pause. ``on`` is
    true if the page reports a moment that it shows without a person's help, because the playback
    reached it or because nobody has chosen a moment yet. It is false or missing if a person chose
    the moment.
    """

    at: int
    play: Speed | UnsetType | None = UNSET
    on: bool | UnsetType = UNSET


class Sign(Shown):
    """A gesture (sign) from a seat, or from a spectator if ``seat`` is null."""

    seat: str | None
    sign: str


class Known(Shown):
    """The epoch and version of the view that a client has, sent as ``sync``.

    If the view is the newest, the answer is only its head (epoch, version and time), and otherwise
    the whole view.
    """

    epoch: str
    version: int


class Moments(Shown):
    """A finished game as spectators saw it: the first view, and a patch for each later moment."""

    view: dict[str, Any]
    moments: list[dict[str, Any]]


class Stepped(Shown):
    """The answer to an accepted step of a replay that is watched together."""

    ok: Literal[True]


class Signs(Shown):
    """A gesture (sign) to send. ``to`` is the seat that receives a ``camera`` sign; the other signs
    go to everybody and have no ``to``."""

    sign: Literal["laugh", "cry", "gasp", "love", "hiss", "sleep", "cheer", "think", "camera"]
    to: str | UnsetType = UNSET


class Empty(Shown):
    """A message without content."""
