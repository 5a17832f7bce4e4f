/** The chain as a ring: the living in order of play, the out left behind, the instruction running. */
import { html, nothing, svg } from "../lit.js";
import { t } from "../text.js";

/** @import { Controller } from "../controller.js" */
/** @import { Seat, View } from "../types.js" */

const R = 74;

/** @param {Controller} ctrl */
export function ring(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const alive = view.seats.filter((seat) => seat.alive);
  const out = view.seats.filter((seat) => !seat.alive);
  return html`<svg class="ring" viewBox="-150 -108 300 ${out.length ? 236 : 216}" role="img" aria-label=${t("ring", { names: alive.map((seat) => seat.name).join(" → ") })}>
    <circle class="ring-line" r=${R}></circle>${telling(view, alive)}
    ${alive.map((seat, at) => player(view, seat, spot(at, alive.length), seat.seat === ctrl.me))}
    ${out.length ? svg`<text class="ring-out" y="122">${out.map((seat) => seat.name.slice(0, 10)).join(" · ")}</text>` : nothing}</svg>`;
}

/** @param {number} at @param {number} count @returns {[number, number]} */
function spot(at, count) {
  const angle = (at / count) * 2 * Math.PI - Math.PI / 2;
  return [Math.cos(angle) * R, Math.sin(angle) * R];
}

/** From the instructor to the turn player. @param {View} view @param {Seat[]} alive */
function telling(view, alive) {
  const turn = view.turn;
  const from = alive.findIndex((seat) => seat.seat === turn?.instructor);
  const to = alive.findIndex((seat) => seat.seat === turn?.seat);
  if (from < 0 || to < 0 || from === to) return nothing;
  const [x1, y1] = spot(from, alive.length);
  const [x2, y2] = spot(to, alive.length);
  return svg`<path class="ring-tells ${turn?.step === "tell" ? "lit" : ""}" d="M${x1} ${y1}Q${(x1 + x2) * 0.28} ${(y1 + y2) * 0.28} ${x2} ${y2}" pathLength="1"></path>`;
}

/** @param {View} view @param {Seat} seat @param {[number, number]} at @param {boolean} me */
function player(view, seat, [x, y], me) {
  const role = seat.seat === view.turn?.seat ? "up" : seat.seat === view.turn?.instructor ? "tells" : "";
  const side = x > 20 ? "start" : x < -20 ? "end" : "middle";
  const dx = side === "start" ? 16 : side === "end" ? -16 : 0;
  const dy = side === "middle" ? (y < 0 ? -17 : 25) : 5;
  const name = seat.name.length > 11 ? `${seat.name.slice(0, 10)}…` : seat.name;
  return svg`<g class="ring-seat ${role} ${me ? "me" : ""}"><circle cx=${x} cy=${y} r="10"></circle>
    <text x=${x + dx} y=${y + dy} text-anchor=${side}>${name}</text></g>`;
}
