/**
 * How a card's place is spoken, from its owner's side (ruling as-the-drawer-sees-it):
 * the row, then the place among the cards still in that row, from the nearer end.
 * The server says the same in the table's language; whatever speaks of a place in the viewer's
 * own, from the now-line to the log, does it here.
 * @import { Cell, Grid, Lies } from "./types.js"
 */
import { t } from "../core/text.js";

/**
 * @typedef {{row: "one" | "top" | "middle" | "bottom" | "other", number: number,
 *   side: "only" | "middle" | "left" | "right", nth: number}} Place
 */

/**
 * @param {Grid | undefined} grid
 * @param {Cell} cell
 * @returns {Lies | null} null when the cell is empty
 */
export function lain(grid, [row, column]) {
  const held = (grid?.[row] ?? []).flatMap((face, at) => (face === null ? [] : [at]));
  const index = held.indexOf(column);
  return index < 0 ? null : { row, rows: grid?.length ?? 0, index, count: held.length };
}

/** @param {Lies} lies @returns {Place} */
export function place({ row, rows, index, count }) {
  const right = count - 1 - index;
  const side = count === 1 ? "only" : index === right ? "middle" : index < right ? "left" : "right";
  return { row: rowOf(row, rows), number: row + 1, side, nth: Math.min(index, right) + 1 };
}

/** @returns {Place["row"]} */
function rowOf(/** @type {number} */ row, /** @type {number} */ rows) {
  if (rows === 1) return "one";
  if (row === 0) return "top";
  if (row === rows - 1) return "bottom";
  return rows === 3 ? "middle" : "other";
}

/**
 * The place in words; `theirs` speaks about the owner instead of to them.
 * @param {Grid} grid
 * @param {Cell} cell
 * @param {boolean} [theirs]
 */
export function spoken(grid, cell, theirs = false) {
  const lies = lain(grid, cell);
  return lies ? named(lies, theirs) : t("place.empty", { row: cell[0] + 1, column: cell[1] + 1 });
}

/** Where a card lies among those still in its row, in words. @param {Lies} lies @param {boolean} [theirs] */
export function named(lies, theirs = false) {
  const found = place(lies);
  const row = t(`place.row.${found.row}`, { number: found.number });
  const ordinal = found.nth <= 3 ? t(`place.nth.${found.nth}`) : t("place.nth", { n: found.nth });
  const turned = found.side === "left" || found.side === "right";
  const within = t(`place.${found.side}${turned && theirs ? ".theirs" : ""}`, { ordinal });
  return t("place", { row, within });
}
