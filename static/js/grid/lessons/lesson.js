/**
 * The sentence for whoever plays for the first time, at what it points to: once each on this device, and never over
 * anything. It is said to those who don't see it, too.
 * @import { Controller } from "../../core/controller.js"
 * @import { View } from "../types.js"
 * @import { Course } from "./course.js"
 */
import { doing, title } from "../../core/deck.js";
import { html, nothing } from "../../core/lit.js";
import { nameOf } from "../../core/moves.js";
import { t } from "../../core/text.js";
import { named, say } from "../../shell/parts.js";
import { given, moment } from "./course.js";
import { stop } from "./wanting.js";

/** Lesson → what is to be tapped, where that isn't in the stage. */
const AT = {
  ...Object.fromEntries(
    ["uncover", "play", "nope", "pass", "asked", "shuffle", "reveal", "report", "kitten"].map(
      (one) => [one, "dock"],
    ),
  ),
  defuse: "dock",
  "defuse.table": "dock",
  out: "none",
  shuffled: "none",
  over: "dock",
};

/** What each panel says, and on which page: whoever listens hears what changes in a place that was there. @type {WeakMap<Controller, {now: Course["now"], phase: string}>} */
const said = new WeakMap();

/** @param {Controller} ctrl */
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
  html`<div class="lesson" role="status" data-lesson=${lesson ?? nothing} data-at=${lesson ? (AT[/** @type {keyof typeof AT} */ (lesson)] ?? "stage") : nothing}>${inside}</div>`;

/** @param {Controller} ctrl @param {View} view @param {string} lesson */
function sentence(ctrl, view, lesson) {
  const facts = {
    who: named(nameOf(view, view.turn?.seat)),
    by: named(nameOf(view, view.played?.by)),
    nope: html`<b>${title(doing("nope"))}</b>`,
    defuse: html`<b>${title(doing("defuse"))}</b>`,
  };
  return html`<p>${say(`lesson.${lesson}`, facts)}</p><button type="button" class="press plain small" data-do="no-hints" @click=${() => stop(ctrl)}>${t("lessons.stop")}</button>`;
}
