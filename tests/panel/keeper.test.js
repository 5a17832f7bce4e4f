/** Tests for the module that keeps a device deck, in a tab that stores values only temporarily. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

Object.assign(globalThis, {
  history: { state: null, replaceState() {} },
  addEventListener() {},
  document: {
    addEventListener() {},
    getElementById: () => null,
    querySelector: () => null,
    createTreeWalker: () => null,
    createComment: () => null,
  },
});
await import("./grid.js");
const { isText, readValue, storeValue } = await import("../../static/js/core/memory.js");
const { adaptViewToDevice, loadKeeper } = await import("../../static/js/grid/own.js");
const { computeCommitment } = await import("../../static/js/grid/fair.js");
const { getOwedDeckKey } = await import("../../static/js/grid/state.js");
const { openLastDeck } = await loadKeeper();

const BUSY = { ok: false, error: { code: "busy" } };
const SECRET = "5e".repeat(32);
const COMMIT = computeCommitment(SECRET);
/** The commands that were sent. @type {any[]} */
let sent = [];
/** The server's answers to the next commands. @type {any[]} */
let answers = [];
const send = async (/** @type {any} */ command) => {
  sent.push(command);
  return answers.shift();
};
/** @type {any} */
const ctrl = {
  table: "KXQF7H",
  prefs: {},
  send,
  wire: { send, showAgain() {} },
  showProblem() {},
};

beforeEach(() => {
  sent = [];
});

test("a deck that the server couldn't handle after a game is opened at a later view", async () => {
  const readOwed = () => readValue(getOwedDeckKey(ctrl.table), isText);
  const openAtView = () => openLastDeck(ctrl, /** @type {any} */ ({ phase: "setup" }));
  storeValue("decks", [{ commit: COMMIT, secret: SECRET, table: ctrl.table, at: Date.now() }]);
  storeValue(getOwedDeckKey(ctrl.table), COMMIT);
  answers = [BUSY, { ok: true }];
  await openAtView();
  assert.equal(readOwed(), COMMIT);
  await openAtView();
  assert.equal(readOwed(), null);
  await openAtView();
  assert.deepEqual(sent, [
    { type: "open", secret: SECRET },
    { type: "open", secret: SECRET },
  ]);
});

test("a device deck that the server couldn't handle is chosen again at a later view", async () => {
  /** @type {any} */
  const lobby = {
    phase: "lobby",
    game: 1,
    version: 7,
    log: [],
    options: { device_decks: true },
    seats: [{ seat: "ana", deck: { kind: "table" } }],
    you: { seat: "ana", may: [] },
  };
  const showView = async () => {
    adaptViewToDevice(ctrl, lobby);
    await new Promise((done) => setTimeout(done));
  };
  answers = [BUSY, { ok: true, version: 8 }];
  await showView();
  await showView();
  await showView();
  assert.deepEqual(
    sent.map(({ type, kind }) => [type, kind]),
    [
      ["deck", "device"],
      ["deck", "device"],
    ],
  );
});
