/** The lessons of the draw grid, and the moments at which they appear (see shell/lessons.js). */
import { allowedCommands, playableCards, seatOf } from "../core/moves.js";
import { newestCommand } from "../core/undone.js";
import { valueAt } from "../core/value.js";
import { placeInDock, renderLesson, getWindowLessons } from "../shell/lessons.js";
import { askedSeat } from "./now.js";

export { renderLessonsButton } from "../shell/lessons.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Moment } from "../shell/lessons.js" */
/** @import { View } from "./types.js" */

/**
 * The part of the panel's state that lessons depend on: the deck on this device (`kept`), whether its
 * hand is uncovered (`bare`), a card being aimed (`aim`).
 * @typedef {{kept?: any, bare?: boolean, aim?: string | null}} Shown
 */

/**
 * Step → lessons for the player who has to act in it.
 * @type {Record<string, (view: View, me: string, shown: Shown) => string[]>}
 */
const STEPS = {
  tell: (view) => (seatOf(view, view.turn?.seat)?.panel ? ["tell"] : ["tell", "coin"]),
  act: (view, me, { kept, bare }) => {
    if (kept && !bare) return ["draw", "uncover"];
    if (!playableCards(view, me).length) return ["draw"];
    return ["draw", kept ? "play" : "play.table", "keep", "mix", "danger"];
  },
  look: (_view, _me, { kept }) => [kept ? "look" : "look.table"],
  shuffle: (_view, _me, { kept }) => (kept ? [] : ["shuffle"]),
  reveal: (_view, _me, { kept }) => (kept ? [] : ["reveal"]),
  report: (_view, _me, { kept }) => (kept ? [] : ["report"]),
  kitten: (view, me, { kept }) =>
    allowedCommands(view, me, "defuse").length ? [kept ? "defuse" : "defuse.table"] : ["kitten"],
};

/** @param {View} view @param {Shown} shown @returns {Moment} */
export function moment(view, shown) {
  const { turn, window } = view;
  const lessons = lessonsFor(view, shown);
  return { key: [view.game, turn?.number, turn?.step, window?.id, shown.aim].join(), lessons };
}

/** @param {View} view @param {Shown} shown @returns {string[]} */
function lessonsFor(view, shown) {
  const me = view.you?.seat;
  if (!me) return [];
  if (view.phase === "over") return view.you?.host ? ["over"] : [];
  if (view.phase !== "play" || view.roll_call) return [];
  if (seatOf(view, me)?.alive === false) return ["out"];
  if (view.window) return getWindowLessons(view, me, "asked");
  if (shown.kept?.hides) return ["hide"];
  if (shown.aim) return ["aim"];
  if (askedSeat(view) === me) return valueAt(STEPS, view.turn?.step)?.(view, me, shown) ?? [];
  const stirred = newestCommand(view.log)?.type === "grid_shuffled";
  return stirred && view.turn?.seat === me && view.turn.step === "tell" ? ["shuffled"] : [];
}

/** Lesson → place of the thing to tap, if it isn't in the stage. */
const AT = {
  ...placeInDock("uncover play asked shuffle reveal report defuse defuse.table over"),
  shuffled: "none",
};

/** Draws the current lesson. @param {Controller} ctrl */
export const lesson = (ctrl) =>
  renderLesson(ctrl, {
    moment: ({ view, kept, prefs, aim }) =>
      moment(/** @type {View} */ (view), { kept, bare: prefs.bare, aim }),
    at: AT,
  });
