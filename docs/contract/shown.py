"""What a client is shown: views, patches and answers, a record for each object.

A key that may be missing is ``UNSET`` then; ``None`` is null on the wire. Times are ms since the
epoch, chances 0 to 1, cells ``[row, column]``.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

Chance = Annotated[float, Meta(ge=0, le=1)]
Cell = tuple[int, int]
Where = Literal["here", "away"]
Phase = Literal["lobby", "setup", "roll_call", "play", "over"]
GridStep = Literal["tell", "act", "window", "look", "shuffle", "reveal", "report", "kitten"]
PileStep = Literal[
    "act", "window", "look", "shuffle", "give", "take", "answer", "pick", "report", "kitten"
]


class Shown(Struct, kw_only=True, forbid_unknown_fields=True):
    """An object on the wire: these keys and no others."""


# --- any table -----------------------------------------------------------------------------


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
    """Somebody asks to take back their last word; ``waits_for``: who has yet to agree."""

    id: int
    seat: str
    until: int
    waits_for: list[str]


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
    """What is shown of a seat in any game; ``robot``: the temper of the one that plays there."""

    seat: str
    name: str
    panel: bool
    ready: bool
    alive: bool
    out: Literal["kitten", "left"] | None
    hand: int
    next: str | None
    robot: str | UnsetType = UNSET
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
    asked: Asked | None
    window: Window | None
    winner: str | None


class SomePatch(Head):
    """What leads from the view of the version ``from`` to that of ``version``."""

    start: int = field(name="from")
    log: list[dict[str, Any]]


# --- the draw grid -------------------------------------------------------------------------


class GridOdds(Shown):
    """What a grid's face-down cells and the hand may hold, by title."""

    cells: dict[str, dict[str, Chance]]
    holds: dict[str, Chance]
    placed: bool


class TableDeck(Shown, tag_field="kind", tag="table"):
    """The seat's cards lie on its table."""


class DeviceDeck(Shown, tag_field="kind", tag="device"):
    """The seat's device keeps its cards, and committed to a secret."""

    commit: str
    secret: str | None


class GridSeat(SomeSeat, kw_only=True):
    """A seat with a draw grid: a cell is null, ``down``, or the title that lies face up."""

    discard: list[str]
    grid: list[list[str | None]]
    deck: TableDeck | DeviceDeck
    odds: GridOdds | UnsetType = UNSET


class RollCall(Shown):
    """Whose turn it is to name the next one."""

    caller: str


class GridTurn(Shown):
    """Whose turn it is, and which card they were told."""

    number: int
    seat: str
    instructor: str
    step: GridStep
    told: Cell | None
    say: str | None
    owed: int | UnsetType = UNSET


class GridPlayed(Shown):
    """The card on top of everything."""

    card: str
    by: str
    target: str | None
    cell: Cell | None
    nopes: list[str]
    counts: bool


class GridNote(Shown):
    """What the viewer noted of their own grid."""

    cell: Cell
    card: str


class GridYou(SomeYou, kw_only=True):
    """The viewer's own part."""

    notes: list[GridNote]
    may: list[dict[str, Any]]
    odds: GridOdds | UnsetType = UNSET


class GridOptions(SomeOptions):
    """What the host chose."""

    roll_call: bool


class GridView(SomeView):
    """A table on the draw grid."""

    options: GridOptions
    seats: list[GridSeat]
    roll_call: RollCall | None
    turn: GridTurn | None
    played: GridPlayed | None
    log: list[dict[str, Any]]
    you: GridYou | None


# --- one pile ------------------------------------------------------------------------------


class End(Shown):
    """How likely a Kitten lies at an end of the pile."""

    state: Literal["shuffled", "placed", "arranged", "noted"]
    even: Chance
    least: Chance
    most: Chance


class Ends(Shown):
    """Both ends of the pile."""

    top: End
    bottom: End


class Pile(Shown):
    """The pile, as everybody knows it; its ends with odds."""

    cards: int
    kittens: int
    exact: bool
    top: End | UnsetType = UNSET
    bottom: End | UnsetType = UNSET


class Discard(Shown):
    """The discard pile, oldest first; ``unnoted``: cards in it that nobody named."""

    cards: list[str]
    unnoted: int


class PileSeat(SomeSeat, kw_only=True):
    """A seat with a hand; ``known`` and ``never`` with odds."""

    known: dict[str, int] | UnsetType = UNSET
    never: list[str] | UnsetType = UNSET


class PileTurn(Shown):
    """Whose turn it is, and how many they owe."""

    number: int
    seat: str
    owed: int
    attacked: bool
    step: PileStep
    end: Literal["top", "bottom"] | None


class PilePlayed(Shown):
    """What lies on top: a card, or a combo of this kind."""

    kind: str
    cards: list[str]
    by: str
    target: str | None
    name: str | None
    nopes: list[str]
    counts: bool


class PileNote(Shown):
    """What the viewer noted of a place in the pile."""

    place: int
    card: str


class PileYou(SomeYou, kw_only=True):
    """The viewer's own part."""

    notes: list[PileNote]
    may: list[dict[str, Any]]
    odds: Ends | UnsetType = UNSET


class PileOptions(SomeOptions):
    """What the host chose."""

    special_combos: bool


class PileView(SomeView):
    """A table with one pile."""

    family: Literal["pile"]
    options: PileOptions
    seats: list[PileSeat]
    pile: Pile | None
    discard: Discard | None
    turn: PileTurn | None
    played: PilePlayed | None
    log: list[dict[str, Any]]
    you: PileYou | None
