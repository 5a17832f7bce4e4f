/**
 * Renders the steps of a draw grid's preparation. Also renders the camera check, which finds out with
 * one tap how the viewer sees a seat's grid on the call. This device stores the answer.
 */
import { prepStep } from "../../art/preparation.js";
import { getCardsInGame, getCardTitle } from "../core/deck.js";
import { html, nothing } from "../core/lit.js";
import { findSeat } from "../core/moves.js";
import { t } from "../core/text.js";
import { getOwnValue } from "../core/value.js";
import { renderBoxSection } from "../shell/box.js";
import { art, renderCardBadge, renderPlayerName, renderSentence } from "../shell/parts.js";
import { needsCameraCheck } from "../shell/lobby.js";
import { renderSetupPage } from "../shell/setup.js";
import { renderDeckChoice } from "./deck/choice.js";
import { getLens } from "./grid.js";
import { startCameraCheck } from "./seat.js";
import { hasDeviceDeck, findOwnSeat, countCards } from "./state.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { View } from "./types.js" */

/** @param {Controller} ctrl */
export function renderSetup(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  return renderSetupPage(ctrl, hasDeviceDeck(findOwnSeat(ctrl, view)) ? [] : renderSteps(ctrl), {
    choice: renderDeckChoice(ctrl),
    check: renderCameraStep(ctrl, view),
  });
}

/**
 * Renders the step in which the viewer can check how they see the other players' cards. Returns
 * undefined if nobody else plays with real cards.
 * @param {Controller} ctrl
 * @param {View} view
 */
function renderCameraStep(ctrl, view) {
  const seats = view.seats.filter((seat) => needsCameraCheck(view, seat));
  if (!seats.length) return undefined;
  return html`<h2>${t("camera.step")}</h2>
    <div class="preps" aria-hidden="true"><span class="prep">${prepStep("camera", countCards())}</span></div>
    <div class="row wrap cameras">
      ${seats.map(
        ({ seat, name }) => html`<button type="button" class="press small" data-camera=${seat}
          @click=${() => startCameraCheck(ctrl, seat)}>
          ${getOwnValue(ctrl.prefs.lens, `${ctrl.table}.${seat}`) ? art("check") : art("camera")}
          ${renderPlayerName(name)}
        </button>`,
      )}
    </div>
    <p class="soft">${t("camera.step.what")}</p>`;
}

/** @param {Controller} ctrl */
function renderSteps(ctrl) {
  const counts = countCards();
  const chips = getCardsInGame().map(
    ({ id, count }) =>
      html`<span class="chip">${renderCardBadge(id)}${count}× ${getCardTitle(id)}</span>`,
  );
  const edition = ctrl.prefs.box?.edition;
  return [
    renderStep(
      "take",
      counts,
      ["take"],
      [edition ? nothing : html`<span class="pile">${chips}</span>`, renderBoxSection(ctrl)],
    ),
    renderStep("aside", counts, ["aside"]),
    renderStep("away", counts, ["shuffle", "away"]),
    renderStep("hand", counts, ["hand"]),
    renderStep("grid", counts, ["mix", "grid"]),
  ];
}

/**
 * @param {string} name
 * @param {ReturnType<typeof countCards>} counts
 * @param {string[]} pictures
 * @param {unknown} [more]
 */
const renderStep = (name, counts, pictures, more = nothing) =>
  html`<h2>${t(`setup.${name}`, counts)}</h2>
    <div class="preps" aria-hidden="true">
      ${pictures.map((one) => html`<span class="prep">${prepStep(one, counts)}</span>`)}
    </div>
    ${more}`;

/**
 * For each corner in which the viewer may see the owner's top-left card: the lens, i.e. how the
 * viewer sees the grid.
 */
const CORNERS = /** @type {const} */ ({
  "top-left": "own",
  "top-right": "mirror",
  "bottom-left": "flipped",
  "bottom-right": "across",
});

/**
 * Renders the camera check, which asks in which corner the viewer sees the owner's top-left card.
 * @param {Controller} ctrl
 */
export function renderCameraCheck(ctrl) {
  const view = /** @type {View} */ (ctrl.view);
  const seat = findSeat(view, ctrl.sheet?.seat);
  if (!seat) return nothing;
  const lens = getLens(ctrl, seat.seat);
  return html`<div class="camera">
    <span class="prep" aria-hidden="true">${prepStep("camera", countCards())}</span>
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
