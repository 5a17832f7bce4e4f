import assert from "node:assert/strict";
import { test } from "node:test";
import "./grid.js";
import {
  EMBLEMS,
  getSeatToAct,
  getEmblemIndex,
  findNeighbours,
  getPlayableCards,
  getCommandTag,
  getActingSeat,
} from "../../static/js/core/moves.js";
import { findCellCommand } from "../../static/js/grid/state.js";
import { composeNowSentence } from "../../static/js/grid/now.js";
import { newView } from "./views.js";

const draw = { type: "draw", as: "ana", cell: [0, 1] };
const favor = { type: "play", as: "ana", card: "favor", target: "ben", cell: [0, 1] };

test("a seat has the emblem that the server gives it, and one by its number in an older view", () => {
  const view = /** @type {any} */ ({ seats: [{ seat: "s1", emblem: "cat" }, { seat: "s3" }] });
  assert.equal(EMBLEMS[getEmblemIndex(view, "s1")], "cat");
  assert.equal(EMBLEMS[getEmblemIndex(view, "s3")], "moon");
});

test("the seat to act follows from the step, and there is none while a window is open", () => {
  assert.equal(getSeatToAct(newView({ step: "tell" })), "ben");
  assert.equal(getSeatToAct(newView({ step: "act" })), "ana");
  assert.equal(getSeatToAct(newView({ step: "reveal", played: { target: "cleo" } })), "cleo");
  assert.equal(getSeatToAct(newView({ step: "window", window: { id: 1 } })), null);
});

test("a host acts for a seat without a panel at once, and for another seat only after picking it", () => {
  const mine = newView({ step: "act", me: "ana", may: [draw] });
  assert.equal(getActingSeat(mine, null), "ana");
  const others = newView({ step: "act", me: "ben", may: [draw] });
  assert.equal(getActingSeat(others, null), null);
  assert.equal(getActingSeat(others, "ana"), "ana");
  others.seats[0].panel = false;
  assert.equal(getActingSeat(others, null), "ana");
});

test("nobody acts for a seat for which they have no command", () => {
  const view = newView({ step: "act", me: "ben", may: [] });
  view.seats[0].panel = false;
  assert.equal(getActingSeat(view, "ana"), null);
});

test("the same cell in different grids stands for different commands", () => {
  const view = newView({ step: "act", me: "ana", may: [draw, favor] });
  assert.equal(findCellCommand(view, "ana", "ana", [0, 1]), draw);
  assert.equal(findCellCommand(view, "ana", "ben", [0, 1]), favor);
  assert.equal(findCellCommand(view, "ana", "ben", [0, 0]), undefined);
  assert.deepEqual(getPlayableCards(view, "ana"), ["favor"]);
});

test("every step has a sentence for each role", () => {
  const key = (/** @type {any} */ more, as = null) => composeNowSentence(newView(more), as).key;
  assert.equal(key({ step: "tell", me: "ben" }, "ben"), "now.tell.me");
  assert.equal(key({ step: "tell", me: "ana" }), "now.tell.turn");
  assert.equal(key({ step: "tell", me: "cleo" }), "now.tell.other");
  assert.equal(key({ step: "act", me: "ben" }, "ana"), "now.act.for");
  assert.equal(key({ step: "kitten", me: null }), "now.kitten.other");
});

test("a player with a Kitten and no Defuse reads that there is no choice", () => {
  const says = (/** @type {string[]} */ ...types) => types.map((type) => ({ type, as: "ana" }));
  const key = (/** @type {any} */ more, as = null) =>
    composeNowSentence(newView({ step: "kitten", ...more }), as).key;
  const may = says("defuse", "explode");
  assert.equal(key({ me: "ana", may }, "ana"), "now.kitten.me");
  assert.equal(key({ me: "ana", may: says("explode") }, "ana"), "now.kitten.me.out");
  assert.equal(key({ me: "ben", may: says("explode") }, "ana"), "now.kitten.for.out");
  assert.equal(key({ me: "ana", may: [] }), "now.kitten.me", "a view without any legal command");
});

test("the neighbours of a seat are the living players before and after it", () => {
  const view = newView();
  view.seats.push({ ...view.seats[0], seat: "dora", name: "dora" });
  view.seats[2].alive = false;
  assert.deepEqual(findNeighbours(view, "cleo"), { by: "ben", who: "dora" });
  view.seats[3].alive = false;
  assert.deepEqual(findNeighbours(view, "dora"), { by: "ben", who: "ana" });
});

test("a window's sentence describes the card on top", () => {
  const open = (/** @type {string[]} */ ...nopes) =>
    composeNowSentence(
      newView({
        step: "window",
        window: { id: 1 },
        me: "cleo",
        played: { card: "skip", by: "ana", target: null, nopes, counts: nopes.length % 2 === 0 },
      }),
      null,
    );
  assert.deepEqual([open().key, open().who], ["now.played", "ana"]);
  assert.deepEqual([open("ben").key, open("ben").who], ["now.nope.no", "ben"]);
  assert.equal(open("ben", "cleo").key, "now.nope.yup");
});

test("the sentences of an instruction's window name the card, and what a Nope hits", () => {
  const open = (/** @type {string[]} */ ...nopes) =>
    composeNowSentence(
      newView({
        step: "window",
        window: { id: 1 },
        me: "cleo",
        played: {
          card: "instruction",
          by: "ben",
          target: "ana",
          cell: [0, 1],
          nopes,
          counts: nopes.length % 2 === 0,
        },
      }),
      null,
    );
  assert.deepEqual([open().key, open().who, open().target], ["now.told", "ben", "ana"]);
  assert.equal(open().hint, "now.told.hint");
  assert.deepEqual(
    [open("ana").key, open("ana").who, open("ana").by],
    ["now.nope.told", "ana", "ben"],
  );
  assert.deepEqual([open("ana", "ben").key, open("ana", "ben").hint], ["now.nope.yup", null]);
});

test("changes of two options can be pending together, but a repeated command only once", () => {
  const options = (/** @type {object} */ some) => getCommandTag({ type: "options", ...some });
  assert.notEqual(options({ nope_seconds: 30 }), options({ roll_call: true }));
  assert.equal(options({ locked: true }), options({ locked: false }));
  assert.equal(getCommandTag(draw), getCommandTag({ ...draw }));
});
