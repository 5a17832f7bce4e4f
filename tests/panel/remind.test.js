import assert from "node:assert/strict";
import { test } from "node:test";
import "./grid.js";
import { Controller } from "../../static/js/core/controller.js";
import { updateReminder, computeSecondsWaited } from "../../static/js/core/senses.js";
import { newView } from "./views.js";
import "./words.js";

const AT = 1_000_000;
const makeEntry = (/** @type {string} */ type, /** @type {number} */ at) => ({
  version: 1,
  at,
  type,
  seat: null,
  facts: {},
  text: "",
});
/** @param {object} [more] */
const makeView = (more = {}) => ({
  ...newView({ may: [{ type: "draw", as: "ana", cell: [0, 1] }], ...more }),
  options: { nope_seconds: 8, remind_seconds: 30 },
  log: [makeEntry("instructed", AT), makeEntry("note_made", AT + 20_000)],
});

test("reminders come at whole multiples of the table's interval", () => {
  const secondsAfter = (/** @type {number} */ seconds) =>
    computeSecondsWaited(/** @type {any} */ (makeView()), AT + seconds * 1000);
  assert.deepEqual([0, 29.9, 30, 59, 60, 200].map(secondsAfter), [0, 0, 30, 30, 60, 180]);
});

test("a slow clock, a table without reminders or an open window gives no reminder", () => {
  assert.equal(computeSecondsWaited(/** @type {any} */ (makeView()), AT - 90_000), 0);
  assert.equal(
    computeSecondsWaited(
      /** @type {any} */ ({ ...makeView(), options: { nope_seconds: 8, remind_seconds: null } }),
      AT + 90_000,
    ),
    0,
  );
  assert.equal(
    computeSecondsWaited(/** @type {any} */ (makeView({ window: { id: 1 } })), AT + 90_000),
    0,
  );
});

test("only the panel of the player who is up announces the reminder, and the others just show it", () => {
  for (const [me, said] of [
    ["ana", 1],
    ["cleo", 0],
  ]) {
    let time = AT + 31_000;
    const ctrl = new Controller("KXQF7H", /** @type {any} */ ({ now: () => time }), () => {});
    ctrl.view = /** @type {any} */ (
      makeView({ me, may: me === "ana" ? [{ type: "draw", as: "ana", cell: [0, 1] }] : [] })
    );
    /** @type {string[]} */
    const heard = [];
    const region = /** @type {any} */ ({
      set textContent(/** @type {string} */ words) {
        heard.push(words);
      },
    });
    for (const later of [0, 1000, 30_000]) {
      time += later;
      updateReminder(ctrl, region);
    }
    assert.equal(ctrl.secondsWaited, 60);
    assert.equal(heard.length, said);
  }
});
