/** A seat in the chain: its grid, hand and discard pile at a glance. */
import { hue, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { art, badge } from "../shell/parts.js";
import { grid } from "./grid.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Seat } from "./types.js" */

/** @param {Controller} ctrl @param {Seat} seat @param {boolean} wide */
export const tile = (ctrl, seat, wide) =>
  html`${grid(ctrl, seat, { size: wide ? "wide" : "small", idle: true })}<span class="tile-side"><span class="count">${art("cards")}${seat.hand}</span>${pile(seat)}</span>`;

/** The top of the discard pile. @param {Seat} seat */
function pile(seat) {
  const top = seat.discard.at(-1);
  return top
    ? html`<span class="count pile-top ${hue(top)}">${badge(top)}${seat.discard.length}</span>`
    : nothing;
}

/** What lies face up in the grid. @param {Controller} _ctrl @param {Seat} seat */
export function describe(_ctrl, seat) {
  const up = seat.grid.flat().filter((face) => face && face !== "down");
  return up.length
    ? [t("seat.face-up", { cards: up.map((card) => title(String(card))).join(", ") })]
    : [];
}
