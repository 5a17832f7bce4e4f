/**
 * Renders the chain: one tile for each player, in the order of play. Each tile shows a small
 * version of the player's cards.
 */
import { getFamily } from "../core/family.js";
import { html, nothing } from "../core/lit.js";
import { getSeatToAct } from "../core/moves.js";
import { t } from "../core/text.js";
import { art, renderEmblem, renderAheadSign, renderPlayerName, renderRobotSign } from "./parts.js";
import { isWindowWide } from "../core/page.js";
import { getOwnValue } from "../core/value.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Seat, View } from "../core/types.js" */

/** Returns true if the window has room for everybody's cards beside the stage. */
const hasRoomForGrids = () => isWindowWide(75);

/** @param {Controller} ctrl */
export function renderChain(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  return html`<nav class="chain" aria-label=${t("chain")} data-count=${view.seats.length}>
    ${view.seats.map((seat) => renderTile(ctrl, seat))}
  </nav>`;
}

/** Number of letters up to which a name stays on one line. */
const BRIEF = 6;

/** @param {Controller} ctrl @param {Seat} seat */
function renderTile(ctrl, seat) {
  return html`<button type="button" class="tile ${getTileClasses(ctrl, seat).join(" ")}"
    data-seat=${seat.seat} title=${seat.name} aria-label=${getTileLabel(ctrl, seat)}
    @click=${() => ctrl.set({ sheet: { kind: "seat", seat: seat.seat } })}>
    <span class="tile-name clip">
      ${seat.seat === ctrl.view?.host ? art("crown") : nothing}
      ${renderEmblem(ctrl, seat.seat)}
      ${renderPlayerName(seat.name)}
      ${renderRobotSign(seat)}${renderAheadSign(seat)}
    </span>
    ${seat.alive ? getFamily().renderTile(ctrl, seat, hasRoomForGrids()) : renderOutBadge(seat)}
  </button>`;
}

/** @param {Seat} seat */
const renderOutBadge = (seat) =>
  html`<span class="gone">
    ${art(seat.out === "kitten" ? "boom" : "skip")}
    <span>${t(`out.${seat.out}`)}</span>
  </span>`;

/**
 * Returns the CSS classes for a player's state, such as `me`, `up` or `away`.
 * @param {Controller} ctrl
 * @param {Seat} seat
 */
function getTileClasses(ctrl, seat) {
  const view = /** @type {View} */ (ctrl.view);
  return [
    [...seat.name].length <= BRIEF ? "brief" : "",
    seat.seat === ctrl.me ? "me" : "",
    seat.alive ? "" : "is-out",
    view.turn?.seat === seat.seat ? "up" : "",
    getFamily().findHelper(view)?.seat === seat.seat ? "tells" : "",
    getSeatToAct(view) === seat.seat ? "asked" : "",
    seat.panel && getOwnValue(ctrl.presence.seats, seat.seat) === "away" ? "away" : "",
    seat.seat === view.winner ? "won" : "",
  ].filter(Boolean);
}

/** Returns a tile's text for screen readers. @param {Controller} ctrl @param {Seat} seat */
function getTileLabel(ctrl, seat) {
  const view = /** @type {View} */ (ctrl.view);
  const parts = [seat.name];
  if (seat.seat === ctrl.me) parts.push(t("seat.you"));
  if (seat.robot) parts.push(t("seat.robot"));
  if (!seat.alive) parts.push(t(`out.${seat.out}`));
  else parts.push(t("seat.hand", { count: seat.hand }));
  if (view.turn?.seat === seat.seat) parts.push(t("seat.up"));
  if (getFamily().findHelper(view)?.seat === seat.seat) parts.push(t("seat.tells"));
  parts.push(...getFamily().describeTile(ctrl, seat));
  if (getTileClasses(ctrl, seat).includes("away")) parts.push(t("seat.away"));
  return parts.join(", ");
}
