import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./grid.js";
import { given, moment } from "../../static/js/grid/lessons.js";
import { next } from "../../static/js/grid/robots.js";
import { newView } from "./views.js";

const ME = "ana";
const kept = { hand: ["skip"], hides: null };
const skip = { type: "play", as: ME, card: "skip" };
const says = (...types) => types.map((type) => ({ type, as: ME, window: 1 }));
const open = { id: 1, seconds: 8, passed: [], may_nope: [ME] };
const played = (target) => ({ card: "favor", by: "ben", target, nopes: [], counts: true });

/** What is taught in this view. */
const taught = (view, shown = { kept, bare: true }) => moment(view, shown).lessons;
const in_ = (step, more = {}) => ({ ...newView({ step, ...more }) });
const told = (turn, seat) => ({ ...turn, turn: { ...turn.turn, seat, instructor: ME } });

test("at each kind of moment it is said what to tap", () => {
  assert.deepEqual(taught(told(in_("tell"), "ben")), ["tell"]);
  assert.deepEqual(taught(in_("act", { may: [skip] })), ["draw", "play", "keep", "mix"]);
  assert.deepEqual(taught(in_("act", { may: [skip] }), { kept, bare: false }), ["draw", "uncover"]);
  assert.deepEqual(taught(in_("act")), ["draw"]);
  assert.deepEqual(taught(in_("act", { may: [skip] }), { aim: "favor" }), ["aim"]);
  const window = (types, target = null) =>
    taught(in_("window", { window: open, played: played(target), may: says(...types) }));
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
  const steps = ["shuffle", "report"];
  assert.deepEqual(
    steps.map((step) => taught(in_(step), {})),
    [["shuffle"], ["report"]],
  );
  assert.deepEqual(
    steps.map((step) => taught(in_(step))),
    [[], []],
  );
  const favor = in_("reveal", { played: played(ME) });
  assert.deepEqual([taught(favor, {}), taught(favor)], [["reveal"], []]);
  assert.deepEqual(taught(in_("kitten", { may: says("defuse") }), {}), ["defuse.table"]);
  const log = [{ version: 1, type: "grid_shuffled", seat: ME, facts: {}, text: "" }];
  assert.deepEqual(taught({ ...in_("tell"), log }), ["shuffled"]);
});

test("what goes over the camera is said where there are real cards or no panel", () => {
  const act = taught(in_("act", { may: [skip] }), {});
  assert.deepEqual(act, ["draw", "play.table", "keep", "mix"]);
  const tell = told(in_("tell"), "ben");
  const seats = tell.seats.map((seat) => ({ ...seat, panel: seat.seat !== "ben" }));
  assert.deepEqual(taught({ ...tell, seats }), ["tell", "coin"]);
});

test("nothing is said where nothing is to be tapped, nor to whoever watches", () => {
  const views = [
    in_("tell"),
    told(in_("act"), "ben"),
    in_("window", { window: open, played: played(null) }),
    { ...newView(), phase: "lobby" },
    { ...newView(), roll_call: { caller: ME } },
    { ...newView(), phase: "over" },
    newView({ me: null }),
  ];
  for (const view of views) assert.deepEqual(taught(view), []);
});

test("each sentence is given once, as long as its moment lasts, and then the next that is new", () => {
  const first = { key: "1", lessons: ["draw", "play"] };
  let course = given({ seen: [], now: null }, first);
  assert.deepEqual(course, { seen: ["draw"], now: { key: "1", lesson: "draw" } });
  course = given(course, first);
  assert.equal(course.now?.lesson, "draw");
  course = given(course, { key: "1 in a window", lessons: [] });
  assert.equal(course.now, null);
  course = given(course, { key: "2", lessons: ["draw", "play"] });
  assert.deepEqual([course.now?.lesson, course.seen], ["play", ["draw", "play"]]);
  course = given(course, { key: "3", lessons: ["draw", "play"] });
  assert.equal(course.now, null);
});

test("a sentence whose moment has passed gives way to the one of the next", () => {
  const course = given(
    { seen: ["tell"], now: { key: "1", lesson: "tell" } },
    { key: "1", lessons: ["look"] },
  );
  assert.equal(course.now?.lesson, "look");
});

test("every lesson has its sentence", () => {
  const words = JSON.parse(
    readFileSync(new URL("../../static/text/lessons/en.json", import.meta.url), "utf-8"),
  );
  const [source] = readFileSync(
    new URL("../../static/js/grid/lessons.js", import.meta.url),
    "utf-8",
  ).split("export function given");
  const named = [...source.matchAll(/\[(?:kept \? )?((?:"[\w.]+"(?: : |, )?)+)\]/g)].flatMap(
    ([, all]) => [...all.matchAll(/"([\w.]+)"/g)].map(([, one]) => one),
  );
  const said = Object.keys(words).flatMap((key) =>
    key.startsWith("lesson.") ? [key.slice(7)] : [],
  );
  assert.deepEqual([...new Set([...named, "nope", "pass"])].sort(), said.sort());
});

test("a practice game comes to its first turn by itself, one word after the other", () => {
  const lobby = { ...newView({ me: "ben" }), phase: "lobby" };
  const ready = (...who) => ({
    ...lobby,
    phase: "setup",
    seats: lobby.seats.map((seat) => ({ ...seat, ready: who.includes(seat.seat) })),
  });
  assert.equal(next(lobby, false), "deal");
  assert.deepEqual(next(lobby, true), { type: "prepare" });
  assert.equal(next(ready(), false), "deal");
  assert.deepEqual(next(ready("ana"), true), { type: "ready", ready: true });
  assert.equal(next(ready("ben"), true), null);
  assert.deepEqual(next(ready("ana", "ben", "cleo"), true), { type: "begin", first: "lot" });
  assert.deepEqual(next({ ...lobby, phase: "roll_call" }, true), { type: "skip_roll_call" });
  assert.equal(next(newView(), true), null);
});
