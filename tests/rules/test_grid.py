"""Tests for grids and for descriptions of cells (rulings as-the-drawer-sees-it, grid-shrinks)."""

import pytest

from companion.rules.grid import places as grid
from companion.rules.grid.texts import describe_cell
from tests.support.game_script import QUARANTINED

SAY = QUARANTINED.words.say


def parse_grid(picture: str) -> grid.Grid:
    faces = {"x": grid.DOWN, ".": None}
    return tuple(tuple(faces.get(word, word) for word in row.split()) for row in picture.split("/"))


@pytest.mark.parametrize(
    ("picture", "cell", "words"),
    [
        ("x x x / x x x", (0, 0), "top row, first from your left"),
        ("x x x / x x x", (1, 1), "bottom row, middle"),
        ("x x x / x x x", (1, 2), "bottom row, first from your right"),
        (". x x / x x x", (0, 1), "top row, first from your left"),
        ("x . x / x x x", (0, 2), "top row, first from your right"),
        (". x . / x x x", (0, 1), "top row, the only card"),
        ("x x skip / x x x", (0, 2), "top row, first from your right"),
        ("x x x / x x x / x x x", (1, 0), "middle row, first from your left"),
        ("x x x x / x x x x", (0, 1), "top row, second from your left"),
        ("x x x x / x x x x", (0, 2), "top row, second from your right"),
        ("x x x x x", (0, 2), "your row, middle"),
        ("x x x x x x x x x x", (0, 3), "your row, number 4 from your left"),
        ("x / x / x / x", (1, 0), "row 2 from the top, the only card"),
        (". x / x x", (0, 0), "row 1, column 1"),
    ],
)
def test_a_cell_is_described_from_the_drawers_side(
    picture: str, cell: grid.Cell, words: str
) -> None:
    assert describe_cell(SAY, parse_grid(picture), cell) == words


def test_every_card_of_a_row_has_its_own_description() -> None:
    for columns in range(1, 10):
        row = grid.full_grid(1, columns)
        assert len({describe_cell(SAY, row, (0, c)) for c in range(columns)}) == columns


def test_drawing_a_card_moves_no_other_card() -> None:
    before = parse_grid("x x x / x skip x")
    assert grid.with_cell(before, (0, 1), None) == parse_grid("x . x / x skip x")


def test_a_cell_outside_the_grid_is_empty() -> None:
    assert grid.card_at(grid.full_grid(2, 3), (2, 0)) is None
    assert grid.card_at(grid.full_grid(2, 3), (0, 3)) is None


def test_a_rearranged_grid_has_cards_only_in_the_given_cells() -> None:
    assert grid.with_cards_in(parse_grid("x . skip / x x x"), [(0, 0), (1, 2)]) == parse_grid(
        "x . . / . . x"
    )
