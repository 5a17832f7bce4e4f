import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./grid.js";
import { setVariant } from "../../static/js/core/deck.js";
import { getMoment } from "../../static/js/grid/lessons.js";
import { findNextStep } from "../../static/js/grid/robots.js";
import { getMoment as pileMoment } from "../../static/js/pile/lessons.js";
import { advanceCourse } from "../../static/js/shell/lessons.js";
import { newView } from "./views.js";

const ME = "ana";
const kept = { hand: ["skip"], hides: null };
const skip = { type: "play", as: ME, card: "skip" };
const says = (...types) => types.map((type) => ({ type, as: ME, window: 1 }));
const open = { id: 1, seconds: 8, passed: [], may_nope: [ME] };
const playCard = (target) => ({ card: "favor", by: "ben", target, nopes: [], counts: true });

/** All lessons that these tests have seen. */
const all = new Set();
const lessonsAfter = (lessons) => {
  for (const one of lessons) all.add(one);
  return lessons;
};
/** Return the lessons for this view. */
const taught = (view, shown = { kept, bare: true }) => lessonsAfter(getMoment(view, shown).lessons);
const in_ = (step, more = {}) => ({ ...newView({ step, ...more }) });
const withInstruction = (turn, seat) => ({ ...turn, turn: { ...turn.turn, seat, instructor: ME } });

test("at each kind of moment it is said what to tap", () => {
  assert.deepEqual(taught(withInstruction(in_("tell"), "ben")), ["tell"]);
  assert.deepEqual(taught(in_("act", { may: [skip] })), ["draw", "play", "keep", "mix", "danger"]);
  assert.deepEqual(taught(in_("act", { may: [skip] }), { kept, bare: false }), ["draw", "uncover"]);
  assert.deepEqual(taught(in_("act")), ["draw"]);
  assert.deepEqual(taught(in_("act", { may: [skip] }), { aim: "favor" }), ["aim"]);
  const window = (types, target = null) =>
    taught(in_("window", { window: open, played: playCard(target), may: says(...types) }));
  assert.deepEqual(window(["nope", "pass"]), ["nope", "grab"]);
  assert.deepEqual(window(["pass"]), ["pass", "grab"]);
  assert.deepEqual(window(["nope", "pass"], ME), ["asked"]);
  assert.deepEqual(taught(in_("look")), ["look"]);
  assert.deepEqual(taught(in_("kitten", { may: says("defuse", "explode") })), ["defuse"]);
  assert.deepEqual(taught(in_("kitten", { may: says("explode") })), ["kitten"]);
  assert.deepEqual(taught(in_("kitten"), { kept: { ...kept, hides() {} } }), ["hide"]);
  const view = newView();
  const seats = view.seats.map((seat) => ({ ...seat, alive: seat.seat !== ME }));
  assert.deepEqual(taught({ ...view, seats }), ["out"]);
  const host = { ...view.you, host: true };
  assert.deepEqual(taught({ ...view, phase: "over", you: host }), ["over"]);
});

test("real cards are dealt with by hand, and a device does by itself what needs no tap", () => {
  assert.deepEqual(taught(in_("look"), {}), ["look.table"]);
  const steps = ["shuffle", "report"];
  assert.deepEqual(
    steps.map((step) => taught(in_(step), {})),
    [["shuffle"], ["report"]],
  );
  assert.deepEqual(
    steps.map((step) => taught(in_(step))),
    [[], []],
  );
  const favor = in_("reveal", { played: playCard(ME) });
  assert.deepEqual([taught(favor, {}), taught(favor)], [["reveal"], []]);
  assert.deepEqual(taught(in_("kitten", { may: says("defuse") }), {}), ["defuse.table"]);
  const log = [{ version: 1, type: "grid_shuffled", seat: ME, facts: {}, text: "" }];
  assert.deepEqual(taught({ ...in_("tell"), log }), ["shuffled"]);
});

test("what goes over the camera is said where there are real cards or no panel", () => {
  const act = taught(in_("act", { may: [skip] }), {});
  assert.deepEqual(act, ["draw", "play.table", "keep", "mix", "danger"]);
  const tell = withInstruction(in_("tell"), "ben");
  const seats = tell.seats.map((seat) => ({ ...seat, panel: seat.seat !== "ben" }));
  assert.deepEqual(taught({ ...tell, seats }), ["tell", "coin"]);
});

