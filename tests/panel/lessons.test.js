import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./grid.js";
import { setVariant } from "../../static/js/core/deck.js";
import { getMoment } from "../../static/js/grid/lessons.js";
import { mustExplainOdds } from "../../static/js/grid/state.js";
import { findNextStep } from "../../static/js/grid/robots.js";
import { getMoment as pileMoment } from "../../static/js/pile/lessons.js";
import { advanceCourse } from "../../static/js/shell/lessons.js";
import { newView } from "./views.js";

const ME = "ana";
const kept = { hand: ["skip"], hides: null };
const skip = { type: "play", as: ME, card: "skip" };
const commandsOf = (...types) => types.map((type) => ({ type, as: ME, window: 1 }));
const open = { id: 1, seconds: 8, passed: [], may_nope: [ME] };
const makePlay = (target) => ({ card: "favor", by: "ben", target, nopes: [], counts: true });

/** All lessons that these tests have seen. */
const all = new Set();
const recordLessons = (lessons) => {
  for (const one of lessons) all.add(one);
  return lessons;
};
/** Return the lessons for this view. */
const getLessons = (view, shown = { kept, bare: true }) =>
  recordLessons(getMoment(view, shown).lessons);
const viewAtStep = (step, more = {}) => ({ ...newView({ step, ...more }) });
const asInstructor = (turn, seat) => ({ ...turn, turn: { ...turn.turn, seat, instructor: ME } });

test("each kind of moment has a lesson that explains what to tap", () => {
  assert.deepEqual(getLessons(asInstructor(viewAtStep("tell"), "ben")), ["tell"]);
  assert.deepEqual(getLessons(viewAtStep("act", { may: [skip] })), [
    "draw",
    "play",
    "keep",
    "danger",
  ]);
  assert.deepEqual(getLessons(viewAtStep("act", { may: [skip] }), { kept, bare: false }), [
    "draw",
    "uncover",
  ]);
  assert.deepEqual(getLessons(viewAtStep("act")), ["draw"]);
  assert.deepEqual(getLessons(viewAtStep("act", { may: [skip] }), { aim: "favor" }), ["aim"]);
  const window = (types, target = null) =>
    getLessons(
      viewAtStep("window", { window: open, played: makePlay(target), may: commandsOf(...types) }),
    );
  assert.deepEqual(window(["nope", "pass"]), ["nope", "grab"]);
  assert.deepEqual(window(["pass"]), ["pass", "grab"]);
  assert.deepEqual(window(["nope", "pass"], ME), ["asked"]);
  const told = { ...makePlay(ME), card: "instruction" };
  const drawer = { window: open, played: told, may: commandsOf("nope", "pass") };
  assert.deepEqual(getLessons(viewAtStep("window", drawer)), ["told", "grab"]);
  assert.deepEqual(getLessons(viewAtStep("look")), ["look"]);
  assert.deepEqual(getLessons(viewAtStep("kitten", { may: commandsOf("defuse", "explode") })), [
    "defuse",
  ]);
  assert.deepEqual(getLessons(viewAtStep("kitten", { may: commandsOf("explode") })), ["kitten"]);
  assert.deepEqual(getLessons(viewAtStep("kitten"), { kept: { ...kept, hides() {} } }), ["hide"]);
  const view = newView();
  const seats = view.seats.map((seat) => ({ ...seat, alive: seat.seat !== ME }));
  assert.deepEqual(getLessons({ ...view, seats }), ["out"]);
  const host = { ...view.you, host: true };
  assert.deepEqual(getLessons({ ...view, phase: "over", you: host }), ["over"]);
});

test("players with real cards learn what to do by hand, and those with a device deck only what to tap", () => {
  assert.deepEqual(getLessons(viewAtStep("look"), {}), ["look.table"]);
  const steps = ["shuffle", "report"];
  assert.deepEqual(
    steps.map((step) => getLessons(viewAtStep(step), {})),
    [["shuffle"], ["report"]],
  );
  assert.deepEqual(
    steps.map((step) => getLessons(viewAtStep(step))),
    [[], []],
  );
  const favor = viewAtStep("reveal", { played: makePlay(ME) });
  assert.deepEqual([getLessons(favor, {}), getLessons(favor)], [["reveal"], []]);
  assert.deepEqual(getLessons(viewAtStep("kitten", { may: commandsOf("defuse") }), {}), [
    "defuse.table",
  ]);
  const log = [{ version: 1, type: "grid_shuffled", seat: ME, facts: {}, text: "" }];
  assert.deepEqual(getLessons({ ...viewAtStep("tell"), log }), ["shuffled"]);
});

