/** One seat in full: its grid, its hand, its discard pile, and what the call can know of them. */
import { hue, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";
import { art, badge } from "../shell/parts.js";
import { seat as sheet } from "../shell/seat.js";
import { grid } from "./grid.js";
import { notes } from "./notes.js";
import { odds } from "./odds.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Seat } from "./types.js" */

/** @param {Controller} ctrl */
export const seat = (ctrl) =>
  sheet(ctrl, (found, mine) => cards(ctrl, /** @type {Seat} */ (found), mine));

/** @param {Controller} ctrl @param {Seat} found @param {boolean} mine */
const cards = (ctrl, found, mine) => html`${
  found.alive
    ? html`<div class="felt">${grid(ctrl, found, { size: "large", noting: mine })}</div>
      <p class="row">${art("cards")}${t("seat.hand", { count: found.hand })}</p>${mine ? notes(ctrl) : nothing}${odds(ctrl, found)}`
    : nothing
}
    ${pile(found)}
    ${found.alive && !mine ? html`<button type="button" class="press small" @click=${() => ctrl.set({ sheet: { kind: "camera", seat: found.seat } })}>${art("camera")}${t("sheet.camera")}</button>` : nothing}`;

/** @param {Seat} found */
function pile(found) {
  if (!found.discard.length) return html`<p class="soft">${t("seat.no-discard")}</p>`;
  return html`<h4>${t("seat.discard", { count: found.discard.length })}</h4>
    <p class="pile">${found.discard.map((card) => html`<span class="chip ${hue(card)}">${badge(card)}${title(card)}</span>`)}</p>`;
}
