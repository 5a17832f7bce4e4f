"""Reading a view: the few things about it that every robot looks for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

View = Mapping[str, Any]
"""The wire's view, as protocol.md shows it."""

Command = Mapping[str, Any]
"""A command as it stands in ``you.may``."""

Cell = tuple[int, int]
Cards = Iterable[Iterable[str | None]]
"""A grid on the wire: null where nothing lies, ``down``, or the face-up card."""


LINES = 50
"""How much of the log a view shows."""


def patched(view: View, patch: View) -> View | None:
    """The view which a patch leads to; ``None``: it was not made for this one."""
    if (view["epoch"], view["version"]) != (patch["epoch"], patch["from"]):
        return None
    now = {key: patch[key] for key in ("version", "now", "you") if key in patch}
    after = {**view, **patch.get("set", {}), **now}
    changed = patch.get("seats", {})
    after["seats"] = [changed.get(seat["seat"], seat) for seat in after["seats"]]
    after["log"] = [*view["log"], *patch["log"]][-LINES:]
    return after


def seat_of(view: View, seat: str) -> Mapping[str, Any]:
    """One seat's part of a view; it must be there."""
    found: Mapping[str, Any] = next(found for found in view["seats"] if found["seat"] == seat)
    return found


def cells_where(grid: Cards, wanted: Callable[[str | None], bool]) -> list[Cell]:
    """The cells whose content is wanted, row by row."""
    return [
        (row, column)
        for row, cards in enumerate(grid)
        for column, card in enumerate(cards)
        if wanted(card)
    ]


def laid(grid: Cards) -> list[Cell]:
    """The cells that hold a card."""
    return cells_where(grid, lambda card: card is not None)


def face_down(grid: Cards) -> list[Cell]:
    """The cells whose card lies face down."""
    return cells_where(grid, lambda card: card == "down")


def face_up(grid: Cards) -> dict[Cell, str]:
    """The face-up cards by their cell."""
    return {
        (row, column): card
        for row, cards in enumerate(grid)
        for column, card in enumerate(cards)
        if card is not None and card != "down"
    }


def place(cell: Iterable[int]) -> Cell:
    """A cell of the wire."""
    row, column = cell
    return row, column


def every(may: Sequence[Command], kind: str) -> list[Command]:
    """The choices of one kind."""
    return [entry for entry in may if entry["type"] == kind]
