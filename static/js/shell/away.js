/**
 * Whether the system may tell the viewer that it is their turn while they look elsewhere
 * (core/senses.js tells them): asked once they have missed one, and a switch in the menu.
 */
import { html, live, nothing } from "../core/lit.js";
import { t } from "../core/text.js";

/** @import { Controller } from "../core/controller.js" */

/** Asked of the browser, which then asks the viewer. @param {Controller} ctrl @param {boolean} wanted */
async function call(ctrl, wanted) {
  const allowed = wanted && (await Notification.requestPermission()) === "granted";
  ctrl.prefer("call", allowed);
  if (wanted && !allowed) ctrl.tell(t("away.denied"), ctrl.sheet ? "sheet" : "now");
}

/** After the first turn that was missed. @param {Controller} ctrl */
export const asking = (ctrl) =>
  html`<div class="toast" role="status"><span>${t("away.ask")}</span>
    <div class="row">
      <button type="button" class="press main small" data-do="call" @click=${() => call(ctrl, true)}>
        ${t("away.yes")}
      </button>
      <button type="button" class="press plain small" data-do="call-not"
        @click=${() => call(ctrl, false)}>
        ${t("away.no")}
      </button>
    </div>
  </div>`;

/** In the menu, where the browser can. @param {Controller} ctrl */
export const calling = (ctrl) =>
  "Notification" in globalThis && Notification.permission !== "denied"
    ? html`<label class="switch">
      <span>${t("menu.call")}</span>
      <input type="checkbox" role="switch" name="call" .checked=${live(ctrl.prefs.call === true)}
        @change=${() => call(ctrl, ctrl.prefs.call !== true)}>
    </label>`
    : nothing;
