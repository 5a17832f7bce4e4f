/**
 * The cards of the table's variant: their titles, effects and numbers. All look-ups of cards are here;
 * the rest of the panel knows a card by its id on the wire, or by its effect.
 */
import { currentLanguage, setTitleLookup, setRenamedTitles } from "./text.js";
import { valueAt } from "./value.js";

/** @typedef {{id: string, count: number, effect: string, face?: string}} Card */

/** @type {any} */
let variant = null;

/** Makes this variant the panel's. @param {any} loaded */
export function useVariant(loaded) {
  variant = loaded;
}

/** Returns the cards of a player's deck. @returns {Card[]} */
export const deck = () => variant?.cards ?? [];

/** Returns the cards that are in this game; house rules may leave some out. @returns {Card[]} */
export const cardsInGame = () => deck().filter(({ count }) => count !== 0);

/** Returns the id of the first card with this effect. @param {string} effect */
export const cardWithEffect = (effect) =>
  deck().find((card) => card.effect === effect)?.id ?? effect;

/**
 * Returns the name of a card's picture and colours: the face that the variant names, else the card's
 * effect.
 * @param {string | null | undefined} card
 */
export function pictureOf(card) {
  const found = deck().find(({ id }) => id === card);
  return found?.face ?? found?.effect ?? "unknown";
}

/**
 * Returns a card's title in the viewer's language, else in the variant's.
 * @param {string} card
 * @returns {string}
 */
export function title(card) {
  const titleIn = (/** @type {string} */ language) =>
    valueAt(variant?.texts[language]?.cards, card)?.title ??
    valueAt(variant?.texts[language]?.elsewhere, card);
  return titleIn(currentLanguage()) ?? titleIn(variant?.language) ?? card.replaceAll("_", " ");
}

setTitleLookup((effect) => title(cardWithEffect(effect)));
setRenamedTitles(() => variant?.texts?.[currentLanguage()]?.renames);

/** Returns the class that sets a card's colours. @param {string | null | undefined} card */
export const hueClass = (card) => `hue-${pictureOf(card)}`;

/** Returns the variant's whole document. */
export const currentVariant = () => variant;
