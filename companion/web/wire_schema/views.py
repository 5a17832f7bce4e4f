"""Types of views and patches that all families share.

``UNSET`` stands for a missing key, and ``None`` for null on the wire. Times are ms since 1970,
chances are numbers from 0 to 1, and cells are ``[row, column]``.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from companion.rules.core.types import Emblem

Chance = Annotated[float, Meta(ge=0, le=1)]
Cell = tuple[int, int]
Where = Literal["here", "away"]
Value = int | bool | str | list[str]
Phase = Literal["lobby", "setup", "roll_call", "play", "over"]


class Shown(Struct, kw_only=True, forbid_unknown_fields=True):
    """Base of all objects that the server sends; unknown keys are forbidden."""


class Head(Shown):
    """The head of a table: its epoch, its newest version, and the server's clock (``now``)."""

    epoch: str
    version: int
    now: int


class Waiting(Shown):
    """A latecomer who waits for the next game."""

    seat: str
    name: str


class Asked(Shown):
    """A request to undo the last action of ``seat``.

    ``version`` is the version of the event to undo. ``waits_for`` lists the seats that still have
    to agree.
    """

    id: int
    seat: str
    until: int
    version: int | None
    waits_for: list[str]


class Change(Shown):
    """A change to the variant by house rules.

    If the change affects how many cards are in play, ``from`` and ``to`` are the values for the
    current number of players.
    """

    key: str
    was: Value = field(name="from")
    to: Value


class House(Shown):
    """The table's house rules."""

    name: str | None
    changes: list[Change]


class Window(Shown):
    """The time in which a card can be Noped.

    While a seat holds the window open, ``left_ms`` stays the same.
    """

    id: int
    closes_at: int
    seconds: int
    held_by: str | None
    left_ms: int
    may_nope: list[str]
    passed: list[str]


class Presence(Shown):
    """Shows which seats are connected: each seat is ``here`` or ``away``. Also has the number of
    spectators."""

    seats: dict[str, Where]
    spectators: int


class SomeSeat(Shown, kw_only=True):
    """The fields of a seat that all families share.

    ``robot`` is the temper (style of play) of the robot that plays the seat. In the lobby,
    ``alike`` is an earlier seat whose name looks the same.
    """

    seat: str
    name: str
    panel: bool
    ready: bool
    emblem: Emblem
    alive: bool
    out: Literal["kitten", "left"] | None
    hand: int
    next: str | None
    robot: str | UnsetType = UNSET
    alike: str | UnsetType = UNSET
    survival: Chance | UnsetType = UNSET
    boldest: Chance | UnsetType = UNSET
    auto_pass: bool | UnsetType = UNSET


class SomeYou(Shown, kw_only=True):
    """The part of a view that only the viewer gets, with the fields that all families share."""

    seat: str
    host: bool
    undo: int | UnsetType = UNSET
    ask_back: int | UnsetType = UNSET
    agree: int | UnsetType = UNSET
    log_room: int | UnsetType = UNSET


class SomeOptions(Shown):
    """The options that every table has. The host chooses them."""

    nope_seconds: int
    spectators: bool
    locked: bool
    odds: bool
    remind_seconds: Literal[30, 60] | None
    take_back: Literal["host", "agreement", "nobody"]
    signs: bool


class SomeView(Head):
    """The fields of a view that all families share."""

    table: str
    variant: str
    game: int
    phase: Phase
    host: str | None
    waiting: list[Waiting]
    house: House | None
    asked: Asked | None
    window: Window | None
    winner: str | None


class SomePatch(Head):
    """The changes from the view of version ``from`` to the view of ``version``."""

    start: int = field(name="from")
    log: list[dict[str, Any]]
