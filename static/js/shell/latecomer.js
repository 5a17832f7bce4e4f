/** For whoever came while a game was on: they watch, and there may be a seat in the next one. */
import { html, nothing } from "../core/lit.js";
import { t } from "../core/text.js";

/** @import { Controller } from "../core/controller.js" */

/** @param {Controller} ctrl */
export function latecomer(ctrl) {
  const waits = ctrl.waits;
  if (ctrl.view?.options.locked && !waits) return html`<p class="quiet">${t("dock.watch")}</p>`;
  const late = ctrl.view?.phase === "over" ? "wait.over" : "wait.late";
  return html`<p class="quiet">${t(waits ? "wait.have" : late)}</p>
    <button type="button" class="press small" data-do="wait" @click=${() => ctrl.set({ sheet: { kind: "wait" } })}>${t(waits ? "wait.who" : "wait.ask")}</button>${nothing}`;
}
