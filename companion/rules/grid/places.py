"""Draw grids, as tuples of rows.

A cell is ``(row, column)``, counted from 0 as the grid's owner sees the grid. In the grid, a cell's
content is ``None`` (no card), ``DOWN`` (a face-down card) or the title of a face-up card.
"""

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

Cell = tuple[int, int]
Grid = tuple[tuple[str | None, ...], ...]

DOWN = "down"
CACHED_GRIDS = 4096  # size of the caches below; few different grids occur


class Place(Struct, frozen=True, kw_only=True):
    """A card's place in the grid. Within its row, only the cards that are left are counted (ruling
    as-the-drawer-sees-it)."""

    row: int  # counted from 0
    rows: int  # number of rows
    index: int  # counted from 0, from the left, among the cards left in the row
    count: int  # number of cards left in the row


def full_grid(rows: int, columns: int, face: str | None = DOWN) -> Grid:
    return tuple((face,) * columns for _ in range(rows))


def card_at(grid: Grid, cell: Cell) -> str | None:
    """Return the content of the cell. A cell outside the grid is empty."""
    row, column = cell
    if 0 <= row < len(grid) and 0 <= column < len(grid[row]):
        return grid[row][column]
    return None


def with_cell(grid: Grid, cell: Cell, face: str | None) -> Grid:
    row, column = cell
    changed = (*grid[row][:column], face, *grid[row][column + 1 :])
    return (*grid[:row], changed, *grid[row + 1 :])


@lru_cache(maxsize=CACHED_GRIDS)
def occupied_cells(grid: Grid) -> tuple[Cell, ...]:
    """Return the cells that hold a card, row by row."""
    return tuple((r, c) for r, row in enumerate(grid) for c, face in enumerate(row) if face)


@lru_cache(maxsize=CACHED_GRIDS)
def face_down(grid: Grid) -> tuple[Cell, ...]:
    """Return the cells whose card is face down, row by row."""
    return tuple(cell for cell in occupied_cells(grid) if grid[cell[0]][cell[1]] == DOWN)


def with_cards_in(grid: Grid, cells: Iterable[Cell]) -> Grid:
    """Return a grid of the same shape with face-down cards in these cells and no others."""
    occupied = set(cells)
    return tuple(
        tuple(DOWN if (r, c) in occupied else None for c in range(len(row)))
        for r, row in enumerate(grid)
    )


@lru_cache(maxsize=CACHED_GRIDS)
def place_in_row(grid: Grid, cell: Cell) -> Place:
    """Return the place of the card in this cell. Raises ``ValueError`` for an empty cell."""
    row, column = cell
    left = [c for c, face in enumerate(grid[row]) if face is not None]
    return Place(row=row, rows=len(grid), index=left.index(column), count=len(left))
