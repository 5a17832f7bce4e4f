/** The camera check, as whoever is checked sees it: who looks at their cards, and what to do for them. */
import { html, nothing } from "../core/lit.js";
import { nameOf } from "../core/moves.js";
import { listed, t } from "../core/text.js";
import { art } from "./parts.js";

/** @import { Controller } from "../core/controller.js" */

const TELLS_MS = 5000;
const STAYS_MS = 8000;

/** When it is told again. @type {ReturnType<typeof setTimeout> | undefined} */
let again;
/** When each of them will have stopped. @type {Map<string, ReturnType<typeof setTimeout>>} */
const stops = new Map();

/**
 * Whose camera this viewer checks is told, for as long as that goes on.
 * @param {Controller} ctrl
 * @param {string} seat
 */
export function tells(ctrl, seat) {
  clearTimeout(again);
  const { sheet, view } = ctrl;
  if (view?.phase !== "setup" || sheet?.kind !== "camera" || sheet.seat !== seat) return;
  if (view.you) ctrl.wire?.sign("camera", seat);
  again = setTimeout(() => tells(ctrl, seat), TELLS_MS);
}

/** Somebody looks, or still does. @param {Controller} ctrl @param {string} seat */
export function comes(ctrl, seat) {
  clearTimeout(stops.get(seat));
  const others = () => ctrl.lookers.filter((one) => one !== seat);
  stops.set(
    seat,
    setTimeout(() => ctrl.set({ lookers: others() }), STAYS_MS),
  );
  if (!ctrl.lookers.includes(seat)) ctrl.set({ lookers: [...ctrl.lookers, seat] });
}

/** Who looks now. @param {Controller} ctrl */
export function looked({ view, lookers }) {
  if (view?.phase !== "setup" || !lookers.length) return nothing;
  const names = listed(lookers.map((seat) => nameOf(view, seat)));
  return html`<p class="looked" role="status">
    ${art("camera")}<span>${t("camera.looked", { names, count: lookers.length })}</span>
  </p>`;
}