test("nothing is said where nothing is to be tapped, nor to whoever watches", () => {
  const views = [
    in_("tell"),
    withInstruction(in_("act"), "ben"),
    in_("window", { window: open, played: playCard(null) }),
    { ...newView(), phase: "lobby" },
    { ...newView(), roll_call: { caller: ME } },
    { ...newView(), phase: "over" },
    newView({ me: null }),
  ];
  for (const view of views) assert.deepEqual(taught(view), []);
});

test("each sentence is given once, as long as its moment lasts, and then the next that is new", () => {
  const first = { key: "1", lessons: ["draw", "play"] };
  let course = advanceCourse({ seen: [], now: null }, first);
  assert.deepEqual(course, { seen: ["draw"], now: { key: "1", lesson: "draw" } });
  course = advanceCourse(course, first);
  assert.equal(course.now?.lesson, "draw");
  course = advanceCourse(course, { key: "1 in a window", lessons: [] });
  assert.equal(course.now, null);
  course = advanceCourse(course, { key: "2", lessons: ["draw", "play"] });
  assert.deepEqual([course.now?.lesson, course.seen], ["play", ["draw", "play"]]);
  course = advanceCourse(course, { key: "3", lessons: ["draw", "play"] });
  assert.equal(course.now, null);
});

test("a sentence whose moment has passed gives way to the one of the next", () => {
  const course = advanceCourse(
    { seen: ["tell"], now: { key: "1", lesson: "tell" } },
    { key: "1", lessons: ["look"] },
  );
  assert.equal(course.now?.lesson, "look");
});

test("a practice game comes to its first turn by itself, one word after the other", () => {
  const lobby = { ...newView({ me: "ben" }), phase: "lobby" };
  const ready = (...who) => ({
    ...lobby,
    phase: "setup",
    seats: lobby.seats.map((seat) => ({ ...seat, ready: who.includes(seat.seat) })),
  });
  assert.equal(findNextStep(lobby, false), "deal");
  assert.deepEqual(findNextStep(lobby, true), { type: "prepare" });
  assert.equal(findNextStep(ready(), false), "deal");
  assert.deepEqual(findNextStep(ready("ana"), true), { type: "ready", ready: true });
  assert.equal(findNextStep(ready("ben"), true), null);
  assert.deepEqual(findNextStep(ready("ana", "ben", "cleo"), true), {
    type: "begin",
    first: "lot",
  });
  assert.deepEqual(findNextStep({ ...lobby, phase: "roll_call" }, true), {
    type: "skip_roll_call",
  });
  assert.equal(findNextStep(newView(), true), null);
});

const BOX = ["kitten", "defuse", "attack", "shuffle", "see", "alter", "targeted_attack", "favor"];
setVariant({ cards: BOX.map((effect) => ({ id: `a_${effect}`, effect })), texts: {} });
const onPile = (step, more = {}, turn = {}) => {
  const view = newView({ step, ...more });
  return {
    ...view,
    log: more.log ?? [],
    turn: { ...view.turn, owed: 1, attacked: false, ...turn },
  };
};
const pile = (view, shown = {}) => lessonsAfter(pileMoment(view, shown).lessons);
const plays = (...effects) =>
  effects.map((effect) => ({ type: "play", as: ME, card: `a_${effect}` }));
const entry = (type, seat, facts = {}) => ({ version: 1, type, seat, facts, text: "" });
const withCardLaid = (kind, by, target = null) => ({ ...playCard(target), kind: `a_${kind}`, by });

