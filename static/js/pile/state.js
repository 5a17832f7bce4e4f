/**
 * What the panel knows, as a table with one pile has it; and what of the variant's data the
 * pictures need. It decides no rule.
 * @import { Controller } from "../core/controller.js"
 * @import { Command } from "../core/types.js"
 * @import { Draft, Played, View } from "./types.js"
 */
import { deck, doing } from "../core/deck.js";
import { may, tag } from "../core/moves.js";

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
export const mine = (ctrl, type) => may(viewOf(ctrl), ctrl.as, type);

/** What a card does. @param {string | null | undefined} card */
export const effectOf = (card) => deck().find(({ id }) => id === card)?.effect;

/** Whether several cards were laid as one. @param {Played} played */
export const isCombo = ({ cards, kind }) => cards.length > 1 || cards[0] !== kind;

/** Whether what was played lets its player arrange what they see. @param {View} view */
export const lookAlters = (view) => effectOf(view.played?.kind) === "alter";

/** Every title but the Kitten. @returns {string[]} */
export const titles = () =>
  deck()
    .map(({ id }) => id)
    .filter((id) => id !== doing("kitten"));

/** The odds of the pile's ends, with what the viewer noted for themselves. @param {View} view */
export const ends = (view) => ({
  top: view.you?.odds?.top ?? view.pile?.top,
  bottom: view.you?.odds?.bottom ?? view.pile?.bottom,
});

/** How many of each. @param {string[]} cards @returns {Map<string, number>} */
export function counted(cards) {
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
    return may(view, ctrl.as, "report").find((one) => one.outcome === outcome) ?? null;
  };
  // Whoever has just touched the pile waits for no second answer.
  if (ctrl.pending.has(tag(draw))) return;
  ctrl.say(draw).then((answer) => {
    if (!answer?.ok) ctrl.follow = null;
  });
}
