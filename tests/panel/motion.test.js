import assert from "node:assert/strict";
import { test } from "node:test";
import "./grid.js";
import { findAnimations } from "../../static/js/core/senses.js";

const view = (version, log = [], more = {}) => ({ epoch: "e", game: 1, version, log, ...more });
const logEntry = (version, type, facts) => ({ version, type, facts });

test("a card that is turned up flips where it lies", () => {
  const log = [
    logEntry(8, "grid_shuffled", { seat: "ana" }),
    logEntry(9, "card_revealed", { seat: "ben", cell: [1, 2] }),
  ];
  assert.deepEqual(findAnimations(view(8), view(9, log)), [
    { of: '[data-grid="ben"] [data-cell="1,2"]', how: "flips" },
  ]);
});

test("a shuffled grid riffles, a defused one too: nobody sees which card went where", () => {
  const log = [
    logEntry(2, "grid_shuffled", { seat: "ana" }),
    logEntry(3, "kitten_defused", { seat: "ana" }),
  ];
  assert.deepEqual(
    findAnimations(view(1), view(3, log)).map(({ how }) => how),
    ["riffles", "riffles"],
  );
});

test("nothing moves at the first look, after a restored log, or into the next game", () => {
  const log = [logEntry(2, "kitten_shown", { seat: "ana" })];
  assert.deepEqual(findAnimations(null, view(2, log)), []);
  assert.deepEqual(findAnimations(view(1, [], { epoch: "other" }), view(2, log)), []);
  assert.deepEqual(findAnimations(view(1), view(2, log, { game: 2 })), []);
  assert.equal(findAnimations(view(1), view(2, log)).length, 1);
});
