/** The chain: everybody in order of play, with grid, hand and discard pile at a glance. */
import { hue, title } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { asked } from "../core/moves.js";
import { t } from "../core/text.js";
import { grid } from "../grid/grid.js";
import { art, badge, emblem, named } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Seat, View } from "../core/types.js" */

/** Where there is room for everybody's cards beside the stage. */
const wide = globalThis.matchMedia?.("(min-width: 1200px)") ?? { matches: false };

/** @param {Controller} ctrl */
export function chain(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  return html`<nav class="chain" aria-label=${t("chain")} data-count=${view.seats.length}>
    ${view.seats.map((seat) => tile(ctrl, seat))}
  </nav>`;
}

/** @param {Controller} ctrl @param {Seat} seat */
function tile(ctrl, seat) {
  return html`<button type="button" class="tile ${roles(ctrl, seat).join(" ")}" data-seat=${seat.seat} title=${seat.name} aria-label=${label(ctrl, seat)}
    @click=${() => ctrl.set({ sheet: { kind: "seat", seat: seat.seat } })}>
    <span class="tile-name clip">${seat.seat === ctrl.view?.host ? art("crown") : nothing}${emblem(ctrl, seat.seat)}${named(seat.name)}</span>
    ${seat.alive ? html`${grid(ctrl, seat, { size: wide.matches ? "wide" : "small", idle: true })}<span class="tile-side">${held(seat)}${pile(seat)}</span>` : gone(seat)}
  </button>`;
}

/** @param {Seat} seat */
const held = (seat) => html`<span class="count">${art("cards")}${seat.hand}</span>`;

/** The top of the discard pile. @param {Seat} seat */
function pile(seat) {
  const top = seat.discard.at(-1);
  return top
    ? html`<span class="count pile-top ${hue(top)}">${badge(top)}${seat.discard.length}</span>`
    : nothing;
}

/** @param {Seat} seat */
const gone = (seat) =>
  html`<span class="gone">${art(seat.out === "kitten" ? "boom" : "skip")}<span>${t(`out.${seat.out}`)}</span></span>`;

/** @param {Controller} ctrl @param {Seat} seat */
function roles(ctrl, seat) {
  const view = /** @type {View} */ (ctrl.view);
  return [
    seat.seat === ctrl.me ? "me" : "",
    seat.alive ? "" : "is-out",
    view.turn?.seat === seat.seat ? "up" : "",
    view.turn?.instructor === seat.seat ? "tells" : "",
    asked(view) === seat.seat ? "asked" : "",
    seat.panel && ctrl.presence.seats[seat.seat] === "away" ? "away" : "",
    seat.seat === view.winner ? "won" : "",
  ].filter(Boolean);
}

/** @param {Controller} ctrl @param {Seat} seat */
function label(ctrl, seat) {
  const view = /** @type {View} */ (ctrl.view);
  const parts = [seat.name];
  if (seat.seat === ctrl.me) parts.push(t("seat.you"));
  if (!seat.alive) parts.push(t(`out.${seat.out}`));
  else parts.push(t("seat.hand", { count: seat.hand }));
  if (view.turn?.seat === seat.seat) parts.push(t("seat.up"));
  if (view.turn?.instructor === seat.seat) parts.push(t("seat.tells"));
  const up = seat.grid.flat().filter((face) => face && face !== "down");
  if (up.length)
    parts.push(t("seat.face-up", { cards: up.map((card) => title(String(card))).join(", ") }));
  if (roles(ctrl, seat).includes("away")) parts.push(t("seat.away"));
  return parts.join(", ");
}
