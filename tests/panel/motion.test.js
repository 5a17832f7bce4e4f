import assert from "node:assert/strict";
import { test } from "node:test";
import "./grid.js";
import { findAnimations } from "../../static/js/core/senses.js";

const makeView = (version, log = [], more = {}) => ({ epoch: "e", game: 1, version, log, ...more });
const makeEntry = (version, type, facts) => ({ version, type, facts });

test("a revealed card flips in its cell", () => {
  const log = [
    makeEntry(8, "grid_shuffled", { seat: "ana" }),
    makeEntry(9, "card_revealed", { seat: "ben", cell: [1, 2] }),
  ];
  assert.deepEqual(findAnimations(makeView(8), makeView(9, log)), [
    { of: '[data-grid="ben"] [data-cell="1,2"]', how: "flips" },
  ]);
});

test("shuffling and defusing animate the whole grid, so nobody sees where a card went", () => {
  const log = [
    makeEntry(2, "grid_shuffled", { seat: "ana" }),
    makeEntry(3, "kitten_defused", { seat: "ana" }),
  ];
  assert.deepEqual(
    findAnimations(makeView(1), makeView(3, log)).map(({ how }) => how),
    ["riffles", "riffles"],
  );
});

test("nothing is animated on the first view, after a restored log or in the next game", () => {
  const log = [makeEntry(2, "kitten_shown", { seat: "ana" })];
  assert.deepEqual(findAnimations(null, makeView(2, log)), []);
  assert.deepEqual(findAnimations(makeView(1, [], { epoch: "other" }), makeView(2, log)), []);
  assert.deepEqual(findAnimations(makeView(1), makeView(2, log, { game: 2 })), []);
  assert.equal(findAnimations(makeView(1), makeView(2, log)).length, 1);
});
