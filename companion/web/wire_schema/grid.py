"""Types of the views of draw-grid tables. See also ``views.py``."""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from companion.web.wire_schema.views import (
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
    """The chance of each title in each face-down cell of a grid (``cells``) and in the hand
    (``holds``).

    ``placed`` is true if the grid's owner chose the cell of the Kitten. The odds assume that the
    owner chose each cell with equal chance.
    """

    cells: dict[str, dict[str, Chance]]
    holds: dict[str, Chance]
    placed: bool


class TableDeck(Shown, tag_field="kind", tag="table"):
    """The seat's player uses real cards, so no device keeps the deck."""


class DeviceDeck(Shown, tag_field="kind", tag="device"):
    """The seat's device keeps the deck.

    ``commit`` is the SHA-256 hash of the deck's secret. ``secret`` is null until the device
    publishes the secret after the game. ``here`` is false if the device has reported that it
    doesn't have the deck. After a claim has opened the seat on another device, ``here`` is null
    until that device has reported.
    """

    commit: str
    secret: str | None
    here: bool | UnsetType | None = UNSET


class GridSeat(SomeSeat, kw_only=True):
    """A seat with a draw grid.

    A cell is null if it is empty, ``down`` if its card is face down, or else the title of the card.
    """

    discard: list[str]
    grid: list[list[str | None]]
    deck: TableDeck | DeviceDeck
    odds: GridOdds | UnsetType = UNSET


class RollCall(Shown):
    """The roll call before a game. ``caller`` is the seat of the player who calls the next name."""

    caller: str


class GridTurn(Shown):
    """A turn. ``told`` is the cell that the player was told to draw.

    ``noped`` has the cells of this turn's instructions that were Noped. Without such a cell,
    ``noped`` is missing.
    """

    number: int
    seat: str
    instructor: str
    step: GridStep
    told: Cell | None
    say: str | None
    owed: int | UnsetType = UNSET
    again: bool | UnsetType = UNSET
    noped: list[Cell] | UnsetType = UNSET


class GridPlayed(Shown):
    """The card that was played last, or an instruction that can be Noped.

    For an instruction, ``card`` is ``instruction``, ``target`` the player who draws, and ``cell``
    the cell that they are told to draw.
    """

    card: str
    by: str
    target: str | None
    cell: Cell | None
    nopes: list[str]
    counts: bool


class GridNote(Shown):
    """A private note of the viewer about a cell of their own grid."""

    cell: Cell
    card: str


class GridYou(SomeYou, kw_only=True):
    """The part of a view that only the viewer gets."""

    notes: list[GridNote]
    may: list[dict[str, Any]]
    odds: GridOdds | UnsetType = UNSET


class GridOptions(SomeOptions):
    """Options of the table, chosen by the host."""

    roll_call: bool
    device_decks: bool | UnsetType = UNSET


class GridView(SomeView):
    """A table on the draw grid."""

    options: GridOptions
    seats: list[GridSeat]
    roll_call: RollCall | None
    turn: GridTurn | None
    played: GridPlayed | None
    log: list[dict[str, Any]]
    you: GridYou | None
