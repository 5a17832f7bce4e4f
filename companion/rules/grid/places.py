"""Draw grids: a tuple of rows, whose cells ``(row, column)`` count from 0 as the owner sees them.
What lies in a cell is ``None`` (nothing), ``DOWN`` or the title of a face-up card."""

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

Cell = tuple[int, int]
Grid = tuple[tuple[str | None, ...], ...]

DOWN = "down"
GRIDS = 4096  # how many grids are remembered with what was asked of them: most are met again


class Place(Struct, frozen=True, kw_only=True):
    """Where a card lies among the cards still in its row (ruling as-the-drawer-sees-it). ``row`` of
    ``rows``, and ``index`` of ``count`` cards from the left, all from 0."""

    row: int
    rows: int
    index: int
    count: int


def full_grid(rows: int, columns: int, face: str | None = DOWN) -> Grid:
    return tuple((face,) * columns for _ in range(rows))


def card_at(grid: Grid, cell: Cell) -> str | None:
    """What lies in the cell; a cell outside the grid is empty."""
    row, column = cell
    if 0 <= row < len(grid) and 0 <= column < len(grid[row]):
        return grid[row][column]
    return None


def with_cell(grid: Grid, cell: Cell, face: str | None) -> Grid:
    row, column = cell
    changed = (*grid[row][:column], face, *grid[row][column + 1 :])
    return (*grid[:row], changed, *grid[row + 1 :])


@lru_cache(maxsize=GRIDS)
def occupied_cells(grid: Grid) -> tuple[Cell, ...]:
    """The cells that hold a card, row by row."""
    return tuple((r, c) for r, row in enumerate(grid) for c, face in enumerate(row) if face)


@lru_cache(maxsize=GRIDS)
def face_down(grid: Grid) -> tuple[Cell, ...]:
    """The cells whose card is face down, row by row."""
    return tuple(cell for cell in occupied_cells(grid) if grid[cell[0]][cell[1]] == DOWN)


def with_cards_in(grid: Grid, cells: Iterable[Cell]) -> Grid:
    """A grid of the same shape with face-down cards in just these cells."""
    held = set(cells)
    return tuple(
        tuple(DOWN if (r, c) in held else None for c in range(len(row)))
        for r, row in enumerate(grid)
    )


@lru_cache(maxsize=GRIDS)
def place(grid: Grid, cell: Cell) -> Place:
    row, column = cell
    left = [c for c, face in enumerate(grid[row]) if face is not None]
    return Place(row=row, rows=len(grid), index=left.index(column), count=len(left))
