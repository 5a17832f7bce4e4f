/**
 * Lessons for whoever plays for the first time: at each kind of moment one sentence says what to tap,
 * or gives a tip, at what it points to, once each on this device, and never over anything. It is said
 * to those who don't see it, too. At a table with people nobody gets any who didn't ask. Which moments
 * there are is the family's to say.
 */
import { cardWithEffect, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { allowedCommands, nameOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { valueAt } from "../core/value.js";
import { art, playerName, sentence } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command, Drawn, View } from "../core/types.js" */

/**
 * A moment, and its lessons: the first that is new is given.
 * @typedef {{key: string, lessons: string[]}} Moment
 */
/**
 * What has been given on this device, and what is being said.
 * @typedef {{seen: string[], now: {key: string, lesson: string} | null}} Course
 */
/**
 * What a family teaches: in which moment; where what is to be tapped lies, by lesson (else in the
 * stage); and what stands beside a sentence.
 * @typedef {{moment: (ctrl: Controller) => Moment, at: Record<string, string>,
 *   beside?: (ctrl: Controller, lesson: string) => Drawn}} Lessons
 */

/** Lessons whose tap is in the dock. @param {string} lessons @returns {Record<string, string>} */
export const inDock = (lessons) =>
  Object.fromEntries(lessons.split(" ").map((lesson) => [lesson, "dock"]));

/** Those that families share: where what is to be tapped lies; `none`: it is a tip. */
const AT = {
  ...inDock("play.table nope pass kitten"),
  ...{ grab: "none", keep: "none", mix: "none", danger: "none", out: "none" },
};

/**
 * While the clock runs: around a table one would be quick about it, whose card it is above all.
 * @param {View} view @param {string} me @param {string} asks what is said where the card asks me
 */
export function open(view, me, asks) {
  const said = allowedCommands(view, me).map((/** @type {Command} */ { type }) => type);
  if (!said.includes("pass")) return view.played?.by === me ? ["grab"] : [];
  if (asks && view.played?.target === me && view.played.counts) return [asks];
  return said.includes("nope") ? ["nope", "grab"] : ["pass", "grab"];
}

/**
 * What is said now: what was being said in this moment, else the first that is new.
 * @param {Course} course
 * @param {Moment} moment
 * @returns {Course}
 */
export function nextLesson({ seen, now }, { key, lessons }) {
  if (now && now.key === key && lessons.includes(now.lesson)) return { seen, now };
  const lesson = lessons.find((one) => !seen.includes(one));
  return lesson ? { seen: [...seen, lesson], now: { key, lesson } } : { seen, now: null };
}

/**
 * What each panel says, and on which page: whoever listens hears what changes in a place that was
 * there.
 * @type {WeakMap<Controller, {now: Course["now"], phase: string}>}
 */
const said = new WeakMap();

/** What is said now, at what it points to. @param {Controller} ctrl @param {Lessons} taught */
export function lesson(ctrl, taught) {
  const view = /** @type {View} */ (ctrl.view);
  const before = said.get(ctrl);
  if (before?.phase !== view.phase) {
    said.set(ctrl, { now: null, phase: view.phase });
    setTimeout(() => ctrl.draw());
    return spot(nothing);
  }
  const { seen } = ctrl.prefs.lessons;
  const course = nextLesson({ seen, now: before.now }, taught.moment(ctrl));
  const { now } = course;
  said.set(ctrl, { now, phase: view.phase });
  if (course.seen !== seen)
    queueMicrotask(() => ctrl.prefer("lessons", { ...ctrl.prefs.lessons, seen: course.seen }));
  if (!now) return spot(nothing);
  const at = valueAt({ ...AT, ...taught.at }, now.lesson);
  return spot(lessonSentence(ctrl, now.lesson, taught), now.lesson, at);
}

/** @param {unknown} inside @param {string} [lesson] @param {string} [at] */
const spot = (inside, lesson, at = "stage") =>
  html`<div class="lesson" role="status" data-lesson=${lesson ?? nothing}
    data-at=${lesson ? at : nothing}>${inside}</div>`;

/** @param {Controller} ctrl @param {string} lesson @param {Lessons} taught */
function lessonSentence(ctrl, lesson, { beside }) {
  const view = /** @type {View} */ (ctrl.view);
  const card = (/** @type {string} */ effect) => html`<b>${title(cardWithEffect(effect))}</b>`;
  const facts = {
    who: playerName(nameOf(view, view.turn?.seat)),
    by: playerName(nameOf(view, view.played?.by)),
    target: playerName(nameOf(view, view.played?.target)),
    nope: card("nope"),
    defuse: card("defuse"),
  };
  return html`<p>${sentence(`lesson.${lesson}`, facts)}</p>${beside?.(ctrl, lesson)}<button type="button"
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
    ctrl.finishSheet();
  }}>${art("help")}${t(shown ? "lessons.stop" : "lessons.start")}</button>`;
}

/** No more of them, also in the next practice game. @param {Controller} ctrl */
function stop(ctrl) {
  ctrl.prefer("lessons", { ...ctrl.prefs.lessons, off: true, table: null });
}
