import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./grid.js";
import { setVariant } from "../../static/js/core/deck.js";
import { setFamily } from "../../static/js/core/family.js";
import { findNeighbours } from "../../static/js/core/moves.js";
import { pile } from "../../static/js/pile/family.js";
import { getNowline } from "../../static/js/pile/now.js";
import { findScene } from "../../static/js/pile/scenes.js";
import { drawAndReport, describePile, getTitles } from "../../static/js/pile/state.js";

setFamily(pile);
setVariant({
  cards: ["kitten", "imploding", "defuse", "reverse"].map((id) => ({ id, effect: id })),
  texts: {},
});

const SENTENCES = ["en", "it"].map((language) =>
  JSON.parse(
    readFileSync(new URL(`../../static/text/pile/${language}.json`, import.meta.url), "utf-8"),
  ),
);
const hasText = (key) => SENTENCES.every((sentences) => sentences[key]);

/** Returns a view in which Ana has to act, and the Imploding Kitten is at this place. */
function makeView(step, imploding, { end = null, may = [], direction = "clockwise" } = {}) {
  const seats = ["ana", "ben", "cleo"].map((seat) => ({ seat, name: seat, alive: true, hand: 5 }));
  const turn = { number: 3, seat: "ana", owed: 1, attacked: false, step, end };
  const you = { seat: "ana", host: false, notes: [], may };
  const view = { phase: "play", direction, seats, turn, you, log: [], played: null, window: null };
  return /** @type {any} */ ({ ...view, pile: { cards: 9, kittens: 2, imploding } });
}

test("each step with the Imploding Kitten has a sentence for each role, in both languages", () => {
  const keys = [
    [makeView("act", "top"), "now.act.top"],
    [makeView("report", "top", { end: "top" }), "now.report.top"],
    [makeView("imploding", "shown", { end: "top" }), "now.imploding"],
  ];
  for (const [view, key] of keys) {
    assert.equal(getNowline(view, "ana").key, `${key}.me`);
    for (const role of ["me", "for", "other"]) assert.ok(hasText(`${key}.${role}`), key);
    for (const hint of ["me.hint", "for.hint"]) assert.ok(hasText(`${key}.${hint}`), key);
  }
  assert.equal(getNowline(makeView("act", "up"), "ana").key, "now.act.me");
  const fromBottom = makeView("report", "top", { end: "bottom" });
  assert.equal(getNowline(fromBottom, "ana").key, "now.bottom.me");
});

test("a place on top is said to be seen by everybody, and another place stays private", () => {
  const hint = (place) => getNowline(makeView("imploding", "shown"), "ana", null, { place }).hint;
  assert.equal(hint(1), "now.place.seen");
  assert.equal(hint(2), "now.place.hint");
  const kitten = getNowline(makeView("kitten", "up"), "ana", null, { place: 1 });
  assert.equal(kitten.hint, "now.place.hint");
});

test("the pile's description says how the Imploding Kitten lies", () => {
  for (const lies of ["down", "up", "top", null]) {
    const key = `pile.imploding.${lies ?? "gone"}`;
    assert.ok(hasText(key));
    assert.match(describePile(makeView("act", lies)), new RegExp(key));
  }
  for (const lies of ["shown", undefined])
    assert.doesNotMatch(describePile(makeView("act", lies)), /pile\.imploding/);
});

test("no Kitten is among the titles that can be in a hand", () => {
  assert.deepEqual(getTitles(), ["defuse", "reverse"]);
});

test("one tap draws and reports a card, but a card that puts the player out at once needs a second tap", () => {
  const report = { type: "report", as: "ana", outcome: "imploding" };
  for (const [lies, sent, asked] of [
    ["down", report, []],
    ["up", null, ["report ana imploding"]],
    ["top", null, ["report ana imploding"]],
  ]) {
    const questions = [];
    const ctrl = /** @type {any} */ ({
      as: "ana",
      view: makeView("act", lies),
      pending: new Set(),
      send: () => Promise.resolve({ ok: true }),
      askToConfirm: (tag) => questions.push(tag),
    });
    drawAndReport(ctrl, { type: "draw", as: "ana" }, "imploding");
    assert.equal(ctrl.followUp(ctrl.view), undefined);
    ctrl.view = makeView("report", lies, { end: "top", may: [report] });
    assert.equal(ctrl.followUp(ctrl.view), sent);
    assert.deepEqual(questions, asked);
  }
});

test("a Reverse, and both draws of the Imploding Kitten, have a scene", () => {
  const find = (type, facts = {}) =>
    findScene(
      /** @type {any} */ (null),
      /** @type {any} */ ({
        entries: [
          { type, seat: "ana", facts },
          { type: "turn_began", seat: "ben" },
        ],
      }),
    );
  const turned = find("order_reversed", { direction: "counterclockwise" });
  assert.deepEqual(turned, { seat: "ana", kind: "reverse", direction: "counterclockwise" });
  const drawn = find("imploding_shown", { kitten: "imploding" });
  const out = find("went_out", { out: "kitten", kitten: "imploding" });
  assert.deepEqual([drawn?.kind, drawn?.known], ["kitten", undefined]);
  assert.deepEqual([out?.kind, out?.known], ["kitten", true]);
  for (const scene of [drawn, out]) assert.ok(hasText(scene?.sentence));
  assert.equal(find("went_out", { out: "kitten" }), null);
});

test("the neighbours of a player who goes out follow the direction of play", () => {
  const view = makeView("act", null, { direction: "counterclockwise" });
  view.seats[1].alive = false;
  assert.deepEqual(findNeighbours(view, "ben"), { by: "cleo", who: "ana" });
  view.direction = "clockwise";
  assert.deepEqual(findNeighbours(view, "ben"), { by: "ana", who: "cleo" });
});
