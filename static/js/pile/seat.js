/** One seat in full: its hand as a fan, and what everybody knows of it. */
import { hand } from "../../art/marks.js";
import { hue, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { seatOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { badge } from "../shell/parts.js";
import { seat as sheet } from "../shell/seat.js";
import { notes } from "./notes.js";

import { viewOf } from "./state.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Seat } from "./types.js" */

/** @param {Controller} ctrl */
export const seat = (ctrl) =>
  sheet(ctrl, (found, mine) => cards(ctrl, /** @type {Seat} */ (found), mine));

/** @param {Controller} ctrl @param {Seat} found @param {boolean} mine */
function cards(ctrl, found, mine) {
  if (!found.alive) return nothing;
  const known = Object.entries(found.known ?? {});
  const never = found.never ?? [];
  const next = seatOf(viewOf(ctrl), found.next);
  return html`<p class="hand-row">${hand(found.hand)}<b>${t("seat.hand", { count: found.hand })}</b></p>
    ${known.length ? html`<h4>${t("hand.surely")}</h4><p class="pile">${known.map(([card, least]) => html`<span class="chip ${hue(card)}">${badge(card)}${least > 1 ? `${least}× ` : ""}${title(card)}</span>`)}</p>` : nothing}
    ${never.length ? html`<h4>${t("hand.surely-not")}</h4><p class="pile never">${never.map((card) => html`<span class="chip">${badge(card)}<s>${title(card)}</s></span>`)}</p>` : nothing}
    ${known.length || never.length || !found.known ? nothing : html`<p class="soft">${t("hand.nothing")}</p>`}
    ${next && next.seat !== found.seat ? html`<p class="soft">${t("then", { who: next.name })}</p>` : nothing}${mine ? notes(ctrl) : nothing}`;
}
