/**
 * The deck of one seat, told from its secret and the table's log and from nothing else: so that
 * what is taken back is taken back here too, and a reload or another device needs the secret alone.
 * It must not know what is allowed.
 * @import { Entry } from "../../core/types.js"
 * @import { Cards, Cell, Pack } from "../types.js"
 */
import { same } from "../state.js";
import { dealt, drawn, left, putBack, sealed, stirred } from "../fair.js";

/** Its cards, and the cells whose card its player has seen. @typedef {Cards & {seen: Cell[]}} Kept */

/** @typedef {{pack: Pack, secret: string, seat: string}} Owner */

/**
 * Type of event → the deck after it.
 * @type {Record<string, (kept: Kept, entry: Entry, owner: Owner) => Kept>}
 */
const AFTER = {
  card_played: (kept, { facts }) => ({ ...kept, ...left(kept, facts.card) }),
  nope_played: (kept, { facts }) => ({ ...kept, ...left(kept, facts.nope) }),
  looked: (kept, { facts }) => ({ ...kept, seen: [...kept.seen, facts.cell] }),
  card_drawn: (kept, { facts }) => ({
    ...drawn(kept, facts.cell),
    seen: kept.seen.filter((cell) => !same(cell, facts.cell)),
  }),
  grid_shuffled: (kept, { facts }, { secret }) => ({
    ...stirred(kept, secret, facts.salt ?? "", facts.cells),
    seen: [],
  }),
  kitten_defused(kept, entry, { pack, secret }) {
    const { card, cells, salt = "" } = entry.facts;
    const kitten = { card: pack.kitten, cell: hiddenAt(secret, entry) };
    return { ...putBack(left(kept, card), secret, salt, cells, kitten), seen: [kitten.cell] };
  },
};

/**
 * Where the Kitten was put, by the seal that was made then.
 * @param {string} secret
 * @param {Entry} entry
 * @returns {Cell}
 */
const hiddenAt = (secret, { version, facts }) =>
  facts.cells.find(
    (/** @type {Cell} */ cell) => sealed(secret, version - 1, cell) === facts.hidden,
  ) ?? facts.cells[0];

/**
 * A game without what was taken back; read from its end, so that a long one takes no longer.
 * @param {Entry[]} game
 */
function standing(game) {
  let from = Number.POSITIVE_INFINITY;
  return game
    .toReversed()
    .filter(({ type, version, facts }) => {
      if (type === "undone") from = Math.min(from, facts.version);
      return version < from;
    })
    .reverse();
}

/**
 * @param {Owner} owner
 * @param {Entry[]} log oldest first, at least from the newest game's beginning on
 * @returns {Kept | null} null: no game has begun
 */
export function deckAfter({ pack, secret, seat }, log) {
  const began = log.findLast((entry) => entry.type === "game_began");
  if (!began) return null;
  const first = { ...dealt(pack, secret, began.facts.salt ?? ""), seen: [] };
  return standing(log.filter((entry) => entry.version > began.version))
    .filter((entry) => entry.seat === seat)
    .reduce(
      (/** @type {Kept} */ kept, entry) =>
        AFTER[entry.type]?.(kept, entry, { pack, secret, seat }) ?? kept,
      first,
    );
}
