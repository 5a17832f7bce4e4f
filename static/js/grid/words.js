/**
 * What sentences say of places in draw grids: at the now-line, in the log, in refusals, to those who don't see.
 * @import { Controller } from "../core/controller.js"
 * @import { Facts } from "../core/types.js"
 * @import { Cell, Lies, View } from "./types.js"
 */
import { html } from "../core/lit.js";
import { seatOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { filled, same, viewOf } from "./cells.js";
import { lain, named, spoken } from "./place.js";

/** The told place, or the one that a Favor turned up, in the viewer's language. @param {Controller} ctrl */
export function facts(ctrl) {
  const words = place(ctrl);
  return { place: words ? html`<strong class="place">${words}</strong>` : "" };
}

/** @param {Controller} ctrl @returns {string} */
function place(ctrl) {
  const view = viewOf(ctrl);
  const played = view?.played;
  const aimed = played?.target && played.cell;
  const owner = aimed ? played.target : view?.turn?.seat;
  const cell = aimed ? played.cell : view?.turn?.told;
  const seat = view && seatOf(view, owner);
  return seat && cell ? spoken(seat.grid, cell, owner !== ctrl.me) : "";
}

/**
 * A cell in a sentence of the log or of a refusal, spoken to its owner or about them.
 * @param {string} key
 * @param {Cell} value
 * @param {Facts & {place?: Lies}} facts
 * @param {View} view
 */
export function word(key, value, facts, view) {
  if (key !== "cell" && key !== "told") return undefined;
  const owner = /** @type {string | undefined} */ (
    (key === "told" ? facts.turn : facts.target) ?? facts.seat
  );
  const theirs = !owner || owner !== view.you?.seat;
  const lies = (key === "cell" && facts.place) || lain(seatOf(view, owner)?.grid, value);
  return lies ? named(lies, theirs) : t("cell.spot", { row: value[0] + 1, column: value[1] + 1 });
}

/** Which card was moved where, while its owner says where they lie. @param {Cell[]} before @param {Cell[]} after @param {View} view */
export function moved(before, after, view) {
  const there = after.find((cell) => !before.some((one) => same(one, cell)));
  const [row, column] = there ?? before.find((cell) => !after.some((one) => same(one, cell))) ?? [];
  if (row === undefined || column === undefined) return "";
  const count = filled(seatOf(view, view.turn?.seat)).length - after.length;
  return `${t(there ? "aria.laid" : "aria.lifted", { row: row + 1, column: column + 1 })} ${count > 0 ? t("dock.lay", { count }) : ""}`.trim();
}
