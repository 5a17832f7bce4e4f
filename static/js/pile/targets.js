/** Names to tap: against whom a card or a combo goes, with what their hands hold. */
import { hand } from "../../art/marks.js";
import { html } from "../core/lit.js";
import { seatOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { emblem, long, named } from "../shell/parts.js";
import { viewOf } from "./state.js";

/** @import { Controller } from "../core/controller.js" */

/** @param {Controller} ctrl @param {string[]} seats @param {(seat: string) => void} tap */
export function targets(ctrl, seats, tap) {
  return html`<div class="whom" role="group" aria-label=${t("now.combo.whom")} data-count=${seats.length}>${seats.map(
    (one) => {
      const seat = seatOf(viewOf(ctrl), one);
      return html`<button type="button" class="press" data-whom=${one} data-digit @click=${() => tap(one)}>${emblem(ctrl, one)}<span class="grow clip ${long(seat?.name ?? "", 9)}">${named(seat?.name ?? "")}</span><span class="holds" title=${t("seat.hand", { count: seat?.hand ?? 0 })}>${hand(seat?.hand ?? 0)}<span aria-hidden="true">${seat?.hand}</span><span class="unseen">${t("seat.hand", { count: seat?.hand ?? 0 })}</span></span></button>`;
    },
  )}</div>`;
}
