/** The lessons of the draw grid, and the moments at which they appear (see shell/lessons.js). */
import { getAllCards } from "../core/deck.js";
import { html } from "../core/lit.js";
import { findAllowedCommands, getPlayableCards, findSeat } from "../core/moves.js";
import { t } from "../core/text.js";
import { createUndoneTest, findNewestCommand } from "../core/undone.js";
import { getOwnValue } from "../core/value.js";
import { placeInDock, renderLesson, getWindowLessons } from "../shell/lessons.js";
import { findAutomaticPass } from "./deck/alone.js";
import { getSeatToAct } from "./now.js";
import { getTurnKey, hasDeviceDeck, isInstruction } from "./state.js";

export { renderLessonsButton } from "../shell/lessons.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Moment } from "../shell/lessons.js" */
/** @import { View } from "./types.js" */

/**
 * The part of the panel's state on which lessons depend. `kept` is the viewer's deck if this device
 * keeps it, `bare` is true if the hand of that deck is uncovered on the screen, `aim` is the card
 * that still needs a target, and `passes` is true if the panel passes for the viewer.
 * @typedef {{kept?: any, bare?: boolean, aim?: string | null, passes?: boolean}} Shown
 */

/**
 * For each step, the lessons for the player who has to act.
 * @type {Record<string, (view: View, me: string, shown: Shown) => string[]>}
 */
const STEPS = {
  tell: (view) => [
    "tell",
    ...(findSeat(view, view.turn?.seat)?.panel ? [] : ["coin"]),
    ...getOddsLesson(view),
  ],
  act: (view, me, { kept, bare }) => {
    if (kept && !bare) return ["draw", "uncover"];
    const plays = getPlayableCards(view, me);
    if (!plays.length) return ["draw"];
    const canShuffle = getAllCards().some(
      ({ id, effect }) => effect === "shuffle" && plays.includes(id),
    );
    const canMix = canShuffle && knowsToldCard(view, me);
    const play = kept ? "play" : "play.table";
    return [...(canMix ? ["mix"] : []), "draw", play, ...getOddsLesson(view), "keep", "danger"];
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

/** Returns the lesson about the percentages on cards, if the table shows them. @param {View} view */
const getOddsLesson = ({ seats }) => (seats.some(({ odds }) => odds) ? ["odds"] : []);

/**
 * Returns true if the viewer knows the card that they are told to draw: they have looked at it or
 * noted it, and the grid wasn't shuffled since.
 * @param {View} view
 * @param {string} me
 */
function knowsToldCard({ log, turn, you }, me) {
  const told = String(turn?.told);
  const isUndone = createUndoneTest(log);
  const last = log.findLast(
    (entry) => entry.seat === me && LOOKS_AND_MOVES.includes(entry.type) && !isUndone(entry),
  );
  const looked = last?.type === "looked" && String(last.facts.cell) === told;
  return looked || !!you?.notes.some(({ cell }) => String(cell) === told);
}

/** Types of events after which a player knows a card of their grid, or no longer knows it. */
const LOOKS_AND_MOVES = ["looked", "grid_shuffled", "kitten_defused"];

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
  // The view says that the device has the deck before the panel has computed the deck's cards.
  if (hasDeviceDeck(findSeat(view, me)) && !shown.kept?.hand) return [];
  if (view.window) return shown.passes ? [] : findWindowLessons(view, me);
  if (shown.kept?.hides) return ["hide"];
  if (shown.aim) return ["aim"];
  if (getSeatToAct(view) === me)
    return getOwnValue(STEPS, view.turn?.step)?.(view, me, shown) ?? [];
  const stirred = findNewestCommand(view.log)?.type === "grid_shuffled";
  return stirred && view.turn?.seat === me && view.turn.step === "tell" ? ["shuffled"] : [];
}

/** Returns the lessons for an open window, of a card or an instruction. @returns {string[]} */
function findWindowLessons(/** @type {View} */ view, /** @type {string} */ me) {
  if (!isInstruction(view.played?.card)) return getWindowLessons(view, me, "asked");
  return getWindowLessons(view, me, "").map((lesson) => (lesson === "grab" ? lesson : "told"));
}

/**
 * The part of the page that contains the thing to tap, by lesson. For other lessons it is the
 * stage, the large middle part of the page.
 */
const AT = {
  ...placeInDock("uncover play asked told shuffle reveal report defuse defuse.table over"),
  shuffled: "none",
};

/** Renders the current lesson. @param {Controller} ctrl */
export const renderGridLesson = (ctrl) =>
  renderLesson(ctrl, {
    moment: ({ view, deviceDeck: kept, prefs, aimedCard: aim }) =>
      getMoment(/** @type {View} */ (view), {
        kept,
        bare: prefs.bare,
        aim,
        passes: !!findAutomaticPass(ctrl, /** @type {View} */ (view), kept),
      }),
    at: AT,
  });

/**
 * Renders the sentence that explains the percentages on cards, for players without lessons. It
 * stays for one turn, or until the viewer taps its button.
 * @param {Controller} ctrl
 */
export function renderOddsHint(ctrl) {
  const turn = getTurnKey(ctrl);
  if (ctrl.prefs.oddsHint !== turn) queueMicrotask(() => ctrl.prefer("oddsHint", turn));
  return html`<div class="lesson" data-lesson="odds" data-at="stage"><p>${t("lesson.odds")}</p>
    <button type="button" class="press plain small" data-do="odds-read"
      @click=${() => ctrl.prefer("oddsHint", "")}>${t("lessons.read")}</button></div>`;
}
