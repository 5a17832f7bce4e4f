/**
 * The stage of a table with one pile: the two piles, or the current choice (target, combo, cards seen,
 * the Kitten's place), or the open window.
 */
import { title } from "../core/deck.js";
import { html } from "../core/lit.js";
import { t } from "../core/text.js";
import { art, cardBadge, roundButton } from "../shell/parts.js";
import { windowView } from "../shell/windowed.js";
import { combo } from "./combo.js";
import { middle } from "./middle.js";
import { places } from "./saw.js";
import { arrange, draftOf, mine, place, viewOf } from "./state.js";
import { targets } from "./palette.js";

/** @import { Controller } from "../core/controller.js" */
/** @import { Draft } from "./types.js" */

/** @param {Controller} ctrl */
export function stage(ctrl) {
  const view = viewOf(ctrl);
  const draft = draftOf(ctrl);
  if (view.window) return windowView(ctrl);
  if (ctrl.aim) return aimView(ctrl, ctrl.aim);
  if (draft?.kind) return html`<div class="stage combos">${combo(ctrl)}</div>`;
  if (draft?.saw) return places(ctrl, draft.saw);
  if (draft?.told) return html`<div class="stage"></div>`;
  if (view.turn?.step === "kitten") return kitten(ctrl, draft);
  return html`<div class="stage">${middle(ctrl)}</div>`;
}

/** Draws the choice of a target for a card. @param {Controller} ctrl @param {string} card */
function aimView(ctrl, card) {
  const found = mine(ctrl, "play").filter((one) => one.card === card);
  const tap = (/** @type {string} */ seat) => {
    const command = found.find((one) => one.target === seat);
    ctrl.set({ aim: null });
    if (command) ctrl.send(command);
  };
  return html`<div class="stage combos">
    <div class="builder">
      <div class="builder-head">
        ${roundButton("undo", t("back"), () => ctrl.set({ aim: null }), "bare")}
        <span class="chosen">${cardBadge(card)}<b>${title(card)}</b></span>
      </div>
      ${targets(
        ctrl,
        found.map((one) => one.target),
        tap,
      )}
    </div>
  </div>`;
}

/**
 * Draws the moment of the Kitten; for the player who defuses it, the choice of its place.
 * @param {Controller} ctrl
 * @param {Draft | null} draft
 */
function kitten(ctrl, draft) {
  if (draft?.place) return where(ctrl, draft.place);
  return html`<div class="stage kitten-stage" aria-hidden="true">
    <span class="blast">${art("kitten")}</span>
  </div>`;
}

/**
 * Draws the slider for the Kitten's place, which only its player sees.
 * @param {Controller} ctrl
 * @param {number} at
 */
function where(ctrl, at) {
  const most = (viewOf(ctrl).pile?.cards ?? 0) + 1;
  const setPlace = (/** @type {Event} */ event) =>
    arrange(ctrl, { place: Number(/** @type {HTMLInputElement} */ (event.target).value) });
  return html`<div class="stage">
    <div class="secret">
      <div class="secret-pile" aria-hidden="true"
        .style=${`--at:${most > 1 ? (at - 1) / (most - 1) : 0}`}>
        ${Array.from({ length: Math.min(most, 16) }, () => html`<i></i>`)}
        <span class="secret-kitten">${art("kitten")}</span>
      </div>
      <label class="secret-slide">
        <span class="secret-words">
          <b>${place(at, most)}</b>
          <span class="soft">${t("secret.of", { count: most })}</span>
        </span>
        <input type="range" name="place" min="1" max=${most} .value=${String(at)}
          aria-valuetext=${place(at, most)} @input=${setPlace}>
        <span class="secret-ends soft">
          <span>${t("place.top")}</span>
          <span>${t("place.bottom")}</span>
        </span>
      </label>
    </div>
  </div>`;
}
