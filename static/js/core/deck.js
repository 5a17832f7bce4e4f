/**
 * The cards of the table's variant: their titles, their effects, and the number of copies of each.
 * Only this module looks cards up. Other modules identify a card by its id on the wire, or by its
 * effect.
 */
import { getLanguage, setTitleLookup, setRenamedTitles } from "./text.js";
import { getOwnValue } from "./value.js";

/** @typedef {{id: string, count: number, effect: string, face?: string}} Card */

/** @type {any} */
let variant = null;

/** Sets the variant of the panel's table. @param {any} loaded */
export function setVariant(loaded) {
  variant = loaded;
}

/** Returns all cards of the variant. @returns {Card[]} */
export const getAllCards = () => variant?.cards ?? [];

/**
 * Returns the cards of this game: the variant's cards except those that house rules leave out.
 * @returns {Card[]}
 */
export const getCardsInGame = () => getAllCards().filter(({ count }) => count !== 0);

/** Returns the id of the first card with this effect. @param {string} effect */
export const findCardWithEffect = (effect) =>
  getAllCards().find((card) => card.effect === effect)?.id ?? effect;

/**
 * Returns the name of a card's face, which selects its picture and colours. The variant may name a
 * face; otherwise it is the card's effect.
 * @param {string | null | undefined} card
 */
export function getPictureName(card) {
  const entry = getAllCards().find(({ id }) => id === card);
  return entry?.face ?? entry?.effect ?? "unknown";
}

/**
 * Returns a card's title in the viewer's language. If it isn't translated, returns the title in the
 * variant's language.
 * @param {string} card
 * @returns {string}
 */
export function getCardTitle(card) {
  const findTitleIn = (/** @type {string} */ language) =>
    getOwnValue(variant?.texts[language]?.cards, card)?.title ??
    getOwnValue(variant?.texts[language]?.elsewhere, card);
  return findTitleIn(getLanguage()) ?? findTitleIn(variant?.language) ?? card.replaceAll("_", " ");
}

setTitleLookup((effect) => getCardTitle(findCardWithEffect(effect)));
setRenamedTitles(() => variant?.texts?.[getLanguage()]?.renames);

/** Returns the CSS class that sets a card's colours. @param {string | null | undefined} card */
export const getHueClass = (card) => `hue-${getPictureName(card)}`;

/** Returns the variant's whole document. */
export const getVariant = () => variant;
