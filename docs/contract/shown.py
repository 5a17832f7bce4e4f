"""What a client is shown at any table: views and patches, a record for each object.

A key that may be missing is ``UNSET`` then; ``None`` is null on the wire. Times are ms since the
epoch, chances 0 to 1, cells ``[row, column]``.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

Chance = Annotated[float, Meta(ge=0, le=1)]
Cell = tuple[int, int]
Where = Literal["here", "away"]
Value = int | bool | str | list[str]
Phase = Literal["lobby", "setup", "roll_call", "play", "over"]


class Shown(Struct, kw_only=True, forbid_unknown_fields=True):
    """An object on the wire: these keys and no others."""


class Head(Shown):
    """Which version of the table is the newest, by the server's clock ``now``."""

    epoch: str
    version: int
    now: int


class Waiting(Shown):
    """Somebody who came late, for the next game."""

    seat: str
    name: str


class Asked(Shown):
    """Somebody asks to take back their last word, the event ``version``; ``waits_for``: who has yet
    to agree."""

    id: int
    seat: str
    until: int
    version: int | None
    waits_for: list[str]


class Change(Shown):
    """What isn't as the variant has it; of a pile's cards what it was for those who sat there."""

    key: str
    was: Value = field(name="from")
    to: Value


class House(Shown):
    """The table's house rules."""

    name: str | None
    changes: list[Change]


class Window(Shown):
    """How long there is time for a Nope; while it is held, ``left_ms`` stands still."""

    id: int
    closes_at: int
    seconds: int
    held_by: str | None
    left_ms: int
    may_nope: list[str]
    passed: list[str]


class Presence(Shown):
    """Who is connected."""

    seats: dict[str, Where]
    spectators: int


class SomeSeat(Shown, kw_only=True):
    """What is shown of a seat in any game; ``robot``: the temper of the one that plays there;
    ``alike``: in the lobby, the earlier seat whose name looks the same."""

    seat: str
    name: str
    panel: bool
    ready: bool
    alive: bool
    out: Literal["kitten", "left"] | None
    hand: int
    next: str | None
    robot: str | UnsetType = UNSET
    alike: str | UnsetType = UNSET
    survival: Chance | UnsetType = UNSET


class SomeYou(Shown, kw_only=True):
    """The viewer's own part, in any game."""

    seat: str
    host: bool
    undo: int | UnsetType = UNSET
    ask_back: int | UnsetType = UNSET
    agree: int | UnsetType = UNSET
    log_room: int | UnsetType = UNSET


class SomeOptions(Shown):
    """What the host chose, in any game."""

    nope_seconds: int
    spectators: bool
    locked: bool
    odds: bool
    remind_seconds: Literal[30, 60] | None
    take_back: Literal["host", "agreement", "nobody"]
    signs: bool


class SomeView(Head):
    """What a connection sees of any table."""

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
    """What leads from the view of the version ``from`` to that of ``version``."""

    start: int = field(name="from")
    log: list[dict[str, Any]]
