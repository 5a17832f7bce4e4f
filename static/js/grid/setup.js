/**
 * The preparation of a draw grid, step by step; and the camera check, which finds out with one tap how
 * the viewer sees a seat's grid on the call and remembers it on this device.
 */
import { prepStep } from "../../art/preparation.js";
import { cardsInGame, title } from "../core/deck.js";
import { late } from "../core/late.js";
import { html, nothing } from "../core/lit.js";
import { seatOf } from "../core/moves.js";
import { t } from "../core/text.js";
import { renderBox } from "../shell/box.js";
import { art, renderCardBadge, renderPlayerName, renderSentence } from "../shell/parts.js";
import { renderSetupPage } from "../shell/setup.js";
import { lensOf } from "./grid.js";
import { isKept, ownSeat, sizes } from "./state.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "./types.js" */

const choice = late(() => import("./deck/choice.js"), "deck");

/** @param {Controller} ctrl */
export function setup(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  return renderSetupPage(ctrl, isKept(ownSeat(ctrl, view)) ? [] : steps(ctrl), {
    choice: choice(ctrl, (part) => part.choice(ctrl)),
  });
}

/** @param {Controller} ctrl */
function steps(ctrl) {
  const many = sizes();
  const chips = cardsInGame().map(
    ({ id, count }) => html`<span class="chip">${renderCardBadge(id)}${count}× ${title(id)}</span>`,
  );
  const edition = ctrl.prefs.box?.edition;
  return [
    step(
      "take",
      many,
      ["take"],
      [edition ? nothing : html`<span class="pile">${chips}</span>`, renderBox(ctrl)],
    ),
    step("aside", many, ["aside"]),
    step("away", many, ["shuffle", "away"]),
    step("hand", many, ["hand"]),
    step("grid", many, ["mix", "grid"]),
  ];
}

/**
 * @param {string} name
 * @param {ReturnType<typeof sizes>} many
 * @param {string[]} pictures
 * @param {unknown} [more]
 */
const step = (name, many, pictures, more = nothing) =>
  html`<h2>${t(`setup.${name}`, many)}</h2>
    ${pictures.map((one) => html`<span class="prep" aria-hidden="true">${prepStep(one, many)}</span>`)}
    ${more}`;

/** Corner in which the viewer sees the owner's top-left card → lens. */
const CORNERS = /** @type {const} */ ({
  "top-left": "own",
  "top-right": "mirror",
  "bottom-left": "flipped",
  "bottom-right": "across",
});

/** Draws the camera check: in which corner is the owner's top-left card? @param {Controller} ctrl */
export function camera(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const seat = seatOf(view, ctrl.sheet?.seat);
  if (!seat) return nothing;
  const lens = lensOf(ctrl, seat.seat);
  return html`<div class="camera">
    <span class="prep" aria-hidden="true">${prepStep("camera", sizes())}</span>
    <p>${renderSentence("camera.ask", { who: renderPlayerName(seat.name) })}</p>
    <div class="corners">
      ${Object.entries(CORNERS).map(
        ([corner, way]) => html`<button type="button" class="press corner" data-corner=${corner}
          aria-pressed=${String(lens === way)} @click=${() => setLens(ctrl, seat.seat, way)}>
          ${lens === way ? art("check") : nothing}
          ${t(`camera.${corner}`)}
        </button>`,
      )}
    </div>
    <p class="soft">${t(`lens.${lens}`)}</p>
  </div>`;
}

/** @param {Controller} ctrl @param {string} seat @param {string} lens */
function setLens(ctrl, seat, lens) {
  ctrl.prefer("lens", { ...ctrl.prefs.lens, [`${ctrl.table}.${seat}`]: lens });
}
