/** A seat in the chain: its hand as a fan, and what is known of it. */
import { hand } from "../../art/marks.js";
import { hue, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { listed, t } from "../core/text.js";
import { badge } from "../shell/parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Seat } from "./types.js" */

/** How many known cards a tile has room for. */
const ROOM = 3;

/** @param {Controller} _ctrl @param {Seat} seat @param {boolean} wide */
export function tile(_ctrl, seat, wide) {
  const known = Object.entries(seat.known ?? {});
  const shown = wide ? known : known.slice(0, ROOM);
  return html`<span class="holds">${hand(seat.hand)}<span class="count">${seat.hand}</span></span><span class="tile-side known">${shown.map(
    ([card, least]) =>
      html`<span class="count ${hue(card)}">${badge(card)}${wide ? title(card) : nothing}${least > 1 ? html`<b>${least}</b>` : nothing}</span>`,
  )}</span>`;
}

/** What everybody knows of a hand, in words. @param {Controller} _ctrl @param {Seat} seat */
export function describe(_ctrl, seat) {
  const known = Object.entries(seat.known ?? {}).map(([card, least]) =>
    least > 1 ? `${least}× ${title(card)}` : title(card),
  );
  return [
    ...(known.length ? [t("hand.known", { cards: listed(known) })] : []),
    ...(seat.never?.length ? [t("hand.never", { cards: listed(seat.never.map(title)) })] : []),
  ];
}
