/**
 * Lessons for whoever plays for the first time: at each kind of moment in which something is theirs
 * to tap, one sentence says what it is, at what it points to, once each on this device, and never
 * over anything. It is said to those who don't see it, too. At a table with people nobody gets any
 * who didn't ask.
 */
import { doing, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { may, nameOf, playable, seatOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { newestWord } from "../core/undone.js";
import { valueAt } from "../core/value.js";
import { art, named, say } from "../shell/parts.js";
import { asked } from "./now.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command } from "../core/types.js" */
/** @import { View } from "./types.js" */

/**
 * What of the panel's own state matters: the deck on this device, whether its hand is to be seen, a
 * card being aimed.
 * @typedef {{kept?: any, bare?: boolean, aim?: string | null}} Shown
 */
/**
 * A moment, and its lessons: the first that is new is given.
 * @typedef {{key: string, lessons: string[]}} Moment
 */
/**
 * What has been given on this device, and what is being said.
 * @typedef {{seen: string[], now: {key: string, lesson: string} | null}} Course
 */

/**
 * Step → what is taught to whoever is asked in it.
 * @type {Record<string, (view: View, me: string, shown: Shown) => string[]>}
 */
const STEPS = {
  tell: (view) => (seatOf(view, view.turn?.seat)?.panel ? ["tell"] : ["tell", "coin"]),
  act: (view, me, { kept, bare }) => {
    if (kept && !bare) return ["draw", "uncover"];
    if (!playable(view, me).length) return ["draw"];
    return kept ? ["draw", "play", "keep", "mix"] : ["draw", "play.table", "keep", "mix"];
  },
  look: () => ["look"],
  shuffle: (_view, _me, { kept }) => (kept ? [] : ["shuffle"]),
  reveal: (_view, _me, { kept }) => (kept ? [] : ["reveal"]),
  report: (_view, _me, { kept }) => (kept ? [] : ["report"]),
  kitten: (view, me, { kept }) =>
    may(view, me, "defuse").length ? [kept ? "defuse" : "defuse.table"] : ["kitten"],
};

/** @param {View} view @param {Shown} shown @returns {Moment} */
export function moment(view, shown) {
  const { turn, window } = view;
  const lessons = taught(view, shown);
  return { key: [view.game, turn?.number, turn?.step, window?.id, shown.aim].join(), lessons };
}

/** @param {View} view @param {Shown} shown @returns {string[]} */
function taught(view, shown) {
  const me = view.you?.seat;
  if (!me) return [];
  if (view.phase === "over") return view.you?.host ? ["over"] : [];
  if (view.phase !== "play" || view.roll_call) return [];
  if (seatOf(view, me)?.alive === false) return ["out"];
  if (view.window) return open(view, me);
  if (shown.kept?.hides) return ["hide"];
  if (shown.aim) return ["aim"];
  if (asked(view) === me) return valueAt(STEPS, view.turn?.step)?.(view, me, shown) ?? [];
  const stirred = newestWord(view.log)?.type === "grid_shuffled";
  return stirred && view.turn?.seat === me && view.turn.step === "tell" ? ["shuffled"] : [];
}

/** While the clock runs. @param {View} view @param {string} me */
function open(view, me) {
  const said = may(view, me).map((/** @type {Command} */ { type }) => type);
  if (!said.includes("pass")) return [];
  if (view.played?.target === me && view.played.counts) return ["asked"];
  return said.includes("nope") ? ["nope", "grab"] : ["pass", "grab"];
}

/**
 * What is said now: what was being said in this moment, else the first that is new.
 * @param {Course} course
 * @param {Moment} moment
 * @returns {Course}
 */
export function given({ seen, now }, { key, lessons }) {
  if (now && now.key === key && lessons.includes(now.lesson)) return { seen, now };
  const lesson = lessons.find((one) => !seen.includes(one));
  return lesson ? { seen: [...seen, lesson], now: { key, lesson } } : { seen, now: null };
}

/** Lesson → what is to be tapped, where that isn't in the stage. */
const AT = {
  ...Object.fromEntries(
    [
      "uncover",
      "play",
      "play.table",
      "nope",
      "pass",
      "asked",
      "shuffle",
      "reveal",
      "report",
      "kitten",
    ].map((one) => [one, "dock"]),
  ),
  defuse: "dock",
  "defuse.table": "dock",
  ...Object.fromEntries(["keep", "mix", "grab", "out", "shuffled"].map((one) => [one, "none"])),
  over: "dock",
};

/**
 * What each panel says, and on which page: whoever listens hears what changes in a place that was
 * there.
 * @type {WeakMap<Controller, {now: Course["now"], phase: string}>}
 */
const said = new WeakMap();

/** What is said now, at what it points to. @param {Controller} ctrl */
export function lesson(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const before = said.get(ctrl);
  if (before?.phase !== view.phase) {
    said.set(ctrl, { now: null, phase: view.phase });
    setTimeout(() => ctrl.draw());
    return spot(nothing);
  }
  const { seen } = ctrl.prefs.lessons;
  const shown = { kept: ctrl.kept, bare: ctrl.prefs.bare, aim: ctrl.aim };
  const course = given({ seen, now: before.now }, moment(view, shown));
  const { now } = course;
  said.set(ctrl, { now, phase: view.phase });
  if (course.seen !== seen)
    queueMicrotask(() => ctrl.prefer("lessons", { ...ctrl.prefs.lessons, seen: course.seen }));
  return spot(now ? sentence(ctrl, view, now.lesson) : nothing, now?.lesson);
}

/** @param {unknown} inside @param {string} [lesson] */
const spot = (inside, lesson) =>
  html`<div class="lesson" role="status" data-lesson=${lesson ?? nothing}
    data-at=${lesson ? (AT[/** @type {keyof typeof AT} */ (lesson)] ?? "stage") : nothing}>${inside}</div>`;

/** @param {Controller} ctrl @param {View} view @param {string} lesson */
function sentence(ctrl, view, lesson) {
  const facts = {
    who: named(nameOf(view, view.turn?.seat)),
    by: named(nameOf(view, view.played?.by)),
    nope: html`<b>${title(doing("nope"))}</b>`,
    defuse: html`<b>${title(doing("defuse"))}</b>`,
  };
  return html`<p>${say(`lesson.${lesson}`, facts)}</p><button type="button"
    class="press plain small" data-do="no-hints" @click=${() => stop(ctrl)}>
    ${t("lessons.stop")}
  </button>`;
}

/**
 * In the menu: shown how at this table, on this device; from the first sentence on.
 * @param {Controller} ctrl
 */
export function wanting(ctrl) {
  if (!ctrl.me) return nothing;
  const shown = ctrl.prefs.lessons?.table === ctrl.table;
  const start = () => ctrl.prefer("lessons", { off: false, seen: [], table: ctrl.table });
  return html`<button type="button" class="press" data-do=${shown ? "no-hints" : "show-me"} @click=${() => {
    shown ? stop(ctrl) : start();
    ctrl.finish();
  }}>${art("help")}${t(shown ? "lessons.stop" : "lessons.start")}</button>`;
}

/** No more of them, also in the next practice game. @param {Controller} ctrl */
function stop(ctrl) {
  ctrl.prefer("lessons", { ...ctrl.prefs.lessons, off: true, table: null });
}