test("lessons about the camera are for real cards and for players without a panel", () => {
  const act = getLessons(viewAtStep("act", { may: [skip] }), {});
  assert.deepEqual(act, ["draw", "play.table", "keep", "danger"]);
  const tell = asInstructor(viewAtStep("tell"), "ben");
  const seats = tell.seats.map((seat) => ({ ...seat, panel: seat.seat !== "ben" }));
  assert.deepEqual(getLessons({ ...tell, seats }), ["tell", "coin"]);
});

test("the tip about what is coming is for a player who knows it and can shuffle", () => {
  const shuffle = { type: "play", as: ME, card: "a_shuffle" };
  const entry = (version, type, facts = {}) => ({ version, type, seat: ME, facts, text: "" });
  const first = (log, { may = [shuffle], notes = [], told = [0, 1] } = {}) => {
    const view = viewAtStep("act", { may });
    const turn = { ...view.turn, told };
    return getLessons({ ...view, log, turn, you: { ...view.you, notes } })[0];
  };
  const looked = entry(2, "looked", { cell: [0, 1] });
  const undone = { ...entry(4, "undone", { version: 2 }), seat: "ben" };
  assert.equal(first([looked]), "mix");
  assert.equal(first([looked, entry(3, "card_played")]), "mix");
  assert.equal(first([], { notes: [{ cell: [0, 1], card: "kitten" }] }), "mix");
  const noped = [entry(2, "card_played", { card: "see_future" }), entry(3, "nope_played")];
  assert.equal(first(noped), "draw", "a Noped See the Future shows nothing");
  assert.equal(first([looked], { told: [0, 0] }), "draw", "another card is coming");
  assert.equal(first([looked], { may: [skip] }), "draw", "nothing to shuffle with");
  assert.equal(first([looked, entry(3, "grid_shuffled")]), "draw");
  assert.equal(first([looked, undone]), "draw");
});

test("no lesson explains real cards while the device deck is still being loaded", () => {
  const act = viewAtStep("act", { may: [skip] });
  const seats = act.seats.map((seat) =>
    seat.seat === ME ? { ...seat, deck: { kind: "device", commit: "c" } } : seat,
  );
  assert.deepEqual(getLessons({ ...act, seats }, { kept: null }), []);
  assert.deepEqual(getLessons({ ...act, seats }, { kept: { lost: false } }), []);
  assert.equal(getLessons({ ...act, seats })[0], "draw");
});

test("no lesson asks for a pass that the panel sends by itself", () => {
  const may = commandsOf("pass");
  const view = viewAtStep("window", { window: open, played: makePlay(ME), may });
  assert.deepEqual(getLessons(view, { kept, bare: true, passes: true }), []);
});

test("no lesson is shown to spectators or when there is nothing to tap", () => {
  const views = [
    viewAtStep("tell"),
    asInstructor(viewAtStep("act"), "ben"),
    viewAtStep("window", { window: open, played: makePlay(null) }),
    { ...newView(), phase: "lobby" },
    { ...newView(), roll_call: { caller: ME } },
    { ...newView(), phase: "over" },
    newView({ me: null }),
  ];
  for (const view of views) assert.deepEqual(getLessons(view), []);
});

