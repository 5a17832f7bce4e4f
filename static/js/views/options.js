/** What the host chooses for the table. */
import { html } from "../lit.js";
import { live } from "../lit-more.js";
import { t } from "../text.js";
import { toast } from "./parts.js";

/** @import { Controller } from "../controller.js" */
/** @import { View } from "../types.js" */

/** @param {Controller} ctrl */
export function options(ctrl) {
  const { options: chosen, phase } = /** @type {View} */ (ctrl.view);
  const switches = /** @type {const} */ (["roll_call", "odds", "spectators", "locked"]);
  return html`<section class="panel options" aria-label=${t("options")}><h2>${t("options")}</h2>
    <label class="switch range"><span class="grow">${t("options.nope_seconds")}</span>
      <input type="range" name="nope_seconds" min="3" max="30" .value=${live(String(chosen.nope_seconds))}
        @change=${(/** @type {Event} */ event) => ctrl.say({ type: "options", nope_seconds: Number(value(event).value) }, "options")}>
      <output>${t("seconds", { count: chosen.nope_seconds })}</output></label>
    ${switches.filter((key) => chosen[key] !== undefined && phase === "lobby").map((key) => html`<label class="switch"><span>${t(`options.${key}`)}</span>
      <input type="checkbox" role="switch" name=${key} .checked=${live(!!chosen[key])}
        @change=${(/** @type {Event} */ event) => ctrl.say({ type: "options", [key]: value(event).checked }, "options")}></label>`)}
    ${toast(ctrl, "options")}</section>`;
}

/** @param {Event} event */
const value = (event) => /** @type {HTMLInputElement} */ (event.target);
