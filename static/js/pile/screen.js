/** Draws a table with one pile on the page for a shared screen: the piles, and each player's hand. */
import { hand } from "../../art/marks.js";
import { getCardTitle, getHueClass } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { art, renderCardBadge } from "../shell/parts.js";
import { renderSharedMiddle } from "./middle.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Seat } from "./types.js" */

/** Width of a tile, divided by its height. */
const SHAPE = 1.3;
/** Maximum number of known cards that a tile shows. */
const KNOWN = 4;

export const getShape = () => SHAPE;

/** @param {Controller} _ctrl @param {Seat} seat */
export const renderPlayer = (_ctrl, seat) =>
  html`<div class="screen-hand">
    ${hand(seat.hand)}<b>${seat.hand}</b>
    <span class="screen-known">
      ${Object.entries(seat.known ?? {})
        .slice(0, KNOWN)
        .map(
          ([card, least]) =>
            html`<span class="count ${getHueClass(card)}" title=${getCardTitle(card)}>
              ${renderCardBadge(card)}${least > 1 ? html`<b>${least}</b>` : nothing}
            </span>`,
        )}
    </span>
  </div>`;

/** Renders the piles, or the drawn Kitten while the table waits for its Defuse. @param {Controller} ctrl */
export const renderMiddle = (ctrl) =>
  ctrl.view?.turn?.step === "kitten"
    ? html`<span class="screen-kitten">${art("kitten")}</span>`
    : renderSharedMiddle(ctrl);
