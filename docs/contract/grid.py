"""What is shown at a table on the draw grid; see ``shown.py``."""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from docs.contract.shown import (
    Cell,
    Chance,
    Shown,
    SomeOptions,
    SomeSeat,
    SomeView,
    SomeYou,
)

GridStep = Literal["tell", "act", "window", "look", "shuffle", "reveal", "report", "kitten"]


class GridOdds(Shown):
    """What a grid's face-down cells and the hand may hold, by title."""

    cells: dict[str, dict[str, Chance]]
    holds: dict[str, Chance]
    placed: bool


class TableDeck(Shown, tag_field="kind", tag="table"):
    """The seat's cards lie on its table."""


class DeviceDeck(Shown, tag_field="kind", tag="device"):
    """The seat's device keeps its cards, and committed to a secret. ``here`` is false once the
    seat's device has said that it doesn't have the deck, null after a claim until it says so."""

    commit: str
    secret: str | None
    here: bool | UnsetType | None = UNSET


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
    again: bool | UnsetType = UNSET


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
