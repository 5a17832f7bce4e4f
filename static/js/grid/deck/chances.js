/**
 * Computes what a player can know of their own face-down cards if their device has shown them some
 * of the cards: the exact chances for each cell that the player hasn't seen. The server can't do
 * this, because it doesn't know what the device showed.
 *
 * The player knows every card of their hand, so fewer cases are needed than in
 * companion/rules/grid/deduction.py, which explains the method. A *case* says how many cards of
 * each title certainly lie unseen in the grid (`known`). All other unseen cards form the `pool`, of
 * which `free` cards lie in the grid, too, and the others were put away. Every arrangement of the
 * pool is equally likely.
 * @import { Pack } from "../types.js"
 */

/** @typedef {{known: number[], pool: number[], free: number, weight: number}} Case */

/** @typedef {{titles: string[], cases: Case[]}} Unseen the unseen cards of the grid */

/** @param {number[]} counts */
const sum = (counts) => counts.reduce((total, count) => total + count, 0);

/** @param {number[]} counts @param {number} at @param {number} by @returns {number[]} */
const addAt = (counts, at, by) => counts.map((count, index) => (index === at ? count + by : count));

/**
 * Returns what the player knows of the grid after the deal. The Kitten certainly lies in it.
 * @param {Pack} pack
 * @param {string[]} hand the dealt hand
 * @returns {Unseen}
 */
export function startUnseen(pack, hand) {
  const titles = [...new Set(pack.cards)];
  const count = (/** @type {string[]} */ cards) =>
    titles.map((title) => cards.filter((card) => card === title).length);
  const known = count([pack.kitten]);
  const held = count(hand);
  const pool = count(pack.cards).map((all, at) => all - (held[at] ?? 0) - (known[at] ?? 0));
  return { titles, cases: [{ known, pool, free: pack.cells.length - 1, weight: 1 }] };
}

/**
 * Returns what the player knows after having seen this card, which was one of the unseen cards. If
 * no case allows the card, returns the knowledge unchanged.
 * @param {Unseen} unseen
 * @param {string} card
 * @returns {Unseen}
 */
export function seeCard({ titles, cases }, card) {
  const at = titles.indexOf(card);
  const after = cases.flatMap(({ known, pool, free, weight }) => [
    { known: addAt(known, at, -1), pool, free, weight: weight * (known[at] ?? 0) },
    {
      known,
      pool: addAt(pool, at, -1),
      free: free - 1,
      weight: (weight * free * (pool[at] ?? 0)) / (sum(pool) || 1),
    },
  ]);
  const merged = mergeCases(after.filter(({ weight }) => weight > 0));
  return { titles, cases: merged.length ? merged : cases };
}

/**
 * Returns what the player knows after these seen cards were shuffled among the grid's unseen cards.
 * @param {Unseen} unseen
 * @param {string[]} cards
 * @returns {Unseen}
 */
export const shuffleIn = ({ titles, cases }, cards) => ({
  titles,
  cases: cases.map((one) => ({
    ...one,
    known: cards.reduce((known, card) => addAt(known, titles.indexOf(card), 1), one.known),
  })),
});

/**
 * For each title, returns the chance that a cell which the player hasn't seen holds a card of it.
 * @param {Unseen} unseen
 * @returns {Record<string, number>}
 */
export function computeChances({ titles, cases }) {
  const whole = sum(cases.map(({ weight }) => weight));
  return Object.fromEntries(
    titles.map((title, at) => [
      title,
      sum(
        cases.map(({ known, pool, free, weight }) => {
          const expected = (known[at] ?? 0) + (free * (pool[at] ?? 0)) / (sum(pool) || 1);
          return (weight / whole) * (expected / (sum(known) + free || 1));
        }),
      ),
    ]),
  );
}

/** Merges equal cases and adds up their weights. @param {Case[]} cases @returns {Case[]} */
function mergeCases(cases) {
  /** @type {Map<string, Case>} */
  const merged = new Map();
  for (const one of cases) {
    const key = `${one.known} ${one.pool}`;
    merged.set(key, { ...one, weight: one.weight + (merged.get(key)?.weight ?? 0) });
  }
  return [...merged.values()];
}
