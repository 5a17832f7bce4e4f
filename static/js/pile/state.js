/**
 * Reads views and variants of games with one pile, and describes places in the pile, combos and
 * drafts. The allowed commands come from `you.may`; no rule is decided here.
 * @import { Controller } from "../core/controller.js"
 * @import { Command, Facts } from "../core/types.js"
 * @import { Draft, Played, View } from "./types.js"
 */
import { getAllCards, getCardTitle } from "../core/deck.js";
import { findAllowedCommands, getCommandTag } from "../core/moves.js";
import { hasSentence, joinNames, t } from "../core/text.js";

/** @param {Controller} ctrl */
export const getView = (ctrl) => /** @type {View} */ (ctrl.view);

/** @param {Controller} ctrl @returns {Draft | null} */
export const getDraft = (ctrl) => ctrl.draft;

/** @param {Controller} ctrl @param {Draft | null} draft */
export const setDraft = (ctrl, draft) => ctrl.set({ draft });

/**
 * Returns the commands of this type that the server allows for the seat that the panel acts for.
 * @param {Controller} ctrl
 * @param {string} [type]
 * @returns {Command[]}
 */
export const getAllowedCommands = (ctrl, type) => findAllowedCommands(getView(ctrl), ctrl.as, type);

/** Returns the effect of a card. @param {string | null | undefined} card */
export const getEffect = (card) => getAllCards().find(({ id }) => id === card)?.effect;

/** Returns true if the box contains the cards of the example turn. */
export const hasExampleCards = () =>
  ["attack", "see", "shuffle"].every((effect) =>
    getAllCards().some((card) => card.effect === effect),
  );

/** Returns true if the box contains an Imploding Kitten. */
export const hasImplodingKitten = () => getAllCards().some(({ effect }) => effect === "imploding");

/** Returns true if a combo was played. @param {Played} played */
export const isCombo = ({ cards, kind }) => cards.length > 1 || cards[0] !== kind;

/** Returns true if the player of the played card may rearrange the top cards. @param {View} view */
export const canRearrangeTop = (view) => getEffect(view.played?.kind) === "alter";

/** Maximum number of top cards that a player looks at (ruling see-three). */
const MOST_SEEN = 3;

/**
 * Returns the number of top cards that a player looks at. If the pile has fewer cards than usual,
 * they look at all of them (ruling fewer-than-three).
 * @param {View} view
 */
export const getSeenCount = ({ pile }) => Math.min(MOST_SEEN, pile?.cards || 1);

/** Returns the titles that can be in a hand: all except the Kittens. @returns {string[]} */
export const getTitles = () =>
  getAllCards()
    .filter(({ effect }) => effect !== "kitten" && effect !== "imploding")
    .map(({ id }) => id);

/**
 * Returns true if the Imploding Kitten lies face up on top of the pile, so that everybody sees it.
 * @param {View} view
 */
export const isImplodingOnTop = ({ pile }) => pile?.imploding === "top";

/**
 * Returns true if the Imploding Kitten lies face up in the pile. A player who draws it then is out.
 * @param {View} view
 */
export const isImplodingFaceUp = (view) => view.pile?.imploding === "up" || isImplodingOnTop(view);

/**
 * Returns the odds of the pile's two ends, taking the viewer's private notes into account.
 * @param {View} view
 */
export const getEndOdds = (view) => ({
  top: view.you?.odds?.top ?? view.pile?.top,
  bottom: view.you?.odds?.bottom ?? view.pile?.bottom,
});

/** Counts the cards of each title. @param {string[]} cards @returns {Map<string, number>} */
export function countCards(cards) {
  const counts = new Map();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return counts;
}

/**
 * Sends the command to draw a card. Reports the card as soon as the server allows a report, so that
 * one tap does both. If the report would put the player out at once, asks for confirmation first.
 * @param {Controller} ctrl
 * @param {Command} draw
 * @param {string} outcome "safe", "kitten" or "imploding"
 */
export function drawAndReport(ctrl, draw, outcome) {
  const number = getView(ctrl).turn?.number;
  ctrl.followUp = (view) => {
    if (view.turn?.number !== number) return null;
    if (view.turn?.step === "act") return undefined;
    const report = findAllowedCommands(view, ctrl.as, "report").find(
      (command) => command.outcome === outcome,
    );
    if (!report || outcome !== "imploding" || !isImplodingFaceUp(getView(ctrl)))
      return report ?? null;
    ctrl.askToConfirm(getCommandTag(report));
    return null;
  };
  // The draw was already sent, so this tap only changes which card will be reported.
  if (ctrl.pending.has(getCommandTag(draw))) return;
  ctrl.send(draw).then((answer) => {
    if (!answer?.ok) ctrl.followUp = null;
  });
}

/**
 * Describes the pile: its number of cards, and the Kittens among them.
 * @param {View} view
 */
export function describePile({ pile }) {
  const { cards = 0, kittens = 0, imploding } = pile ?? {};
  const words = t("pile.of", { count: cards, kittens });
  if (imploding === undefined || imploding === "shown") return words;
  return `${words}. ${t(`pile.imploding.${imploding ?? "gone"}`)}`;
}

/**
 * Describes a place in the pile. Place 1 is the top.
 * @param {number} at
 * @param {number} [cards] number of cards in the pile, if its last place is called the bottom
 */
export function describePlace(at, cards = 0) {
  if (at === 1) return t("place.top");
  return at === cards ? t("place.bottom") : t("place.nth", { n: at });
}

/**
 * Returns the text for a placeholder in the sentence of a log entry or a refusal. Returns undefined
 * for the placeholders that all families of games share.
 * @param {string} key
 * @param {any} value
 * @param {Facts} facts
 * @param {View} view
 */
export function describeFact(key, value, facts, view) {
  if (key === "place") return describePlace(value, Number(facts.cards ?? view.pile?.cards));
  if ((key === "kind" || key === "card") && hasSentence(`kind.${value}`)) return t(`kind.${value}`);
  if (key === "name" && typeof value === "string" && facts.kind) return getCardTitle(value);
  // The kind of combo already says how many cards there are, so each title is named once.
  if (key === "cards" && Array.isArray(value))
    return joinNames((facts.kind ? [...new Set(value)] : value).map(getCardTitle));
  return undefined;
}

/**
 * Describes for screen readers how the draft has changed.
 * @param {Draft} before
 * @param {Draft} after
 * @param {View} _view
 */
export function describeDraftMove(before, after, _view) {
  const [seenBefore, seenAfter] = [before.saw, after.saw];
  if (seenAfter && seenBefore?.every(Boolean) && seenAfter.every(Boolean))
    return t("aria.order", {
      cards: joinNames(seenAfter.map((card) => getCardTitle(String(card)))),
    });
  if (after.told && before.told) return t("aria.count", { count: after.told.length });
  if (after.kind === "five" && before.cards)
    return t("aria.count", { count: after.cards?.length ?? 0 });
  if (after.place && before.place !== after.place) return describePlace(after.place);
  return "";
}
