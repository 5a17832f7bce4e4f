"""Reading a grid in a view: what lies in which cell."""

from collections.abc import Callable, Iterable

Cell = tuple[int, int]
Cards = Iterable[Iterable[str | None]]
"""A grid on the wire: null where nothing lies, ``down``, or the face-up card."""


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
