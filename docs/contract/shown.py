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


class GridOptions(Shown):
    """What the host chose."""

    nope_seconds: int
    roll_call: bool
    spectators: bool
    locked: bool
    odds: bool
    remind_seconds: Literal[30, 60] | None
    take_back: Literal["host", "agreement", "nobody"]
    signs: bool


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


class PileOptions(Shown):
    """What the host chose."""

    nope_seconds: int
    special_combos: bool
    spectators: bool
    locked: bool
    odds: bool
    remind_seconds: Literal[30, 60] | None
    take_back: Literal["host", "agreement", "nobody"]
    signs: bool


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


# --- answers over HTTP, and over the socket --------------------------------------------------


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
    """A moment of a replay that is watched together; ``here``: how many watch."""

    at: int | None
    here: int


class Step(Shown):
    """To which moment all go."""

    at: int


class Sign(Shown):
    """Somebody who only watches shows a sign; null: a spectator."""

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
    """Which sign to show."""

    sign: Literal["laugh", "cry", "gasp", "love", "hiss", "sleep", "cheer", "think"]


class Empty(Shown):
    """Nothing more to say."""