test("with one pile, too, it is said at each step what to do with the cards and what to tap", () => {
  assert.deepEqual(pile(onPile("act")), ["top", "danger", "keep", "save", "more"]);
  const combo = { type: "combo", as: ME, kind: "pair", cards: [], targets: [] };
  assert.deepEqual(pile(onPile("act", { may: [...plays("attack"), combo] })), [
    "top",
    "play.table",
    "pair",
    "danger",
    "keep",
    "save",
    "more",
  ]);
  const look = (kind) => pile(onPile("look", { played: withCardLaid(kind, ME) }));
  assert.deepEqual([look("see"), look("alter")], [["peek"], ["order"]]);
  const steps = { shuffle: "riffle", take: "take", pick: "pick", report: "drew" };
  for (const [step, lesson] of Object.entries(steps))
    assert.deepEqual(pile(onPile(step)), [lesson]);
  for (const step of ["give", "answer"]) {
    const view = onPile(step, { played: withCardLaid("favor", "ben", ME) }, { seat: "ben" });
    assert.deepEqual(pile(view), [step]);
  }
  assert.deepEqual(pile(onPile("kitten", { may: says("explode") })), ["kitten"]);
});

test("a tip is given when it helps: a Kitten on top when one is put back", () => {
  assert.deepEqual(pile(onPile("kitten", { may: says("defuse", "explode") })), ["slip"]);
});

test("to keep a Defuse, when one has just been used or given away", () => {
  const used = [entry("kitten_defused", ME, { card: "a_defuse" }), entry("turn_began", "ben")];
  assert.deepEqual(pile(onPile("act", { log: used }, { seat: "ben" })), ["keep"]);
  assert.equal(pile(onPile("act", { log: used }))[0], "keep", "a turn more is owed");
  const answerEntries = (card, has) => [entry("answered", ME, { card, has, target: "ben" })];
  const after = (log) => pile(onPile("act", { log }, { seat: "ben" }));
  assert.deepEqual(after(answerEntries("a_defuse", true)), ["keep"]);
  assert.deepEqual(after(answerEntries("a_defuse", false)), ["watch"]);
  assert.deepEqual(after(answerEntries("a_favor", true)), ["watch"]);
  assert.deepEqual(after([...used, entry("card_played", "ben")]), ["watch"], "that is over");
});

test("to shuffle, when somebody knows what comes and a Shuffle may be there", () => {
  const first = (seer, may, ...more) =>
    pile(onPile("act", { may, log: [entry("looked", seer), ...more] }))[0];
  assert.equal(first(ME, plays("shuffle")), "mix");
  assert.equal(first("ben", plays("shuffle"), entry("card_played", "ben")), "mix.other");
  assert.equal(first("ben", plays("attack")), "top");
  assert.equal(first("ben", plays("shuffle"), entry("pile_shuffled", "cleo")), "top");
});

test("that draws are dangerous, when several are due", () => {
  assert.equal(pile(onPile("act", {}, { owed: 2, attacked: true }))[0], "danger");
});

test("to be quick, when one's own card waits; on a call that is no use", () => {
  const window = (by, target, types, kind = "favor") =>
    pile(
      onPile("window", {
        window: open,
        played: withCardLaid(kind, by, target),
        may: says(...types),
      }),
    );
  assert.deepEqual(window(ME, null, ["hold"]), ["grab"]);
  assert.deepEqual(window("ben", "cleo", ["nope", "pass"]), ["nope", "grab"]);
  assert.deepEqual(window("ben", ME, ["nope", "pass"]), ["wanted"]);
  assert.deepEqual(window("ben", ME, ["nope", "pass"], "targeted_attack"), ["nope", "grab"]);
});

test("to watch an example while one waits; nothing over what is put together, nor before or after", () => {
  const waits = onPile("act", {}, { seat: "ben" });
  assert.deepEqual(pile(waits), ["watch"]);
  for (const shown of [{ aim: "a_favor" }, { draft: { kind: "pair" } }])
    assert.deepEqual(pile(onPile("act"), shown), []);
  for (const phase of ["lobby", "setup", "over"]) assert.deepEqual(pile({ ...waits, phase }), []);
  assert.deepEqual(pile(onPile("act", { me: null })), []);
  const seats = waits.seats.map((seat) => ({ ...seat, alive: seat.seat !== ME }));
  assert.deepEqual(pile({ ...waits, seats }), ["out"]);
});

test("every lesson was taught here, and has its sentence", () => {
  const file = new URL("../../static/text/lessons/en.json", import.meta.url);
  const said = Object.keys(JSON.parse(readFileSync(file, "utf-8"))).flatMap((key) =>
    key.startsWith("lesson.") ? [key.slice(7)] : [],
  );
  assert.deepEqual([...all].sort(), said.sort());
});
