/** Tests for a table's scores over several games, and for players' names in a link. */
import assert from "node:assert/strict";
import test from "node:test";
import {
  formatNamesFragment,
  parseNamesFragment,
  listPlayerNames,
  computeScores,
} from "../../static/js/core/evening.js";

/** @param {string} seat @param {number} place @param {object} [more] */
const makePlayer = (seat, place, more = {}) => ({
  seat,
  name: seat.toUpperCase(),
  place,
  out: place === 1 ? null : /** @type {"kitten"} */ ("kitten"),
  nopes: 0,
  ...more,
});

test("the player with the most wins comes first, and each column is added up", () => {
  const games = [
    {
      game: 1,
      at: 1,
      players: [
        makePlayer("b", 1, { nopes: 2, survival: 0.25 }),
        makePlayer("a", 2, { survival: 1 }),
      ],
    },
    {
      game: 2,
      at: 2,
      players: [
        makePlayer("b", 1, { nopes: 1, survival: 0.75 }),
        makePlayer("c", 2),
        makePlayer("a", 3),
      ],
    },
  ];
  const found = computeScores(games);
  assert.deepEqual(
    found.map(({ name, won, first, nopes, luck }) => [name, won, first, nopes, luck]),
    [
      ["B", 2, 0, 3, 0.5],
      ["C", 0, 0, 0, null],
      ["A", 0, 2, 0, 0],
    ],
  );
  assert.equal(found[1].places[0], null);
});

test("a link carries names with any characters", () => {
  const names = ["Ana", "Łukasz, #2", "か=が"];
  assert.deepEqual(parseNamesFragment(formatNamesFragment(names)), names);
  for (const hash of ["", "#", "#with=", "#with=%E0%A4%A", "#claim=x"])
    assert.deepEqual(parseNamesFragment(hash), []);
});

test("robots are left out of the names, and a link's names are cut to the allowed length", () => {
  const games = [
    {
      game: 1,
      at: 1,
      players: [makePlayer("r", 1, { robot: "calm" }), makePlayer("a", 2), makePlayer("b", 3)],
    },
  ];
  assert.deepEqual(listPlayerNames(games), ["A", "B"]);
  assert.deepEqual(parseNamesFragment(formatNamesFragment(["x".repeat(500)])), ["x".repeat(24)]);
});
