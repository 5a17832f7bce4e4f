/** Draws a draw grid on the page for a shared screen: each player's grid, hand and discard pile. */
import { html, nothing } from "../core/lit.js";
import { art } from "../shell/parts.js";
import { renderDiscardPile, renderGrid } from "./grid.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Seat, View } from "./types.js" */

/** Height of a tile, including the name, divided by the height of its cards. */
const WITH_NAME = 1.25;
/** Height of a card, divided by its width. */
const CARD_SHAPE = 1.4;

/** Returns the width of a tile, divided by its height. @param {View} view */
export function getShape({ seats }) {
  const rows = seats[0]?.grid.length || 1;
  return (seats[0]?.grid[0]?.length || 1) / (rows * CARD_SHAPE * WITH_NAME);
}

/** @param {Controller} ctrl @param {Seat} seat */
export const renderPlayer = (ctrl, seat) =>
  html`${renderGrid(ctrl, seat, { size: "shared", idle: true })}
    <span class="screen-facts">
      <span class="count">${art("cards")}${seat.hand}</span>${renderDiscardPile(seat)}
    </span>`;

/** Renders the drawn Kitten while the table waits for its Defuse. @param {Controller} ctrl */
export const renderMiddle = ({ view }) =>
  view?.turn?.step === "kitten"
    ? html`<span class="screen-kitten">${art("kitten")}</span>`
    : nothing;