test("each lesson is shown once for as long as its moment lasts, and then the next unseen one", () => {
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

test("a lesson is replaced as soon as its moment has passed", () => {
  const course = advanceCourse(
    { seen: ["tell"], now: { key: "1", lesson: "tell" } },
    { key: "1", lessons: ["look"] },
  );
  assert.equal(course.now?.lesson, "look");
});

test("a practice game starts by itself, one command after the other", () => {
  const lobby = { ...newView({ me: "ben" }), phase: "lobby" };
  const setupWithReady = (...who) => ({
    ...lobby,
    phase: "setup",
    seats: lobby.seats.map((seat) => ({ ...seat, ready: who.includes(seat.seat) })),
  });
  assert.equal(findNextStep(lobby, false), "deal");
  assert.deepEqual(findNextStep(lobby, true), { type: "prepare" });
  assert.equal(findNextStep(setupWithReady(), false), "deal");
  assert.deepEqual(findNextStep(setupWithReady("ana"), true), { type: "ready", ready: true });
  assert.equal(findNextStep(setupWithReady("ben"), true), null);
  assert.deepEqual(findNextStep(setupWithReady("ana", "ben", "cleo"), true), {
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
const pileViewAt = (step, more = {}, turn = {}) => {
  const view = newView({ step, ...more });
  return {
    ...view,
    log: more.log ?? [],
    turn: { ...view.turn, owed: 1, attacked: false, ...turn },
  };
};
const getPileLessons = (view, shown = {}) => recordLessons(pileMoment(view, shown).lessons);
const playCommands = (...effects) =>
  effects.map((effect) => ({ type: "play", as: ME, card: `a_${effect}` }));
const makeEntry = (type, seat, facts = {}) => ({ version: 1, type, seat, facts, text: "" });
const makePileCard = (kind, by, target = null) => ({ ...makePlay(target), kind: `a_${kind}`, by });

test("with one pile, each step has a lesson about the cards and what to tap", () => {
  assert.deepEqual(getPileLessons(pileViewAt("act")), ["top", "danger", "keep", "save", "more"]);
  const combo = { type: "combo", as: ME, kind: "pair", cards: [], targets: [] };
  assert.deepEqual(getPileLessons(pileViewAt("act", { may: [...playCommands("attack"), combo] })), [
    "top",
    "play.table",
    "pair",
    "danger",
    "keep",
    "save",
    "more",
  ]);
  const getLookLessons = (kind) =>
    getPileLessons(pileViewAt("look", { played: makePileCard(kind, ME) }));
  assert.deepEqual([getLookLessons("see"), getLookLessons("alter")], [["peek"], ["order"]]);
  const steps = { shuffle: "riffle", take: "take", pick: "pick", report: "drew" };
  for (const [step, lesson] of Object.entries(steps))
    assert.deepEqual(getPileLessons(pileViewAt(step)), [lesson]);
  for (const step of ["give", "answer"]) {
    const view = pileViewAt(step, { played: makePileCard("favor", "ben", ME) }, { seat: "ben" });
    assert.deepEqual(getPileLessons(view), [step]);
  }
  assert.deepEqual(getPileLessons(pileViewAt("kitten", { may: commandsOf("explode") })), [
    "kitten",
  ]);
});

test("the tip to put the Kitten on top is shown when a player puts it back", () => {
  assert.deepEqual(getPileLessons(pileViewAt("kitten", { may: commandsOf("defuse", "explode") })), [
    "slip",
  ]);
});

test("the tip to keep a Defuse is shown after one has been used or given away", () => {
  const used = [
    makeEntry("kitten_defused", ME, { card: "a_defuse" }),
    makeEntry("turn_began", "ben"),
  ];
  assert.deepEqual(getPileLessons(pileViewAt("act", { log: used }, { seat: "ben" })), ["keep"]);
  assert.equal(getPileLessons(pileViewAt("act", { log: used }))[0], "keep", "another turn is owed");
  const makeAnswer = (card, has) => [makeEntry("answered", ME, { card, has, target: "ben" })];
  const getLessonsAfter = (log) => getPileLessons(pileViewAt("act", { log }, { seat: "ben" }));
  assert.deepEqual(getLessonsAfter(makeAnswer("a_defuse", true)), ["keep"]);
  assert.deepEqual(getLessonsAfter(makeAnswer("a_defuse", false)), ["watch"]);
  assert.deepEqual(getLessonsAfter(makeAnswer("a_favor", true)), ["watch"]);
  assert.deepEqual(
    getLessonsAfter([...used, makeEntry("card_played", "ben")]),
    ["watch"],
    "another event came after it",
  );
});

test("the tip to shuffle is shown if somebody knows the top cards and a Shuffle can be played", () => {
  const first = (seer, may, ...more) =>
    getPileLessons(pileViewAt("act", { may, log: [makeEntry("looked", seer), ...more] }))[0];
  assert.equal(first(ME, playCommands("shuffle")), "mix");
  assert.equal(first("ben", playCommands("shuffle"), makeEntry("card_played", "ben")), "mix.other");
  assert.equal(first("ben", playCommands("attack")), "top");
  assert.equal(first("ben", playCommands("shuffle"), makeEntry("pile_shuffled", "cleo")), "top");
});

test("the tip about dangerous draws is shown first if several turns are owed", () => {
  assert.equal(getPileLessons(pileViewAt("act", {}, { owed: 2, attacked: true }))[0], "danger");
});

test("the tip to be quick is shown in every window except for the target of a Favor", () => {
  const getLessonsInWindow = (by, target, types, kind = "favor") =>
    getPileLessons(
      pileViewAt("window", {
        window: open,
        played: makePileCard(kind, by, target),
        may: commandsOf(...types),
      }),
    );
  assert.deepEqual(getLessonsInWindow(ME, null, ["hold"]), ["grab"]);
  assert.deepEqual(getLessonsInWindow("ben", "cleo", ["nope", "pass"]), ["nope", "grab"]);
  assert.deepEqual(getLessonsInWindow("ben", ME, ["nope", "pass"]), ["wanted"]);
  assert.deepEqual(getLessonsInWindow("ben", ME, ["nope", "pass"], "targeted_attack"), [
    "nope",
    "grab",
  ]);
});

test("waiting players see the lesson about watching, and no lesson is shown while a play is composed", () => {
  const waits = pileViewAt("act", {}, { seat: "ben" });
  assert.deepEqual(getPileLessons(waits), ["watch"]);
  for (const shown of [{ aim: "a_favor" }, { draft: { kind: "pair" } }])
    assert.deepEqual(getPileLessons(pileViewAt("act"), shown), []);
  for (const phase of ["lobby", "setup", "over"])
    assert.deepEqual(getPileLessons({ ...waits, phase }), []);
  assert.deepEqual(getPileLessons(pileViewAt("act", { me: null })), []);
  const seats = waits.seats.map((seat) => ({ ...seat, alive: seat.seat !== ME }));
  assert.deepEqual(getPileLessons({ ...waits, seats }), ["out"]);
});

/** Return a view whose seats have odds. */
const withOdds = (view) => ({
  ...view,
  seats: view.seats.map((seat) => ({ ...seat, odds: { cells: {}, holds: {} } })),
});

test("the percentages on cards are a lesson only at a table that shows them", () => {
  const view = viewAtStep("act", { may: [skip] });
  assert.ok(!getLessons(view).includes("odds"));
  assert.deepEqual(getLessons(withOdds(view)), ["draw", "play", "odds", "keep", "danger"]);
  assert.deepEqual(getLessons(withOdds(asInstructor(viewAtStep("tell"), "ben"))), ["tell", "odds"]);
});

test("without lessons, a sentence explains the percentages in one turn of one table", () => {
  const view = withOdds(viewAtStep("act"));
  const isExplained = (prefs, shown = view) =>
    mustExplainOdds({ table: "KXQF7H", aimedCard: null, prefs, view: shown });
  const turn = `KXQF7H.${view.game}.${view.turn.number}`;
  assert.ok(isExplained({}));
  assert.ok(isExplained({ oddsHint: turn }));
  assert.ok(!isExplained({ oddsHint: "" }), "it was read");
  assert.ok(!isExplained({ oddsHint: "KXQF7H.0.0" }), "it was shown in an earlier turn");
  assert.ok(!isExplained({ lessons: { seen: ["odds"] } }), "a lesson has explained them");
  assert.ok(!isExplained({}, viewAtStep("act")), "this table shows no percentages");
  assert.ok(!isExplained({}, { ...view, window: open }));
});

test("these tests show every lesson that has a text", () => {
  const file = new URL("../../static/text/lessons/en.json", import.meta.url);
  const said = Object.keys(JSON.parse(readFileSync(file, "utf-8"))).flatMap((key) =>
    key.startsWith("lesson.") ? [key.slice(7)] : [],
  );
  assert.deepEqual([...all].sort(), said.sort());
});
