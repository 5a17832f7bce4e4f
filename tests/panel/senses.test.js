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

test("the first view gives no sounds", () => {
  assert.deepEqual(findCues(null, makeView(9, [makeEntry(9, "nope_played")])), []);
});

test("only events after the last view give sounds", () => {
  const log = [makeEntry(8, "card_played"), makeEntry(9, "nope_played")];
  assert.deepEqual(findCues(makeView(8), makeView(9, log)), ["nope"]);
});

test("an explosion gives a sound and a leaving player doesn't", () => {
  assert.deepEqual(
    findCues(makeView(1), makeView(2, [makeEntry(2, "went_out", { out: "kitten" })])),
    ["boom"],
  );
  assert.deepEqual(
    findCues(makeView(1), makeView(2, [makeEntry(2, "went_out", { out: "left" })])),
    [],
  );
});

test("a player is alerted if the game waits for them and not if it waits for others", () => {
  const turn = { seat: "ben", instructor: "me", step: "tell" };
  assert.deepEqual(findCues(makeView(1), makeView(2, [], { turn })), ["turn"]);
  assert.deepEqual(
    findCues(makeView(1), makeView(2, [], { turn: { ...turn, instructor: "ana" } })),
    [],
  );
});

test("a player on another page is alerted to their turn, and asked once to allow notifications", async () => {
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
  assert.deepEqual(
    [felt.length, prefs.call],
    [0, undefined],
    "a player who looks at the page needs no alert",
  );
  playTurnCue(true);
  assert.deepEqual([felt.length, prefs.call], [1, "ask"]);
  prefs.call = prefs.buzz = false;
  playTurnCue(true);
  assert.deepEqual([felt.length, prefs.call], [1, false], "a player who refused isn't asked again");
});
