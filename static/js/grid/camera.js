/** The camera check: how this viewer sees a seat's grid in the call, found by one tap and kept on the device. */
import { prepStep } from "../../art/preparation.js";
import { html, nothing } from "../core/lit.js";
import { seatOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { lensOf } from "./grid.js";
import { sizes } from "./sizes.js";
import { art, named, say } from "../shell/parts.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "./types.js" */

/** Where the owner's top-left card is seen → how their grid is seen. */
const CORNERS = /** @type {const} */ ({
  "top-left": "own",
  "top-right": "mirror",
  "bottom-left": "flipped",
  "bottom-right": "across",
});

/** @param {Controller} ctrl */
export function camera(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const seat = seatOf(view, ctrl.sheet?.seat);
  if (!seat) return nothing;
  const lens = lensOf(ctrl, seat.seat);
  return html`<div class="camera"><span class="prep" aria-hidden="true">${prepStep("camera", sizes())}</span>
    <p>${say("camera.ask", { who: named(seat.name) })}</p>
    <div class="corners">${Object.entries(CORNERS).map(
      ([
        corner,
        way,
      ]) => html`<button type="button" class="press corner" data-corner=${corner} aria-pressed=${String(lens === way)}
      @click=${() => see(ctrl, seat.seat, way)}>${lens === way ? art("check") : nothing}${t(`camera.${corner}`)}</button>`,
    )}</div>
    <p class="soft">${t(`lens.${lens}`)}</p></div>`;
}

/** @param {Controller} ctrl @param {string} seat @param {string} lens */
function see(ctrl, seat, lens) {
  ctrl.prefer("lens", { ...ctrl.prefs.lens, [`${ctrl.table}.${seat}`]: lens });
}
