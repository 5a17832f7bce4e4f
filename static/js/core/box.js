/**
 * What a box of cards is good for: how many decks it holds, what to take and what stays in
 * it. Pure counting of what the variant says of its editions; it must not know any title.
 */
import { valueAt } from "./value.js";

/** @typedef {{id: string, cards: number, titles: Record<string, number>}} Edition */
/** @typedef {{id: string, count: number}} Card */
/** @typedef {{id: string, take: number, of: number}} Take */
/** @typedef {{id: string, count: number}} Rest */

/** How many decks a box holds. @param {Edition} edition @param {readonly Card[]} deck */
export const decksIn = (edition, deck) =>
  Math.min(...deck.map(({ id, count }) => Math.floor((valueAt(edition.titles, id) ?? 0) / count)));

/**
 * What to take from a box for so many decks, title by title as the deck has them.
 * @param {Edition} edition
 * @param {readonly Card[]} deck
 * @param {number} decks
 * @returns {Take[]}
 */
export const taken = (edition, deck, decks) =>
  deck.map(({ id, count }) => ({ id, take: count * decks, of: valueAt(edition.titles, id) ?? 0 }));

/**
 * What then stays in the box, the most first.
 * @param {Edition} edition
 * @param {readonly Card[]} deck
 * @param {number} decks
 * @returns {Rest[]}
 */
export function left(edition, deck, decks) {
  const used = new Map(taken(edition, deck, decks).map(({ id, take }) => [id, take]));
  return Object.entries(edition.titles)
    .map(([id, count]) => ({ id, count: count - (used.get(id) ?? 0) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
}
