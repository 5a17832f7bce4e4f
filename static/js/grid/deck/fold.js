/**
 * The deck of one seat, told from its secret and the table's log and from nothing else: so that
 * what is taken back is taken back here too, and a reload or another device needs the secret alone.
 * It must not know what is allowed.
 * @import { Entry } from "../../core/types.js"
 * @import { Cards, Cell, Pack } from "../types.js"
 */
import { same } from "../state.js";
import { deal, draw, discard, putBack, seal, shuffleGrid } from "../fair.js";

/** Its cards, and the cells whose card its player has seen. @typedef {Cards & {seen: Cell[]}} Kept */

/** @typedef {{pack: Pack, secret: string, seat: string}} Owner */

/**
 * Type of event → the deck after it.
 * @type {Record<string, (kept: Kept, entry: Entry, owner: Owner) => Kept>}
 */
const AFTER = {
  card_played: (kept, { facts }) => ({ ...kept, ...discard(kept, facts.card) }),
  nope_played: (kept, { facts }) => ({ ...kept, ...discard(kept, facts.nope) }),
  looked: (kept, { facts }) => ({ ...kept, seen: [...kept.seen, facts.cell] }),
  card_drawn: (kept, { facts }) => ({
    ...draw(kept, facts.cell),
    seen: kept.seen.filter((cell) => !same(cell, facts.cell)),
  }),
  grid_shuffled: (kept, { facts }, { secret }) => ({
    ...shuffleGrid(kept, secret, facts.salt ?? "", facts.cells),
    seen: [],
  }),
  kitten_defused(kept, entry, { pack, secret }) {
    const { card, cells, salt = "", still } = entry.facts;
    const kitten = { card: pack.kitten, cell: hiddenAt(secret, entry) };
    const after = putBack(discard(kept, card), secret, salt, cells, kitten, still);
    return { ...after, seen: still ? stillSeen(kept, kitten) : [kitten.cell] };
  },
};

/**
 * What was seen lies where it lay, but for what changed places with the Kitten.
 * @param {Kept} kept
 * @param {{card: string, cell: Cell}} kitten
 * @returns {Cell[]}
 */
function stillSeen({ grid, seen }, kitten) {
  const origin = grid.find(({ card }) => card === kitten.card)?.cell ?? kitten.cell;
  const others = seen.filter((cell) => !same(cell, origin));
  return [kitten.cell, ...others.map((cell) => (same(cell, kitten.cell) ? origin : cell))];
}

/**
 * Where the Kitten was put, by the seal that was made then.
 * @param {string} secret
 * @param {Entry} entry
 * @returns {Cell}
 */
const hiddenAt = (secret, { version, facts }) =>
  facts.cells.find(
    (/** @type {Cell} */ cell) => seal(secret, version - 1, cell) === facts.hidden,
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
  const first = { ...deal(pack, secret, began.facts.salt ?? ""), seen: [] };
  return standing(log.filter((entry) => entry.version > began.version))
    .filter((entry) => entry.seat === seat)
    .reduce(
      (/** @type {Kept} */ kept, entry) =>
        AFTER[entry.type]?.(kept, entry, { pack, secret, seat }) ?? kept,
      first,
    );
}
