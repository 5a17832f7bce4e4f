/**
 * Lessons for new players. Each is one sentence that explains what to tap or gives a tip. It
 * appears beside the thing that it explains, without covering anything, and is announced to screen
 * readers. A device shows each lesson once. At a table with other people, players only get lessons
 * if they ask for them. The family of games defines when each lesson appears.
 */
import { findCardWithEffect, getCardTitle } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { findAllowedCommands, getSeatName } from "../core/moves.js";
import { t } from "../core/text.js";
import { getOwnValue } from "../core/value.js";
import { art, renderPlayerName, renderSentence } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command, Drawn, View } from "../core/types.js" */

/**
 * A moment of the game, and the lessons that fit it. The panel shows the first of them that this
 * device hasn't shown before.
 * @typedef {{key: string, lessons: string[]}} Moment
 */
/**
 * The state of the lessons. `seen` lists the lessons that this device has shown. `now` is the
 * lesson on the screen, with the key of its moment.
 * @typedef {{seen: string[], now: {key: string, lesson: string} | null}} Course
 */
/**
 * The lessons of a family of games. `moment` returns the current moment. `at` says for each lesson
 * which part of the page contains the thing to tap: "dock", or "none" for a tip. For a lesson that
 * isn't in `at`, it is the stage. `beside` renders an addition to a lesson's sentence.
 * @typedef {{moment: (ctrl: Controller) => Moment, at: Record<string, string>,
 *   beside?: (ctrl: Controller, lesson: string) => Drawn}} Lessons
 */

/**
 * Returns a map that assigns each of these lessons to the dock.
 * @param {string} lessons their names, separated by spaces
 * @returns {Record<string, string>}
 */
export const placeInDock = (lessons) =>
  Object.fromEntries(lessons.split(" ").map((lesson) => [lesson, "dock"]));

/** For the lessons that all families share, the part of the page that contains the thing to tap. */
const AT = {
  ...placeInDock("play.table nope pass kitten"),
  ...{ grab: "none", keep: "none", mix: "none", danger: "none", out: "none" },
};

/**
 * Returns the lessons for an open Nope window. One of them, `grab`, explains that everybody has the
 * same time to react. The player who played the card gets only this lesson.
 * @param {View} view
 * @param {string} me
 * @param {string} asks the lesson for the card's target; empty if there is none
 */
export function getWindowLessons(view, me, asks) {
  const allowedTypes = findAllowedCommands(view, me).map((/** @type {Command} */ { type }) => type);
  if (!allowedTypes.includes("pass")) return view.played?.by === me ? ["grab"] : [];
  if (asks && view.played?.target === me && view.played.counts) return [asks];
  return allowedTypes.includes("nope") ? ["nope", "grab"] : ["pass", "grab"];
}

/**
 * Returns the next state of the lessons. Keeps the lesson on the screen while its moment lasts;
 * otherwise chooses the first lesson that is new on this device.
 * @param {Course} course
 * @param {Moment} moment
 * @returns {Course}
 */
export function advanceCourse({ seen, now }, { key, lessons }) {
  if (now && now.key === key && lessons.includes(now.lesson)) return { seen, now };
  const lesson = lessons.find((candidate) => !seen.includes(candidate));
  return lesson ? { seen: [...seen, lesson], now: { key, lesson } } : { seen, now: null };
}

/**
 * The lesson that a panel shows, and the phase in which it was drawn. Screen readers announce
 * changes only in a live region that is already on the page, so each page begins with an empty
 * region.
 * @type {WeakMap<Controller, {now: Course["now"], phase: string}>}
 */
const shownLessons = new WeakMap();

/**
 * Renders the current lesson in the live region.
 * @param {Controller} ctrl @param {Lessons} lessons
 */
export function renderLesson(ctrl, lessons) {
  const view = /** @type {View} */ (ctrl.view);
  const before = shownLessons.get(ctrl);
  if (before?.phase !== view.phase) {
    shownLessons.set(ctrl, { now: null, phase: view.phase });
    setTimeout(() => ctrl.draw());
    return renderLiveRegion(nothing);
  }
  const { seen } = ctrl.prefs.lessons;
  const course = advanceCourse({ seen, now: before.now }, lessons.moment(ctrl));
  const { now } = course;
  shownLessons.set(ctrl, { now, phase: view.phase });
  if (course.seen !== seen)
    queueMicrotask(() => ctrl.prefer("lessons", { ...ctrl.prefs.lessons, seen: course.seen }));
  if (!now) return renderLiveRegion(nothing);
  const at = getOwnValue({ ...AT, ...lessons.at }, now.lesson);
  return renderLiveRegion(renderLessonSentence(ctrl, now.lesson, lessons), now.lesson, at);
}

/**
 * Renders the live region. It contains a lesson or is empty.
 * @param {unknown} inside
 * @param {string} [lesson]
 * @param {string} [at]
 */
const renderLiveRegion = (inside, lesson, at = "stage") =>
  html`<div class="lesson" role="status" data-lesson=${lesson ?? nothing}
    data-at=${lesson ? at : nothing}>${inside}</div>`;

/**
 * Renders a lesson's sentence, with the button that stops the lessons.
 * @param {Controller} ctrl
 * @param {string} lesson
 * @param {Lessons} taught
 */
function renderLessonSentence(ctrl, lesson, { beside }) {
  const view = /** @type {View} */ (ctrl.view);
  const renderCardTitle = (/** @type {string} */ effect) =>
    html`<b>${getCardTitle(findCardWithEffect(effect))}</b>`;
  const facts = {
    who: renderPlayerName(getSeatName(view, view.turn?.seat)),
    by: renderPlayerName(getSeatName(view, view.played?.by)),
    target: renderPlayerName(getSeatName(view, view.played?.target)),
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
 * Renders the menu's button that stops the lessons at this table, or starts them again from the
 * beginning.
 * @param {Controller} ctrl
 */
export function renderLessonsButton(ctrl) {
  if (!ctrl.me) return nothing;
  const isOn = ctrl.prefs.lessons?.table === ctrl.table;
  const startLessons = () => ctrl.prefer("lessons", { off: false, seen: [], table: ctrl.table });
  return html`<button type="button" class="press" data-do=${isOn ? "no-hints" : "show-me"} @click=${() => {
    isOn ? stopLessons(ctrl) : startLessons();
    ctrl.finishSheet();
  }}>${art("help")}${t(isOn ? "lessons.stop" : "lessons.start")}</button>`;
}

/** Stops the lessons, also for later practice games. @param {Controller} ctrl */
function stopLessons(ctrl) {
  ctrl.prefer("lessons", { ...ctrl.prefs.lessons, off: true, table: null });
}
