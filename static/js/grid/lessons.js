/** The lessons of the draw grid, and the moments at which they appear (see shell/lessons.js). */
import { findAllowedCommands, getPlayableCards, findSeat } from "../core/moves.js";
import { findNewestCommand } from "../core/undone.js";
import { getOwnValue } from "../core/value.js";
import { placeInDock, renderLesson, getWindowLessons } from "../shell/lessons.js";
import { getSeatToAct } from "./now.js";

export { renderLessonsButton } from "../shell/lessons.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Moment } from "../shell/lessons.js" */
/** @import { View } from "./types.js" */

/**
 * The part of the panel's state on which lessons depend. `kept` is the viewer's deck if this device
 * keeps it, `bare` is true if the hand of that deck is uncovered on the screen, and `aim` is the
 * card that still needs a target.
 * @typedef {{kept?: any, bare?: boolean, aim?: string | null}} Shown
 */

/**
 * For each step, the lessons for the player who has to act.
 * @type {Record<string, (view: View, me: string, shown: Shown) => string[]>}
 */
const STEPS = {
  tell: (view) => (findSeat(view, view.turn?.seat)?.panel ? ["tell"] : ["tell", "coin"]),
  act: (view, me, { kept, bare }) => {
    if (kept && !bare) return ["draw", "uncover"];
    if (!getPlayableCards(view, me).length) return ["draw"];
    return ["draw", kept ? "play" : "play.table", "keep", "mix", "danger"];
  },
  look: (_view, _me, { kept }) => [kept ? "look" : "look.table"],
  shuffle: (_view, _me, { kept }) => (kept ? [] : ["shuffle"]),
  reveal: (_view, _me, { kept }) => (kept ? [] : ["reveal"]),
  report: (_view, _me, { kept }) => (kept ? [] : ["report"]),
  kitten: (view, me, { kept }) =>
    findAllowedCommands(view, me, "defuse").length
      ? [kept ? "defuse" : "defuse.table"]
      : ["kitten"],
};

/** @param {View} view @param {Shown} shown @returns {Moment} */
export function getMoment(view, shown) {
  const { turn, window } = view;
  const lessons = findLessons(view, shown);
  return { key: [view.game, turn?.number, turn?.step, window?.id, shown.aim].join(), lessons };
}

/** @param {View} view @param {Shown} shown @returns {string[]} */
function findLessons(view, shown) {
  const me = view.you?.seat;
  if (!me) return [];
  if (view.phase === "over") return view.you?.host ? ["over"] : [];
  if (view.phase !== "play" || view.roll_call) return [];
  if (findSeat(view, me)?.alive === false) return ["out"];
  if (view.window) return getWindowLessons(view, me, "asked");
  if (shown.kept?.hides) return ["hide"];
  if (shown.aim) return ["aim"];
  if (getSeatToAct(view) === me)
    return getOwnValue(STEPS, view.turn?.step)?.(view, me, shown) ?? [];
  const stirred = findNewestCommand(view.log)?.type === "grid_shuffled";
  return stirred && view.turn?.seat === me && view.turn.step === "tell" ? ["shuffled"] : [];
}

/**
 * The part of the page that contains the thing to tap, by lesson. For other lessons it is the
 * stage, the large middle part of the page.
 */
const AT = {
  ...placeInDock("uncover play asked shuffle reveal report defuse defuse.table over"),
  shuffled: "none",
};

/** Renders the current lesson. @param {Controller} ctrl */
export const renderGridLesson = (ctrl) =>
  renderLesson(ctrl, {
    moment: ({ view, deviceDeck: kept, prefs, aimedCard: aim }) =>
      getMoment(/** @type {View} */ (view), { kept, bare: prefs.bare, aim }),
    at: AT,
  });
