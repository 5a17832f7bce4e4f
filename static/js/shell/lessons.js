/**
 * Lessons for new players: one sentence at a time explains what to tap, or gives a tip. It stands beside
 * the thing that it is about, covers nothing, and is announced to screen readers. Each lesson is shown
 * once on a device. At a table with other people, a player gets lessons only if they ask for them. The
 * family defines the moments at which lessons appear.
 */
import { cardWithEffect, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { allowedCommands, nameOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { valueAt } from "../core/value.js";
import { art, renderPlayerName, renderSentence } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command, Drawn, View } from "../core/types.js" */

/**
 * A moment and its lessons; the first one that is new on this device is shown.
 * @typedef {{key: string, lessons: string[]}} Moment
 */
/**
 * The lessons shown on this device so far, and the one that is shown now, with its moment's key.
 * @typedef {{seen: string[], now: {key: string, lesson: string} | null}} Course
 */
/**
 * A family's lessons. `moment` returns the current moment. `at` maps a lesson to the place of the thing to
 * tap: "dock", or "none" for a tip; the default is the stage. `beside` draws an addition to the sentence.
 * @typedef {{moment: (ctrl: Controller) => Moment, at: Record<string, string>,
 *   beside?: (ctrl: Controller, lesson: string) => Drawn}} Lessons
 */

/**
 * Places lessons at the dock.
 * @param {string} lessons their names, separated by spaces
 * @returns {Record<string, string>}
 */
export const placeInDock = (lessons) =>
  Object.fromEntries(lessons.split(" ").map((lesson) => [lesson, "dock"]));

/** Lesson → place of the thing to tap, for lessons that families share. */
const AT = {
  ...placeInDock("play.table nope pass kitten"),
  ...{ grab: "none", keep: "none", mix: "none", danger: "none", out: "none" },
};

/**
 * Returns the lessons while a Nope window is open. The tip `grab` explains why everybody gets the same
 * time; for the player of the card it is the only lesson.
 * @param {View} view
 * @param {string} me
 * @param {string} asks the lesson for the card's target; empty if there is none
 */
export function getWindowLessons(view, me, asks) {
  const said = allowedCommands(view, me).map((/** @type {Command} */ { type }) => type);
  if (!said.includes("pass")) return view.played?.by === me ? ["grab"] : [];
  if (asks && view.played?.target === me && view.played.counts) return [asks];
  return said.includes("nope") ? ["nope", "grab"] : ["pass", "grab"];
}

/**
 * Returns the course with the next lesson: the same one while the moment lasts, else the first new one.
 * @param {Course} course
 * @param {Moment} moment
 * @returns {Course}
 */
export function advanceCourse({ seen, now }, { key, lessons }) {
  if (now && now.key === key && lessons.includes(now.lesson)) return { seen, now };
  const lesson = lessons.find((one) => !seen.includes(one));
  return lesson ? { seen: [...seen, lesson], now: { key, lesson } } : { seen, now: null };
}

/**
 * The lesson that each panel shows, and its page. A screen reader announces changes only in a live region
 * that was on the page before, so each page first gets an empty one.
 * @type {WeakMap<Controller, {now: Course["now"], phase: string}>}
 */
const shownLessons = new WeakMap();

/** Draws the current lesson in its place. @param {Controller} ctrl @param {Lessons} taught */
export function renderLesson(ctrl, taught) {
  const view = /** @type {View} */ (ctrl.view);
  const before = shownLessons.get(ctrl);
  if (before?.phase !== view.phase) {
    shownLessons.set(ctrl, { now: null, phase: view.phase });
    setTimeout(() => ctrl.draw());
    return renderLiveRegion(nothing);
  }
  const { seen } = ctrl.prefs.lessons;
  const course = advanceCourse({ seen, now: before.now }, taught.moment(ctrl));
  const { now } = course;
  shownLessons.set(ctrl, { now, phase: view.phase });
  if (course.seen !== seen)
    queueMicrotask(() => ctrl.prefer("lessons", { ...ctrl.prefs.lessons, seen: course.seen }));
  if (!now) return renderLiveRegion(nothing);
  const at = valueAt({ ...AT, ...taught.at }, now.lesson);
  return renderLiveRegion(renderLessonSentence(ctrl, now.lesson, taught), now.lesson, at);
}

/** Draws the live region. @param {unknown} inside @param {string} [lesson] @param {string} [at] */
const renderLiveRegion = (inside, lesson, at = "stage") =>
  html`<div class="lesson" role="status" data-lesson=${lesson ?? nothing}
    data-at=${lesson ? at : nothing}>${inside}</div>`;

/**
 * Draws a lesson's sentence, with the button that stops the lessons.
 * @param {Controller} ctrl
 * @param {string} lesson
 * @param {Lessons} taught
 */
function renderLessonSentence(ctrl, lesson, { beside }) {
  const view = /** @type {View} */ (ctrl.view);
  const renderCardTitle = (/** @type {string} */ effect) =>
    html`<b>${title(cardWithEffect(effect))}</b>`;
  const facts = {
    who: renderPlayerName(nameOf(view, view.turn?.seat)),
    by: renderPlayerName(nameOf(view, view.played?.by)),
    target: renderPlayerName(nameOf(view, view.played?.target)),
    nope: renderCardTitle("nope"),
    defuse: renderCardTitle("defuse"),
  };
  return html`<p>${renderSentence(`lesson.${lesson}`, facts)}</p>${beside?.(
    ctrl,
    lesson,
  )}<button type="button"
    class="press plain small" data-do="no-hints" @click=${() => stopLessons(ctrl)}>
    ${t("lessons.stop")}
  </button>`;
}

/**
 * Draws the menu's button that stops the lessons at this table, or starts them from the beginning.
 * @param {Controller} ctrl
 */
export function renderLessonsButton(ctrl) {
  if (!ctrl.me) return nothing;
  const shown = ctrl.prefs.lessons?.table === ctrl.table;
  const startLessons = () => ctrl.prefer("lessons", { off: false, seen: [], table: ctrl.table });
  return html`<button type="button" class="press" data-do=${shown ? "no-hints" : "show-me"} @click=${() => {
    shown ? stopLessons(ctrl) : startLessons();
    ctrl.finishSheet();
  }}>${art("help")}${t(shown ? "lessons.stop" : "lessons.start")}</button>`;
}

/** Stops the lessons, also for the next practice game. @param {Controller} ctrl */
function stopLessons(ctrl) {
  ctrl.prefer("lessons", { ...ctrl.prefs.lessons, off: true, table: null });
}
