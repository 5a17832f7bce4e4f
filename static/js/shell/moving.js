/** A link that moves a seat here asks first where this device has a seat already. */
import { html } from "../core/lit.js";
import { t } from "../core/text.js";

/** @import { Controller } from "../core/controller.js" */

/** @param {Controller} ctrl */
export function moving(ctrl) {
  const { moving: take } = ctrl;
  const answer = (/** @type {(() => void) | null} */ next) => {
    ctrl.set({ moving: null });
    next?.();
  };
  return html`<div class="sure asking" role="group" aria-label=${t("claim.ask")}><p role="alert">${t("claim.ask")}</p>
    <button type="button" class="press danger" data-do="take" @click=${() => answer(take)}>${t("claim.take")}</button>
    <button type="button" class="press small" data-back @click=${() => answer(null)}>${t("claim.keep")}</button></div>`;
}
