/**
 * Renders the stage of a table with one pile: the two piles, the current choice (of a target, a
 * combo, the seen cards, or a place for the Kitten), or the open window.
 */
import { getCardTitle } from "../core/deck.js";
import { html } from "../core/lit.js";
import { t } from "../core/text.js";
import { art, renderCardBadge, renderRoundButton } from "../shell/parts.js";
import { renderWindow } from "../shell/windowed.js";
import { renderComboBuilder } from "./combo.js";
import { renderTableMiddle } from "./middle.js";
import { renderSeenCards } from "./saw.js";
import { setDraft, getDraft, getAllowedCommands, describePlace, getView } from "./state.js";
import { renderTargetButtons } from "./palette.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Draft } from "./types.js" */

/** @param {Controller} ctrl */
export function renderStage(ctrl) {
  const view = getView(ctrl);
  const draft = getDraft(ctrl);
  if (view.window) return renderWindow(ctrl);
  if (ctrl.aimedCard) return renderTargetChoice(ctrl, ctrl.aimedCard);
  if (draft?.kind) return html`<div class="stage combos">${renderComboBuilder(ctrl)}</div>`;
  if (draft?.saw) return renderSeenCards(ctrl, draft.saw);
  if (draft?.told) return html`<div class="stage"></div>`;
  if (view.turn?.step === "kitten" || view.turn?.step === "imploding")
    return renderKittenStage(ctrl, draft, view.turn.step);
  return html`<div class="stage">${renderTableMiddle(ctrl)}</div>`;
}

/** Renders the choice of a target for a card. @param {Controller} ctrl @param {string} card */
function renderTargetChoice(ctrl, card) {
  const commands = getAllowedCommands(ctrl, "play").filter((command) => command.card === card);
  const chooseTarget = (/** @type {string} */ seat) => {
    const command = commands.find((command) => command.target === seat);
    ctrl.set({ aimedCard: null });
    if (command) ctrl.send(command);
  };
  return html`<div class="stage combos">
    <div class="builder">
      <div class="builder-head">
        ${renderRoundButton("undo", t("back"), () => ctrl.set({ aimedCard: null }), "bare")}
        <span class="chosen">${renderCardBadge(card)}<b>${getCardTitle(card)}</b></span>
      </div>
      ${renderTargetButtons(
        ctrl,
        commands.map((command) => command.target),
        chooseTarget,
      )}
    </div>
  </div>`;
}

/**
 * Renders the stage after a Kitten was drawn. If the player who puts it back wants to note its place
 * in the pile, renders a slider for the place.
 * @param {Controller} ctrl
 * @param {Draft | null} draft
 * @param {string} kitten "kitten" or "imploding"
 */
function renderKittenStage(ctrl, draft, kitten) {
  if (draft?.place) return renderPlaceSlider(ctrl, draft.place, kitten);
  return html`<div class="stage kitten-stage" aria-hidden="true">
    <span class="blast">${art(kitten)}</span>
  </div>`;
}

/**
 * Renders the slider for the Kitten's place in the pile. Only the player who puts the Kitten back
 * sees the slider.
 * @param {Controller} ctrl
 * @param {number} at
 * @param {string} kitten
 */
function renderPlaceSlider(ctrl, at, kitten) {
  const lastPlace = (getView(ctrl).pile?.cards ?? 0) + 1;
  const setPlace = (/** @type {Event} */ event) =>
    setDraft(ctrl, { place: Number(/** @type {HTMLInputElement} */ (event.target).value) });
  return html`<div class="stage">
    <div class="secret">
      <div class="secret-pile" aria-hidden="true"
        .style=${`--at:${lastPlace > 1 ? (at - 1) / (lastPlace - 1) : 0}`}>
        ${Array.from({ length: Math.min(lastPlace, 16) }, () => html`<i></i>`)}
        <span class="secret-kitten">${art(kitten)}</span>
      </div>
      <label class="secret-slide">
        <span class="secret-words">
          <b>${describePlace(at, lastPlace)}</b>
          <span class="soft">${t("secret.of", { count: lastPlace })}</span>
        </span>
        <input type="range" name="place" min="1" max=${lastPlace} .value=${String(at)}
          aria-valuetext=${describePlace(at, lastPlace)} @input=${setPlace}>
        <span class="secret-ends soft">
          <span>${t("place.top")}</span>
          <span>${t("place.bottom")}</span>
        </span>
      </label>
    </div>
  </div>`;
}
