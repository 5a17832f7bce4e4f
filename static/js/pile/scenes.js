/**
 * Finds the scene (a short moving picture) that belongs to a change at a table with one pile: a
 * drawn card.
 */

/** @import { Controller } from "../core/controller.js" */
/** @import { Change, Scene } from "../core/types.js" */

/**
 * Returns the scene for a change, or null if there is none.
 * @param {Controller} _ctrl
 * @param {Change} change
 * @returns {Scene | null}
 */
export function findScene(_ctrl, { entries }) {
  const entry = entries.findLast(({ type }) => type === "card_drawn" || type === "kitten_shown");
  if (!entry?.seat) return null;
  const place = { seat: entry.seat, from: ".heap > .card-art" };
  if (entry.type === "kitten_shown") return { ...place, kind: "kitten", card: entry.facts.kitten };
  const tile = `:is(.tile, .screen-tile)[data-seat=${JSON.stringify(entry.seat)}]`;
  return { ...place, kind: "phew", to: [tile] };
}
