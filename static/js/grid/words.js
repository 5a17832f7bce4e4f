/**
 * Describes cells of draw grids in words. The position of a card is described from its owner's
 * point of view (ruling as-the-drawer-sees-it): first the row, then the position among the cards
 * that are left in the row, counted from the nearer end.
 */
import { html } from "../core/lit.js";
import { findSeat } from "../core/moves.js";
import { t } from "../core/text.js";
import { getOccupiedCells, isSameCell, getView } from "./state.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Facts } from "../core/types.js" */
/** @import { Cell, Grid, RowPlace, View } from "./types.js" */

/**
 * Returns the values for the placeholders of the now-line (the sentence about the next action).
 * `place` describes the position of the card that a Favor targets or that the player was told to
 * draw, and is empty if there is no such card.
 * @param {Controller} ctrl
 */
export function getSentenceFacts(ctrl) {
  const position = describeNamedPlace(ctrl);
  return { place: position ? html`<strong class="place">${position}</strong>` : "" };
}

/** @param {Controller} ctrl @returns {string} */
function describeNamedPlace(ctrl) {
  const view = getView(ctrl);
  const played = view?.played;
  const targetCell = played?.target && played.cell;
  const owner = targetCell ? played.target : view?.turn?.seat;
  const cell = targetCell ? played.cell : view?.turn?.told;
  const seat = view && findSeat(view, owner);
  return seat && cell ? describeCell(seat.grid, cell, owner !== ctrl.me) : "";
}

/**
 * Describes a cell that a log entry or a refusal mentions, as the text for the sentence's
 * placeholder `{cell}` or `{told}`. Returns undefined for any other placeholder.
 * @param {string} key
 * @param {Cell} value
 * @param {Facts & {place?: RowPlace}} facts
 * @param {View} view
 */
export function formatCellFact(key, value, facts, view) {
  if (key !== "cell" && key !== "told") return undefined;
  const owner = /** @type {string | undefined} */ (
    (key === "told" ? facts.turn : facts.target) ?? facts.seat
  );
  const theirs = !owner || owner !== view.you?.seat;
  const lies = (key === "cell" && facts.place) || getPlaceInRow(findSeat(view, owner)?.grid, value);
  return lies
    ? describePlace(lies, theirs)
    : t("cell.spot", { row: value[0] + 1, column: value[1] + 1 });
}

/**
 * Describes for screen readers which cell was filled or emptied, while the player rearranges a
 * grid. While the player of a device deck chooses the Kitten's cell, the pressed button says enough.
 * @param {Cell[] | object} before
 * @param {Cell[] | object} after
 * @param {View} view
 */
export function describeDraftChange(before, after, view) {
  if (!Array.isArray(before) || !Array.isArray(after)) return "";
  const filledCell = after.find((cell) => !before.some((one) => isSameCell(one, cell)));
  const [row, column] =
    filledCell ?? before.find((cell) => !after.some((one) => isSameCell(one, cell))) ?? [];
  if (row === undefined || column === undefined) return "";
  const count = getOccupiedCells(findSeat(view, view.turn?.seat)).length - after.length;
  const sentence = t(filledCell ? "aria.laid" : "aria.lifted", {
    row: row + 1,
    column: column + 1,
  });
  return count > 0 ? `${sentence} ${t("dock.lay", { count })}` : sentence;
}

/**
 * @typedef {{row: "one" | "top" | "middle" | "bottom" | "other", number: number,
 *   side: "only" | "middle" | "left" | "right", nth: number}} Place
 */

/**
 * @param {Grid | undefined} grid
 * @param {Cell} cell
 * @returns {RowPlace | null} null when the cell is empty
 */
export function getPlaceInRow(grid, [row, column]) {
  const heldIndices = (grid?.[row] ?? []).flatMap((face, at) => (face === null ? [] : [at]));
  const index = heldIndices.indexOf(column);
  return index < 0 ? null : { row, rows: grid?.length ?? 0, index, count: heldIndices.length };
}

/** @param {RowPlace} lies @returns {Place} */
function classifyPlace({ row, rows, index, count }) {
  const right = count - 1 - index;
  const side = count === 1 ? "only" : index === right ? "middle" : index < right ? "left" : "right";
  return { row: classifyRow(row, rows), number: row + 1, side, nth: Math.min(index, right) + 1 };
}

/** @returns {Place["row"]} */
function classifyRow(/** @type {number} */ row, /** @type {number} */ rows) {
  if (rows === 1) return "one";
  if (row === 0) return "top";
  if (row === rows - 1) return "bottom";
  return rows === 3 ? "middle" : "other";
}

/**
 * Describes the position of a cell, addressing its owner. If `theirs` is true, addresses the other
 * players ("their left").
 * @param {Grid} grid
 * @param {Cell} cell
 * @param {boolean} [theirs]
 */
export function describeCell(grid, cell, theirs = false) {
  const lies = getPlaceInRow(grid, cell);
  return lies
    ? describePlace(lies, theirs)
    : t("place.empty", { row: cell[0] + 1, column: cell[1] + 1 });
}

/**
 * Describes the position of a card among the cards left in its row.
 * @param {RowPlace} lies
 * @param {boolean} [theirs]
 */
function describePlace(lies, theirs = false) {
  const position = classifyPlace(lies);
  const row = t(`place.row.${position.row}`, { number: position.number });
  const ordinal =
    position.nth <= 3 ? t(`place.nth.${position.nth}`) : t("place.nth", { n: position.nth });
  const isSide = position.side === "left" || position.side === "right";
  const within = t(`place.${position.side}${isSide && theirs ? ".theirs" : ""}`, { ordinal });
  return t("place", { row, within });
}
