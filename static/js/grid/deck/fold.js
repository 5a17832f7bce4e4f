/**
 * Computes the cards of a seat's device deck from its secret and the table's log. So the deck can
 * be restored after a reload or on another device, and an undo needs no code of its own. This
 * module checks no rules.
 * @import { Entry } from "../../core/types.js"
 * @import { Cards, Cell, Pack } from "../types.js"
 */
import { isSameCell } from "../state.js";
import {
  dealCards,
  drawCard,
  discardCard,
  getCardAt,
  putKittenBack,
  sealCell,
  shuffleGrid,
} from "../fair.js";
import { seeCard, shuffleIn, startUnseen } from "./chances.js";

/**
 * The cards of a deck, and what its player knows of the grid.
 * @typedef {Cards & {
 *   learned: Cards["grid"],
 *   arranged: number,
 *   unseen: import("./chances.js").Unseen,
 * }} KnownDeck
 *   learned: the cards that the player has seen since the grid was last arranged, in the cells where
 *   they lay then, including those drawn since; arranged: the version at which it was arranged
 */

/**
 * A deck. `seen` lists the cells of the grid whose cards the player has seen.
 * @typedef {KnownDeck & {seen: Cell[]}} OwnDeck
 */

/** @typedef {{pack: Pack, secret: string, seat: string}} Owner */

/**
 * Functions that return the deck after an event, by event type.
 * @type {Record<string, (kept: KnownDeck, entry: Entry, owner: Owner) => KnownDeck>}
 */
const AFTER = {
  card_played: (kept, { facts }) => ({ ...kept, ...discardCard(kept, facts.card) }),
  nope_played: (kept, { facts }) => ({ ...kept, ...discardCard(kept, facts.nope) }),
  looked: (kept, { facts }) => learnCard(kept, facts.cell),
  card_revealed: (kept, { facts }) => learnCard(kept, facts.cell),
  kitten_shown: (kept, { facts }) => learnCard(kept, facts.cell),
  card_drawn: (kept, { facts }) => ({
    ...learnCard(kept, facts.cell),
    ...drawCard(kept, facts.cell),
  }),
  grid_shuffled: (kept, { facts, version }, { secret }) => ({
    ...kept,
    ...shuffleGrid(kept, secret, facts.salt ?? "", facts.cells),
    learned: [],
    arranged: version,
    unseen: shuffleIn(
      kept.unseen,
      getSeenCards(kept).map(({ card }) => card),
    ),
  }),
  kitten_defused(kept, entry, { pack, secret }) {
    const { card, cells, salt = "", still } = entry.facts;
    const kitten = { card: pack.kitten, cell: findKittenCell(secret, entry) };
    const after = putKittenBack(discardCard(kept, card), secret, salt, cells, kitten, still);
    const others = getSeenCards(kept).filter((one) => one.card !== kitten.card);
    const deck = { ...kept, ...after, arranged: entry.version };
    if (still) return { ...deck, learned: learnAfterSwap(kept, others, kitten) };
    const unseen = shuffleIn(
      kept.unseen,
      others.map((one) => one.card),
    );
    return { ...deck, learned: [kitten], unseen };
  },
};

/**
 * Returns the deck after its player saw the card in a cell.
 * @param {KnownDeck} kept
 * @param {Cell} cell
 * @returns {KnownDeck}
 */
function learnCard(kept, cell) {
  const card = getCardAt(kept, cell);
  if (card === null || kept.learned.some((one) => isSameCell(one.cell, cell))) return kept;
  return {
    ...kept,
    learned: [...kept.learned, { cell, card }],
    unseen: seeCard(kept.unseen, card),
  };
}

/** Returns the seen cards that still lie in the grid. @param {KnownDeck} kept */
const getSeenCards = (kept) => kept.learned.filter(({ cell }) => getCardAt(kept, cell) !== null);

/**
 * Returns the new value of `learned` after a Defuse without a shuffle. In such a Defuse, the Kitten
 * and one other card change places.
 * @param {KnownDeck} kept
 * @param {Cards["grid"]} others the seen cards without the Kitten
 * @param {{card: string, cell: Cell}} kitten
 */
function learnAfterSwap({ grid }, others, kitten) {
  const origin = grid.find(({ card }) => card === kitten.card)?.cell ?? kitten.cell;
  return [
    kitten,
    ...others.map((one) => (isSameCell(one.cell, kitten.cell) ? { ...one, cell: origin } : one)),
  ];
}

/**
 * Returns the deck to which an undo leads. Its player still knows the cards that they saw before the
 * undo, as long as these lie in the same places.
 * @param {KnownDeck} restored
 * @param {KnownDeck} undone
 * @returns {KnownDeck}
 */
const keepLearned = (restored, undone) =>
  restored.arranged === undone.arranged
    ? undone.learned.reduce((kept, { cell }) => learnCard(kept, cell), restored)
    : restored;

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
 * @param {Owner} owner
 * @param {Entry[]} log oldest first, at least from the newest game's beginning on
 * @returns {OwnDeck | null} null if no game has begun
 */
export function computeDeck(owner, log) {
  const { pack, secret, seat } = owner;
  const began = log.findLast((entry) => entry.type === "game_began");
  if (!began) return null;
  const cards = dealCards(pack, secret, began.facts.salt ?? "");
  /** @type {KnownDeck} */
  let kept = {
    ...cards,
    learned: [],
    arranged: began.version,
    unseen: startUnseen(pack, cards.hand),
  };
  /** The deck before each of the seat's events that weren't undone. */
  const before = [];
  for (const entry of log) {
    const { type, version, facts } = entry;
    if (version <= began.version) continue;
    if (type === "undone") {
      const first = before.findIndex((one) => one.version >= facts.version);
      if (first >= 0) kept = keepLearned(before.splice(first)[0].deck, kept);
    } else if (entry.seat === seat && Object.hasOwn(AFTER, type)) {
      before.push({ version, deck: kept });
      kept = AFTER[type](kept, entry, owner);
    }
  }
  return { ...kept, seen: getSeenCards(kept).map(({ cell }) => cell) };
}
