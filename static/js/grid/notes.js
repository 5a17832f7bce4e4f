/** Notes for oneself alone: what one saw under a cell (ruling private-notes). */
import { deck, hue, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { seatOf } from "../core/moves.js";
import { spoken } from "./place.js";
import { t } from "../core/text.js";
import { badge } from "../shell/parts.js";
import { same } from "./cells.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "./types.js" */

/** @param {Controller} ctrl */
export function notes(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const mine = seatOf(view, ctrl.me);
  const at = ctrl.noting;
  if (!mine || view.phase !== "play") return nothing;
  if (!at || mine.grid[at[0]]?.[at[1]] !== "down")
    return html`<p class="soft">${t("notes.how")}</p>`;
  const known = view.you?.notes.find((note) => same(note.cell, at));
  const note = (/** @type {string | null} */ card) => {
    ctrl.say({ type: "note", cell: at, card }, "sheet");
    ctrl.set({ noting: null });
  };
  return html`<div class="noting"><h4>${t("notes.what", { place: spoken(mine.grid, at) })}</h4><div class="row wrap">
    ${deck().map(({ id: card }) => html`<button type="button" class="press small ${hue(card)}" data-note=${card} @click=${() => note(card)}>${badge(card)}${title(card)}</button>`)}
    ${known ? html`<button type="button" class="press small" @click=${() => note(null)}>${t("notes.forget")}</button>` : nothing}</div></div>`;
}
