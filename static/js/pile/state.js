/**
 * What the panel knows, as a table with one pile has it; what of the variant's data the pictures
 * need; and what sentences say of the pile's places, of combos and of what is arranged. It decides no
 * rule.
 * @import { Controller } from "../core/controller.js"
 * @import { Command, Facts } from "../core/types.js"
 * @import { Draft, Played, View } from "./types.js"
 */
import { deck, cardWithEffect, title } from "../core/deck.js";
import { allowedCommands, commandTag } from "../core/moves.js";
import { hasWords, joinNames, t } from "../core/text.js";

/** @param {Controller} ctrl */
export const viewOf = (ctrl) => /** @type {View} */ (ctrl.view);

/** @param {Controller} ctrl @returns {Draft | null} */
export const draftOf = (ctrl) => ctrl.draft;

/** @param {Controller} ctrl @param {Draft | null} draft */
export const arrange = (ctrl, draft) => ctrl.set({ draft });

/**
 * What the viewer may say now, of this type.
 * @param {Controller} ctrl
 * @param {string} [type]
 * @returns {Command[]}
 */
export const mine = (ctrl, type) => allowedCommands(viewOf(ctrl), ctrl.as, type);

/** What a card does. @param {string | null | undefined} card */
export const effectOf = (card) => deck().find(({ id }) => id === card)?.effect;

/** Whether the box has what the example is a turn of. */
export const canAttack = () =>
  ["attack", "see", "shuffle"].every((effect) => deck().some((card) => card.effect === effect));

/** Whether several cards were laid as one. @param {Played} played */
export const isCombo = ({ cards, kind }) => cards.length > 1 || cards[0] !== kind;

/** Whether what was played lets its player arrange what they see. @param {View} view */
export const lookAlters = (view) => effectOf(view.played?.kind) === "alter";

/** Every title but the Kitten. @returns {string[]} */
export const titles = () =>
  deck()
    .map(({ id }) => id)
    .filter((id) => id !== cardWithEffect("kitten"));

/** The odds of the pile's ends, with what the viewer noted for themselves. @param {View} view */
export const ends = (view) => ({
  top: view.you?.odds?.top ?? view.pile?.top,
  bottom: view.you?.odds?.bottom ?? view.pile?.bottom,
});

/** How many of each. @param {string[]} cards @returns {Map<string, number>} */
export function countCards(cards) {
  const found = new Map();
  for (const card of cards) found.set(card, (found.get(card) ?? 0) + 1);
  return found;
}

/**
 * Touches the card and says at once what it was: the second command follows when it may.
 * @param {Controller} ctrl
 * @param {Command} draw
 * @param {"safe" | "kitten"} outcome
 */
export function drew(ctrl, draw, outcome) {
  const number = viewOf(ctrl).turn?.number;
  ctrl.follow = (view) => {
    if (view.turn?.number !== number) return null;
    if (view.turn?.step === "act") return undefined;
    return allowedCommands(view, ctrl.as, "report").find((one) => one.outcome === outcome) ?? null;
  };
  // Whoever has just touched the pile waits for no second answer.
  if (ctrl.pending.has(commandTag(draw))) return;
  ctrl.send(draw).then((answer) => {
    if (!answer?.ok) ctrl.follow = null;
  });
}

/**
 * A place in the pile, counted from the top.
 * @param {number} at
 * @param {number} [cards] in the pile, where its last place has a name
 */
export function place(at, cards = 0) {
  if (at === 1) return t("place.top");
  return at === cards ? t("place.bottom") : t("place.nth", { n: at });
}

/**
 * A fact of the log or of a refusal that only these games have.
 * @param {string} key
 * @param {any} value
 * @param {Facts} facts
 * @param {View} view
 */
export function word(key, value, facts, view) {
  if (key === "place") return place(value, Number(facts.cards ?? view.pile?.cards));
  if ((key === "kind" || key === "card") && hasWords(`kind.${value}`)) return t(`kind.${value}`);
  if (key === "name" && typeof value === "string" && facts.kind) return title(value);
  // Of a combo its kind says how many.
  if (key === "cards" && Array.isArray(value))
    return joinNames((facts.kind ? [...new Set(value)] : value).map(title));
  return undefined;
}

/**
 * What changed while the viewer puts something together.
 * @param {Draft} before
 * @param {Draft} after
 * @param {View} _view
 */
export function describeDraftMove(before, after, _view) {
  const [one, other] = [before.saw, after.saw];
  if (other && one?.every(Boolean) && other.every(Boolean))
    return t("aria.order", { cards: joinNames(other.map((card) => title(String(card)))) });
  if (after.told && before.told) return t("aria.count", { count: after.told.length });
  if (after.kind === "five" && before.cards)
    return t("aria.count", { count: after.cards?.length ?? 0 });
  if (after.place && before.place !== after.place) return place(after.place);
  return "";
}
