/**
 * Composes two sentences for games with one pile: the now-line, which names the next action and who
 * has to do it, and the sentence that the host reads out on the call.
 */
import { getCardTitle } from "../core/deck.js";
import { html } from "../core/lit.js";
import {
  composeIdleSentence,
  findAllowedCommands,
  getMood,
  getSeatName,
  mustExplode,
  composeWindowSentence,
  getViewerRole,
  composeWinnerSentence,
} from "../core/moves.js";
import { joinNames, t } from "../core/text.js";
import { renderSeatName } from "../shell/parts.js";
import { isCombo, canRearrangeTop, getSeenCount, getView, isImplodingOnTop } from "./state.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Command, Facts, Now } from "../core/types.js" */
/** @import { Draft, Played, View } from "./types.js" */

/**
 * Returns the seat that has to act now, or null while a window is open.
 * @param {View} view
 * @returns {string | null}
 */
export function getAskedSeat(view) {
  if (!view.turn || view.window || view.winner) return null;
  const { step, seat } = view.turn;
  return step === "give" || step === "answer" ? (view.played?.target ?? null) : seat;
}

/**
 * @param {View} view
 * @param {string | null} as the seat that the panel acts for
 * @param {string | null} [aim] a card for which a target is being chosen
 * @param {Draft | null} [draft] the combo or answer being assembled
 * @returns {Now}
 */
export function getNowline(view, as, aim = null, draft = null) {
  if (view.winner) return composeWinnerSentence(view);
  if (view.window) return getWindowNowline(view);
  if (!view.turn) return composeIdleSentence(view);
  if (aim)
    return { key: "now.aim", hint: "now.aim.hint", mood: "you", who: as, by: null, card: aim };
  const now = getStepNowline(view, as);
  return draft
    ? { ...now, ...getDraftSentence(draft, findAllowedCommands(view, as, "combo"), view) }
    : now;
}

/**
 * Returns the now-line (the sentence about the next action) for an open Nope window.
 * @param {View} view @returns {Now}
 */
function getWindowNowline(view) {
  const played = /** @type {Played} */ (view.played);
  const asks = played.name ? "now.played.name" : null;
  const combo = isCombo(played);
  const now = composeWindowSentence(view, { card: combo ? undefined : played.kind, hint: asks });
  return combo && now.key === "now.nope.no" ? { ...now, key: "now.nope.combo" } : now;
}

/** @returns {Now} */
function getStepNowline(/** @type {View} */ view, /** @type {string | null} */ as) {
  const turn = /** @type {import("./types.js").Turn} */ (view.turn);
  const actor = getAskedSeat(view);
  const side = getViewerRole(view, actor, as);
  const asks = turn.step === "give" || turn.step === "answer";
  const key = `now.${getStepKey(view)}.${side}${mustExplode(view, as) ? ".out" : ""}`;
  const owes =
    turn.step === "act" && turn.owed > 1 && !isImplodingOnTop(view) ? `now.owed.${side}` : null;
  return {
    key,
    hint: owes ?? (side === "other" ? null : `${key}.hint`),
    mood: turn.step === "kitten" || key.startsWith("now.report.top") ? "danger" : getMood(side),
    who: asks ? actor : turn.seat,
    by: asks ? turn.seat : null,
    target: view.played?.target,
    card: turn.step === "answer" ? (view.played?.name ?? undefined) : undefined,
  };
}

/**
 * Returns the part of a sentence's key that stands for the step: the step's name, or "alter" after
 * Alter the Future, or "bottom" after a draw from the bottom. For a draw from the top while the
 * Imploding Kitten lies face up there, the part ends with ".top".
 * @param {View} view
 */
function getStepKey(view) {
  const step = view.turn?.step;
  if (step === "look" && canRearrangeTop(view)) return "alter";
  if (isImplodingOnTop(view) && (step === "act" || (step === "report" && view.turn?.end === "top")))
    return `${step}.top`;
  return step === "report" && view.turn?.end === "bottom" ? "bottom" : step;
}

/**
 * Returns the values for the placeholders of the now-line's sentence. Two kinds of values aren't
 * among them: seats, and the title of a card that was played alone.
 * @param {Controller} ctrl
 * @returns {Facts}
 */
export function getNowlineFacts(ctrl) {
  const view = getView(ctrl);
  const played = view.played;
  const owed = view.turn?.owed ?? 0;
  const combo =
    view.window && played && isCombo(played)
      ? { card: html`<b class="title">${describeCombo(played)}</b>` }
      : {};
  return {
    ...combo,
    owed,
    ...(view.turn?.step === "look" ? countSeenCards(view) : { count: owed - 1 }),
    name: played?.name ? html`<b class="title">${getCardTitle(played.name)}</b>` : "",
    next: renderSeatName(ctrl, getNextSeat(view)),
  };
}

/**
 * Returns the number of top cards that the turn player looks at, as a number and as a word.
 * @param {View} view
 */
function countSeenCards(view) {
  const count = getSeenCount(view);
  return { count, number: t(`number.${count}`) };
}

/** Describes a combo by its kind and titles. @param {Played} played */
export const describeCombo = ({ kind, cards }) =>
  t(`combo.${kind}`, { titles: joinNames([...new Set(cards)].map(getCardTitle)) });

/** Returns the seat that comes after the turn player. @param {View} view */
export const getNextSeat = (view) =>
  view.seats.find((seat) => seat.seat === view.turn?.seat)?.next ?? null;

/**
 * Returns the keys of the sentence and hint that ask for the next choice in the draft (the viewer's
 * unfinished command).
 * @param {Draft} draft
 * @param {Command[]} combos the combos that can be played
 * @param {View} view
 */
function getDraftSentence({ kind, cards, name, saw, place, told }, combos, view) {
  if (saw) return { key: "now.saw", hint: saw.every(Boolean) ? null : "now.saw.hint" };
  if (place && view.turn?.step === "imploding")
    return { key: "now.place.up", hint: place === 1 ? "now.place.seen" : "now.place.hint" };
  if (place) return { key: "now.place", hint: "now.place.hint" };
  if (told) return { key: "now.told", hint: null };
  const alone = combos.every(({ targets }) => (targets ?? []).length < 2);
  const last = alone ? "ways" : "whom";
  const part = kind === "five" || !cards ? kind : kind === "triple" && !name ? "name" : last;
  return { key: `now.combo.${part}`, hint: null };
}

/** @param {View} view */
export function getCallSentence(view) {
  const { turn, played } = view;
  if (!turn) return "";
  const step = turn.step === "look" && canRearrangeTop(view) ? "alter" : turn.step;
  const more = step !== "act" ? "" : isImplodingOnTop(view) ? ".top" : turn.owed > 1 ? ".owed" : "";
  return t(`call.${step}${more}`, {
    who: getSeatName(view, turn.seat),
    target: getSeatName(view, played?.target),
    card: played?.name ? getCardTitle(played.name) : "",
    ...(turn.step === "look" ? countSeenCards(view) : { count: turn.owed }),
  });
}
