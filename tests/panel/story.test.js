import assert from "node:assert/strict";
import { test } from "node:test";
import "./grid.js";
import { findMoments, getNewestGameEvents, rankPlayers } from "../../static/js/core/story.js";

/** @param {[string, object][]} said */
const makeLog = (...said) => said.map(([type, facts], at) => ({ type, facts, version: at + 1 }));

const makeDraw = (seat, cell) => ["card_drawn", { seat, cell, card: null }];

test("the story contains only the newest game", () => {
  const game = getNewestGameEvents(
    makeLog(makeDraw("a", [0, 0]), ["game_began", { order: ["a", "b"] }], makeDraw("b", [0, 0])),
  );
  assert.deepEqual(
    game.map((one) => one.version),
    [2, 3],
  );
});

test("the story leaves out undone events", () => {
  const game = getNewestGameEvents(
    makeLog(
      ["game_began", {}],
      ["turn_began", { seat: "a", number: 1 }],
      makeDraw("a", [0, 0]),
      ["turn_began", { seat: "b", number: 2 }],
      ["undone", { version: 3 }],
    ),
  );
  assert.deepEqual(
    game.map((one) => one.type),
    ["game_began", "turn_began"],
  );
});

test("a card is lost only if it doesn't count when its window closes", () => {
  const told = findMoments(
    makeLog(
      ["turn_began", { seat: "a", number: 3 }],
      ["card_played", { seat: "a", card: "skip" }],
      ["nope_played", { seat: "b", by: "a", card: "skip", nope: "nope" }],
      ["window_closed", { seat: "a", counts: false }],
      ["card_played", { seat: "a", card: "skip" }],
      ["window_closed", { seat: "a", counts: true }],
    ),
  );
  assert.deepEqual(
    told.map(({ kind, turn, lost }) => [kind, turn, !!lost]),
    [
      ["play", 3, true],
      ["nope", 3, false],
      ["play", 3, false],
    ],
  );
  assert.equal(told[1].to, "a");
});

test("a Nope on an instruction is a moment, but it hits no card that was played before", () => {
  const told = findMoments(
    makeLog(
      ["turn_began", { seat: "a", number: 3 }],
      ["card_played", { seat: "a", card: "shuffle" }],
      ["window_closed", { seat: "a", card: "shuffle", counts: true }],
      ["instructed", { seat: "b", target: "a", cell: [0, 0] }],
      ["nope_played", { seat: "a", by: "b", card: "instruction", nope: "nope" }],
      ["window_closed", { seat: "b", card: "instruction", counts: false }],
    ),
  );
  assert.deepEqual(
    told.map(({ kind, card, lost }) => [kind, card, !!lost]),
    [
      ["play", "shuffle", false],
      ["nope", "nope", false],
    ],
  );
});

test("players are ranked by how long they stayed in, with the winner first", () => {
  const told = findMoments(
    makeLog(
      ["went_out", { seat: "c", out: "kitten" }],
      ["went_out", { seat: "a", out: "left" }],
      ["game_won", { seat: "b" }],
    ),
  );
  assert.deepEqual(rankPlayers(told, ["a", "b", "c"]), ["b", "a", "c"]);
});
