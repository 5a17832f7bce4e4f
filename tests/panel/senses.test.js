import assert from "node:assert/strict";
import { test } from "node:test";
import "./grid.js";
import { findCues, playCues } from "../../static/js/core/senses.js";

const makeView = (version, log = [], more = {}) => ({
  epoch: "e",
  version,
  log,
  you: { seat: "me" },
  turn: null,
  window: null,
  roll_call: null,
  winner: null,
  played: null,
  ...more,
});
const makeEntry = (version, type, facts = {}) => ({ version, type, facts });

test("what was there at the first look is no news", () => {
  assert.deepEqual(findCues(null, makeView(9, [makeEntry(9, "nope_played")])), []);
});

test("only what is newer than the last view is heard", () => {
  const log = [makeEntry(8, "card_played"), makeEntry(9, "nope_played")];
  assert.deepEqual(findCues(makeView(8), makeView(9, log)), ["nope"]);
});

test("an explosion booms, a player who leaves does not", () => {
  assert.deepEqual(
    findCues(makeView(1), makeView(2, [makeEntry(2, "went_out", { out: "kitten" })])),
    ["boom"],
  );
  assert.deepEqual(
    findCues(makeView(1), makeView(2, [makeEntry(2, "went_out", { out: "left" })])),
    [],
  );
});

test("one is called when something is asked of oneself, and not of others", () => {
  const turn = { seat: "ben", instructor: "me", step: "tell" };
  assert.deepEqual(findCues(makeView(1), makeView(2, [], { turn })), ["turn"]);
  assert.deepEqual(
    findCues(makeView(1), makeView(2, [], { turn: { ...turn, instructor: "ana" } })),
    [],
  );
});

test("whoever looks elsewhere is called to their turn, and asked once whether the system may", async () => {
  const turn = { seat: "ben", instructor: "me", step: "tell" };
  /** @type {unknown[]} */
  const felt = [];
  /** @type {Record<string, any>} */
  const prefs = { sound: false };
  const ctrl = /** @type {any} */ ({
    table: "T",
    prefs,
    prefer: (/** @type {string} */ key, /** @type {unknown} */ value) => {
      prefs[key] = value;
    },
  });
  const makeRoot = (/** @type {boolean} */ hidden) =>
    /** @type {any} */ ({ ownerDocument: { hidden }, querySelector: () => null });
  Object.defineProperty(globalThis, "navigator", {
    configurable: true,
    value: { vibrate: (/** @type {unknown} */ pattern) => felt.push(pattern) },
  });
  /** @type {any} */ (globalThis).Notification = { permission: "default" };
  const playTurnCue = (/** @type {boolean} */ hidden) =>
    playCues(ctrl, makeRoot(hidden), makeView(1), makeView(2, [], { turn }));
  playTurnCue(false);
  assert.deepEqual([felt.length, prefs.call], [0, undefined], "who looks sees it");
  playTurnCue(true);
  assert.deepEqual([felt.length, prefs.call], [1, "ask"]);
  prefs.call = prefs.buzz = false;
  playTurnCue(true);
  assert.deepEqual([felt.length, prefs.call], [1, false], "who wants none is left alone");
});
