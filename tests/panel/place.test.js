import assert from "node:assert/strict";
import { test } from "node:test";
import "./grid.js";
import { getPlaceInRow, describeCell } from "../../static/js/grid/words.js";
import "./words.js";

const D = "down";

test("a card's position is counted among the cards left in its row, from the nearer end", () => {
  const grid = [
    [D, D, D],
    [D, null, D],
  ];
  assert.equal(describeCell(grid, [0, 0]), "top row, first from your left");
  assert.equal(describeCell(grid, [0, 1]), "top row, middle");
  assert.equal(describeCell(grid, [0, 2]), "top row, first from your right");
  assert.equal(describeCell(grid, [1, 2]), "bottom row, first from your right");
});

test("a face-up card is counted like any other, and a gap isn't", () => {
  assert.equal(
    describeCell(
      [
        [null, "skip", D],
        [D, D, D],
      ],
      [0, 1],
    ),
    "top row, first from your left",
  );
  assert.equal(
    describeCell(
      [
        [null, "skip", null],
        [D, D, D],
      ],
      [0, 1],
    ),
    "top row, the only card",
  );
});

test("other players read the position from the owner's side, too", () => {
  assert.equal(
    describeCell(
      [
        [D, D, D],
        [D, D, D],
      ],
      [1, 0],
      true,
    ),
    "bottom row, first from their left",
  );
});

test("larger grids have middle rows and second positions", () => {
  const grid = [
    [D, D, D, D],
    [D, D, D, D],
    [D, D, D, D],
  ];
  assert.equal(describeCell(grid, [1, 1]), "middle row, second from your left");
  assert.equal(describeCell(grid, [2, 2]), "bottom row, second from your right");
});

test("an empty cell has no position", () => {
  assert.equal(getPlaceInRow([[null, D]], [0, 0]), null);
  assert.match(describeCell([[null, D]], [0, 0]), /1/);
});
