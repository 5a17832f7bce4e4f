/**
 * The cards of the table's variant: titles, what each does, how many there are. Only here is a
 * card looked up; the rest of the panel asks by the id that the wire named, or by an effect.
 */
import { currentLanguage, setTitleLookup, setRenamedTitles } from "./text.js";
import { valueAt } from "./value.js";

/** @typedef {{id: string, count: number, effect: string, face?: string}} Card */

/** @type {any} */
let variant = null;

/** Makes this variant the panel's. @param {any} learned */
export function useVariant(learned) {
  variant = learned;
}

/** A player's deck. @returns {Card[]} */
export const deck = () => variant?.cards ?? [];

/** The cards that are in this game: house rules may leave none of one. @returns {Card[]} */
export const cardsInGame = () => deck().filter(({ count }) => count !== 0);

/** The first title with this effect. @param {string} effect */
export const cardWithEffect = (effect) =>
  deck().find((card) => card.effect === effect)?.id ?? effect;

/**
 * Which picture and colours a card has: the face that its variant names, else its effect's.
 * @param {string | null | undefined} card
 */
export function pictureOf(card) {
  const found = deck().find(({ id }) => id === card);
  return found?.face ?? found?.effect ?? "unknown";
}

/** A title in the viewer's language, else in the variant's own. @param {string} card @returns {string} */
export function title(card) {
  const titleIn = (/** @type {string} */ language) =>
    valueAt(variant?.texts[language]?.cards, card)?.title ??
    valueAt(variant?.texts[language]?.elsewhere, card);
  return titleIn(currentLanguage()) ?? titleIn(variant?.language) ?? card.replaceAll("_", " ");
}

setTitleLookup((effect) => title(cardWithEffect(effect)));
setRenamedTitles(() => variant?.texts?.[currentLanguage()]?.renames);

/** The class that gives a card's colours. @param {string | null | undefined} card */
export const hueClass = (card) => `hue-${pictureOf(card)}`;

/** What else the variant says of itself, for its family. */
export const currentVariant = () => variant;
