/**
 * Computes the cards of a seat's device deck from its secret and the table's log. So the deck can
 * be restored after a reload or on another device, and an undo needs no code of its own. This
 * module checks no rules.
 * @import { Entry } from "../../core/types.js"
 * @import { Cards, Cell, Pack } from "../types.js"
 */
import { isSameCell } from "../state.js";
import { dealCards, drawCard, discardCard, putKittenBack, sealCell, shuffleGrid } from "../fair.js";

/**
 * The cards of a deck, and the cells of the cards that the player has seen.
 * @typedef {Cards & {seen: Cell[]}} OwnDeck
 */

/** @typedef {{pack: Pack, secret: string, seat: string}} Owner */

/**
 * Functions that return the deck after an event, by event type.
 * @type {Record<string, (kept: OwnDeck, entry: Entry, owner: Owner) => OwnDeck>}
 */
const AFTER = {
  card_played: (kept, { facts }) => ({ ...kept, ...discardCard(kept, facts.card) }),
  nope_played: (kept, { facts }) => ({ ...kept, ...discardCard(kept, facts.nope) }),
  looked: (kept, { facts }) => ({ ...kept, seen: [...kept.seen, facts.cell] }),
  card_drawn: (kept, { facts }) => ({
    ...drawCard(kept, facts.cell),
    seen: kept.seen.filter((cell) => !isSameCell(cell, facts.cell)),
  }),
  grid_shuffled: (kept, { facts }, { secret }) => ({
    ...shuffleGrid(kept, secret, facts.salt ?? "", facts.cells),
    seen: [],
  }),
  kitten_defused(kept, entry, { pack, secret }) {
    const { card, cells, salt = "", still } = entry.facts;
    const kitten = { card: pack.kitten, cell: findKittenCell(secret, entry) };
    const after = putKittenBack(discardCard(kept, card), secret, salt, cells, kitten, still);
    return { ...after, seen: still ? updateSeenAfterSwap(kept, kitten) : [kitten.cell] };
  },
};

/**
 * Returns the seen cells after a Defuse without a shuffle, in which the Kitten and one other card
 * have changed places.
 * @param {OwnDeck} kept
 * @param {{card: string, cell: Cell}} kitten
 * @returns {Cell[]}
 */
function updateSeenAfterSwap({ grid, seen }, kitten) {
  const origin = grid.find(({ card }) => card === kitten.card)?.cell ?? kitten.cell;
  const others = seen.filter((cell) => !isSameCell(cell, origin));
  return [kitten.cell, ...others.map((cell) => (isSameCell(cell, kitten.cell) ? origin : cell))];
}

/**
 * Returns the cell in which the Kitten was hidden: the cell that matches the seal (a keyed hash of
 * the cell) in the event, or the first cell if none matches.
 * @param {string} secret
 * @param {Entry} entry
 * @returns {Cell}
 */
const findKittenCell = (secret, { version, facts }) =>
  facts.cells.find(
    (/** @type {Cell} */ cell) => sealCell(secret, version - 1, cell) === facts.hidden,
  ) ?? facts.cells[0];

/**
 * Returns the events that were not undone. Reads from the end, so that one pass is enough.
 * @param {Entry[]} game
 */
function removeUndone(game) {
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
 * @returns {OwnDeck | null} null if no game has begun
 */
export function computeDeck({ pack, secret, seat }, log) {
  const began = log.findLast((entry) => entry.type === "game_began");
  if (!began) return null;
  const first = { ...dealCards(pack, secret, began.facts.salt ?? ""), seen: [] };
  return removeUndone(log.filter((entry) => entry.version > began.version))
    .filter((entry) => entry.seat === seat)
    .reduce(
      (/** @type {OwnDeck} */ kept, entry) =>
        AFTER[entry.type]?.(kept, entry, { pack, secret, seat }) ?? kept,
      first,
    );
}
