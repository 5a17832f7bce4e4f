/**
 * Finds the scene (a short moving picture) that belongs to a change on a draw grid: a drawn card, or
 * a card of the device's deck that its player looks at.
 */
import { isSameCell } from "./state.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Change, Entry, Scene } from "../core/types.js" */
/** @import { Cards, Cell, View } from "./types.js" */

/**
 * Returns the scene for a change, or null if there is none. Shows a card of the device's deck only
 * to its own player.
 * @param {Controller} ctrl
 * @param {Change} change
 * @returns {Scene | null}
 */
export function findScene(ctrl, { before, entries, deckBefore }) {
  const entry = entries.findLast(({ type }) => Object.hasOwn(FINDERS, type));
  if (!entry?.seat) return null;
  const cell = /** @type {Cell} */ (entry.facts.cell);
  const seat = /** @type {View} */ (before).seats.find((one) => one.seat === entry.seat);
  const known = (seat?.grid[cell[0]]?.[cell[1]] ?? "down") !== "down";
  const isOwnDeck = entry.seat === ctrl.me && ctrl.deviceDeck?.hand;
  /** @type {Cards["grid"]} */
  const ownCards = (isOwnDeck && deckBefore?.grid) || [];
  const card = ownCards.find((one) => isSameCell(one.cell, cell))?.card;
  const covered = !ctrl.prefs.bare && !known;
  const from = [
    `:is(.stage, .screen) [data-grid=${JSON.stringify(entry.seat)}]`,
    `[data-cell=${JSON.stringify(cell.join())}]`,
  ].join(" ");
  return FINDERS[entry.type]?.(entry, { seat: entry.seat, from, known, card, covered }) ?? null;
}

/**
 * @typedef {{seat: string, from: string, known: boolean, card: string | undefined,
 *   covered: boolean}} Place `card`: the card, if this device has dealt it
 */

/**
 * Functions that return the scene for an event, by event type.
 * @type {Record<string, (entry: Entry, place: Place) => Scene | null>}
 */
const FINDERS = {
  card_drawn({ facts }, { card, covered, ...place }) {
    const tile = `:is(.tile, .screen-tile)[data-seat=${JSON.stringify(place.seat)}]`;
    if (!card) return { ...place, kind: "phew", card: facts.card, to: [tile] };
    const name = JSON.stringify(card);
    const to = [`.kept [data-play=${name}]`, `.kept [data-held=${name}]`, ".uncover", tile];
    return { ...place, kind: "draw", card: covered ? null : card, drawn: card, covered, to };
  },
  kitten_shown: ({ facts }, { seat, from, known }) => ({
    kind: "kitten",
    seat,
    from,
    known,
    card: facts.kitten,
  }),
  looked: (_entry, { card, ...place }) =>
    card ? { ...place, kind: "look", card, to: [place.from] } : null,
};
