/**
 * The lessons of games with one pile, and the moments at which they appear (see shell/lessons.js).
 * They explain what to do with the real cards and what to tap, and give tips from the rule sheet.
 */
import { html, nothing } from "../core/lit.js";
import { findAllowedCommands, getPlayableCards, findSeat } from "../core/moves.js";
import { resolvePath } from "../core/page.js";
import { t } from "../core/text.js";
import { createUndoneTest } from "../core/undone.js";
import { getOwnValue } from "../core/value.js";
import { placeInDock, renderLesson, getWindowLessons } from "../shell/lessons.js";
import { getAskedSeat } from "./now.js";
import { hasExampleCards, getEffect, canRearrangeTop } from "./state.js";

export { renderLessonsButton } from "../shell/lessons.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Moment } from "../shell/lessons.js" */
/** @import { Draft, View } from "./types.js" */

/**
 * The part of the panel's state on which lessons depend: the card that still needs a target, and
 * the draft (an unfinished command).
 */
/** @typedef {{aim?: string | null, draft?: Draft | null}} Shown */

/**
 * Functions that return the lessons for the player who has to act, by step.
 * @type {Record<string, (view: View, me: string) => string[]>}
 */
const STEPS = {
  act: getTurnLessons,
  look: (view) => [canRearrangeTop(view) ? "order" : "peek"],
  shuffle: () => ["riffle"],
  give: () => ["give"],
  take: () => ["take"],
  answer: () => ["answer"],
  pick: () => ["pick"],
  report: () => ["drew"],
  kitten: (view, me) => [findAllowedCommands(view, me, "defuse").length ? "slip" : "kitten"],
};

/**
 * Returns the lessons for a turn. If a tip fits the situation, it comes first.
 * @param {View} view
 * @param {string} me
 */
function getTurnLessons(view, me) {
  const plays = getPlayableCards(view, me);
  const knowingSeat =
    plays.some((card) => getEffect(card) === "shuffle") && findSeatThatKnowsTop(view);
  return [
    ...(knowingSeat ? [knowingSeat === me ? "mix" : "mix.other"] : []),
    ...((view.turn?.owed ?? 1) > 1 ? ["danger"] : []),
    "top",
    ...(plays.length ? ["play.table"] : []),
    ...(findAllowedCommands(view, me, "combo").some(({ kind }) => kind === "pair") ? ["pair"] : []),
    "danger",
    "keep",
    "save",
    "more",
  ];
}

/** @param {View} view @param {Shown} shown @returns {Moment} */
export function getMoment(view, shown) {
  const { turn, window } = view;
  return {
    key: [view.game, turn?.number, turn?.step, window?.id].join(),
    lessons: getLessons(view, shown),
  };
}

/** @param {View} view @param {Shown} shown @returns {string[]} */
function getLessons(view, { aim, draft }) {
  const me = view.you?.seat;
  if (!me || view.phase !== "play") return [];
  if (findSeat(view, me)?.alive === false) return ["out"];
  if (view.window)
    return getWindowLessons(
      view,
      me,
      getEffect(view.played?.kind) === "targeted_attack" ? "" : "wanted",
    );
  if (aim || draft) return [];
  const first = hasLostDefuse(view, me) ? ["keep"] : [];
  if (getAskedSeat(view) === me)
    return [...first, ...(getOwnValue(STEPS, view.turn?.step)?.(view, me) ?? [])];
  return first.length || !hasExampleCards() ? first : ["watch"];
}

/** Types of events that move cards or reveal something about them. */
const CARD_EVENTS = [
  "card_played",
  "combo_played",
  "card_given",
  "card_taken",
  "answered",
  "card_picked",
  "card_touched",
  "kitten_defused",
];
/** Types of events that change what players know about the top of the pile. */
const TOP_EVENTS = ["looked", "pile_shuffled", "card_drawn", "kitten_defused"];

/** Returns the last event of these types that was not undone. @param {View} view @param {string[]} types */
function findNewestEvent({ log }, types) {
  const isUndone = createUndoneTest(log);
  return log.findLast((entry) => types.includes(entry.type) && !isUndone(entry));
}

/**
 * Returns true if everybody has just seen a Defuse leave the viewer's hand.
 * @param {View} view
 * @param {string} me
 */
function hasLostDefuse(view, me) {
  const last = findNewestEvent(view, CARD_EVENTS);
  if (last?.seat !== me) return false;
  const { card, has } = last.facts;
  return last.type === "kitten_defused" || (has === true && getEffect(card) === "defuse");
}

/** Returns the seat that knows the top of the pile, or null. @param {View} view */
function findSeatThatKnowsTop(view) {
  const last = findNewestEvent(view, TOP_EVENTS);
  return last?.type === "looked" ? last.seat : null;
}

/**
 * Renders the lesson that invites the viewer to watch an example turn.
 * @param {Controller} ctrl @param {string} lesson
 */
const renderExampleLink = (ctrl, lesson) =>
  lesson === "watch"
    ? html`<a class="press plain small" data-do="example" target="_blank"
      href=${resolvePath(`/t/${ctrl.table}/replay/example`)}>${t("lessons.watch")}</a>`
    : nothing;

/**
 * The part of the page that contains the thing to tap, by lesson. For other lessons it is the
 * stage, the large middle part of the page.
 */
const PLACES = {
  ...placeInDock("top pair peek order riffle give take answer pick drew slip wanted"),
  "mix.other": "none",
  save: "none",
  more: "none",
  watch: "none",
};

/** Renders the current lesson. @param {Controller} ctrl */
export const renderCurrentLesson = (ctrl) =>
  renderLesson(ctrl, {
    moment: ({ view, aimedCard: aim, draft }) =>
      getMoment(/** @type {View} */ (view), { aim, draft }),
    at: PLACES,
    beside: renderExampleLink,
  });
